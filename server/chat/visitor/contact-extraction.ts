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
/** Numbers of something else, folded. One that reads as a phone number is one: `+…` and `0…`. */
const OTHER_NUMBER =
  /(?:\biban|(?:\b(?:siparis|kargo|takip|fatura|musteri|rezervasyon|uye(?:lik)?|police|dosya|vergi|kimlik|order|tracking|parcel|invoice|booking|reference|customer|membership|bestell|sendungs?|rechnungs?|kunden|buchungs?)[\s-]*){1,2}(?:(?:kod|no|numara|number|nr|num|id|nummer|#)[a-z]*[\s-]*){1,2}|رقم (?:ال)?(?:طلب|شحن|فاتور|حجز)\S*)[\s.:#]*(?:(?:is|ist|lautet)\s)?[\s.:#]*(?![+0]\d)\d[\d-]*/g
/** Stands for the number or the address that is looked at. */
const MARK = '§'
const CLAUSE_END = /[!?؟;،\n]|[.,](?=\s|$)/
/** Asks whether a number or an address belongs to the business: the clauses around it, folded. */
const ASKS_WHOSE: readonly RegExp[] = [
  /\bbu (?:numara|telefon|hat|mail|adres)(?:niz|iniz)?(?: hala)? (?:siz(?:in|e|den)?|whatsapp|wp|gecerli|gercek|dogru)(?: (?:ait|\w+n[iu]z))? m[iu]\b/,
  /§(?: (?:bu )?(?:no|numara|telefon|hat|mail|adres)\w*)?(?: (?:hala|halen|gercekten))?(?: (?:siz(?:in|e|den)?|whatsapp|wp|gecerli|gercek|dogru))?(?: (?:ait|(?:numara|hatt?i|telefonu|adresi|maili)n[iu]z))?(?: degil)? m[iu]\b/,
  /\bsiz(?:in|e|den)? m[iu](?:siniz|sunuz)?(?: ait)? §/,
  /(?:§|\b(?:beni|bizi|bana|bize)\b).{0,30}\b(?:aradi|arayan|aramis|mesaj (?:geldi|atti|atan))\b.{0,60}\bsiz(?:in|den)? m[iu](?! ara)/,
  /§(?: numara\w*)?(?:dan|den) (?:\w+ )?aradiniz m[iu]\b/,
  /\b(?:is|was) (?:this|that|it) (?:\w+ )?(?:yours|your (?:\w+ )?(?:number|phone|mobile|line|whatsapp|e-?mail|address))\b/,
  /\b(?:is|was|are|were|does) (?!it (?:ok|okay|possible|fine|all right) )(?:\w+ ){0,4}§.{0,30}\b(?:yours|your (?:\w+ )?(?:number|phone|mobile|line|whatsapp|e-?mail|address)|belong to you)\b/,
  /(?:^|, )(?:is|was) your (?:\w+ )?(?:number|phone|mobile|line|whatsapp|e-?mail|address) (?:\w+ )?§/,
  /\bdid you (?:just )?(?:call|ring|phone|text|write|e-?mail|message|contact) (?:\w+ ){0,3}(?:from|with|by) (?:\w+ ){0,2}§|§.*\bwas (?:it|that|this) you\b|\bwas (?:it|that|this) you (?:\w+ ){1,4}(?:from|with) §/,
  /\bist (?:das|dies\w*) (?:\w+ )?(?:ihre?|eure?|deine?) (?:\w+ )?(?:nummer|telefon\w*|handy\w*|whatsapp|e?-?mail\w*|adresse)\b/,
  /\b(?:ist|sind|war|waren) (?:\w+ ){0,4}§.{0,30}\b(?:ihre?|eure?|deine?) (?:\w+ )?(?:nummer|telefon\w*|handy\w*|whatsapp|e?-?mail\w*|adresse)\b/,
  /\bgehort (?:\w+ ){0,3}§.{0,30}\b(?:ihnen|euch|dir)\b|\bhaben sie mich (?:\w+ ){0,3}§.{0,30}\bangerufen|§.*\bwaren sie das\b/,
  /(?:^|\s)هل .{0,60}(?:رقمكم|رقمك|لكم|بريدكم)|رقمكم (?:هو )?§/,
]
/** Says that it is the visitor's own, or asks to call or to write there, folded. */
const SAYS_OWN =
  /\b(?:numaram\w{0,2}|telefonum|mailim|cebim|e?-?postam|adresim|bana|benim(?:ki)?|bu (?:numaray|mail|adres)[ae]|beni ara(?!di|yan|mis)\w*|ulas\w*|mine|my (?:\w+ )?(?:number|phone|mobile|whatsapp|email|e-mail|address)|(?<!did you )(?:call|reach|contact|ring|text|write|phone|email|e-mail) me|meine? (?:\w+ )?(?:nummer|telefon\w*|handy\w*|mail\w*|e-mail\w*)|meine ist|rufen sie mich|erreichen)\b|رقمي|بريدي|اتصل/

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
  const folded = fold(text)
  const withoutEmail = written ? folded.replace(fold(written), ' ') : folded
  const number = findPhone(withoutEmail.replaceAll(OTHER_NUMBER, '\n'), locale)
  const phone = number && !isOfBusiness(withoutEmail, number.text) ? number : undefined
  const address = written && parseEmail(written.replace(/[.-]+$/, ''))
  const email = address && !isOfBusiness(folded, fold(written)) ? address : undefined
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

/** Whether a folded text asks of a number or an address in it whether it is the business's own. */
function isOfBusiness(folded: string, detail: string): boolean {
  const clauses = folded.replace(detail, ` ${MARK} `).split(CLAUSE_END)
  const at = clauses.findIndex((clause) => clause.includes(MARK))
  const around = clauses
    .slice(Math.max(0, at - 1), at + 2)
    .map((clause) => clause.trim().replaceAll(/\s+/g, ' '))
    .join(', ')
  return ASKS_WHOSE.some((pattern) => pattern.test(around)) && !SAYS_OWN.test(clauses[at] ?? '')
}
