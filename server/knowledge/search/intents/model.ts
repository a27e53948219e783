import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How often a feature stands in the examples of each intent. */
export interface FeatureCounts {
  /** 32-bit hash. */
  feature: number
  counts: readonly (readonly [intent: number, count: number])[]
}

/**
 * A multinomial naive Bayes model (Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 13.2),
 * whose features count by their rarity. A term that is the same for all intents is left out.
 */
export interface IntentModel {
  /** 32-bit hashes, in ascending order of their bits. */
  features: Int32Array
  /** The first of the features with each value of the leading `BUCKET_BITS`, and their number at the end. */
  buckets: Uint32Array
  /** How much a feature counts. */
  rarities: Float32Array
  /** The first of each feature's places in `intents` and `weights`. */
  starts: Uint32Array
  intents: Uint16Array
  /** The gain of the intent's score from the feature, in steps of `WEIGHT_STEP`. */
  weights: Uint8Array
  /** The loss of each intent's score per feature of rarity 1: larger for intents of many features. */
  costs: Float32Array
  /** The number of each intent's group, such as the trade of a topic. */
  groups: Uint32Array
  /** The score of a text that belongs to no intent. */
  none: number
  /** Scores are multiplied by `temper / rarity ** decay`, with the sum of the rarities of a text's features. */
  temper: number
  decay: number
}

/** Of the bytes that weights are stored as. */
export const WEIGHT_STEP = 1 / 28
const MAX_BYTE = 255
/** The count of a feature in an intent that has no example of it: a share of chance, and the least. */
const CHANCE = 2
const MIN_COUNT = 0.01
/** The same of an intent's features in all, as a share of all features. */
const MIN_SHARE = 0.1
/** The inverse frequency at which a feature counts one. */
const FULL_RARITY = 6
/** How much a topic's own examples count beside those of everything, for how likely it has a feature. */
const OWN_SHARE = 0.5

/** Leading bits by which features are looked up: half a dozen share them. */
const BUCKET_BITS = 14
const BUCKET_SHIFT = 32 - BUCKET_BITS

const WORD_BYTES = 4
const HEADER_WORDS = 3

/** The counts that a model is made from. */
interface Counted {
  /** Number of intents. */
  intents: number
  /** Number of examples. */
  examples: number
  rows: readonly FeatureCounts[]
  /** The number of each intent's group; one group of all by default. */
  groups?: readonly number[]
}

/** A feature with its weight for each intent. */
interface WeighedFeature {
  feature: number
  rarity: number
  weights: readonly (readonly [intent: number, weight: number])[]
}

function totalsOf({ intents, rows }: Counted): Float64Array {
  const totals = new Float64Array(intents)
  for (const [intent, count] of rows.flatMap(({ counts }) => counts))
    totals[intent] = (totals[intent] ?? 0) + count
  return totals
}

const toStep = (weight: number): number => Math.min(MAX_BYTE, Math.round(weight / WEIGHT_STEP))

/** Makes a model of intents with many examples each, as bytes. */
export function writeModel(counted: Counted): Buffer {
  const { intents, examples, rows, groups = Array<number>(intents).fill(0) } = counted
  const totals = totalsOf(counted)
  const all = totals.reduce((sum, total) => sum + total, 0)
  const weighed = rows.map(({ feature, counts }) => {
    const sum = counts.reduce((total, [, count]) => total + count, 0)
    const rarity = Math.log(examples / sum) / FULL_RARITY
    const absent = (CHANCE * sum) / all + MIN_COUNT
    const weights = counts.map(
      ([intent, count]) => [intent, toStep(rarity * Math.log(1 + count / absent))] as const,
    )
    return { feature, rarity, weights }
  })
  return writeFields(
    Float32Array.from(totals, (total) => Math.log(total + MIN_SHARE * rows.length)),
    groups,
    weighed,
  )
}

/**
 * Makes a model of topics with few examples each, as bytes: a feature that a topic has no example of is as
 * likely there as in `background`, the counts of everything (Jelinek and Mercer's smoothing: Zhai and Lafferty, "A Study
 * of Smoothing Methods for Language Models Applied to Information Retrieval", 2004). Scores are relative to the background's.
 */
export function writeTopicModel(counted: Counted, background: ReadonlyMap<number, number>): Buffer {
  const { intents, examples, rows, groups = Array<number>(intents).fill(0) } = counted
  const totals = totalsOf(counted)
  const all = background.values().reduce((sum, total) => sum + total, 0)
  const weighed = rows.map(({ feature, counts }) => {
    const sum = background.get(feature) ?? 1
    const rarity = Math.log(examples / sum) / FULL_RARITY
    const weights = counts.map(([intent, count]) => {
      const ratio = ((count / (totals[intent] ?? 1)) * all) / sum
      const gain = Math.log(1 + (OWN_SHARE / (1 - OWN_SHARE)) * ratio)
      return [intent, toStep(rarity * gain)] as const
    })
    return { feature, rarity, weights }
  })
  return writeFields(new Float32Array(intents).fill(-Math.log(1 - OWN_SHARE)), groups, weighed)
}

/** The fields of a model as bytes, little-endian. */
function writeFields(
  costs: Float32Array,
  groups: readonly number[],
  weighed: readonly WeighedFeature[],
): Buffer {
  const sorted = weighed
    .map((each) => ({ ...each, weights: each.weights.filter(([, weight]) => weight > 0) }))
    .toSorted((a, b) => (a.feature >>> 0) - (b.feature >>> 0))
  const pairs = sorted.flatMap(({ weights }) => weights)
  const starts = new Uint32Array(sorted.length + 1)
  for (const [at, { weights }] of sorted.entries())
    starts[at + 1] = (starts[at] ?? 0) + weights.length
  return Buffer.concat(
    [
      Uint32Array.of(costs.length, sorted.length, pairs.length),
      costs,
      Uint32Array.from(groups),
      Int32Array.from(sorted, ({ feature }) => feature),
      Float32Array.from(sorted, ({ rarity }) => rarity),
      starts,
      Uint16Array.from(pairs, ([intent]) => intent),
      Uint8Array.from(pairs, ([, weight]) => weight),
    ].map(({ buffer }) => Buffer.from(buffer)),
  )
}

/** The models of the product: what any business is asked, and what the customers of one trade ask. */
export type ModelName = 'intents' | 'topics'

/**
 * Naive Bayes counts features that say the same as if each said it on its own, the more so the longer the text is; the
 * temper corrects that. Those of the intents are fitted by the likelihood of 7,138 examples that were written after the
 * others, those of the topics by the answers of the quality sets.
 */
const SCORING = {
  intents: { none: Number.NEGATIVE_INFINITY, temper: 0.7, decay: 0.6 },
  topics: { none: 4, temper: 1.2, decay: 0.5 },
} satisfies Record<ModelName, Pick<IntentModel, 'none' | 'temper' | 'decay'>>

/** Reads what `writeModel` or `writeTopicModel` wrote. */
export function readModel(bytes: Buffer, name: ModelName): IntentModel {
  // A copy of its own begins at a whole address.
  const { buffer } = new Uint8Array(bytes)
  const [count = 0, length = 0, pairs = 0] = new Uint32Array(buffer, 0, HEADER_WORDS)
  let at = HEADER_WORDS * WORD_BYTES
  const next = (words: number): [ArrayBuffer, number, number] => {
    const from = at
    at += words * WORD_BYTES
    return [buffer, from, words]
  }
  const costs = new Float32Array(...next(count))
  const groups = new Uint32Array(...next(count))
  const features = new Int32Array(...next(length))
  const rarities = new Float32Array(...next(length))
  const starts = new Uint32Array(...next(length + 1))
  const intents = new Uint16Array(buffer, at, pairs)
  const weights = new Uint8Array(buffer, at + pairs * intents.BYTES_PER_ELEMENT, pairs)
  const buckets = readBuckets(features)
  return { features, buckets, rarities, starts, intents, weights, costs, groups, ...SCORING[name] }
}

function readBuckets(features: Int32Array): Uint32Array {
  const buckets = new Uint32Array((1 << BUCKET_BITS) + 1)
  for (let at = 0; at < features.length; at += 1) {
    const bucket = (features[at] ?? 0) >>> BUCKET_SHIFT
    buckets[bucket + 1] = at + 1
  }
  for (let bucket = 1; bucket < buckets.length; bucket += 1)
    buckets[bucket] = Math.max(buckets[bucket] ?? 0, buckets[bucket - 1] ?? 0)
  return buckets
}

/** The place of a feature; `undefined` for one that no example had. */
export function findFeature(
  { features, buckets }: IntentModel,
  feature: number,
): number | undefined {
  const bucket = feature >>> BUCKET_SHIFT
  const end = buckets[bucket + 1] ?? 0
  for (let at = buckets[bucket] ?? 0; at < end; at += 1) if (features[at] === feature) return at
  return undefined
}

const shipped = new Map<ModelName, IntentModel>()

/** A model of the product, made by `npm run fit:intents`; read at its first use. */
export function shippedModel(name: ModelName): IntentModel {
  const known = shipped.get(name)
  if (known !== undefined) return known
  const read = readModel(readFileSync(join(import.meta.dirname, `${name}.bin`)), name)
  shipped.set(name, read)
  return read
}
