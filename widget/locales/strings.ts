import type { Locale } from './registry.ts'

/** The strings up to the first answer. A language that misses one does not compile. */
export interface Strings {
  /** The language's tag, for dates and for the panel's `lang`. */
  tag: Locale
  dir: 'ltr' | 'rtl'
  title: string
  subtitle: string
  close: string
  menu: string
  greeting: string
  conversation: string
  suggestions: string
  you: string
  write: string
  placeholder: string
  send: string
  tooLong: (excess: number) => string
  typing: string
  sources: string
  newTab: string
  newMessages: string
  unread: (count: number) => string
  retry: string
  offline: string
  failed: string
}
