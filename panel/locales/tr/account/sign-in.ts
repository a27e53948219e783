import type { Words } from '../../en/account/sign-in.ts'

export const words: Words = {
  title: 'Giriş yap',
  email: 'E-posta',
  password: 'Parola',
  code: 'Doğrulama uygulamanızdaki kod',
  codeHint: 'Kurtarma kodlarınızdan biri de olur.',
  action: 'Giriş yap',
  wrong: 'E-posta ya da parola yanlış.',
  wrongCode: 'Kod yanlış ya da süresi geçmiş.',
  forgot: 'Parolamı unuttum',
  forgotTitle: 'Parolanızı mı unuttunuz?',
  forgotLead: 'Yeni parola seçebileceğiniz bir bağlantıyı e-postayla göndeririz.',
  sendLink: 'Bağlantıyı gönder',
  backToSignIn: 'Girişe dön',
  mailed: 'E-postanıza bakın',
  mailedLead: 'Bu adrese ait bir hesap varsa bağlantı yola çıktı. 30 dakika geçerlidir.',
}
