import type { Postings } from './postings.ts'
import type { QueryWord } from './query.ts'

const GENERAL_WORD = 0.3
/** Weight of an unmatched word relative to a word of a single passage. */
const UNKNOWN_WORD = 0.9
const EVERYDAY_WORD = 0.5
const MISSING_EVERYDAY_WORD = 0.7
/** Below 1, it dampens the inverse document frequency: visitors do not choose words by rarity. */
const RARITY_EFFECT = 0.4
const MIN_WEIGHT = 0.12
/** From here on, a word of the site is one of the question, in another form at most. */
export const STEM_MATCH = 0.95
/** Weight of a word of the context and of a hint, and of a word of the context without a match. */
const CONTEXT_WORD = 0.45
const MISSING_CONTEXT_WORD = 0.04
/** A question without words of its own is about its context. */
const LEADING_CONTEXT_WORD = 0.8
const HINT_WORD = 0.3
/** Weight of a word of the question before, which counts for the rank alone. */
const EARLIER_WORD = 0.4
const MIN_TRUST = 0.6
/** From here on, a word of the site stands for one of the question. */
export const DIRECT_MATCH = 0.7

/** The parts of an index that the weights of words depend on. */
interface WeighedIndex {
  documentationShare: number
  entries: readonly unknown[]
  passages: Postings
  headings: Postings
}

/** A word of a query with its weight. */
export interface WeighedWord extends QueryWord {
  idf: number
  weight: number
}

function inverseDocumentFrequency(total: number, count: number): number {
  return Math.log(1 + (total - count + 0.5) / (count + 0.5))
}

/** Returns the document frequency of a word and its inflected forms. */
function countDirect(word: QueryWord, counts: readonly number[]): number | undefined {
  let own = 0
  let others = 0
  for (const [at, { weight }] of word.terms.entries()) {
    const count = counts[at] ?? 0
    if (weight >= STEM_MATCH) own = Math.max(own, count)
    else if (weight >= DIRECT_MATCH) others += count
  }
  return own + others === 0 ? undefined : own + others
}

/**
 * 0–1: how much the absence of a word says. The site of a business lacks most words of its language,
 * and what it is about is in most of its passages.
 */
function vocabularyTrust(index: WeighedIndex): number {
  return MIN_TRUST + (1 - MIN_TRUST) * index.documentationShare
}

/**
 * How rare a word is, all that stands for it taken together. What stands for it and is more common
 * than it counts by its own rarity: a part of a rare name must not score as the name.
 */
export function weighWord(index: WeighedIndex, word: QueryWord): WeighedWord {
  const total = index.entries.length
  const counts = word.terms.map(({ id }) => Math.min(total, index.passages.counts[id] ?? 0))
  const count = Math.min(total, countDirect(word, counts) ?? Math.max(0, ...counts))
  const idf = inverseDocumentFrequency(total, count)
  const terms = word.terms.map(({ id, weight }, at) => ({
    id,
    weight: weight * Math.min(1, inverseDocumentFrequency(total, counts[at] ?? 0) / idf),
  }))
  const rarity = (idf / Math.max(0.1, inverseDocumentFrequency(total, 1))) ** RARITY_EFFECT
  const known = Math.max(MIN_WEIGHT, Math.min(1, rarity))
  const surest = Math.max(0, ...terms.map((term) => term.weight))
  // A word that hardly anything stands for is as good as missing: an everyday one says little then.
  const { isNumber, isOptional } = word
  // A word in a heading of a business is a topic there: the return of a product, not of a function.
  const isHeadline = word.isEveryday && index.documentationShare < 1 && isInHeading(index, word)
  const isEveryday = word.isEveryday && !isHeadline
  // A visitor's own number, such as an age or a date, and the destination of a parcel stand in no document.
  const missing =
    isNumber || isOptional
      ? MIN_WEIGHT
      : isEveryday
        ? MISSING_EVERYDAY_WORD
        : UNKNOWN_WORD * vocabularyTrust(index)
  const base = surest < DIRECT_MATCH ? Math.min(missing, counts.length === 0 ? 1 : known) : known
  const weight = base * (word.isGeneral ? GENERAL_WORD : isEveryday ? EVERYDAY_WORD : 1)
  return { ...word, isTopic: word.isTopic || isHeadline, terms, idf, weight }
}

function isInHeading({ headings }: Pick<WeighedIndex, 'headings'>, { terms }: QueryWord): boolean {
  return terms.some(({ id, weight }) => {
    return weight >= STEM_MATCH && (headings.starts[id + 1] ?? 0) > (headings.starts[id] ?? 0)
  })
}

/** Words of the context and hints count less, and hardly at all where the documents lack them. */
export function weighRole(word: WeighedWord, isAboutContext: boolean): WeighedWord {
  // General words of a follow-up, such as `long`, do not tell which passage is meant.
  if (word.role === 'question') {
    return isAboutContext ? { ...word, idf: word.idf * CONTEXT_WORD } : word
  }
  if (word.role === 'earlier') return { ...word, idf: word.idf * EARLIER_WORD, weight: 0 }
  const isMissing = word.terms.every(({ weight }) => weight < DIRECT_MATCH)
  const known = isAboutContext ? LEADING_CONTEXT_WORD : CONTEXT_WORD
  const missing = word.role === 'hint' ? 0 : MISSING_CONTEXT_WORD
  const share = isMissing ? missing : word.role === 'hint' ? HINT_WORD : known
  return { ...word, idf: word.idf * share, weight: word.weight * share }
}
