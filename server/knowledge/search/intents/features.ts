import { fold, splitWords } from '../../../lib/text/fold.ts'
import type { Language } from '../../../lib/text/language.ts'
import { isStopWord } from '../../../lib/text/stop-words.ts'
import { shippedSynonyms } from '../shipped-synonyms.ts'

/** Words of a text; further ones are ignored. */
const MAX_WORDS = 60
/** Shortest words whose beginnings are features: Turkish and German words go on after them. */
const MIN_BEGINNING = 5
const BEGINNINGS = [4, 5, 6]
/** Any number. */
const NUMBER = '0'
const NUMERIC = /^\d+$/
const MAX_CACHED = 20_000

/** The kinds of features; each begins the hash, so that a word is not taken for a concept. */
const KINDS = { word: 17, concept: 41, beginning: 59, pair: 83 }
const FNV_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** The hash of a text (Fowler, Noll and Vo, 1a), going on from another one: a signed integer, which V8 does not box. */
function hash(text: string, from: number, length = text.length): number {
  let value = from
  for (let at = 0; at < length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), FNV_PRIME)
  return value
}

const begin = (kind: number): number => FNV_BASIS ^ kind

/** The features of folded words, by language: words come again and again. */
const caches = new Map<Language | undefined, Map<string, readonly number[]>>()

function openCache(language: Language | undefined): Map<string, readonly number[]> {
  const known = caches.get(language)
  if (known !== undefined && known.size < MAX_CACHED) return known
  const opened = new Map<string, readonly number[]>()
  caches.set(language, opened)
  return opened
}

function featuresOfWord(word: string, language: Language | undefined): readonly number[] {
  const found = [hash(word, begin(KINDS.word))]
  if (!isStopWord(word, language)) {
    for (const concept of shippedSynonyms(false).conceptsOf(word, language))
      found.push(hash(concept, begin(KINDS.concept)))
  }
  for (const length of BEGINNINGS)
    if (word.length >= MIN_BEGINNING && word.length >= length + 1)
      found.push(hash(word, begin(KINDS.beginning + length), length))
  return found
}

/**
 * The features of a text as 32-bit hashes, none twice: its words and their beginnings, the everyday concepts
 * that they belong to, and each two words that follow one another.
 */
export function readFeatures(text: string, language: Language | undefined): Set<number> {
  const features = new Set<number>()
  const cache = openCache(language)
  let before = begin(KINDS.pair)
  for (const written of splitWords(text).slice(0, MAX_WORDS)) {
    const folded = fold(written)
    const word = NUMERIC.test(folded) ? NUMBER : folded
    let own = cache.get(word)
    if (own === undefined) {
      own = featuresOfWord(word, language)
      cache.set(word, own)
    }
    for (let at = 0; at < own.length; at += 1) features.add(own[at] ?? 0)
    features.add(hash(word, before))
    before = hash(`${word} `, begin(KINDS.pair))
  }
  return features
}
