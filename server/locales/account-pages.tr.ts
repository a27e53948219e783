import type { AccountPageStrings } from './account-pages.en.ts'

/** Turkish strings of accounts: pages that mails link to, and names of workspaces. */
export const tr: AccountPageStrings = {
  password: {
    title: 'Yeni parola belirleyin',
    lead: 'Hemen geçerli olur ve açık olan tüm oturumlarınızı kapatır.',
    button: 'Parolayı kaydet',
    done: 'Yeni parolanız kaydedildi. Artık onunla giriş yapabilirsiniz.',
    spent: 'Bu kod daha önce kullanılmış ya da süresi dolmuş. Aşağıdan yenisini isteyin.',
  },
  invitation: {
    title: 'Sohbet’te bir çalışma alanına katılın',
    lead: 'Giriş yaparken kullanacağınız parolayı belirleyin.',
    button: 'Katıl',
    done: 'Hoş geldiniz. E-posta adresiniz ve bu parola ile giriş yapabilirsiniz.',
    spent:
      'Bu davet daha önce kullanılmış, yenisiyle değiştirilmiş ya da süresi dolmuş. Daha yeni bir e-posta olup olmadığına bakın veya sizi davet eden kişiden yeniden davet isteyin.',
  },
  forgotten: {
    title: 'Kodunuz yok mu, yoksa süresi mi doldu?',
    email: 'E-posta adresiniz',
    button: 'Yenisini gönder',
    done: 'Bu adresle bir hesap varsa e-posta yola çıktı.',
  },
  workspaceOf: (name) => `${name} – çalışma alanı`,
  ownWorkspace: 'Çalışma alanım',
  code: 'E-postadaki kod',
  name: 'Adınız',
  newPassword: 'Yeni parola, en az 8 karakter',
  problems: {
    validation_failed:
      'Lütfen yazdıklarınızı kontrol edin: parola 8 ile 200 karakter arasında olmalı.',
    conflict: 'Bu e-posta adresiyle zaten bir hesap var.',
    rate_limited: 'Çok fazla deneme oldu. Lütfen bir dakika sonra yeniden deneyin.',
  },
}
