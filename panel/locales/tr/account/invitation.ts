import type { Words } from '../../en/account/invitation.ts'

export const words: Words = {
  title: 'Çalışma alanına katılın',
  lead: 'Adınızı ve giriş yaparken kullanacağınız parolayı belirleyin.',
  code: 'E-postadaki kod',
  name: 'Adınız',
  nameHint: 'Ziyaretçiler ve ekip arkadaşlarınız görür.',
  password: 'Parola',
  passwordHint: 'En az 8 karakter.',
  action: 'Katıl',
  spent:
    'Bu davet daha önce kullanılmış, yenisiyle değiştirilmiş ya da süresi dolmuş. Daha yeni bir e-posta olup olmadığına bakın veya sizi davet eden kişiden yeniden davet isteyin.',
  taken: 'Bu e-posta adresiyle zaten bir hesap var. O hesabın parolasıyla giriş yapın.',
  signIn: 'Giriş yap',
}
