import type { Detail } from '../../../lib/text/detail.ts'
import type { Language } from '../../../lib/text/language.ts'
import { HEADING_SEPARATOR } from '../../parsers/chunk.ts'
import { passageLanguage, partsOf } from '../quotes.ts'
import { addGains, type RankedPassage } from '../rank-fusion.ts'
import { classify } from './classifier.ts'
import { readFeatures } from './features.ts'
import { type ModelName, shippedModel } from './model.ts'
import { type Intent, INTENTS } from './intents.ts'

/** Likelihoods are stored as bytes. */
const SCALE = 255
const MIN_STORED_LIKELIHOOD = 0.5 / SCALE
/** An intent that matches nothing: whatever belongs to one business alone. */
const OTHER = INTENTS.indexOf('other')
/** Intents of a question that are looked at, and the least likelihood of one. */
const MAX_ASKED = 6
const MIN_LIKELIHOOD = 0.03
/** The share of the best score that a passage gains which tells for certain what is asked for. */
const RANK_SHARE = 1.2
/** From this likelihood on, a passage is found that has no word of the question. */
const MIN_MATCH = 0.2

/** Share of a site's passages, and number of them, up to which an intent counts in full, and the least that it counts. */
const FULL_SHARE = 0.05
const FULL_NUMBER = 5
/** On a site of a few passages nothing is rare. */
const MAX_FULL_SHARE = 0.9
const MIN_COUNT = 0.2
/** Passages by which an intent is told less often than its likelihoods add up to: small ones are chance. */
const CHANCE = 0.5

/** Quotable parts of a passage that are classified, and parts of a site. */
const MAX_PARTS = 60
const MAX_ROWS = 20_000
/** Intents of a part that are kept of each model. */
const MAX_TOLD = 8
const ROW_BYTES = MAX_TOLD * (Uint16Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT)
const MODEL_NAMES = ['intents', 'topics'] as const satisfies readonly ModelName[]

/** The likeliest intents of each part of the passages, in the order of a model: `MAX_TOLD` a part. */
export interface ToldIntents {
  intents: Uint16Array
  /** In steps of `1 / SCALE`. */
  likelihoods: Uint8Array
}

/** The intents and topics of the parts of the passages. */
export interface PassageIntents {
  /** The first part of each passage: its headings. Its quotable parts follow, in reading order. */
  starts: Uint32Array
  told: Readonly<Record<ModelName, ToldIntents>>
  bytes: number
}

/** Classifies the parts of passages; yields the bytes that they take after each part. */
export function* measureIntents(
  passages: readonly { heading: string; text: string }[],
): Generator<number, PassageIntents> {
  const starts = new Uint32Array(passages.length + 1)
  const told = { intents: new PartRows(), topics: new PartRows() }
  let count = 0
  for (const [at, { heading, text }] of passages.entries()) {
    const language = passageLanguage(text)
    const headings = heading.split(HEADING_SEPARATOR)
    const parts = partsOf(text).slice(0, MAX_PARTS)
    const texts = [headings.join('. '), ...parts.map((part) => `${headings.at(-1)}. ${part}`)]
    for (const part of texts.slice(0, MAX_ROWS - count)) {
      const features = readFeatures(part, language)
      for (const name of MODEL_NAMES) told[name].add(classify(features, shippedModel(name)))
      count += 1
      yield count * ROW_BYTES * MODEL_NAMES.length
    }
    starts[at + 1] = count
  }
  return {
    starts,
    told: { intents: told.intents.finish(), topics: told.topics.finish() },
    bytes: count * ROW_BYTES * MODEL_NAMES.length,
  }
}

/** The likeliest intents of parts that are added one after the other. */
class PartRows {
  readonly #intents: number[] = []
  readonly #likelihoods: number[] = []

  add(likelihoods: Float32Array): void {
    const told: number[] = []
    for (let intent = 0; intent < likelihoods.length; intent += 1)
      if ((likelihoods[intent] ?? 0) >= MIN_STORED_LIKELIHOOD) told.push(intent)
    told.sort((a, b) => (likelihoods[b] ?? 0) - (likelihoods[a] ?? 0))
    for (let place = 0; place < MAX_TOLD; place += 1) {
      const intent = told[place]
      this.#intents.push(intent ?? 0)
      this.#likelihoods.push(
        Math.round((intent === undefined ? 0 : (likelihoods[intent] ?? 0)) * SCALE),
      )
    }
  }

  finish(): ToldIntents {
    return {
      intents: Uint16Array.from(this.#intents),
      likelihoods: Uint8Array.from(this.#likelihoods),
    }
  }
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

/** The likelihoods of what a question asks for, in the order of each model: 0 for most of them. */
function readAsked({
  question,
  language,
  detail,
  namesPlace,
}: Asked): Readonly<Record<ModelName, Float32Array>> {
  const [general, ofTrades] = [shippedModel('intents'), shippedModel('topics')]
  if (detail !== undefined) {
    const asked = new Float32Array(general.costs.length)
    asked[INTENTS.indexOf(INTENT_OF_DETAIL[detail])] = 1
    return { intents: asked, topics: new Float32Array(ofTrades.costs.length) }
  }
  const features = readFeatures(question, language)
  const intents = classify(features, general)
  const topics = classify(features, ofTrades)
  if (namesPlace) tellPlaces(intents)
  intents[OTHER] = 0
  return { intents: likeliest(intents), topics: likeliest(topics) }
}

/** Leaves the likeliest ones; most of all have next to none. */
function likeliest(likelihoods: Float32Array): Float32Array {
  const found: number[] = []
  for (const likelihood of likelihoods) if (likelihood >= MIN_LIKELIHOOD) found.push(likelihood)
  const least = found.toSorted((a, b) => b - a)[MAX_ASKED - 1] ?? MIN_LIKELIHOOD
  for (let intent = 0; intent < likelihoods.length; intent += 1)
    if ((likelihoods[intent] ?? 0) < least) likelihoods[intent] = 0
  return likelihoods
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
function matchParts({ intents, likelihoods }: ToldIntents, asked: Float32Array): Float32Array {
  const matches = new Float32Array(intents.length / MAX_TOLD)
  for (let place = 0; place < intents.length; place += 1) {
    const share = (asked[intents[place] ?? 0] ?? 0) * (likelihoods[place] ?? 0)
    if (share > 0)
      matches[Math.trunc(place / MAX_TOLD)] =
        (matches[Math.trunc(place / MAX_TOLD)] ?? 0) + share / SCALE
  }
  return matches
}

/**
 * 0–1: how much the topics of each trade count on a site, by how often its parts tell them: coffee machines are
 * repaired by one trade, and have owners in any.
 */
function weighTrades(told: ToldIntents, groups: Uint32Array): Float32Array {
  const known = weighed.get(told)
  if (known !== undefined) return known
  const { intents, likelihoods } = told
  const shares = new Float32Array(groups.length)
  for (let place = 0; place < intents.length; place += 1) {
    const trade = groups[intents[place] ?? 0] ?? 0
    shares[trade] = (shares[trade] ?? 0) + (likelihoods[place] ?? 0)
  }
  let max = 1
  for (const share of shares) max = Math.max(max, share)
  const trades = shares.map((share) => share / max)
  weighed.set(told, trades)
  return trades
}

/** The weights of the trades on a site, by its topics. */
const weighed = new WeakMap<ToldIntents, Float32Array>()

/**
 * 0–1: how much each intent counts on a site, by the logarithm of the share of passages that tell it, as rare words do:
 * nearly every page of an installer of heat pumps is on heat pumps.
 */
function weighRarity(
  told: ToldIntents,
  { starts, intents: count }: { starts: Uint32Array; intents: number },
): Float32Array {
  const known = rarities.get(told)
  if (known !== undefined) return known
  const passages = starts.length - 1
  const sums = new Float32Array(count)
  const most = new Map<number, number>()
  for (let passage = 0; passage < passages; passage += 1) {
    most.clear()
    const end = (starts[passage + 1] ?? 0) * MAX_TOLD
    for (let place = (starts[passage] ?? 0) * MAX_TOLD; place < end; place += 1) {
      const intent = told.intents[place] ?? 0
      most.set(intent, Math.max(most.get(intent) ?? 0, told.likelihoods[place] ?? 0))
    }
    for (const [intent, likelihood] of most) sums[intent] = (sums[intent] ?? 0) + likelihood / SCALE
  }
  const full = Math.min(MAX_FULL_SHARE, Math.max(FULL_SHARE, FULL_NUMBER / passages))
  const weights = sums.map((sum) => {
    const share = Math.min(1, Math.max(full, (sum - CHANCE) / passages))
    return Math.max(MIN_COUNT, Math.log(share) / Math.log(full))
  })
  rarities.set(told, weights)
  return weights
}

const rarities = new WeakMap<ToldIntents, Float32Array>()

/** How likely each part tells what any business or what its trade is asked for, less what much of the site tells. */
function matchAll(
  { told, starts }: PassageIntents,
  asked: ReturnType<typeof readAsked>,
): Float32Array {
  const { groups } = shippedModel('topics')
  const trades = weighTrades(told.topics, groups)
  const rare = {
    intents: weighRarity(told.intents, { starts, intents: asked.intents.length }),
    topics: weighRarity(told.topics, { starts, intents: asked.topics.length }),
  }
  const ofAny = asked.intents.map((likelihood, intent) => likelihood * (rare.intents[intent] ?? 1))
  const ofTrade = asked.topics.map((likelihood, topic) =>
    likelihood === 0
      ? 0
      : likelihood * (trades[groups[topic] ?? 0] ?? 0) * (rare.topics[topic] ?? 1),
  )
  const topics = matchParts(told.topics, ofTrade)
  return matchParts(told.intents, ofAny).map(
    (match, row) => 1 - (1 - match) * (1 - (topics[row] ?? 0)),
  )
}

/** Compares the intents of a question with those of passages. */
export class IntentMatcher {
  readonly #starts: Uint32Array
  readonly #matches: Float32Array
  /** Whether the question asks for anything that any business is asked for. */
  readonly isAsking: boolean

  /** Takes what the passages tell, `undefined` for large documentation: nothing matches there. */
  constructor(told: PassageIntents | undefined, asked: Asked) {
    this.#starts = told?.starts ?? new Uint32Array()
    this.#matches = told === undefined ? new Float32Array() : matchAll(told, readAsked(asked))
    this.isAsking = this.#matches.some((match) => match > 0)
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
