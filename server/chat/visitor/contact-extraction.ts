import { findPhone, parseEmail } from './contact.ts'

/** Contact details in a text, and the confidence that they are the author's, 0–1. */
export interface ExtractedContact {
  name?: string
  phone?: string
  email?: string
  confidence: number
}

const INTRODUCED = 0.9
const BESIDE = 0.75
const ALONE = 0.6
const MAX_NAME_WORDS = 4
const MAX_NAME_LENGTH = 100

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u
/** Start of a clause. */
const START = String.raw`(?:^|[\n.,;:!?]\s*|\b(?:merhaba(?:lar)?|selam|hello|hi|hey)\s+)`
/** An introduction: the name in any case, up to the end of the clause. */
const INTRODUCTION = new RegExp(
  String.raw`${START}(?:benim\s+)?(?:ad[ıi]m(?:\s+soyad[ıi]m)?|ismim|ad(?:\s*(?:ve\s+)?soyad)?\s*:|isim\s*:|(?:my\s+)?(?:full\s+)?name(?:\s+is|['’]s|\s*:))\s*:?\s*(?<name>[^\n.,;:!?\d@()/|]{2,100})`,
  'iu',
)
/** An ambiguous introduction: the name needs capitals, and ends the clause. */
const PRESENTATION =
  /(?:^|[\n.,;:!?]\s*|\s)(?:[Bb]en|I am|I['’]m|[Tt]his is)\s+(?<name>\p{Lu}\p{Ll}+(?:\s+\p{Lu}\p{Ll}+){0,3})\s*(?=$|[\n.,;:!?]|\s(?:ve|and)\s)/u
const NAME_WORD = /^\p{Lu}[\p{L}'’.-]*$/u
const ANY_WORD = /^[\p{L}'’.-]{1,40}$/u
/** Words that look like a name and are not. */
const NO_NAME = new Set(
  (
    'adım adim ne nedir mi mı kim var yok ve ile bu şu o bir için telefon telefonum tel numaram numara cep ' +
    'mail mailim e-posta eposta email adres adresim iyi günler gün merhaba merhabalar selam selamlar ' +
    'teşekkürler teşekkür ederim evet hayır tamam olur lütfen randevu kargo sipariş fiyat bilgi ' +
    'beni arayın ulaşın hello hi hey thanks thank you yes no ok okay please phone number call me my ' +
    'the a an not here looking interested from it is and good morning evening afternoon best regards'
  ).split(' '),
)

/**
 * Finds a name, a phone number and an e-mail address in a visitor's message. A name counts after an
 * introduction, or beside a number or an address; alone only where it `isAwaited`. Numbers without
 * a country code have the site's country.
 */
export function extractContact(
  text: string,
  { locale, isAwaited }: { locale: string; isAwaited: boolean },
): ExtractedContact {
  const [written] = EMAIL.exec(text) ?? []
  const email = written && parseEmail(written.replace(/[.-]+$/, ''))
  const phone = findPhone(written ? text.replace(written, ' ') : text, locale)
  const introduced = introducedName(text)
  const rest = [written, phone?.text].reduce<string>(
    (left, part) => (part ? left.replace(part, '\n') : left),
    text,
  )
  const beside = introduced ? undefined : nameBeside(rest, isAwaited || Boolean(email ?? phone))
  const name = introduced ?? beside
  const isBeside = beside !== undefined && Boolean(email ?? phone)
  return {
    ...(name ? { name } : {}),
    ...(phone ? { phone: phone.number } : {}),
    ...(email ? { email } : {}),
    confidence: beside === undefined ? INTRODUCED : isBeside ? BESIDE : ALONE,
  }
}

function introducedName(text: string): string | undefined {
  const said = INTRODUCTION.exec(text)?.groups?.name
  const words = said?.trim().split(/\s+/) ?? []
  const end = words.findIndex((word) => !ANY_WORD.test(word) || isNoName(word))
  const name = nameOf(end === -1 ? words : words.slice(0, end))
  return name ?? nameOf(PRESENTATION.exec(text)?.groups?.name?.split(/\s+/) ?? [])
}

/** A line of two to four capitalized words only. */
function nameBeside(text: string, isLikely: boolean): string | undefined {
  if (!isLikely) return undefined
  for (const part of text.split(/[\n,;:|/–—()]+|\s-(?:\s|$)/)) {
    const words = part.trim().split(/\s+/)
    const isName = words.every((word) => NAME_WORD.test(word) && !isNoName(word))
    if (words.length > 1 && isName) return nameOf(words)
  }
  return undefined
}

function nameOf(words: readonly string[]): string | undefined {
  if (words.length === 0 || words.length > MAX_NAME_WORDS || words.some(isNoName)) return undefined
  const name = words.join(' ').replace(/[.'’-]+$/, '')
  return name.length > 1 && name.length <= MAX_NAME_LENGTH ? name : undefined
}

function isNoName(word: string): boolean {
  return NO_NAME.has(word.toLocaleLowerCase('tr')) || NO_NAME.has(word.toLowerCase())
}
