import type { NotificationStrings } from './notification.en.ts'

/** Turkish strings of notifications to members. */
export const tr: NotificationStrings = {
  language: 'tr',
  hello: (name) => (name ? `Merhaba ${name},` : 'Merhaba,'),
  lead: (at) => `${at.site}: yeni iletişim bilgisi, ${at.who}`,
  handoff: (at) => `${at.site}: bir ziyaretçi temsilciye bağlanmak istiyor`,
  waiting: (at) => `${at.site}: bir ziyaretçi yanıt bekliyor`,
  credits: (at) => `Krediniz azalıyor: ${at.remaining} kredi kaldı`,
  webhooks: (at) => `${at.host} webhook'u devre dışı`,
  digest: (count) => `Sohbet: ${count} bildirim`,
  others: (count) => `… ve ${count} bildirim daha. Hepsi gelen kutusunda.`,
  creditsText: (at) =>
    `${at.limit} krediden ${at.remaining} kredi kaldı; kredileriniz ${at.resetAt} tarihinde yenilenir. Kredi bitince asistan yanıt veremez, ziyaretçiler iletişim bilgilerini yine de bırakabilir.`,
  lastLines: 'Sohbetten son satırlar:',
  visitor: 'Ziyaretçi',
  assistant: 'Asistan',
  operator: 'Temsilci',
  answerHere: 'Buradan yanıtlayın:',
  openHere: 'Buradan açın:',
  chooseHere: 'Hangi bildirimleri alacağınızı buradan seçin:',
  webhook: {
    subject: (at) => `${at.host} webhook'u devre dışı`,
    exhausted: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Bir olay ${at.host} adresine yedi denemede de teslim edilemedi; bu yüzden bu webhook devre dışı bırakıldı (${at.id}).

Hiçbir şey kaybolmadı: teslim edilemeyenler 30 gün, bundan sonraki olaylar 7 gün saklanır. Alıcı yeniden çalıştığında panelde "Yeniden dene"ye basın ya da POST /api/v1/webhooks/${at.id}/retry isteğini gönderin; hepsi yeniden yollanır.
`,
    gone: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Alıcınız (${at.host}) bir teslimata 410 (artık yok) yanıtını verdi; bu yüzden bu webhook devre dışı bırakıldı (${at.id}).

Artık gerekmiyorsa silin. Alıcı geri geldiyse panelde "Yeniden dene"ye basın ya da POST /api/v1/webhooks/${at.id}/retry isteğini gönderin; teslim edilemeyenler ve son 7 günün olayları yeniden yollanır.
`,
  },
}
