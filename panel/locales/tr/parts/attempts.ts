import type { AttemptWords } from '../../en/parts/attempts.ts'

export const words: AttemptWords = {
  title: 'Denemeler',
  none: 'Henüz yok.',
  answer: 'Yanıt',
  errors: {
    timeout: '10 sn içinde yanıt yok',
    connection_refused: 'Bağlantı reddedildi',
    connection_reset: 'Bağlantı koptu',
    connection_failed: 'Ulaşılamıyor',
    tls_failed: 'Sertifika geçersiz',
    bad_answer: 'HTTP yanıtı değil',
    address_not_allowed: 'Adrese izin yok',
  },
}
