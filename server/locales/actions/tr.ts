import type { ActionStrings } from './en.ts'

/** Turkish sentences of actions. */
export const tr: ActionStrings = {
  ask: (label) => `Şunu yazar mısınız: ${label}.`,
  askAgain: 'Bu bilgi geçerli görünmüyor.',
  confirm: (name) => `Onaylıyor musunuz? ${name}`,
  confirmEnd: 'Lütfen “evet” ya da “hayır” yazın.',
  yes: 'Evet',
  no: 'Hayır',
  cancel: 'Vazgeç',
  cancelled: 'Peki, hiçbir işlem yapmadım.',
  notFound: 'Bu bilgilerle bir kayıt bulamadım. Lütfen kontrol edin.',
  failed: 'Bu bilgiyi şu anda sistemimizden alamadım. Hiçbir şey değişmedi.',
  unknown: 'İşlemin gerçekleşip gerçekleşmediğini bilmiyorum; yeniden denemedim.',
  refused: 'Sistemimiz bu işlemi kabul etmedi. Hiçbir şey değişmedi.',
  verify: 'Bunun için sizi tanımam gerekiyor. Lütfen sitede oturum açıp yeniden sorun.',
  busy: 'Kısa sürede çok fazla istek geldi. Lütfen bir dakika sonra yeniden deneyin.',
}
