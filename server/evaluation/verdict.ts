import { fold } from '../lib/text/fold.ts'
import type { Asked, Expected, AnswerFigures, AnswerVerdict } from './schema.ts'

/** Lower ends of the ranges of confidence; the last one is what answers call sure. */
const RANGES = [0, 0.35, 0.5, 0.7, 0.9]

/** The parts of an answer that decide whether it is right. */
export type JudgedAnswer = Pick<Asked, 'outcome' | 'answer' | 'passages'> & {
  citations: readonly { doc_id: string }[]
}

/** An answer's verdict, and whether the passages held what was expected; null where nothing was. */
export interface EvaluationResult {
  verdict: AnswerVerdict
  isFound: boolean | null
}

/**
 * Judges an answer. A refusal is right where the documents have no answer. Else the expected document
 * must be cited first, and all words be said; a later citation or some of the words are `partly`.
 */
export function judgeAnswer(expected: Expected, asked: JudgedAnswer): EvaluationResult {
  const isRefusal = asked.outcome === 'refused' || asked.outcome === 'small_talk'
  if (expected.none) {
    const verdict = isRefusal ? 'right' : asked.outcome === 'unsure' ? 'partly' : 'wrong'
    return { verdict, isFound: null }
  }
  const isFound = isInPassages(expected, asked)
  if (isRefusal) return { verdict: 'refused', isFound }
  const share = Math.min(citedShare(expected, asked), saidShare(expected.words, asked.answer))
  const verdict = share === 1 ? 'right' : shareOfAny(expected, asked) > 0 ? 'partly' : 'wrong'
  // An unsure outcome offers passages that may help, which is not an answer yet.
  return { verdict: asked.outcome === 'unsure' && share === 1 ? 'partly' : verdict, isFound }
}

/** 1 for the document that is cited first, or where none is expected; 0.5 for a later one. */
function citedShare({ doc_id: wanted }: Expected, { citations }: JudgedAnswer): number {
  if (wanted === undefined) return 1
  const place = citations.findIndex(({ doc_id }) => doc_id === wanted)
  return place === 0 ? 1 : place > 0 ? 0.5 : 0
}

/** The share of the expected words that a text says; `a|b` is either of two. */
function saidShare(words: readonly string[] = [], text: string): number {
  const said = fold(text)
  const found = words.filter((word) =>
    word.split('|').some((each) => each.trim() !== '' && said.includes(fold(each.trim()))),
  )
  return words.length === 0 ? 1 : found.length / words.length
}

/** The larger share of what is expected at all: the document or the words. */
function shareOfAny(expected: Expected, asked: JudgedAnswer): number {
  const cited = expected.doc_id === undefined ? 0 : citedShare(expected, asked)
  const said = expected.words === undefined ? 0 : saidShare(expected.words, asked.answer)
  return Math.max(cited, said)
}

function isInPassages({ doc_id: wanted, words }: Expected, { passages }: JudgedAnswer): boolean {
  if (wanted !== undefined) return passages.some(({ doc_id }) => doc_id === wanted)
  return passages.some(({ text, title }) => saidShare(words, `${title}\n${text}`) === 1)
}

/** The fields of an answer that the figures use. */
export interface CountedAnswer extends EvaluationResult {
  confidence: number
  credits: number
}

/** Returns the figures of judged answers. */
export function figuresOf(answers: readonly CountedAnswer[]): AnswerFigures {
  const count = (wanted: AnswerVerdict) =>
    answers.filter(({ verdict }) => verdict === wanted).length
  const answerable = answers.filter(({ isFound }) => isFound !== null)
  const found = answerable.filter(({ isFound }) => isFound === true)
  const given = answers.filter(({ verdict, isFound }) => verdict !== 'refused' && isFound !== null)
  return {
    right: count('right'),
    partly: count('partly'),
    refused: count('refused'),
    wrong: count('wrong'),
    hit_rate: answerable.length === 0 ? null : found.length / answerable.length,
    calibration: RANGES.map((from, place) => {
      const to = RANGES[place + 1] ?? 1
      const isLast = place === RANGES.length - 1
      const inside = given.filter(
        ({ confidence }) => confidence >= from && (confidence < to || isLast),
      )
      const right = inside.filter(({ verdict }) => verdict === 'right')
      return { from, to, answers: inside.length, right: right.length }
    }),
    credits_used: answers.reduce((sum, { credits }) => sum + credits, 0),
  }
}
