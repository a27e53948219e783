import type { SubscriptionStrings } from './subscription.en.ts'

/** Turkish strings of the mail about a disabled webhook. */
export const tr: SubscriptionStrings = {
  subject: (at) => `${at.host} webhook'u devre dışı`,
  exhausted: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Bir olay ${at.host} adresine yedi denemede de teslim edilemedi; bu yüzden bu webhook devre dışı bırakıldı (${at.id}).

Hiçbir şey kaybolmadı: teslim edilemeyenler 30 gün, bundan sonraki olaylar 7 gün saklanır. Alıcı yeniden çalıştığında panelde "Yeniden dene"ye basın ya da POST /api/v1/webhooks/${at.id}/retry isteğini gönderin; hepsi yeniden yollanır.
`,
  gone: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Alıcınız (${at.host}) bir teslimata 410 (artık yok) yanıtını verdi; bu yüzden bu webhook devre dışı bırakıldı (${at.id}).

Artık gerekmiyorsa silin. Alıcı geri geldiyse panelde "Yeniden dene"ye basın ya da POST /api/v1/webhooks/${at.id}/retry isteğini gönderin; teslim edilemeyenler ve son 7 günün olayları yeniden yollanır.
`,
}
