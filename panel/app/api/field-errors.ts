import type { FieldErrorWords } from '../../locales/en/parts/field-errors.ts'
import type { FieldError } from './api.ts'

/**
 * The rules that the API states in its messages, which are English: what a message looks like, and the
 * panel's word for it. A group in the pattern goes into the sentence. The first that fits is taken.
 */
const RULES: readonly (readonly [RegExp, keyof FieldErrorWords])[] = [
  [/^is required$|^is missing/, 'required'],
  [/^must have at least (\d+) characters?$|fewer than (\d+) characters/, 'fewestCharacters'],
  [/^must have at most (\d+) characters?$|more than (\d+) characters/, 'mostCharacters'],
  [/^must have at least (\d+) entr|fewer than (\d+) items/, 'fewestEntries'],
  [/^must have at most (\d+) entr|more than (\d+) items/, 'mostEntries'],
  [/three decimals/, 'decimals'],
  [/^must be (?:at least|>=) (-?[\d.]+)/, 'least'],
  [/^must be (?:more than|>) (-?[\d.]+)/, 'moreThan'],
  [/^must be (?:at most|<=) (-?[\d.]+)/, 'most'],
  [/^must be (?:less than|<) (-?[\d.]+)/, 'lessThan'],
  [/^must be one of:? (.+)$/, 'oneOf'],
  [/a whole number|must be integer/, 'wholeNumber'],
  [/^must be (?:a )?number$/, 'number'],
  [/^must be (?:text|string)$/, 'text'],
  [/e-mail address|format "email"/, 'email'],
  [/phone number/, 'phone'],
  [/origin like/, 'origin'],
  [/host must be a public name|must be a public one/, 'publicUrl'],
  [/user name or a password|a fragment/, 'cleanUrl'],
  [/^The port/, 'port'],
  [/full https|start with https/, 'httpsUrl'],
  [/\bURL\b|web address|format "uri"/, 'url'],
  [/network like/, 'network'],
  [/name like "/, 'name'],
  [/time like|format "date-time"/, 'time'],
  [/day like|format "date"/, 'day'],
  [/in the future/, 'future'],
  [/after "?from|after to$/, 'afterStart'],
  [/that can be booked/, 'bookable'],
  [/not your password|present password/, 'password'],
  [/^is not the code/, 'code'],
  [/^must be given on this site/, 'consent'],
  [/twice|duplicate/, 'duplicate'],
  [/cannot be changed/, 'fixed'],
  [/is reserved/, 'reserved'],
]

/** Returns what is wrong with a field, in the words of the reader's language. */
export function explainField(message: string, words: FieldErrorWords): string {
  for (const [pattern, rule] of RULES) {
    const found = pattern.exec(message)
    if (found) return words[rule](found.slice(1).find((group) => group !== undefined) ?? '')
  }
  return words.other(message)
}

/** Returns the errors of a request's fields by their path. */
export function explainFields(
  fields: readonly FieldError[],
  words: FieldErrorWords,
): Record<string, string> {
  return Object.fromEntries(fields.map(({ path, message }) => [path, explainField(message, words)]))
}
