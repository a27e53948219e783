import type { Detail } from '../../../lib/text/detail.ts'
import type { Language } from '../../../lib/text/language.ts'
import { HEADING_SEPARATOR } from '../../parsers/chunk.ts'
import { passageLanguage, partsOf } from '../quotes.ts'
import { addGains, type RankedPassage } from '../rank-fusion.ts'
import { classify } from './classifier.ts'
import { type Intent, INTENTS } from './intents.ts'

/** Likelihoods are stored as bytes. */
const SCALE = 255
/** An intent that matches nothing: whatever belongs to one business alone. */
const OTHER = INTENTS.indexOf('other')
/** Intents of a question that are looked at, and the least likelihood of one. */
const MAX_ASKED = 6
const MIN_LIKELIHOOD = 0.03
/** The share of the best score that a passage gains which tells for certain what is asked for. */
const RANK_SHARE = 1
/** From this likelihood on, a passage is found that has no word of the question. */
const MIN_MATCH = 0.3

/** Quotable parts of a passage that are classified, and parts of a site: a part has a byte for each intent. */
const MAX_PARTS = 60
const MAX_ROWS = 20_000
const INITIAL_ROWS = 256

/** How likely each part of the passages tells what each intent asks for. */
export interface PassageIntents {
  /** The first part of each passage: its headings. Its quotable parts follow, in reading order. */
  starts: Uint32Array
  /** A byte a part for each intent, those of the first intent first: a question looks at a few intents of all parts. */
  columns: Uint8Array
}

/** Classifies the parts of passages; yields the bytes of the likelihoods after each part. */
export function* measureIntents(
  passages: readonly { heading: string; text: string }[],
): Generator<number, PassageIntents> {
  const width = INTENTS.length
  const starts = new Uint32Array(passages.length + 1)
  let rows = new Uint8Array(INITIAL_ROWS * width)
  let count = 0
  for (const [at, { heading, text }] of passages.entries()) {
    const language = passageLanguage(text)
    const headings = heading.split(HEADING_SEPARATOR)
    const parts = partsOf(text).slice(0, MAX_PARTS)
    const texts = [headings.join('. '), ...parts.map((part) => `${headings.at(-1)}. ${part}`)]
    for (const part of texts.slice(0, MAX_ROWS - count)) {
      if ((count + 1) * width > rows.length) {
        const grown = new Uint8Array(rows.length * 2)
        grown.set(rows)
        rows = grown
      }
      for (const [intent, likelihood] of classify(part, language).entries())
        rows[count * width + intent] = Math.round(likelihood * SCALE)
      count += 1
      yield count * width
    }
    starts[at + 1] = count
  }
  const columns = new Uint8Array(count * width)
  for (let intent = 0; intent < width; intent += 1) {
    for (let row = 0; row < count; row += 1)
      columns[intent * count + row] = rows[row * width + intent] ?? 0
    yield count * width
  }
  return { starts, columns }
}

/** A question, with the detail of the business where it names nothing beside it. */
interface Asked {
  question: string
  language: Language | undefined
  detail: Detail | undefined
  /** Whether it names a country or a city. */
  namesPlace: boolean
}

/** Questions on a delivery, and those under which a page answers them for a place. */
const OF_DELIVERY: ReadonlySet<Intent> = new Set(['delivery-time', 'delivery-cost'])
const TO_PLACES: readonly Intent[] = ['delivery-abroad', 'delivery-areas']

const INTENT_OF_DETAIL: Readonly<Record<Detail, Intent>> = {
  phone: 'phone-contact',
  whatsapp: 'online-contact',
  email: 'online-contact',
  address: 'address',
  hours: 'opening-hours',
}

/** The intents that a question asks for, the likeliest first; nothing but its detail where it has one. */
function readAsked({
  question,
  language,
  detail,
  namesPlace,
}: Asked): { intent: number; likelihood: number }[] {
  if (detail !== undefined)
    return [{ intent: INTENTS.indexOf(INTENT_OF_DETAIL[detail]), likelihood: 1 }]
  const likelihoods = classify(question, language)
  if (namesPlace) tellPlaces(likelihoods)
  const likely: { intent: number; likelihood: number }[] = []
  for (const [intent, likelihood] of likelihoods.entries())
    if (intent !== OTHER && likelihood >= MIN_LIKELIHOOD) likely.push({ intent, likelihood })
  return likely.toSorted((a, b) => b.likelihood - a.likelihood).slice(0, MAX_ASKED)
}

/** Seeks the time and the cost of a delivery to a place where the places are told. */
function tellPlaces(likelihoods: Float32Array): void {
  const asked = INTENTS.reduce(
    (sum, intent, at) => sum + (OF_DELIVERY.has(intent) ? (likelihoods[at] ?? 0) : 0),
    0,
  )
  for (const intent of TO_PLACES) {
    const at = INTENTS.indexOf(intent)
    likelihoods[at] = Math.max(likelihoods[at] ?? 0, asked)
  }
}

/** How likely each part tells what is asked for, 0–1. Plain loops: it runs over all parts of a site. */
function matchParts(columns: Uint8Array, asked: ReturnType<typeof readAsked>): Float32Array {
  const matches = new Float32Array(columns.length / INTENTS.length)
  for (const { intent, likelihood } of asked) {
    const share = likelihood / SCALE
    const first = intent * matches.length
    for (let part = 0; part < matches.length; part += 1)
      matches[part] = (matches[part] ?? 0) + share * (columns[first + part] ?? 0)
  }
  return matches
}

/** Compares the intents of a question with those of passages. */
export class IntentMatcher {
  readonly #starts: Uint32Array
  readonly #matches: Float32Array
  /** Whether the question asks for anything that any business is asked for. */
  readonly isAsking: boolean

  /** Takes what the passages tell, `undefined` for large documentation: nothing matches there. */
  constructor(told: PassageIntents | undefined, asked: Asked) {
    const intents = told === undefined ? [] : readAsked(asked)
    this.isAsking = intents.length > 0
    this.#starts = told?.starts ?? new Uint32Array()
    this.#matches = matchParts(told?.columns ?? new Uint8Array(), intents)
  }

  /** 0–1: how likely a quotable part of a passage tells what is asked for. */
  ofPart(passage: number, part: number): number {
    const row = (this.#starts[passage] ?? 0) + 1 + part
    return row < (this.#starts[passage + 1] ?? 0) ? (this.#matches[row] ?? 0) : 0
  }

  /** 0–1: the same for the likeliest part of a passage, or for its headings. */
  ofPassage(passage: number): number {
    const end = this.#starts[passage + 1] ?? 0
    let max = 0
    for (let row = this.#starts[passage] ?? 0; row < end; row += 1)
      max = Math.max(max, this.#matches[row] ?? 0)
    return max
  }

  /** Ranks passages by their words and by how likely they tell what is asked for. */
  rank(ranked: readonly RankedPassage[]): readonly RankedPassage[] {
    if (!this.isAsking) return ranked
    const known = new Set(ranked.map(({ at }) => at))
    const gains: [at: number, share: number][] = []
    for (let at = 0; at < this.#starts.length - 1; at += 1) {
      const match = this.ofPassage(at)
      if (match >= MIN_MATCH || (match > 0 && known.has(at))) gains.push([at, match * RANK_SHARE])
    }
    return addGains(ranked, gains)
  }
}
