import { fold } from '../../lib/text/fold.ts'

/** Upper bound of an answer in UTF-16 units, well under 200 tokens. */
export const MAX_ANSWER_LENGTH = 600

const MAX_QUOTES = 4
const MAX_MAIN_QUOTES = 2
const MAX_CODE_LENGTH = 260
const LONG_SENTENCE = 300
const MIN_QUOTE_LENGTH = 15
/** Minimum value of a further sentence of the main document, as a share of the best one's. */
const WORTH_ADDING = 0.55
/** The same for another document, whose passage must reach `CLOSE_RIVAL` of the first score. */
const WORTH_ADDING_OTHER = 0.45
const CLOSE_RIVAL = 0.6

const ASKS_HOW = /\b(?:nasil|how|ornek|example|syntax|kod|code)\b/
/** Openings that refer to the sentence before. */
const LEANS_BACK =
  /^(?:bu|bunu|bunun|buna|böylece|ancak|fakat|ayrıca|bunlar|bunlardan|this|these|it|they|however|that|but|also|then|otherwise|in this case|for example|örneğin)\b/i

/** A quotable sentence, list item, table row or code block. */
export interface AnswerQuote {
  text: string
  kind: 'sentence' | 'item' | 'row' | 'code'
  /** Index in its passage. */
  at: number
  /** The weighted share of the question that the quote covers, 0–1. */
  score: number
}

/** A found passage with its quotes. */
export interface QuoteSource {
  /** Index among the hits. */
  place: number
  document: string
  score: number
  quotes: readonly AnswerQuote[]
  /** The share of the question that the heading covers. */
  top: number
}

export interface Chosen {
  source: QuoteSource
  quote: AnswerQuote
}

interface Rated extends Chosen {
  value: number
}

function rate(quote: AnswerQuote): number {
  if (quote.kind === 'code' || quote.text.length < MIN_QUOTE_LENGTH) return 0
  const opening = quote.at === 0 ? 0.15 : quote.at < 3 ? 0.06 : 0
  const isQuestion = quote.text.endsWith('?')
  const isLead = quote.text.endsWith(':')
  // A list item without a full stop is mostly a heading, a link or a learning goal.
  const isLabel = quote.kind === 'item' && !/[.!:;)`]$/.test(quote.text)
  const shape = isQuestion ? 0.2 : isLead || isLabel ? 0.55 : 1
  const length = quote.text.length > LONG_SENTENCE ? 0.75 : quote.text.length < 40 ? 0.85 : 1
  return (quote.score + opening) * shape * length
}

function rateAll(sources: readonly QuoteSource[]): Rated[] {
  const max = sources[0]?.score ?? 1
  const rated = sources.flatMap((source) =>
    source.quotes.map((quote) => ({
      source,
      quote,
      value: rate(quote) * (source.score / max) * (0.8 + 0.2 * source.top),
    })),
  )
  return rated.toSorted((a, b) => b.value - a.value)
}

/** The quotes that a sentence needs beside it: the sentence before, the code after. */
function companions({ source, quote }: Chosen, wantsCode: boolean): AnswerQuote[] {
  const before = source.quotes[quote.at - 1]
  const after = source.quotes[quote.at + 1]
  const found: AnswerQuote[] = []
  const isHelp = before?.kind === 'sentence' && !/[?:]$/.test(before.text)
  if (before !== undefined && isHelp && LEANS_BACK.test(quote.text)) found.push(before)
  const isShort = after?.kind === 'code' && after.text.length <= MAX_CODE_LENGTH
  if (after !== undefined && isShort && wantsCode) found.push(after)
  return found
}

/** The best sentences of the first document, then one of each document with a close score. */
export function chooseQuotes(sources: readonly QuoteSource[], question: string): Chosen[] {
  const [first] = sources
  const rated = rateAll(sources)
  const best = rated.find(({ source }) => source.document === first?.document)
  if (first === undefined || best === undefined) return []
  const wantsCode = ASKS_HOW.test(fold(question))
  const chosen: Chosen[] = []
  const taken = new Map<string, number>()
  let left = MAX_ANSWER_LENGTH

  const add = (source: QuoteSource, quote: AnswerQuote): void => {
    const isKnown = chosen.some((other) => other.quote.text === quote.text)
    if (isKnown || (chosen.length > 0 && quote.text.length + 2 > left)) return
    chosen.push({ source, quote })
    left -= quote.text.length + 2
    if (quote.kind !== 'code') taken.set(source.document, (taken.get(source.document) ?? 0) + 1)
  }

  for (const candidate of [best, ...rated]) {
    const { source, quote, value } = candidate
    const isMain = source.document === first.document
    const isWorth = value >= best.value * (isMain ? WORTH_ADDING : WORTH_ADDING_OTHER)
    const isClose = isMain || source.score >= first.score * CLOSE_RIVAL
    const isFull = (taken.get(source.document) ?? 0) >= (isMain ? MAX_MAIN_QUOTES : 1)
    const count = [...taken.values()].reduce((sum, each) => sum + each, 0)
    if (count >= MAX_QUOTES || isFull || !isWorth || !isClose) continue
    add(source, quote)
    if (isMain) for (const companion of companions(candidate, wantsCode)) add(source, companion)
  }
  return chosen
}

/** Truncates between words, and never inside a surrogate pair. */
function clip(text: string): string {
  if (text.length <= MAX_ANSWER_LENGTH) return text
  const cut = text.slice(0, MAX_ANSWER_LENGTH - 1)
  const end = Math.max(cut.lastIndexOf(' '), MAX_ANSWER_LENGTH / 2)
  return `${cut
    .slice(0, end)
    .toWellFormed()
    .replace(/[\uFFFD\s]+$/, '')}…`
}

function finish(text: string, hasCode: boolean): string {
  if (text.endsWith(':')) return hasCode ? text : `${text.slice(0, -1)}.`
  return /[.!?…)`"”]$/.test(text) ? text : `${text}.`
}

/** Joins quotes in reading order, grouped by passage, and returns the passages' indexes. */
export function writeQuotes(chosen: readonly Chosen[]): { content: string; used: number[] } {
  const used = [...new Set(chosen.map(({ source }) => source.place))]
  let content = ''
  for (const place of used) {
    const own = chosen.filter(({ source }) => source.place === place).map(({ quote }) => quote)
    const ordered = own.toSorted((a, b) => a.at - b.at)
    for (const [at, quote] of ordered.entries()) {
      const isCode = quote.kind === 'code'
      const gap = content === '' ? '' : isCode || content.endsWith('```') ? '\n\n' : ' '
      const next = ordered[at + 1]
      content += gap + (isCode ? quote.text : finish(quote.text, next?.kind === 'code'))
    }
  }
  return { content: clip(content), used }
}
