import type { ScoreBuffers } from './score-buffers.ts'
import { type Occurrences, STEPS_PER_YIELD } from './term-counter.ts'

const STEPS = 255
/** Scales the impact of one mention in a passage of average length to one. */
const FULL_MENTION = 2.2
/** Postings that one query may read; a real one reads some 100,000. */
const MAX_POSTINGS = 1_500_000

/** Impact of each term in each unit (passage, document or heading), packed by term. */
export interface Postings {
  /** Offset of each term's entries, and the total at the end. */
  starts: Uint32Array
  units: Uint32Array
  /** Saturated weight of the term in the unit, 0–255. */
  impacts: Uint8Array
  /** Document frequency by term, in which a passing mention counts less than one. */
  counts: Float32Array
  unitCount: number
}

/**
 * Packs occurrences by the rank of their term: a counting sort, then `weight / (weight + k)` in a
 * byte. Yields regularly.
 */
export function* packPostings(
  { terms, units, weights }: Occurrences,
  counts: { rank: Uint32Array; units: number },
  saturation: number,
): Generator<undefined, Postings> {
  const { rank } = counts
  const termCount = rank.length
  const starts = new Uint32Array(termCount + 1)
  for (let at = 0; at < terms.length; at += 1) {
    const term = rank[terms[at] ?? 0] ?? 0
    starts[term + 1] = (starts[term + 1] ?? 0) + 1
    if (at % STEPS_PER_YIELD === 0) yield undefined
  }
  for (let term = 0; term < termCount; term += 1) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
  }
  const next = starts.slice()
  const packed = new Uint32Array(terms.length)
  const impacts = new Uint8Array(terms.length)
  for (let at = 0; at < terms.length; at += 1) {
    const term = rank[terms[at] ?? 0] ?? 0
    const weight = weights[at] ?? 0
    const position = next[term] ?? 0
    next[term] = position + 1
    packed[position] = units[at] ?? 0
    impacts[position] = Math.max(1, Math.round((STEPS * weight) / (weight + saturation)))
    if (at % STEPS_PER_YIELD === 0) yield undefined
  }
  const about = new Float32Array(termCount)
  for (let term = 0; term < termCount; term += 1) {
    let sum = 0
    for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at += 1) {
      sum += Math.min(1, ((impacts[at] ?? 0) / STEPS) * FULL_MENTION)
    }
    about[term] = sum
    if (term % STEPS_PER_YIELD === 0) yield undefined
  }
  return { starts, units: packed, impacts, counts: about, unitCount: counts.units }
}

/** An index term that a word of the query matches, and how closely (0–1). */
export interface Alternative {
  id: number
  weight: number
}

/** A word of the query with its weights for the score and for the coverage. */
export interface WeightedWord {
  terms: readonly Alternative[]
  idf: number
  weight: number
}

/** Scores of a query by unit. */
export interface Scores {
  score: Float32Array
  /** Sum of the weights of the matched words, less for fuzzy matches. */
  covered: Float32Array
  /** Number of matched words, each by its closeness. */
  count: Float32Array
  /** Like `covered`, by the impact of a word instead of its closeness. */
  about: Float32Array
}

/**
 * Scores every unit; of a word's alternatives only the best one in a unit counts. The scores are those of
 * `buffers`, until the next query takes them.
 */
export function scoreUnits(
  postings: Postings,
  query: readonly WeightedWord[],
  { fuzzyPenalty, buffers }: { fuzzyPenalty: number; buffers: ScoreBuffers },
): Scores {
  const { starts, units, impacts, unitCount } = postings
  const { score, covered, count, about, impact, match, touched } = buffers.take(unitCount)
  for (const { terms, idf, weight: coverage } of query) {
    let found = 0
    for (const { id, weight } of terms) {
      const end = starts[id + 1] ?? 0
      for (let at = starts[id] ?? 0; at < end; at += 1) {
        const unit = units[at] ?? 0
        const value = (weight * (impacts[at] ?? 0)) / STEPS
        if (match[unit] === 0) touched[found++] = unit
        if (value > (impact[unit] ?? 0)) impact[unit] = value
        if (weight > (match[unit] ?? 0)) match[unit] = weight
      }
    }
    // Units in a row mostly match by the same alternative.
    let before = 0
    let share = 0
    for (let at = 0; at < found; at += 1) {
      const unit = touched[at] ?? 0
      const strength = impact[unit] ?? 0
      const closeness = match[unit] ?? 0
      if (closeness !== before) {
        before = closeness
        share = coverage * closeness ** fuzzyPenalty
      }
      impact[unit] = 0
      match[unit] = 0
      score[unit] = (score[unit] ?? 0) + idf * strength
      covered[unit] = (covered[unit] ?? 0) + share
      about[unit] = (about[unit] ?? 0) + coverage * strength
      count[unit] = (count[unit] ?? 0) + closeness
    }
  }
  return { score, covered, count, about }
}

/** Drops the least close alternatives of each word where a query would read too many postings. */
export function limitPostings<Word extends { terms: readonly Alternative[] }>(
  query: readonly Word[],
  { starts }: Postings,
): readonly Word[] {
  const share = MAX_POSTINGS / Math.max(1, query.length)
  return query.map((word) => {
    const sizes = word.terms.map(({ id }) => (starts[id + 1] ?? 0) - (starts[id] ?? 0))
    if (sizes.reduce((sum, size) => sum + size, 0) <= share) return word
    let left = share
    const terms = word.terms
      .toSorted((a, b) => b.weight - a.weight)
      .filter(({ id }) => {
        left -= (starts[id + 1] ?? 0) - (starts[id] ?? 0)
        return left >= 0
      })
    return { ...word, terms }
  })
}
