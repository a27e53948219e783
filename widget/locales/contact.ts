import type { Language } from '../embed.ts'

/** The words of the contact form, which is loaded only when it is wanted. */
export interface ContactWords {
  title: string
  intro: string
  name: string
  phone: string
  email: string
  interest: string
  submit: string
  submitting: string
  cancel: string
  required: string
  badName: string
  badPhone: string
  badEmail: string
  badInterest: string
  consentNeeded: string
  failed: string
  offline: string
  wait: (seconds: number) => string
}

export const contactWords: Record<Language, ContactWords> = {
  en: {
    title: 'Your contact details',
    intro: 'Someone from our team will get back to you.',
    name: 'Name',
    phone: 'Phone',
    email: 'E-mail',
    interest: 'What is it about? (optional)',
    submit: 'Send',
    submitting: 'Sending…',
    cancel: 'Not now',
    required: 'Please fill in this field.',
    badName: 'Please give a shorter name.',
    badPhone: 'This is not a phone number that we can call.',
    badEmail: 'This is not an e-mail address. Example: name@example.com',
    badInterest: 'Please use 500 characters at most.',
    consentNeeded: 'Without your consent we may not get back to you.',
    failed: 'Your details were not saved. Please try again.',
    offline: 'Your details were not sent: there is no connection.',
    wait: (seconds) => `Too many tries. Please wait ${seconds} s.`,
  },
  tr: {
    title: 'İletişim bilgileriniz',
    intro: 'Ekibimizden biri size geri dönecek.',
    name: 'Adınız soyadınız',
    phone: 'Telefon',
    email: 'E-posta',
    interest: 'Konu nedir? (isteğe bağlı)',
    submit: 'Gönder',
    submitting: 'Gönderiliyor…',
    cancel: 'Şimdi değil',
    required: 'Lütfen bu alanı doldurun.',
    badName: 'Lütfen daha kısa bir ad yazın.',
    badPhone: 'Bu, arayabileceğimiz bir telefon numarası değil.',
    badEmail: 'Bu bir e-posta adresi değil. Örnek: ad@ornek.com',
    badInterest: 'Lütfen en çok 500 karakter kullanın.',
    consentNeeded: 'Onayınız olmadan size geri dönemeyiz.',
    failed: 'Bilgileriniz kaydedilemedi. Lütfen tekrar deneyin.',
    offline: 'Bilgileriniz gönderilemedi: bağlantı yok.',
    wait: (seconds) => `Çok fazla deneme. Lütfen ${seconds} sn bekleyin.`,
  },
}
