import type { Language } from './embed.ts'

/** Every word of the panel. A language that misses one does not compile. */
export interface Words {
  /** The language's tag, for dates and for the panel's `lang`. */
  tag: Language
  title: string
  subtitle: string
  open: string
  close: string
  greeting: string
  conversation: string
  suggestions: string
  you: string
  write: string
  placeholder: string
  send: string
  tooLong: (surplus: number) => string
  typing: string
  sources: string
  newTab: string
  newMessages: string
  unread: (count: number) => string
  retry: string
  offline: string
  failed: string
  cut: string
  unpaid: string
  refused: string
  waiting: (seconds: number) => string
  waitingBriefly: string
  historyFailed: string
  withPeople: string
  contactOffer: string
  contactOpen: string
  formThanks: (name: string) => string
  formNext: string
}
