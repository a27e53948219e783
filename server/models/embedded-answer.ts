import { detectLanguage, type Language } from '../lib/language.ts'
import { quotesOf, type AnswerTerm, type Quote } from './embedded-sentences.ts'
import { ANSWER_WORDS } from './embedded-words.ts'

/** Longest answer in UTF-16 units; at four a token it stays well under 200 tokens. */
export const MAX_ANSWER_LENGTH = 600
/** Below this confidence the answer is an honest "I don't know", unless a tenant chose otherwise. */
export const DEFAULT_ANSWER_THRESHOLD = 0.5

const MOST_SENTENCES = 4
const MOST_PASSAGES = 8
const SECOND_SOURCE = 0.75

/** What was found for a question, best first. Structural, so that models need not know the search. */
export interface AnswerHit {
  passage: { doc_id: string; title: string; heading: string; text: string }
  score: number
  coverage: number
  documentCoverage: number
  terms: readonly AnswerTerm[]
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
  /** 0–1, rounded to three decimals. */
  confidence: number
  /** False when the confidence is below the threshold: `content` then says so kindly. */
  known: boolean
  language: Language
}

interface Source {
  /** Place in `hits`. */
  place: number
  hit: AnswerHit
  quotes: Quote[]
}

function languageOf(
  question: string,
  locale: string | undefined,
  hit: AnswerHit | undefined,
): Language {
  const detected = detectLanguage(question)
  if (detected !== undefined) return detected
  if (locale !== undefined) return locale.startsWith('tr') ? 'tr' : 'en'
  return detectLanguage(hit?.passage.text ?? '') ?? 'en'
}

/** How far what was found covers the question: the passage by itself, then its whole document. */
function confidenceOf(hits: readonly AnswerHit[]): number {
  const [best] = hits
  if (best === undefined) return 0
  const passage = Math.max(...hits.slice(0, 3).map((hit) => hit.coverage))
  const confidence = 0.7 * passage + 0.3 * best.documentCoverage
  return Math.round(Math.min(1, Math.max(0, confidence)) * 1_000) / 1_000
}

function rate(quote: Quote): number {
  if (quote.kind === 'code' || quote.text.length < 15) return 0
  const isQuestion = quote.text.endsWith('?')
  const isLead = quote.text.endsWith(':')
  const opening = quote.at === 0 ? 0.15 : quote.at < 3 ? 0.05 : 0
  const long = quote.text.length > 300 ? 0.8 : 1
  return (quote.score + opening) * long * (isQuestion ? 0.2 : isLead ? 0.6 : 1)
}

/** The best sentences of one document, then one of a rival that scores nearly as much. */
function choose(sources: readonly Source[]): { source: Source; quote: Quote }[] {
  const [first] = sources
  if (first === undefined) return []
  const main = first.hit.passage.doc_id
  const rated = sources.flatMap((source) =>
    source.quotes.map((quote) => {
      const share = source.hit.score / first.hit.score
      return { source, quote, value: rate(quote) * share ** 0.5 }
    }),
  )
  rated.sort((a, b) => b.value - a.value)
  const best = rated.find(({ source }) => source.hit.passage.doc_id === main)
  if (best === undefined) return []
  const chosen = [best]
  let length = best.quote.text.length
  const documents = new Map([[main, 1]])
  for (const candidate of rated) {
    const { hit } = candidate.source
    const taken = documents.get(hit.passage.doc_id) ?? 0
    const isMain = hit.passage.doc_id === main
    const isWorth = candidate.value >= best.value * (isMain ? 0.5 : 0.8)
    const isClose = isMain || hit.score >= first.hit.score * SECOND_SOURCE
    const size = candidate.quote.text.length + 1
    if (candidate === best || !isWorth || !isClose || taken >= (isMain ? 3 : 1)) continue
    if (chosen.length >= MOST_SENTENCES || length + size > MAX_ANSWER_LENGTH) continue
    chosen.push(candidate)
    documents.set(hit.passage.doc_id, taken + 1)
    length += size
  }
  return chosen
}

function clip(text: string): string {
  if (text.length <= MAX_ANSWER_LENGTH) return text
  const cut = text.slice(0, MAX_ANSWER_LENGTH - 1)
  const end = Math.max(cut.lastIndexOf(' '), MAX_ANSWER_LENGTH / 2)
  return `${cut
    .slice(0, end)
    .toWellFormed()
    .replace(/[\uFFFD\s]+$/, '')}…`
}

/** Puts the quotes in reading order, those of one passage together. */
function write(chosen: readonly { source: Source; quote: Quote }[]): {
  content: string
  used: number[]
} {
  const used = [...new Set(chosen.map(({ source }) => source.place))]
  const parts = used.flatMap((place) => {
    const own = chosen.filter(({ source }) => source.place === place).map(({ quote }) => quote)
    return own.toSorted((a, b) => a.at - b.at).map((quote) => quote.text.replace(/:$/, '.'))
  })
  return { content: clip(parts.join(' ')), used }
}

/**
 * Answers from passages alone: one to four of their own sentences, at most MAX_ANSWER_LENGTH, in
 * reading order, or below the threshold a kind "I don't know" in the question's language.
 */
export function answerFromPassages(request: AnswerRequest): EmbeddedAnswer {
  const { question, locale, hits, threshold } = request
  const language = languageOf(question, locale, hits[0])
  const confidence = confidenceOf(hits)
  const unknown = ANSWER_WORDS[language].unknown
  if (confidence < threshold || hits.length === 0) {
    return { content: unknown, used: [], confidence, known: false, language }
  }
  const sources = hits.slice(0, MOST_PASSAGES).map((hit, place) => ({
    place,
    hit,
    quotes: quotesOf(hit.passage.text, hit.terms),
  }))
  const { content, used } = write(choose(sources))
  if (content === '') return { content: unknown, used: [], confidence, known: false, language }
  return { content, used, confidence, known: true, language }
}
