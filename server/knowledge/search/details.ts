import {
  type Detail,
  EMAIL_ADDRESS,
  HOURS_SPAN,
  OPEN_OR_CLOSED,
  PHONE_NUMBER,
  shareOfDetail,
  SUM,
} from '../../lib/text/detail.ts'
import { fold } from '../../lib/text/fold.ts'
import type { IndexedPassage } from './index-builder.ts'
import { addGains, type RankedPassage } from './rank-fusion.ts'

const CALLED =
  /telefon|hatt[iı]|hattimiz|\btel\b|phone|whatsapp|\b(?:help|hot|emergency)[ -]?line\b|\bcall\b|\bara(?:y[ia]n|yabil)|هاتف|واتس|اتصل/
/** The number of a passage that names nothing else is one for messages. */
const MESSAGES_ALONE =
  /^(?!.*(?:telefon|hatt[iı]|\btel\b|phone|\bline\b|\bcall\b|\bara(?:y[ia]n|yabil)|هاتف|اتصل)).*(?:whats?app|واتس)/s
const LABELLED_NUMBER =
  /(?:hattimiz|telefon(?:umuz)?|\btel|phone|reception|call|hotline)[\s:.]{1,3}(?:us on |at )?\+?\(?\d/
const DAY =
  /pazartesi|cumartesi|\bpazar\b|her gun|hafta (?:ici|sonu)|monday|saturday|sunday|every day|daily|weekdays|montag|samstag|sonntag|taglich|werktags|الاثنين|السبت|يوميا/
const BUSINESS =
  /acigiz|kapaliyiz|ofis|magaza|dukkan|resepsiyon|\bwe(?:'re| are) (?:open|closed)|office|\bshop\b|\bstore\b|reception|\bdesk\b|buro|laden/
const MAIN_MAILBOX = /\b(?:info|bilgi|hello|hi|merhaba|iletisim|contact|kontakt|mail|office)@/

const CONTACT_HEADING =
  /iletisim|bize ulas|bizi bul|contact|get in touch|reach us|find(?:ing)? us|kontakt|اتصل|تواصل/
const ADDRESS_HEADING =
  /adres|konum|ulasim|nerede|bizi bul|gelmek|nasil gel|iletisim|address|find(?:ing)? us|where (?:we|to find)|location|how to (?:find|get)|getting here|directions|contact|anfahrt|so finden|standort|kontakt|عنوان|موقع/
const HOURS_HEADING =
  /calisma saat|acilis|acik|saatler|\bhours\b|opening|when we are open|offnungszeit|مواعيد|ساعات/

interface Read {
  heading: string
  text: string
}

const phoneStrength = ({ heading, text }: Read): number =>
  1 +
  Number(CALLED.test(text)) +
  Number(LABELLED_NUMBER.test(text)) +
  2 * Number(CONTACT_HEADING.test(heading)) +
  Number(EMAIL_ADDRESS.test(text) || shareOfDetail('address', text) > 0)

/** How plainly a folded passage that tells a detail does so: 1 to 8. */
const STRENGTHS: Readonly<Record<Detail, (passage: Read) => number>> = {
  phone: (passage) => phoneStrength(passage) - Number(MESSAGES_ALONE.test(passage.text)),
  // The phone number stands in where a site does not tell a number of WhatsApp.
  whatsapp: (passage) =>
    shareOfDetail('whatsapp', passage.text) === 1
      ? 2 + phoneStrength(passage)
      : Math.min(2, phoneStrength(passage)),
  email: ({ heading, text }) =>
    2 +
    2 * Number(CONTACT_HEADING.test(heading)) +
    Number(PHONE_NUMBER.test(text) || MAIN_MAILBOX.test(text)),
  address: ({ heading }) => 2 + 2 * Number(ADDRESS_HEADING.test(heading)),
  hours: ({ heading, text }) =>
    Number(HOURS_SPAN.test(text) && DAY.test(text)) +
    Number(OPEN_OR_CLOSED.test(text)) +
    Number(BUSINESS.test(text)) +
    2 * Number(HOURS_HEADING.test(heading)),
}

/** Details that a site repeats: the one that stands in most places is its own. */
const REPEATED: Readonly<Partial<Record<Detail, RegExp>>> = {
  phone: PHONE_NUMBER,
  email: EMAIL_ADDRESS,
}
const MIN_REPEATED = 2
/** Strength from which a passage that is the only one may be relied on. */
const MIN_ALONE = 2

/** Returns for each passage how plainly it tells a detail: 0 for not at all, up to 7. */
export function measureDetail(
  detail: Detail,
  passages: readonly Pick<IndexedPassage, 'heading' | 'text'>[],
): Uint8Array {
  const read = passages.map(({ heading, text }) => ({
    heading: fold(heading.split(' › ').at(-1) ?? ''),
    text: fold(text),
  }))
  const strengths = Uint8Array.from(read, (passage) =>
    shareOfDetail(detail, passage.text) > 0 ? STRENGTHS[detail](passage) : 0,
  )
  const own = mostRepeated(detail, read)
  for (const [at, { text }] of read.entries()) {
    const strength = strengths[at] ?? 0
    if (strength > 0 && own !== undefined && digitsOf(text).includes(own))
      strengths[at] = strength + 2
  }
  const plain = strengths.filter((strength) => strength >= MIN_ALONE)
  if (plain.length === 1) strengths[strengths.indexOf(plain[0] ?? 0)] = (plain[0] ?? 0) + 1
  return strengths
}

const digitsOf = (text: string): string => text.replaceAll(/[\s()/-]/g, '')

/** The number or mailbox that most passages have, where one is repeated. */
function mostRepeated(detail: Detail, read: readonly Read[]): string | undefined {
  const pattern = REPEATED[detail]
  if (pattern === undefined) return undefined
  const counts = new Map<string, number>()
  for (const { text } of read) {
    const found = new Set(text.match(new RegExp(pattern, 'g'))?.map(digitsOf))
    for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most !== undefined && most[1] >= MIN_REPEATED ? most[0] : undefined
}

const PRICE_PAGE =
  /ucret|fiyat|\bprices?\b|pricing|\bcosts?\b|\bfees?\b|\brates\b|preis|kosten|tarife|اسعار/
const LIST_LINE = /^[-|]/
/** A cell that is an amount without its currency, as a page of prices writes it once above the table. */
const BARE_SUM =
  /\|\s*(?:\d{3,6}|\d{1,3}(?:[.,]\d{3})+|\d{1,4}[.,]\d{2})(?:['’]?[dt][ae]n)?\s*(?=\|)/
const MIN_PRICES = 3

/** A list of prices, and one on a page of prices. */
const PRICES = 1
const PRICES_OF_SITE = 2

/** Returns which passages list prices, and which of these stand on a page of prices. */
export function findPriceLists(entries: readonly IndexedPassage[]): Uint8Array {
  return Uint8Array.from(entries, ({ title, text }) => {
    const isOfPrices = PRICE_PAGE.test(fold(title))
    const isPriced = (line: string): boolean =>
      SUM.test(fold(line)) || (isOfPrices && BARE_SUM.test(line))
    const lines = text.split('\n').filter((line) => LIST_LINE.test(line) && isPriced(line))
    if (lines.length < MIN_PRICES) return 0
    return isOfPrices ? PRICES_OF_SITE : PRICES
  })
}

/** The share of a question from which the title of a page says what its prices are of. */
const MIN_TITLE_SHARE = 0.4

/** The prices that a question asks for: of all that the site sells, or of the thing that the title of a page names. */
interface AskedPrices {
  isOfSite: boolean
  /** The share of the question that the title of a passage's page has. */
  titleShare: (at: number) => number
}

/** The lists of prices that a question asks for: those of pages of prices, and those of the page that it names. */
export function choosePrices(
  lists: Uint8Array | undefined,
  { isOfSite, titleShare }: AskedPrices,
): Uint8Array | undefined {
  return lists?.map((list, at) => {
    if (list === PRICES_OF_SITE && isOfSite) return list
    return list > 0 && titleShare(at) >= MIN_TITLE_SHARE ? PRICES : 0
  })
}

/** The share of the best score that a list of prices gains where prices are asked for, and one on a page of prices. */
const PRICES_SHARE = 0.4
const PRICES_OF_SITE_SHARE = 0.6

/** Ranks lists of prices higher, those of pages of prices only where at most one thing is named. */
export function withPrices(
  ranked: readonly RankedPassage[],
  prices: Uint8Array | undefined,
  named: number,
): readonly RankedPassage[] {
  if (prices === undefined) return ranked
  const ofSite = named > 1 ? 0 : PRICES_OF_SITE_SHARE
  return addGains(
    ranked,
    [...prices.entries()].flatMap(([at, list]) => {
      const share = list === PRICES ? PRICES_SHARE : list === PRICES_OF_SITE ? ofSite : 0
      return share > 0 ? [[at, share] as const] : []
    }),
  )
}

/** The share of the best score that each step of telling a detail adds to a passage. */
const DETAIL_SHARE = 0.5

/** Ranks the passages by how plainly they tell what is asked for, then by their words. */
export function addTold(
  ranked: readonly RankedPassage[],
  told: Uint8Array | undefined,
): readonly RankedPassage[] {
  if (told === undefined) return ranked
  const strengths = [...told.entries()].filter(([, strength]) => strength > 0)
  return addGains(
    ranked,
    strengths.map(([at, strength]) => [at, strength * DETAIL_SHARE]),
  )
}
