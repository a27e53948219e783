import type { Language } from '../../../lib/text/language.ts'
import {
  type AnswerQuote,
  isInList,
  type QuoteSource,
  type RatedSource,
  type Wanted,
} from './choice.ts'
import { shorten, writeQuotes } from './quote-text.ts'
import { type ChosenQuotes, isQuestion, lengthOf, quoteFrom, withRest } from './quotes.ts'
import type { AnswerHit } from './sources.ts'

/** Passages that a doubtful answer quotes beside the first one. */
export const MAX_RIVALS = 2
/** How long the quote of each may be at least, and of a passage that is quoted whole at most. */
const MIN_RIVAL_LENGTH = 260
const MAX_WHOLE_LENGTH = 420
/** Room for the heading of each. */
const LABEL_LENGTH = 40
/** The breaks around the quotes. */
export const MAX_BREAKS = 4
/**
 * How much worse a passage may be rated that a doubtful answer quotes beside the first one, and one with a word of the
 * question that is not said yet: of those rated worse by more, one in hundred has the answer, but where the question
 * goes on with another one or with a story.
 */
const NEAR_VALUE = 2
const FAR_VALUE = 4
/** Longest heading that is named as a topic. */
const MAX_TOPIC_LENGTH = 80
const MAX_TOPICS = 3

/** The quote of a passage under its heading, where two are quoted. */
export function labelled(hit: AnswerHit | undefined, text: string): string {
  const heading = hit?.passage.heading.split(' › ').at(-1) ?? ''
  if (heading === '' || heading.length > MAX_TOPIC_LENGTH) return text
  const label = /[.!?؟:]$/.test(heading) ? heading : `${heading}:`
  return `**${label.replaceAll('*', '')}**${text.startsWith('- ') ? '\n' : ' '}${text}`
}

/** The first quotes that fit a length; of a list, those from its best row on where they do not have it. */
function shortenAround(
  quotes: readonly AnswerQuote[],
  { source, values, best }: RatedSource,
  max: number,
): AnswerQuote[] {
  const first = shorten(quotes, max)
  const lead = source.quotes[values.indexOf(best)]
  if (lead === undefined || first.includes(lead) || !quotes.includes(lead)) return first
  return shorten(quotes.slice(quotes.indexOf(lead)), max)
}

/** The quotes of a passage, with the rest of it where it is short: a part would have to be read twice. */
function withShortRest(
  quotes: readonly AnswerQuote[],
  source: QuoteSource,
  max: number,
): readonly AnswerQuote[] | undefined {
  const all = source.quotes
  const isShort = lengthOf(all) <= Math.min(max, MAX_WHOLE_LENGTH)
  const isProse = all.every((quote) => quote.kind !== 'code' && !isQuestion(quote))
  if (!isShort || !isProse) return undefined
  return all.some(isInList) ? all : withRest(quotes, source)
}

/**
 * The best sentences of the passages rated next, which a doubtful answer quotes too: those that have a
 * word of the question that it lacks, and those in its language that are rated nearly alike. The same
 * section in another language has neither.
 */
export function readRivals(
  hits: readonly AnswerHit[],
  { rated, quotes, source }: ChosenQuotes,
  { wanted, room, max }: { wanted: Wanted; room: number; max: number },
): { place: number; text: string }[] {
  const [main, ...others] = rated
  if (main === undefined) return []
  const ofPlace = (place: number): number => hits[place]?.headingMatched ?? 0
  let said = quotes.reduce((mask, { matched }) => mask | matched, ofPlace(source.place))
  const rivals: { place: number; text: string }[] = []
  const isAlone = wanted.context === undefined || wanted.context === ''
  let left = room
  for (const rival of others) {
    if (rivals.length === max) break
    const { place, isOwn } = rival.source
    const share = Math.max(MIN_RIVAL_LENGTH, left / (max - rivals.length) - LABEL_LENGTH)
    const asked = quoteFrom(rival, wanted)
    const best = withShortRest(asked, rival.source, share) ?? shortenAround(asked, rival, share)
    const matched = best.reduce((mask, quote) => mask | quote.matched, ofPlace(place))
    const gap = main.value - rival.value
    if (gap > FAR_VALUE && isAlone) break
    const isNear = gap <= NEAR_VALUE
    if (best.length === 0 || isOwn !== source.isOwn || (!isNear && (matched & ~said) === 0))
      continue
    // A price beside the time that was asked for answers something else.
    if (rival.isPriceOnly && main.holds === true) continue
    const text = labelled(hits[place], writeQuotes(best))
    left -= text.length + 2
    if (left < 0) break
    said |= matched
    rivals.push({ place, text })
  }
  return rivals
}

/** The headings of the nearest passages that are not quoted, each once, in the languages of the reply. */
export function nearestTopics(
  hits: readonly AnswerHit[],
  sources: readonly QuoteSource[],
  {
    quoted,
    languages,
    least,
  }: {
    quoted: readonly number[]
    languages: readonly (Language | undefined)[]
    /** Share of the question's topics that a passage has. */
    least: number
  },
): string[] {
  const topics = new Set<string>()
  for (const { place } of sources) {
    const hit = hits[place]
    if (hit === undefined || quoted.includes(place) || hit.topicShare < least) continue
    if (hit.language !== undefined && !languages.includes(hit.language)) continue
    const heading = hit.passage.heading.split(' › ').at(-1) ?? ''
    if (heading !== '' && heading.length <= MAX_TOPIC_LENGTH) topics.add(heading)
  }
  return [...topics].slice(0, MAX_TOPICS)
}
