import type { AnswerTerm } from './embedded-sentences.ts'

/** What the search says of a passage; all shares are 0–1. */
export interface Evidence {
  coverage: number
  documentCoverage: number
  headingCoverage: number
  aboutness: number
  terms: readonly AnswerTerm[]
}

/**
 * A logistic model, fitted on half of the questions in `test/quality`: 0.35 parts best what the
 * documents answer from what they do not.
 */
const MODEL = { base: -6.5, passage: 1.35, document: 2, heading: 1.25, about: 5.5, sentence: 2.7 }
const MOST_CONSIDERED = 3
/** "İyi günler" finds something in any text. */
const GENERAL_ONLY = 0.3

/** How sure the answer is: 0–1, three decimals. `sentence` is the best sentence's share. */
export function confidenceOf(hits: readonly Evidence[], sentence: number): number {
  const [best] = hits
  if (best === undefined) return 0
  const passage = Math.max(...hits.slice(0, MOST_CONSIDERED).map((hit) => hit.coverage))
  const sum =
    MODEL.base +
    MODEL.passage * passage +
    MODEL.document * best.documentCoverage +
    MODEL.heading * best.headingCoverage +
    MODEL.about * best.aboutness +
    MODEL.sentence * sentence
  const sure = 1 / (1 + Math.exp(-sum))
  const isGeneral = best.terms.every((term) => term.isGeneral)
  return Math.round(sure * (isGeneral ? GENERAL_ONLY : 1) * 1_000) / 1_000
}
