import type { Occurrences } from './term-counter.ts'

const STEPS = 255
/** Makes one mention in a passage of common length count as one. */
const FULL_MENTION = 2.2

/** How strongly each term speaks for each unit (passage or document), by term, packed. */
export interface Postings {
  /** Where each term's entries begin; one more at the end. */
  starts: Uint32Array
  units: Uint32Array
  /** Saturated weight of the term in the unit, 0–255. */
  impacts: Uint8Array
  /** How many units each term is really about: one where it is said in passing counts less. */
  counts: Float32Array
  unitCount: number
}

/** Packs occurrences by term: a counting sort, then `weight / (weight + k)` in a byte. */
export function packPostings(
  { terms, units, weights }: Occurrences,
  counts: { terms: number; units: number },
  saturation: number,
): Postings {
  const starts = new Uint32Array(counts.terms + 1)
  for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1
  for (let term = 0; term < counts.terms; term += 1) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
  }
  const next = starts.slice()
  const packed = new Uint32Array(terms.length)
  const impacts = new Uint8Array(terms.length)
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] ?? 0
    const weight = weights[at] ?? 0
    const place = next[term] ?? 0
    next[term] = place + 1
    packed[place] = units[at] ?? 0
    impacts[place] = Math.max(1, Math.round((STEPS * weight) / (weight + saturation)))
  }
  const about = new Float32Array(counts.terms)
  for (let term = 0; term < counts.terms; term += 1) {
    let sum = 0
    for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at += 1) {
      sum += Math.min(1, ((impacts[at] ?? 0) / STEPS) * FULL_MENTION)
    }
    about[term] = sum
  }
  return { starts, units: packed, impacts, counts: about, unitCount: counts.units }
}

/** An index term that may stand for a word of the question, and how well it does (0–1). */
export interface Alternative {
  id: number
  weight: number
}

/** A word of the question with its worth: for the score, and for what is covered. */
export interface QueryTermLookup {
  terms: readonly Alternative[]
  idf: number
  weight: number
}

/** What a question finds in each unit. */
export interface Scores {
  score: Float32Array
  /** The weights of the words that are there, less where they match only nearly. */
  covered: Float32Array
  /** How many words of the question are there, as well as they match. */
  count: Float32Array
  /** Like `covered`, by how strongly instead of how well a word matches. */
  about: Float32Array
}

/** Scores every unit; of a word's alternatives the best in a unit counts, and no other. */
export function scoreUnits(
  postings: Postings,
  asked: readonly QueryTermLookup[],
  doubt: number,
): Scores {
  const { starts, units, impacts, unitCount } = postings
  const score = new Float32Array(unitCount)
  const covered = new Float32Array(unitCount)
  const count = new Float32Array(unitCount)
  const about = new Float32Array(unitCount)
  const impact = new Float32Array(unitCount)
  const match = new Float32Array(unitCount)
  for (const { terms, idf, weight: worth } of asked) {
    const touched: number[] = []
    for (const { id, weight } of terms) {
      const end = starts[id + 1] ?? 0
      for (let at = starts[id] ?? 0; at < end; at += 1) {
        const unit = units[at] ?? 0
        const value = (weight * (impacts[at] ?? 0)) / STEPS
        if ((match[unit] ?? 0) === 0) touched.push(unit)
        if (value > (impact[unit] ?? 0)) impact[unit] = value
        if (weight > (match[unit] ?? 0)) match[unit] = weight
      }
    }
    for (const unit of touched) {
      const strength = impact[unit] ?? 0
      const closeness = match[unit] ?? 0
      impact[unit] = 0
      match[unit] = 0
      score[unit] = (score[unit] ?? 0) + idf * strength
      covered[unit] = (covered[unit] ?? 0) + worth * closeness ** doubt
      about[unit] = (about[unit] ?? 0) + worth * strength
      count[unit] = (count[unit] ?? 0) + closeness
    }
  }
  return { score, covered, count, about }
}
