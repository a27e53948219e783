import type { ChosenQuotes } from './quotes.ts'

/** The search's measures of a passage; all shares are 0–1. */
export interface Evidence {
  coverage: number
  documentCoverage: number
  headingCoverage: number
  aboutness: number
  /** How much the site has written. */
  breadth: number
  score: number
  passage: { doc_id: string }
  /** The terms of the question; a general term, such as `best`, belongs to any topic. */
  terms: readonly { isGeneral: boolean; isTopic: boolean; weight: number; closeness: number }[]
}

/**
 * A logistic model, fitted on the questions in `test/quality` that are not held out, then moved a
 * little: a wrong answer costs a small site more than a refusal.
 */
const MODEL = {
  base: -6.76,
  passage: 1.27,
  own: 1.47,
  document: 0.67,
  heading: 1.18,
  ownHeading: 1.31,
  about: 1,
  sentence: 1.19,
  words: 1.64,
  known: 0.66,
  direct: 0.72,
  margin: 1.57,
  missingTopics: -0.46,
  hasTopic: 1.05,
  satisfied: -0.22,
  unsatisfied: -0.02,
  breadth: -0.27,
  missingInBreadth: -0.48,
  coveredInBreadth: 0.22,
  directInBreadth: -0.65,
}
const ENOUGH_WORDS = 6
const MAX_CONSIDERED = 3
/** Bounds a document's coverage by its passage's, since a long list covers any question. */
const MAX_BEYOND_PASSAGE = 0.25
/** Closeness below which a word of the question is not on the site. */
const KNOWN_WORD = 0.7
const DIRECT_WORD = 0.88
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
  const passage = max((hit) => hit.coverage)
  const quotes = chosen.source.quotes.map(({ score }) => score)
  const { terms } = best
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  const shareOf = (min: number): number =>
    terms.reduce((sum, term) => sum + (term.closeness >= min ? term.weight : 0), 0) /
    Math.max(total, Number.EPSILON)
  const known = shareOf(KNOWN_WORD)
  const topics = terms.filter(({ isTopic }) => isTopic)
  const missing = topics.filter(({ closeness }) => closeness < KNOWN_WORD)
  const rival = hits.find((hit) => hit.passage.doc_id !== best.passage.doc_id)
  return {
    passage,
    own: best.coverage,
    document: Math.min(best.documentCoverage, passage + MAX_BEYOND_PASSAGE),
    heading: max((hit) => hit.headingCoverage),
    ownHeading: best.headingCoverage,
    about: max((hit) => hit.aboutness),
    sentence: Math.max(chosen.source.top, ...quotes),
    words: Math.min(1, terms.length / ENOUGH_WORDS),
    known,
    direct: shareOf(DIRECT_WORD),
    margin:
      rival === undefined ? 1 : 1 - Math.min(1, rival.score / Math.max(best.score, Number.EPSILON)),
    missingTopics: missing.length / Math.max(1, topics.length),
    hasTopic: topics.length > missing.length ? 1 : 0,
    satisfied: chosen.isSatisfied === true ? 1 : 0,
    unsatisfied: chosen.isSatisfied === false ? 1 : 0,
    breadth: best.breadth,
    missingInBreadth: (1 - known) * best.breadth,
    coveredInBreadth: passage * best.breadth,
    directInBreadth: shareOf(DIRECT_WORD) * best.breadth,
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
