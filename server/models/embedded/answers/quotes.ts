import { fold } from '../../../lib/text/fold.ts'
import { announces, satisfies, type QuestionKind } from '../understanding/question-kind.ts'

/** Upper bound of an answer in UTF-16 units, under 200 tokens, and of what it quotes. */
export const MAX_ANSWER_LENGTH = 780
const MAX_QUOTED_LENGTH = 640

/** A run of sentences ends at this length, unless one is left over. */
const RUN_LENGTH = 420
const LEFTOVER_LENGTH = 160
const MAX_CODE_LENGTH = 260
const LONG_SENTENCE = 300
const MIN_QUOTE_LENGTH = 15
const MAX_LIST_LENGTH = 560
/** From this ratio of the best score to the next, a list or table is answered with its best row alone. */
const DISTINCT = 1.15
/** How much better than the first sentence one must be to come before it. */
const CLEARLY_BETTER = 1.2
/** Share of the best score from which a passage may answer in the first one's place. */
const RIVAL_SHARE = 0.65
const KIND_BONUS = 0.5
const KIND_PENALTY = 0.12
const HEADING_BONUS = 0.2
/** Nearly any heading may speak of a time. */
const DURATION_HEADING_BONUS = 0.1
/** For a passage that holds what is asked for, and against one that could and does not. */
const HOLDS_BONUS = 0.2
const LACKS_PENALTY = 0.12
const COVERAGE_SHARE = 0.4
const TOPICS_SHARE = 0.3

const ASKS_HOW = /\b(?:nasil|how|ornek|example|syntax|kod|code)\b/
/** Openings that refer to the sentence before. */
const LEANS_BACK =
  /^(?:bu|bunu|bunun|buna|böylece|ancak|fakat|ayrıca|bunlar|bunlardan|sonraki|daha geç|this|these|it|they|however|that|but|also|then|otherwise|below that|above that|with it|after that|later|every further|in this case|for example|örneğin|takip numarasıyla)(?=[\s,])/i

/** A quotable sentence, list item, table row or code block. */
export interface AnswerQuote {
  text: string
  /** The text without case and accents. */
  folded: string
  kind: 'sentence' | 'item' | 'row' | 'code'
  /** Index in its passage. */
  at: number
  /** The weighted share of the question that the quote covers, 0–1. */
  score: number
  /** The words of the question that it has: one bit each, in the order of the hit's terms. */
  matched: number
}

/** A found passage with its quotes. */
export interface QuoteSource {
  /** Index among the hits. */
  place: number
  document: string
  heading: string
  score: number
  quotes: readonly AnswerQuote[]
  /** The share of the question that the heading covers. */
  headingShare: number
  /** The share of the question that the passage and its headings cover. */
  coverage: number
  /** The share of the question's topics that the passage or its heading has. */
  topics: number
}

/** What the question asks for. */
export interface Wanted {
  question: string
  kind: QuestionKind | undefined
}

/** The quotes of one passage, the one that was asked for first. */
export interface ChosenQuotes {
  source: QuoteSource
  lead: AnswerQuote
  quotes: readonly AnswerQuote[]
  /** Whether a quote of the passage holds what the question asks for; `undefined` where any sentence would. */
  isSatisfied: boolean | undefined
  /** The same for the chosen quotes. */
  holds: boolean | undefined
  /** How much better the passage is rated than the next one. */
  margin: number
}

/** The value of a quote as the answer's first sentence; `holds` is whether it has what is asked for. */
function rate(quote: AnswerQuote, holds: boolean | undefined): number {
  if (quote.kind === 'code' || quote.text.length < MIN_QUOTE_LENGTH) return 0
  const opening = quote.at === 0 ? 0.12 : quote.at < 3 ? 0.05 : 0
  const fit = holds === undefined ? 0 : holds ? KIND_BONUS : -KIND_PENALTY
  // A list item without a full stop is mostly a heading, a link or a learning goal.
  const isLabel = quote.kind === 'item' && !/[.!:;)`\d]$/.test(quote.text) && quote.text.length < 30
  const shape = quote.text.endsWith('?') ? 0.2 : quote.text.endsWith(':') || isLabel ? 0.6 : 1
  const length = quote.text.length > LONG_SENTENCE ? 0.8 : 1
  return Math.max(0, (quote.score + opening + fit) * shape * length)
}

interface RatedSource {
  source: QuoteSource
  values: readonly number[]
  best: number
  holds: boolean | undefined
  value: number
}

function rateSource(source: QuoteSource, kind: QuestionKind | undefined, max: number): RatedSource {
  const held = source.quotes.map(({ folded }) => satisfies(kind, folded))
  const values = source.quotes.map((quote, at) => rate(quote, held[at]))
  const best = Math.max(0, ...values)
  const holds = held.includes(true) ? true : held.includes(false) ? false : undefined
  const fit = holds === undefined ? 0 : holds ? HOLDS_BONUS : -LACKS_PENALTY
  const listed = source.quotes.filter(({ kind: form }) => form === 'item' || form === 'row').length
  const isTitled = announces(source.heading, kind) || (kind === 'list' && listed > 2)
  const bonus = kind === 'duration' ? DURATION_HEADING_BONUS : HEADING_BONUS
  const title = isTitled ? bonus : 0
  const value =
    source.score / max +
    COVERAGE_SHARE * source.coverage +
    TOPICS_SHARE * source.topics +
    0.2 * best +
    0.15 * source.headingShare +
    fit +
    title
  return { source, values, best, holds, value }
}

/** Chooses the passage that answers, and from it the sentence that was asked for with its neighbours. */
export function chooseQuotes(
  sources: readonly QuoteSource[],
  { question, kind }: Wanted,
): ChosenQuotes | undefined {
  const max = sources[0]?.score ?? 0
  const rated = sources
    .filter(({ score }) => score >= max * RIVAL_SHARE)
    .map((source) => rateSource(source, kind, max))
  const [main, second] = rated.toSorted((a, b) => b.value - a.value)
  if (main === undefined) return undefined
  const { source, values } = main
  const listed = source.quotes.findIndex(({ kind: form }) => form === 'item' || form === 'row')
  const at = kind === 'list' && listed >= 0 ? listed : values.indexOf(main.best)
  const lead = source.quotes[at]
  if (lead === undefined) return undefined
  const quotes =
    lead.kind === 'row' || lead.kind === 'item'
      ? withRemarks(chooseListed(main, at, kind), source.quotes)
      : withRemarks(chooseRun(main, at, ASKS_HOW.test(fold(question))), source.quotes)
  const found = new Set(quotes.map(({ folded }) => satisfies(kind, folded)))
  return {
    source,
    lead: quotes[0] ?? lead,
    quotes,
    isSatisfied: main.holds,
    holds: found.has(true) ? true : found.has(false) ? false : undefined,
    margin: second === undefined ? 1 : main.value - second.value,
  }
}

/** The row or item that was asked for, or the whole list with the sentence that introduces it. */
function chooseListed(
  { source, values }: RatedSource,
  at: number,
  kind: QuestionKind | undefined,
): AnswerQuote[] {
  const lead = source.quotes[at]
  if (lead === undefined) return []
  const isListed = (quote: AnswerQuote | undefined): boolean => quote?.kind === lead.kind
  let first = at
  while (isListed(source.quotes[first - 1])) first -= 1
  let end = at + 1
  while (isListed(source.quotes[end])) end += 1
  const rivals = source.quotes.slice(first, end).filter((quote) => quote !== lead)
  const next = Math.max(0, ...rivals.map((quote) => quote.score))
  const isDistinct =
    lead.score > next * DISTINCT && lead.score > 0.2 && kind !== 'list' && !isSplit(lead, rivals)
  if (isDistinct && rivals.length > 0) {
    const after = source.quotes[end]
    return after?.kind === 'sentence' && lead.kind === 'row' ? [lead, after] : [lead]
  }
  const whole = source.quotes.slice(first, end)
  const length = whole.reduce((sum, { text }) => sum + text.length + 3, 0)
  const listed = length <= MAX_LIST_LENGTH ? whole : aroundLead(whole, lead)
  const before = source.quotes[first - 1]
  const after = source.quotes[end]
  const isLedIn = before?.kind === 'sentence' && before.text.endsWith(':')
  const isRemark =
    after?.kind === 'sentence' && (values[end] ?? 0) > 0 && after.text.length < LEFTOVER_LENGTH
  return [...(isLedIn ? [before] : []), ...listed, ...(isRemark ? [after] : [])]
}

/** Adds the sentences of the passage with words of the question that a row or a list lacks. */
function withRemarks(chosen: readonly AnswerQuote[], all: readonly AnswerQuote[]): AnswerQuote[] {
  const quotes = [...chosen]
  let said = quotes.reduce((mask, { matched }) => mask | matched, 0)
  let length = quotes.reduce((sum, { text }) => sum + text.length + 3, 0)
  for (const quote of all) {
    const isNew = quote.kind === 'sentence' && (quote.matched & ~said) !== 0
    if (!isNew || quotes.includes(quote) || length + quote.text.length > MAX_LIST_LENGTH) continue
    quotes.push(quote)
    said |= quote.matched
    length += quote.text.length + 1
  }
  return quotes
}

/** Whether another row has a word of the question that the best one lacks. */
function isSplit({ matched }: AnswerQuote, rivals: readonly AnswerQuote[]): boolean {
  return rivals.some((rival) => (rival.matched & ~matched) !== 0)
}

function aroundLead(whole: readonly AnswerQuote[], lead: AnswerQuote): AnswerQuote[] {
  const from = Math.max(0, whole.indexOf(lead) - 2)
  const kept: AnswerQuote[] = []
  let length = 0
  for (const quote of whole.slice(from)) {
    length += quote.text.length + 3
    if (length > MAX_LIST_LENGTH) break
    kept.push(quote)
  }
  return kept
}

/** The sentence that was asked for and what follows it; before it only what it refers to. */
function chooseRun({ source, values }: RatedSource, at: number, wantsCode: boolean): AnswerQuote[] {
  const all = source.quotes
  const best = values[at] ?? 0
  let start = at
  while (
    start > 0 &&
    all[start - 1]?.kind === 'sentence' &&
    LEANS_BACK.test(all[start]?.text ?? '')
  ) {
    start -= 1
  }
  const isOpening =
    start > 0 && start <= 2 && all.slice(0, start).every(({ kind }) => kind === 'sentence')
  const bestBefore = Math.max(0, ...values.slice(0, start))
  if (isOpening && best < bestBefore * CLEARLY_BETTER) start = 0
  const run: AnswerQuote[] = []
  let length = 0
  for (let next = start; next < all.length; next += 1) {
    const quote = all[next]
    if (quote === undefined) break
    if (quote.kind === 'code') {
      const isWanted = next === at || wantsCode
      if (isWanted && quote.text.length <= MAX_CODE_LENGTH) run.push(quote)
      break
    }
    const isFull = length + quote.text.length > RUN_LENGTH && next > at
    if (isFull && quote.text.length > LEFTOVER_LENGTH) break
    if (isFull && next < all.length - 1) break
    run.push(quote)
    length += quote.text.length + 1
  }
  // What stands before the sentence that was asked for follows it, where it is about the question.
  for (let before = 0; before < start; before += 1) {
    const quote = all[before]
    if (quote?.kind !== 'sentence' || (quote.score < 0.3 && start > 2)) continue
    if (length + quote.text.length > RUN_LENGTH || run.some(({ kind }) => kind !== 'sentence'))
      break
    run.push(quote)
    length += quote.text.length + 1
  }
  return run
}

/** Truncates between words, and never inside a surrogate pair. */
function clip(text: string): string {
  if (text.length <= MAX_QUOTED_LENGTH) return text
  const cut = text.slice(0, MAX_QUOTED_LENGTH - 1)
  const end = Math.max(cut.lastIndexOf(' '), MAX_QUOTED_LENGTH / 2)
  return `${cut
    .slice(0, end)
    .toWellFormed()
    .replace(/[\uFFFD\s]+$/, '')}…`
}

function finish(text: string, hasMore: boolean): string {
  if (text.endsWith(':')) return hasMore ? text : `${text.slice(0, -1)}.`
  return /[.!?…)`"”:]$/.test(text) ? text : `${text}.`
}

/** Writes quotes as text: sentences in a paragraph, several items or rows as a list. */
export function writeQuotes(quotes: readonly AnswerQuote[]): string {
  const listed = quotes.filter(({ kind }) => kind === 'item' || kind === 'row').length
  let content = ''
  let before: AnswerQuote['kind'] | undefined
  for (const [at, quote] of quotes.entries()) {
    const isListed = (quote.kind === 'item' || quote.kind === 'row') && listed > 1
    const isBlock = quote.kind === 'code' || before === 'code'
    const wasListed = before === 'item' || before === 'row'
    const gap =
      content === ''
        ? ''
        : isBlock
          ? '\n\n'
          : isListed
            ? '\n'
            : wasListed && listed > 1
              ? '\n\n'
              : ' '
    const text = isListed
      ? `- ${quote.text}`
      : quote.kind === 'code'
        ? quote.text
        : finish(quote.text, at < quotes.length - 1)
    content += gap + text
    before = quote.kind
  }
  return clip(content)
}
