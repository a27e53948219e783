import { spelledNumbers } from './number-words.ts'

/** Digits in this number are a telephone number, an account or an order, never an amount. */
const MIN_RUN_DIGITS = 7
/** The last digits of a telephone number that are the same with and without its country. */
const MIN_LOCAL_DIGITS = 7
/** The zeros of other scripts that write numbers in tens. */
const ZEROS = [0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0x0e_50]

const EMAIL = /[^\s@<>()[\]"',;:]+@[^\s@<>()[\]"',;:]+\.\p{L}{2,}/gu
const URL_WITH_SCHEME =
  /(?:\b[a-z][a-z0-9+.-]*:\/\/|\b(?:mailto|tel|sms):|\bwww\.)[^\s<>()[\]"'`]+/giu
const LINK_TARGET = /\]\(\s*<?([^)\s>]+)/g
const DOMAIN =
  /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+(?:com|net|org|info|biz|shop|store|online|site|xyz|app|dev|edu|gov|example|test|io|co|me|ai|eu|uk|us|tr|de|at|ch|fr|nl|ae|sa|qa|ru|cn)(?:\/[^\s<>()[\]"'`]*)?(?![\p{L}\p{N}-])/giu
const RUN = /(?<![\p{L}\d])\+?\(?\d(?:[ ()./-]{0,3}\d){6,}/gu
const TWELVE_HOURS = /(?<![\d.,:])(1[0-2]|0?[1-9])(?:[:.]([0-5]\d))?\s?([ap])\.?\s?m\b/giu
const CLOCK = /(?<![\d.,:])([01]?\d|2[0-3])([:.])([0-5]\d)(?::[0-5]\d)?(?![\d:]|[.,]\d)/g
const NUMBER = /\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,2})?(?!\d)|\d[\d.,'’]*\d|\d/g
const GROUPED = /^[1-9]\d{0,2}(?:([.,'’ ])\d{3}(?:\1\d{3})*)(?:[.,]\d{1,2})?$/
const CURRENCIES: readonly RegExp[] = [
  /₺|\b(?:tl|try)\b|\blira/iu,
  /\$|\busd\b|\bdol(?:ar|lar)/iu,
  /€|\beur\b|\beuro|\bavro/iu,
  /£|\bgbp\b|\bpound|\bsterlin/iu,
]
const PRICE =
  /(?:[₺$€£]|\b(?:tl|try|usd|eur|gbp)\b)\s?\d|\d\s?(?:[₺$€£]|(?:tl|try|usd|eur|gbp|lira|dol|euro|avro|pound|sterlin))/iu
/** Any other sign that stands for a number, such as a Roman one of its own code point. */
const OTHER_NUMBER = /(?!\d)\p{N}/gu

/** The claims of a text that can be compared literally. */
interface Claims {
  links: string[]
  /** Minutes of the day, with the text that said them; `other` is its reading as a number. */
  times: { minutes: number; written: string; other: string | undefined }[]
  /** Digits of long numbers; `isWhole` for those that are no amount or date. */
  runs: { digits: string; written: string; isWhole: boolean }[]
  numbers: { value: string; written: string }[]
  spelled: number[]
  currencies: number[]
  others: string[]
}

/**
 * The numbers, prices, times, telephone numbers, links and e-mail addresses that an answer may state:
 * those of the passages, the facts and the visitor's words.
 */
export class AllowedClaims {
  readonly #links = new Set<string>()
  readonly #times = new Set<number>()
  readonly #runs = new Set<string>()
  readonly #numbers = new Set<string>()
  readonly #currencies = new Set<number>()
  readonly #others = new Set<string>()
  /** Items of numbered lists so far: their ordinals are no statements. */
  #items = 0

  add(text: string): void {
    const claims = claimsOf(text, { isSource: true })
    for (const link of claims.links) this.#links.add(link)
    for (const { minutes, other } of claims.times) {
      this.#times.add(minutes)
      this.#numbers.add(String(Math.floor(minutes / 60)))
      if (other !== undefined) this.#numbers.add(other)
    }
    for (const { digits } of claims.runs) this.#runs.add(digits)
    for (const { value } of claims.numbers) this.#numbers.add(value)
    for (const value of claims.spelled) this.#numbers.add(String(value))
    for (const currency of claims.currencies) this.#currencies.add(currency)
    for (const other of claims.others) this.#others.add(other)
  }

  /** Returns what a sentence of an answer states and no source does, as it is written there. */
  missingIn(sentence: string): string[] {
    const claims = claimsOf(this.#withoutOrdinal(sentence), { isSource: false })
    return [
      ...claims.links.filter((link) => !this.#hasLink(link)),
      ...claims.times
        .filter(({ minutes, other }) => !this.#hasTime(minutes, other))
        .map(({ written }) => written),
      ...claims.runs.filter((run) => !this.#hasRun(run)).map(({ written }) => written),
      ...claims.numbers
        .filter(({ value }) => !this.#numbers.has(value))
        .map(({ written }) => written),
      ...claims.spelled.map(String).filter((value) => !this.#numbers.has(value)),
      ...claims.currencies
        .filter((currency) => !this.#currencies.has(currency))
        .map((currency) => ['TL', 'USD', 'EUR', 'GBP'][currency] ?? ''),
      ...claims.others.filter((other) => !this.#others.has(other)),
    ]
  }

  #withoutOrdinal(sentence: string): string {
    const match = /^\s*(?:[-*•]\s*)?(\d{1,2})[.)](?=\s)/.exec(sentence)
    const ordinal = Number(match?.[1])
    if (!match || (ordinal !== this.#items + 1 && ordinal !== 1)) return sentence
    this.#items = ordinal
    return sentence.slice(match[0].length)
  }

  #hasLink(link: string): boolean {
    if (this.#links.has(link)) return true
    return this.#links.values().some((known) => known.startsWith(`${link}/`))
  }

  #hasTime(minutes: number, other: string | undefined): boolean {
    if (this.#times.has(minutes)) return true
    if (other !== undefined) return this.#numbers.has(other)
    // `9:00` where the hours are “9 to 18”.
    return minutes % 60 === 0 && this.#numbers.has(String(minutes / 60))
  }

  /** A telephone number may be said with its country or without. */
  #hasRun({ digits, isWhole }: Claims['runs'][number]): boolean {
    const local = localDigits(digits)
    for (const known of this.#runs) {
      if (known === digits) return true
      const other = localDigits(known)
      const [short, long] = local.length < other.length ? [local, other] : [other, local]
      if (short.length >= MIN_LOCAL_DIGITS && long.endsWith(short)) return true
    }
    // Dates and amounts are compared by their parts instead.
    return !isWhole
  }
}

function localDigits(digits: string): string {
  return digits.replace(/^0+/, '')
}

function claimsOf(written: string, { isSource }: { isSource: boolean }): Claims {
  const text = plainDigits(written.normalize('NFKC'))
  const claims: Claims = {
    links: [],
    times: [],
    runs: [],
    numbers: [],
    spelled: spelledNumbers(text, { isStrict: !isSource }),
    currencies: [],
    others: text.match(OTHER_NUMBER) ?? [],
  }
  let rest = text
  /** Takes what matches out of the rest where `each` says so. */
  const take = (pattern: RegExp, each: (match: RegExpExecArray) => boolean): void => {
    let kept = ''
    let from = 0
    for (const match of rest.matchAll(pattern)) {
      if (!each(match)) continue
      kept += `${rest.slice(from, match.index)} | `
      from = match.index + match[0].length
    }
    rest = kept + rest.slice(from)
  }
  for (const pattern of [LINK_TARGET, EMAIL, URL_WITH_SCHEME, DOMAIN]) {
    take(pattern, (match) => {
      claims.links.push(plainLink(match[1] ?? match[0]))
      return true
    })
  }
  take(RUN, ([run]) => {
    const digits = run.replaceAll(/\D/g, '')
    if (digits.length < MIN_RUN_DIGITS) return false
    const isWhole = /^[+(0]/.test(run) || /^\d+$/.test(run)
    claims.runs.push({ digits, written: run, isWhole })
    return isWhole && !isSource
  })
  take(TWELVE_HOURS, ([time, hour = '', minute = '0', half = '']) => {
    const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    claims.times.push({ minutes: hours * 60 + Number(minute), written: time, other: undefined })
    if (isSource) claims.numbers.push({ value: String(Number(hour)), written: time })
    return true
  })
  take(CLOCK, ([time, hour = '', mark, minute = '']) => {
    const minutes = Number(hour) * 60 + Number(minute)
    const other = mark === '.' ? numberOf(`${hour}.${minute}`) : undefined
    claims.times.push({ minutes, written: time, other })
    return true
  })
  if (isSource || PRICE.test(text)) {
    for (const [place, currency] of CURRENCIES.entries()) {
      if (currency.test(text)) claims.currencies.push(place)
    }
  }
  for (const [number] of rest.matchAll(NUMBER)) {
    for (const value of valuesOf(number)) claims.numbers.push({ value, written: number })
  }
  return claims
}

/** The values of a number; of a date, those of its parts. */
function valuesOf(written: string): string[] {
  const whole = GROUPED.test(written)
  const separators = written.match(/[.,'’ ]/g) ?? []
  if (whole || separators.length < 2) return [numberOf(written)]
  return written.split(/[.,'’ ]/).flatMap((part) => (part === '' ? [] : [numberOf(part)]))
}

/** The value of a number in either notation: `1.299,90` and `1,299.90` are the same. */
function numberOf(written: string): string {
  if (GROUPED.test(written)) {
    const [, separator = ''] = GROUPED.exec(written) ?? []
    const joined = written.replaceAll(separator, '')
    return String(Number(joined.replace(',', '.')))
  }
  return String(Number(written.replaceAll(/['’ ]/g, '').replace(',', '.')))
}

/** A link without scheme, `www.` and the full stop of its sentence, in lower case. */
function plainLink(link: string): string {
  return link
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:|tel:|sms:)/, '')
    .replace(/^www\./, '')
    .replace(/[.,;:!?…'"”’»]+$/u, '')
    .replace(/\/+$/, '')
}

function plainDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = ZEROS.find((each) => code >= each && code < each + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}
