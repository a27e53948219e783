import type { AccountPageWords } from './account-pages.en.ts'

/** What the pages say that the links in mails about accounts lead to, in Turkish. */
export const tr: AccountPageWords = {
  password: {
    title: 'Yeni parola belirleyin',
    lead: 'Hemen geçerli olur ve açık olan tüm oturumlarınızı kapatır.',
    button: 'Parolayı kaydet',
    done: 'Yeni parolanız kaydedildi. Artık onunla giriş yapabilirsiniz.',
  },
  invitation: {
    title: 'Sohbet’te bir çalışma alanına katılın',
    lead: 'Giriş yaparken kullanacağınız parolayı belirleyin.',
    button: 'Katıl',
    done: 'Hoş geldiniz. E-posta adresiniz ve bu parola ile giriş yapabilirsiniz.',
  },
  forgotten: {
    title: 'Kodunuz yok mu, yoksa süresi mi doldu?',
    email: 'E-posta adresiniz',
    button: 'Yenisini gönder',
    done: 'Bu adresle bir hesap varsa e-posta yola çıktı.',
  },
  code: 'E-postadaki kod',
  name: 'Adınız',
  newPassword: 'Yeni parola, en az 8 karakter',
  problems: {
    unauthenticated: 'Bu kod daha önce kullanılmış ya da süresi dolmuş. Yenisini isteyin.',
    validation_failed:
      'Lütfen yazdıklarınızı kontrol edin: parola 8 ile 200 karakter arasında olmalı.',
    conflict: 'Bu e-posta adresiyle zaten bir hesap var.',
    rate_limited: 'Çok fazla deneme oldu. Lütfen bir dakika sonra yeniden deneyin.',
  },
}
