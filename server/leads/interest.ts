import { findPhone, parseEmail } from '../chat/visitor/contact.ts'

/** Longest interest that is taken from a conversation, in UTF-16 units. */
const MAX_LENGTH = 300
/** Of what is no question; shorter remarks say nothing about the subject. */
const MIN_WORDS = 4
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
/** Stands for a contact detail, so that its clause is left out. */
const CONTACT = '\u0000'
const SENTENCE_END = /(?<=[.!?…])\s+|\n+/
const CLAUSE_END = /\s*[,;:|/–—]\s*/
const GREETING =
  /^(?:merhaba(?:lar)?|selam(?:lar)?|iyi (?:günler|akşamlar)|günaydın|hello|hi|hey|good (?:morning|evening|afternoon))(?=$|[\s,.!])[\s,.!]*/iu

/**
 * Returns what a visitor asked about: the newest of the messages, given oldest first, that says more
 * than contact details. Empty where none does.
 */
export function findInterest(
  messages: readonly string[],
  { name, locale }: { name: string; locale: string },
): string {
  for (const message of messages.toReversed()) {
    const said = withoutContact(message, name, locale)
    const words = said.split(/\s+/).filter((word) => /\p{L}/u.test(word))
    if (words.length >= MIN_WORDS || (words.length > 1 && said.includes('?'))) {
      return truncate(said)
    }
  }
  return ''
}

/** Removes the clauses with the visitor's name, phone number and e-mail address, and the greeting. */
function withoutContact(message: string, name: string, locale: string): string {
  const marked = message.replaceAll(EMAIL, (text) => (parseEmail(text) ? CONTACT : text))
  const phone = findPhone(marked, locale)
  const text = (phone ? marked.replaceAll(phone.text, CONTACT) : marked).replaceAll(name, CONTACT)
  return text
    .split(SENTENCE_END)
    .map((sentence) =>
      sentence.includes(CONTACT)
        ? sentence
            .split(CLAUSE_END)
            .filter((clause) => !clause.includes(CONTACT))
            .join(', ')
        : sentence,
    )
    .join(' ')
    .trim()
    .replace(GREETING, '')
    .trim()
}

function truncate(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const end = text.lastIndexOf(' ', MAX_LENGTH - 1)
  return `${text.slice(0, end > 0 ? end : MAX_LENGTH - 1)}…`
}
