import { fold } from '../../lib/text/fold.ts'
import { ar } from '../../locales/chat.ar.ts'
import { de } from '../../locales/chat.de.ts'
import { type ChatStrings, en } from '../../locales/chat.en.ts'
import { tr } from '../../locales/chat.tr.ts'

const LANGUAGES = new Map<string, ChatStrings>([
  ['tr', tr],
  ['de', de],
  ['ar', ar],
])

/** Returns the service's own strings for a locale; English for a locale without strings. */
export function chatStrings(locale: string): ChatStrings {
  return LANGUAGES.get(locale.slice(0, 2).toLowerCase()) ?? en
}

const ASKING = new Set([en, tr, de, ar].map(({ talkToPerson }) => fold(talkToPerson)))

/** Longer messages contain more than the wish for a person: the bot answers them first. */
const MAX_REQUEST_LENGTH = 100
/**
 * Phrases for a person and for talking to one, folded. In Turkish the verb comes last, in English
 * first.
 */
const REQUESTS: readonly RegExp[] = [
  /^canli (?:destek|temsilci)\w*[.!?]*$/,
  /(?:^|\s)(?:insan|kisi|biri(?:si)?|yetkili|temsilci|operator|danisman|musteri hizmet\w*|gercek (?:kisi|biri))\w*\s+(?:ile\s+)?(?:gorus|konus|baglan|yazis|aktar)\w*/,
  /(?:^|\s)(?:yetkili|temsilci|operator|insan|canli destek|musteri hizmetleri)\w*\s+bagla(?:\w*)/,
  /\b(?:talk|speak|chat)(?:ing)? (?:to|with) (?:a |an |the |some |your |real )*(?:human|person|people|someone|somebody|agent|operator|representative|staff)\b/,
  /\b(?:connect|transfer|hand) me (?:over )?to (?:a |an |the |some |your |real )*(?:human|person|someone|agent|operator|representative)\b/,
  /^(?:live|human|real) (?:agent|person|support|chat)(?: please)?[.!?]*$/,
]

/** Returns whether a message is the quick reply that asks for a person, in any language. */
export function isHandoffReply(message: string): boolean {
  return ASKING.has(fold(message))
}

/** Returns whether a message asks for a person, and for nothing else. */
export function matchesHandoffIntent(message: string): boolean {
  const folded = fold(message.trim())
  return folded.length <= MAX_REQUEST_LENGTH && REQUESTS.some((request) => request.test(folded))
}
