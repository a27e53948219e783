import type { PlainWords } from './plain.en.ts'

/** What the conversation page without scripts says, in German. */
export const de: PlainWords = {
  title: 'Chat',
  greeting: 'Guten Tag! Wie können wir helfen?',
  conversation: 'Unterhaltung',
  visitor: 'Sie',
  assistant: 'Assistent',
  operator: 'Team',
  system: 'Hinweis',
  sources: 'Quellen',
  write: 'Ihre Nachricht',
  send: 'Senden',
  again: 'Nach neuen Nachrichten sehen',
  person: 'Mit einem Menschen sprechen',
  erase: 'Diese Unterhaltung löschen',
  contact: 'Kontaktdaten hinterlassen',
  name: 'Name',
  phone: 'Telefon',
  email: 'E-Mail',
  consent: 'Ich bin einverstanden, dass Sie diese Angaben speichern, um sich zu melden.',
  code: 'Die sechs Ziffern, die wir Ihnen gesendet haben',
  submit: 'Senden',
  wait: 'Das war viel auf einmal. Bitte versuchen Sie es in einer Minute erneut.',
  unpaid:
    'Der Assistent kann gerade nicht antworten. Ihre Nachricht ist gespeichert. Hinterlassen Sie Ihre Kontaktdaten, wir melden uns.',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
  wrong: 'Etwas an diesen Angaben passt nicht. Bitte prüfen Sie Telefon, E-Mail und Code.',
  codeSent: 'Wir haben sechs Ziffern an Ihre E-Mail-Adresse gesendet.',
  thanks: 'Vielen Dank! Wir haben Ihre Daten und melden uns bald.',
  away: 'Gerade ist niemand da. Hinterlassen Sie Ihre Kontaktdaten, wir melden uns.',
  erased: 'Die Unterhaltung wurde gelöscht.',
}
