import type { Words } from '../../en/account/confirm-email.ts'

export const words: Words = {
  title: 'E-posta adresinizi onaylayın',
  lead: 'Bundan sonra bu adresle giriş yapacaksınız.',
  code: 'E-postadaki kod',
  action: 'Onayla',
  doneTitle: 'Adresiniz onaylandı',
  doneLead: (email) => `Artık ${email} ile giriş yapıyorsunuz.`,
  toPanel: 'Paneli aç',
  spent:
    'Bu bağlantı daha önce kullanılmış ya da süresi dolmuş. Hesap sayfanızdan yenisini isteyin.',
  taken: 'Bu e-posta adresiyle zaten bir hesap var. Başka bir adres seçin.',
  toAccount: 'Hesabımı aç',
}
