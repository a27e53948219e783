import type { PlainWords } from './plain.en.ts'

/** What the conversation page without scripts says, in Turkish. */
export const tr: PlainWords = {
  title: 'Sohbet',
  greeting: 'Merhaba! Size nasıl yardımcı olabiliriz?',
  conversation: 'Sohbet',
  visitor: 'Siz',
  assistant: 'Asistan',
  operator: 'Ekip',
  system: 'Bilgi',
  sources: 'Kaynaklar',
  write: 'Mesajınız',
  send: 'Gönder',
  again: 'Yeni mesajlara bak',
  person: 'Bir kişiyle görüşün',
  erase: 'Bu sohbeti sil',
  contact: 'İletişim bilgilerinizi bırakın',
  name: 'Adınız soyadınız',
  phone: 'Telefon',
  email: 'E-posta',
  consent: 'Bana dönebilmeniz için bu bilgileri saklamanızı kabul ediyorum.',
  code: 'Size gönderdiğimiz altı rakam',
  submit: 'Gönder',
  wait: 'Çok sayıda mesaj var. Lütfen bir dakika sonra tekrar deneyin.',
  unpaid:
    'Asistan şu anda yanıt veremiyor. Mesajınız kaydedildi. İletişim bilgilerinizi bırakın, size dönelim.',
  failed: 'Olmadı. Lütfen tekrar deneyin.',
  wrong: 'Bilgilerde bir yanlışlık var. Lütfen telefonu, e-postayı ve kodu kontrol edin.',
  codeSent: 'E-posta adresinize altı rakam gönderdik.',
  thanks: 'Teşekkürler! Bilgilerinizi aldık, en kısa sürede size döneceğiz.',
  away: 'Şu anda kimse yok. İletişim bilgilerinizi bırakın, size dönelim.',
  erased: 'Sohbet silindi.',
}
