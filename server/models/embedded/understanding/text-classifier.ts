import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fold } from '../../../lib/text/fold.ts'

/** Leading bits of a feature's hash, by which its weights are found. */
const BUCKET_BITS = 16
export const BUCKETS = 1 << BUCKET_BITS
/** Words of a text; further ones are ignored. */
const MAX_WORDS = 60
const MAX_WORD_LENGTH = 24
/** Shortest words whose letters and beginnings are features. */
const MIN_SPELT = 4
const MIN_BEGUN = 6
const BEGINNING = 5
/** Runs of letters, which misspelt words share. */
const LETTER_RUNS = [3, 4]
/** Features from which on a text is no more certain by its length. */
const MIN_FEATURES = 8
/** The beginning and the end of a text, and any number. */
const [START, END, NUMBER] = ['^', '$', '0']
const NUMERIC = /^\d+$/
/** In `can't` and `112'yi` the word goes on. */
const APOSTROPHES = /['’‘´ʼ\x60]/g
const WORD = /[\p{L}\p{N}]+/gu

const FNV_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** The bucket of a feature: its hash (Fowler, Noll and Vo, 1a), mixed as MurmurHash3 ends. */
function bucketOf(feature: string): number {
  let hash = FNV_BASIS
  for (let at = 0; at < feature.length; at += 1)
    hash = Math.imul(hash ^ feature.charCodeAt(at), FNV_PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> (32 - BUCKET_BITS)
}

function readWords(folded: string): string[] {
  const words = folded.replaceAll(APOSTROPHES, '').match(WORD) ?? []
  return words
    .slice(0, MAX_WORDS)
    .map((word) => (NUMERIC.test(word) ? NUMBER : word.slice(0, MAX_WORD_LENGTH)))
}

/**
 * The features of a folded text as buckets, none twice: its words, their beginnings and letters, and pairs of words that
 * follow one another, directly or with one between.
 */
export function readTextFeatures(folded: string): number[] {
  const words = readWords(folded)
  const found = new Set<number>()
  const add = (feature: string): unknown => found.add(bucketOf(feature))
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? START
    const earlier = words[at - 2]
    add(`w${word}`)
    add(`p${before} ${word}`)
    if (earlier !== undefined) add(`s${earlier} ${word}`)
    if (at === words.length - 1) add(`p${word} ${END}`)
    if (word.length >= MIN_BEGUN) {
      const begun = word.slice(0, BEGINNING)
      add(`b${begun}`)
      if (before !== START) add(`q${before.slice(0, BEGINNING)} ${begun}`)
    }
    if (word.length < MIN_SPELT) continue
    const spelt = `<${word}>`
    for (const length of LETTER_RUNS)
      for (let from = 0; from + length <= spelt.length; from += 1)
        add(`g${spelt.slice(from, from + length)}`)
  }
  return [...found]
}

/** How much each feature of a text counts. */
export const featureWeight = (features: readonly number[]): number =>
  1 / Math.sqrt(Math.max(MIN_FEATURES, features.length))

/** A multinomial logistic regression: for each kind of text a bias and a weight of each bucket, against none of them. */
export interface TextModel {
  biases: Float32Array
  /** What a step of `weights` is worth, by kind. */
  steps: Float32Array
  /** By kind, then by bucket. */
  weights: Int8Array
}

const MAX_STEP = 127

/** Rounds a model to bytes: biases and steps as little-endian floats, then the weights. */
export function writeTextModel(biases: readonly number[], weights: Float32Array): Buffer {
  const steps = biases.map(
    (_, kind) =>
      weights
        .subarray(kind * BUCKETS, (kind + 1) * BUCKETS)
        .reduce((max, weight) => Math.max(max, Math.abs(weight)), 0) / MAX_STEP,
  )
  const rounded = Int8Array.from(weights, (weight, at) =>
    Math.round(weight / (steps[at >>> BUCKET_BITS] ?? 1)),
  )
  const head = Float32Array.from([...biases, ...steps])
  return Buffer.concat([Buffer.from(head.buffer), Buffer.from(rounded.buffer)])
}

/** Reads what `writeTextModel` wrote for so many kinds. */
export function readTextModel(bytes: Buffer, kinds: number): TextModel {
  // A copy of its own begins at a whole address.
  const { buffer } = new Uint8Array(bytes)
  const head = new Float32Array(buffer, 0, kinds * 2)
  return {
    biases: head.subarray(0, kinds),
    steps: head.subarray(kinds),
    weights: new Int8Array(buffer, head.byteLength),
  }
}

/** Returns a getter of the model that the repository ships as `NAME.bin`, which is read at its first use. */
export function shippedTextModel(name: 'danger' | 'off-topic', kinds: number): () => TextModel {
  let model: TextModel | undefined
  return () =>
    (model ??= readTextModel(readFileSync(join(import.meta.dirname, `${name}.bin`)), kinds))
}

/** How likely a text is of each kind of a model, 0–1. */
export function likelihoodsOf(text: string, { biases, steps, weights }: TextModel): number[] {
  const features = readTextFeatures(fold(text))
  const each = featureWeight(features)
  const odds = Array.from(biases, (bias, kind) => {
    let sum = 0
    for (const bucket of features) sum += weights[kind * BUCKETS + bucket] ?? 0
    return Math.exp(bias + sum * each * (steps[kind] ?? 0))
  })
  const all = odds.reduce((sum, own) => sum + own, 1)
  return odds.map((own) => own / all)
}
