import type { ChosenQuotes } from './quotes.ts'

/** The search's measures of a passage; all shares are 0–1. */
export interface Evidence {
  coverage: number
  documentCoverage: number
  headingCoverage: number
  aboutness: number
  topicShare: number
  /** How much the site has written. */
  breadth: number
  score: number
  passage: { doc_id: string }
  /** The terms of the question; a general term, such as `best`, belongs to any topic. */
  terms: readonly { isGeneral: boolean; isTopic: boolean; weight: number; closeness: number }[]
}

/**
 * A logistic model, fitted on the questions in `test/quality` that are not held out, then moved by half
 * a unit: a wrong answer costs a site more than a refusal.
 */
const MODEL = {
  base: -7.7,
  own: 3.65,
  sentence: 2.63,
  words: 4.13,
  known: 2.19,
  hasTopic: 0.64,
  unsatisfied: -0.93,
  lacksTopic: -0.73,
  breadth: -3.62,
  directInBreadth: -0.96,
  headingInBreadth: 3.36,
  marginInBreadth: 4.37,
}
const ENOUGH_WORDS = 6
const MAX_CONSIDERED = 3
/** Closeness below which a word of the question is not on the site. */
const KNOWN_WORD = 0.7
const DIRECT_WORD = 0.88
/** Of so few topics, one that the site lacks is what the question is about. */
const FEW_TOPICS = 2
/** Factor for questions of general terms only, such as "İyi günler", which match any text. */
const GENERAL_ONLY = 0.3

/** What the confidence is computed from, 0–1 each. */
export type Features = Readonly<Record<string, number>>

/** Returns the measures of an answer; `undefined` without one. */
export function featuresOf(
  hits: readonly Evidence[],
  chosen: ChosenQuotes | undefined,
): Features | undefined {
  const best = hits[chosen?.source.place ?? 0]
  if (best === undefined || chosen === undefined) return undefined
  const max = (share: (hit: Evidence) => number): number =>
    Math.max(...hits.slice(0, MAX_CONSIDERED).map(share))
  const quotes = chosen.source.quotes.map(({ score }) => score)
  const { terms } = best
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  const shareOf = (min: number): number =>
    terms.reduce((sum, term) => sum + (term.closeness >= min ? term.weight : 0), 0) /
    Math.max(total, Number.EPSILON)
  const topics = terms.filter(({ isTopic }) => isTopic)
  const missing = topics.filter(({ closeness }) => closeness < KNOWN_WORD)
  const rival = hits.find((hit) => hit.passage.doc_id !== best.passage.doc_id)
  const margin =
    rival === undefined ? 1 : 1 - Math.min(1, rival.score / Math.max(best.score, Number.EPSILON))
  const { breadth } = best
  return {
    own: best.coverage,
    sentence: Math.max(chosen.source.top, ...quotes),
    words: Math.min(1, terms.length / ENOUGH_WORDS),
    known: shareOf(KNOWN_WORD),
    hasTopic: topics.length > missing.length ? 1 : 0,
    unsatisfied: chosen.isSatisfied === false ? 1 : 0,
    lacksTopic: topics.length <= FEW_TOPICS && missing.length > 0 ? 1 - breadth : 0,
    breadth,
    directInBreadth: shareOf(DIRECT_WORD) * breadth,
    headingInBreadth: max((hit) => hit.headingCoverage) * breadth,
    marginInBreadth: margin * breadth,
  }
}

/** The answer's confidence: 0–1, three decimals. */
export function confidenceOf(hits: readonly Evidence[], chosen: ChosenQuotes | undefined): number {
  const features = featuresOf(hits, chosen)
  if (features === undefined) return 0
  const { base, ...weights } = MODEL
  let sum = base
  for (const [name, weight] of Object.entries(weights)) sum += weight * (features[name] ?? 0)
  const sure = 1 / (1 + Math.exp(-sum))
  const isGeneral = hits[0]?.terms.every((term) => term.isGeneral) ?? true
  return Math.round(sure * (isGeneral ? GENERAL_ONLY : 1) * 1_000) / 1_000
}
