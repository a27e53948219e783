/** The search's measures of a passage; all shares are 0–1. */
export interface Evidence {
  coverage: number
  documentCoverage: number
  headingCoverage: number
  aboutness: number
  /** The terms of the question; a general term, such as `best`, belongs to any topic. */
  terms: readonly { isGeneral: boolean }[]
}

/**
 * A logistic model, fitted on the questions in `test/quality` that are not held out. 0.35 separates
 * answerable questions from unanswerable ones best. Many matching words weigh more than one.
 */
const MODEL = {
  base: -8.25,
  passage: 2.6,
  document: 2.55,
  heading: 2.1,
  about: 3.5,
  sentence: 1.8,
  words: 3.25,
}
const ENOUGH_WORDS = 6
const MAX_CONSIDERED = 3
/** Bounds a document's coverage by its passage's, since a long list covers any question. */
const MAX_BEYOND_PASSAGE = 0.25
/** Factor for questions of general terms only, such as "İyi günler", which match any text. */
const GENERAL_ONLY = 0.3

/** The answer's confidence: 0–1, three decimals. `sentence` is the best sentence's share. */
export function confidenceOf(hits: readonly Evidence[], sentence: number): number {
  const [best] = hits
  if (best === undefined) return 0
  const max = (share: (hit: Evidence) => number): number =>
    Math.max(...hits.slice(0, MAX_CONSIDERED).map(share))
  const passage = max((hit) => hit.coverage)
  const sum =
    MODEL.base +
    MODEL.passage * passage +
    MODEL.document * Math.min(best.documentCoverage, passage + MAX_BEYOND_PASSAGE) +
    MODEL.heading * max((hit) => hit.headingCoverage) +
    MODEL.about * max((hit) => hit.aboutness) +
    MODEL.sentence * sentence +
    MODEL.words * Math.min(1, best.terms.length / ENOUGH_WORDS)
  const sure = 1 / (1 + Math.exp(-sum))
  const isGeneral = best.terms.every((term) => term.isGeneral)
  return Math.round(sure * (isGeneral ? GENERAL_ONLY : 1) * 1_000) / 1_000
}
