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
  unitCount: number
}

/** Term number, unit number and weight of every occurrence that was counted, in unit order. */
export interface Occurrences {
  terms: number[]
  units: number[]
  weights: number[]
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
  return { starts, units: packed, impacts, unitCount: counts.units }
}

/** An index term that may stand for a word of the question, and how well it does (0–1). */
export interface Alternative {
  id: number
  weight: number
}

/** What one word of the question finds: per unit the best impact and the best match, both 0–1. */
export interface WordMatches {
  touched: number[]
  impact: Float32Array
  match: Float32Array
}

/** The best of a word's alternatives in every unit that has one. */
export function matchWord(postings: Postings, terms: readonly Alternative[]): WordMatches {
  const impact = new Float32Array(postings.unitCount)
  const match = new Float32Array(postings.unitCount)
  const touched: number[] = []
  for (const { id, weight } of terms) {
    const end = postings.starts[id + 1] ?? 0
    for (let at = postings.starts[id] ?? 0; at < end; at += 1) {
      const unit = postings.units[at] ?? 0
      const value = (weight * (postings.impacts[at] ?? 0)) / STEPS
      if ((match[unit] ?? 0) === 0) touched.push(unit)
      if (value > (impact[unit] ?? 0)) impact[unit] = value
      if (weight > (match[unit] ?? 0)) match[unit] = weight
    }
  }
  return { touched, impact, match }
}

/** How many units a term is really about: one where it is said once in passing counts less. */
export function countUnits(postings: Postings, id: number): number {
  let sum = 0
  const end = postings.starts[id + 1] ?? 0
  for (let at = postings.starts[id] ?? 0; at < end; at += 1) {
    sum += Math.min(1, ((postings.impacts[at] ?? 0) / STEPS) * FULL_MENTION)
  }
  return sum
}
