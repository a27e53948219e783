import { fold } from '../../lib/text/fold.ts'
import { findPhone, parseEmail } from './contact.ts'
import { nameAfterIntroduction, nameInLines, namePresented } from './names.ts'

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
/** Numbers of something else, folded: what stands directly before the digits. */
const OTHER_NUMBER =
  /\b(?:siparis|kargo|takip|fatura|musteri|rezervasyon|uye(?:lik)?|police|dosya|vergi|kimlik|iban|order|tracking|parcel|invoice|booking|reference|customer|membership|bestell|sendungs?|rechnungs?|kunden|buchungs?)(?:[\s-]*(?:kod|no|numara|number|nr|num|id|nummer)[a-z]*)*[\s.:#]*(?:is|ist|lautet)?[\s.:#]*$|رقم (?:ال)?(?:طلب|شحن|فاتور|حجز)\S*[\s:#]*$/
/** Asks whether a number or an address belongs to the business, folded. */
const ASKS_WHOSE: readonly RegExp[] = [
  /\bsiz(?:in|e|den) (?:m[iu]\b|ait\b)|\b(?:(?:numara|hatti|telefonu|adresi|maili)n[iu]z|whatsapp|wp) m[iu]\b|\bbu (?:numara|telefon|hat|mail|adres)\w*\b.{0,40}\bm[iu]\b|\b(?:gecerli|gercek|dogru) m[iu]\b/,
  /\b(?:aradi|arayan|aramis|mesaj (?:geldi|atti|atan))\b.{0,60}\bm[iu](?:siniz|sunuz|dir|ydi)?\b/,
  /\b(?:is|was|are|were)\b.{0,60}\b(?:yours|your (?:\w+ )?(?:number|phone|mobile|line|whatsapp|e-?mail|address))\b|\bbelongs? to you\b|\bdid you (?:call|ring|phone|text|write|e-?mail)\b|\bwas (?:it|that|this) you\b/,
  /\b(?:ist|sind|war|waren)\b.{0,60}\b(?:ihre?|eure?|deine?) (?:\w+ )?(?:nummer|telefon\w*|handy\w*|whatsapp|e?-?mail\w*|adresse)\b|\bgehort\b.{0,60}\b(?:ihnen|euch|dir)\b|\bhaben sie mich\b.{0,60}\bangerufen|\bwaren sie das\b/,
  /(?:^|\s)هل .{0,60}(?:رقمكم|رقمك|لكم|بريدكم)|رقمكم .{0,20}؟/,
]
/** Says that they are the visitor's own, or asks to be called or written to, folded. */
const SAYS_OWN =
  /\b(?:numaram|telefonum|mailim|cebim|e?-?postam|adresim|bana|benim|beni ara(?!di|yan|mis)\w*|ulas\w*|my (?:\w+ )?(?:number|phone|mobile|whatsapp|email|e-mail|address)|(?<!did you )(?:call|reach|contact|ring|text|write|phone|email|e-mail) me|meine? (?:\w+ )?(?:nummer|telefon\w*|handy\w*|mail\w*|e-mail\w*)|rufen sie mich|erreichen)\b|رقمي|بريدي|اتصل/

/**
 * Finds a name, a phone number and an e-mail address in a visitor's message. A name counts after an
 * introduction, or beside a number or an address; alone only where it `isAwaited`. Numbers without
 * a country code have the site's country.
 */
export function extractContact(
  text: string,
  { locale, isAwaited }: { locale: string; isAwaited: boolean },
): ExtractedContact {
  const isOfBusiness = asksWhose(fold(text))
  const [written] = isOfBusiness ? [] : (EMAIL.exec(text) ?? [])
  const email = written && parseEmail(written.replace(/[.-]+$/, ''))
  const phone = isOfBusiness
    ? undefined
    : findOwnPhone(written ? text.replace(written, ' ') : text, locale)
  const introduced = introducedName(text)
  const rest = [written, phone?.text].reduce<string>(
    (left, part) => (part ? left.replace(part, '\n') : left),
    text,
  )
  const isLikely = introduced === undefined && (isAwaited || Boolean(email ?? phone))
  const beside = isLikely ? nameInLines(rest) : undefined
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
  const name = said === undefined ? undefined : nameAfterIntroduction(said)
  const presented = PRESENTATION.exec(text)?.groups?.name
  return name ?? (presented === undefined ? undefined : namePresented(presented))
}

function asksWhose(folded: string): boolean {
  return ASKS_WHOSE.some((pattern) => pattern.test(folded)) && !SAYS_OWN.test(folded)
}

/** The first phone number that is not introduced as the number of an order or of a bill. */
function findOwnPhone(text: string, locale: string): ReturnType<typeof findPhone> {
  const phone = findPhone(text, locale)
  if (phone === undefined) return undefined
  const at = text.indexOf(phone.text)
  if (!OTHER_NUMBER.test(fold(text.slice(0, at)))) return phone
  return findOwnPhone(text.slice(at + phone.text.length), locale)
}
