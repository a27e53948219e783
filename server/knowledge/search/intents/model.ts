import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INTENTS } from './intents.ts'

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
  intents: Uint8Array
  /** The gain of the intent's score from the feature, in steps of `WEIGHT_STEP`. */
  weights: Uint8Array
  /** The loss of each intent's score per feature of rarity 1: larger for intents of many features. */
  costs: Float32Array
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

/** Leading bits by which features are looked up: half a dozen share them. */
const BUCKET_BITS = 14
const BUCKET_SHIFT = 32 - BUCKET_BITS

const WORD_BYTES = 4
const HEADER_WORDS = 3

/** Makes a model from the counts of a number of examples, as the bytes of its fields, little-endian. */
export function writeModel(examples: number, rows: readonly FeatureCounts[]): Buffer {
  const sorted = rows.toSorted((a, b) => (a.feature >>> 0) - (b.feature >>> 0))
  const totals = new Float64Array(INTENTS.length)
  for (const [intent, count] of sorted.flatMap(({ counts }) => counts))
    totals[intent] = (totals[intent] ?? 0) + count
  const all = totals.reduce((sum, total) => sum + total, 0)
  const weighed = sorted.map(({ feature, counts }) => {
    const sum = counts.reduce((total, [, count]) => total + count, 0)
    const rarity = Math.log(examples / sum) / FULL_RARITY
    const absent = (CHANCE * sum) / all + MIN_COUNT
    const weights = counts
      .map(([intent, count]) => {
        const weight = (rarity * Math.log(1 + count / absent)) / WEIGHT_STEP
        return [intent, Math.min(MAX_BYTE, Math.round(weight))] as const
      })
      .filter(([, weight]) => weight > 0)
    return { feature, rarity, weights }
  })
  const pairs = weighed.flatMap(({ weights }) => weights)
  const starts = new Uint32Array(weighed.length + 1)
  for (const [at, { weights }] of weighed.entries())
    starts[at + 1] = (starts[at] ?? 0) + weights.length
  return Buffer.concat(
    [
      Uint32Array.of(INTENTS.length, weighed.length, pairs.length),
      Float32Array.from(totals, (total) => Math.log(total + MIN_SHARE * sorted.length)),
      Int32Array.from(weighed, ({ feature }) => feature),
      Float32Array.from(weighed, ({ rarity }) => rarity),
      starts,
      Uint8Array.from(pairs, ([intent]) => intent),
      Uint8Array.from(pairs, ([, weight]) => weight),
    ].map(({ buffer }) => Buffer.from(buffer)),
  )
}

/** Reads what `writeModel` wrote; throws where it is the model of other intents. */
export function readModel(bytes: Buffer): IntentModel {
  // A copy of its own begins at a whole address.
  const { buffer } = new Uint8Array(bytes)
  const [intentCount, length = 0, pairs = 0] = new Uint32Array(buffer, 0, HEADER_WORDS)
  if (intentCount !== INTENTS.length)
    throw new Error('The model has other intents: run `npm run fit:intents`.')
  let at = HEADER_WORDS * WORD_BYTES
  const next = (count: number): [ArrayBuffer, number, number] => {
    const from = at
    at += count * WORD_BYTES
    return [buffer, from, count]
  }
  const costs = new Float32Array(...next(INTENTS.length))
  const features = new Int32Array(...next(length))
  const rarities = new Float32Array(...next(length))
  const starts = new Uint32Array(...next(length + 1))
  const intents = new Uint8Array(buffer, at, pairs)
  const weights = new Uint8Array(buffer, at + pairs, pairs)
  return { features, buckets: readBuckets(features), rarities, starts, intents, weights, costs }
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

let shipped: IntentModel | undefined

/** The model of the product, made by `npm run fit:intents`; read at its first use. */
export const shippedModel = (): IntentModel =>
  (shipped ??= readModel(readFileSync(join(import.meta.dirname, 'intents.bin'))))
