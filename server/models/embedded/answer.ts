import { fold } from '../../lib/text/fold.ts'
import { detectLanguage, type Language } from '../../lib/text/language.ts'
import { confidenceOf, type Evidence } from './confidence.ts'
import { chooseQuotes, writeQuotes, type AnswerQuote, type QuoteSource } from './quotes.ts'
import { ANSWER_STRINGS, GREETING } from './strings.ts'

/** Default threshold, below which the answer is "I don't know". */
export const DEFAULT_ANSWER_THRESHOLD = 0.35

const MAX_PASSAGES = 6
const MAX_SCORED = 4
/** Factor on the score of a passage in another language than the question's. */
const OTHER_LANGUAGE_FACTOR = 0.75

/** One search result. Structural, so that models do not depend on the search. */
export interface AnswerHit extends Evidence {
  passage: { doc_id: string; title: string; heading: string; text: string }
  score: number
  /** The passage's quotable sentences, in reading order. */
  quotes: readonly AnswerQuote[]
  /** 0–1: the share of the question that the heading covers. */
  headingShare: number
  language: Language | undefined
}

export interface PassageAnswerRequest {
  question: string
  /** The visitor's language, for questions whose language cannot be detected. */
  locale?: string | undefined
  hits: readonly AnswerHit[]
  /** 0–1; see DEFAULT_ANSWER_THRESHOLD. */
  threshold: number
}

export interface EmbeddedAnswer {
  content: string
  /** Indexes in `hits` of the quoted passages, the main one first. */
  used: number[]
  /** 0–1, three decimals. */
  confidence: number
  /** False below the threshold; `content` then is "I don't know". */
  known: boolean
  /** The message is only a greeting, and `content` greets back. */
  isGreeting: boolean
  language: Language
}

function languageOf(
  detected: Language | undefined,
  { locale, hits }: PassageAnswerRequest,
): Language {
  if (detected !== undefined) return detected
  if (locale !== undefined) return locale.startsWith('tr') ? 'tr' : 'en'
  return hits[0]?.language ?? 'en'
}

/** The passages to quote from, by score, with a bonus for the question's language. */
function readSources(hits: readonly AnswerHit[], wanted: Language | undefined): QuoteSource[] {
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

function bestSentence(sources: readonly QuoteSource[]): number {
  const shares = sources
    .slice(0, MAX_SCORED)
    .flatMap(({ quotes, top }) => [top, ...quotes.map((quote) => quote.score)])
  return Math.max(0, ...shares)
}

/**
 * Answers with one to four sentences of the passages, in reading order and at most
 * MAX_ANSWER_LENGTH; below the threshold with "I don't know" in the question's language.
 */
export function answerFromPassages(request: PassageAnswerRequest): EmbeddedAnswer {
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
