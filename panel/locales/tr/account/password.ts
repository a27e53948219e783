import type { Words } from '../../en/account/password.ts'

export const words: Words = {
  title: 'Yeni parola belirleyin',
  lead: 'Hemen geçerli olur ve açık olan tüm oturumlarınızı kapatır.',
  code: 'E-postadaki kod',
  password: 'Yeni parola',
  passwordHint: 'En az 8 karakter.',
  action: 'Parolayı kaydet',
  doneTitle: 'Yeni parolanız kaydedildi',
  doneLead: 'Artık onunla giriş yapabilirsiniz. Diğer tüm oturumlar kapandı.',
  signIn: 'Giriş yap',
  spent: 'Bu bağlantı daha önce kullanılmış ya da süresi dolmuş. Aşağıdan yenisini isteyin.',
  resendTitle: 'Kodunuz yok mu, yoksa süresi mi doldu?',
  email: 'E-posta',
  resend: 'Yeni bağlantı gönder',
  mailed: 'Bu adrese ait bir hesap varsa bağlantı yola çıktı. 30 dakika geçerlidir.',
}
