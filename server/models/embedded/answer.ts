import { fold } from '../../lib/fold.ts'
import { detectLanguage, type Language } from '../../lib/language.ts'
import { confidenceOf, type Evidence } from './confidence.ts'
import { chooseQuotes, writeQuotes, type Quote, type Source } from './quotes.ts'
import { ANSWER_STRINGS, GREETING } from './strings.ts'

/** Below this confidence the answer is an honest "I don't know", unless a tenant chose otherwise. */
export const DEFAULT_ANSWER_THRESHOLD = 0.35

const MAX_PASSAGES = 6
const MAX_SCORED = 4
/** A passage in another language must be so much better to be the answer. */
const OTHER_LANGUAGE_FACTOR = 0.75

/** What was found for a question, best first. Structural, so that models need not know the search. */
export interface AnswerHit extends Evidence {
  passage: { doc_id: string; title: string; heading: string; text: string }
  score: number
  /** What the passage offers to quote, in reading order. */
  quotes: readonly Quote[]
  /** 0–1: the share of the question that the heading holds. */
  headingShare: number
  language: Language | undefined
}

export interface AnswerRequest {
  question: string
  /** The visitor's language, for questions that do not give theirs away. */
  locale?: string | undefined
  hits: readonly AnswerHit[]
  /** 0–1; see DEFAULT_ANSWER_THRESHOLD. */
  threshold: number
}

export interface EmbeddedAnswer {
  content: string
  /** Places in `hits` of the passages that were really quoted, the main one first. */
  used: number[]
  /** 0–1, three decimals. */
  confidence: number
  /** False when the confidence is below the threshold: `content` then says so kindly. */
  known: boolean
  /** The message only greets: `content` greets back, and there was nothing to know. */
  isGreeting: boolean
  language: Language
}

function languageOf(detected: Language | undefined, { locale, hits }: AnswerRequest): Language {
  if (detected !== undefined) return detected
  if (locale !== undefined) return locale.startsWith('tr') ? 'tr' : 'en'
  return hits[0]?.language ?? 'en'
}

/** The passages to quote from, those in the question's language first where scores are close. */
function readSources(hits: readonly AnswerHit[], wanted: Language | undefined): Source[] {
  const sources = hits.slice(0, MAX_PASSAGES).map((hit, place) => {
    const isForeign = wanted !== undefined && hit.language !== undefined && hit.language !== wanted
    return {
      place,
      document: hit.passage.doc_id,
      score: hit.score * (isForeign ? OTHER_LANGUAGE_FACTOR : 1),
      quotes: hit.quotes,
      top: hit.headingShare,
    }
  })
  return sources.toSorted((a, b) => b.score - a.score)
}

function bestSentence(sources: readonly Source[]): number {
  const shares = sources
    .slice(0, MAX_SCORED)
    .flatMap(({ quotes, top }) => [top, ...quotes.map((quote) => quote.score)])
  return Math.max(0, ...shares)
}

/**
 * Answers from passages alone: one to four of their own sentences, at most MAX_ANSWER_LENGTH, in
 * reading order; below the threshold a kind "I don't know" in the question's language.
 */
export function answerFromPassages(request: AnswerRequest): EmbeddedAnswer {
  const { question, hits, threshold } = request
  const detected = detectLanguage(question)
  const language = languageOf(detected, request)
  const words = ANSWER_STRINGS[language]
  const isGreeting = question.length < 60 && GREETING.test(fold(question))
  if (isGreeting || hits.length === 0) {
    const content = isGreeting ? words.greeting : words.unknown
    return { content, used: [], confidence: 0, known: false, isGreeting, language }
  }
  const sources = readSources(hits, detected)
  const confidence = confidenceOf(hits, bestSentence(sources))
  const { content, used } = writeQuotes(chooseQuotes(sources, question))
  if (confidence < threshold || content === '') {
    return { content: words.unknown, used: [], confidence, known: false, isGreeting, language }
  }
  return { content, used, confidence, known: true, isGreeting, language }
}
