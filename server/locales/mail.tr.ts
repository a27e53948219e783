import type { MailWords } from './mail.en.ts'

/** What mails say, in Turkish. */
export const tr: MailWords = {
  devPage: {
    title: 'Gönderilmeyen e-postalar',
    explanation:
      'SMTP_URL ayarlı olmadığı için e-postalar bir gün boyunca burada gösterilir. Canlı ortamda gösterilmez.',
    none: 'Hiç e-posta yok.',
    to: 'Alıcı',
    subject: 'Konu',
    at: 'Zaman',
    attachments: 'Ekler',
  },
}
