import { fold } from '../lib/fold.ts'
import { type ChatWords, en } from '../locales/chat.en.ts'
import { tr } from '../locales/chat.tr.ts'

/** What the service itself says in a conversation of this locale: Turkish, or else English. */
export function chatWords(locale: string): ChatWords {
  return /^tr\b/i.test(locale) ? tr : en
}

const ASKING = new Set([en, tr].map(({ talkToPerson }) => fold(talkToPerson)))

/** Whether a message is the quick reply that asks for a person, in whatever language it was offered. */
export function asksForPerson(message: string): boolean {
  return ASKING.has(fold(message))
}
