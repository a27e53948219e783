import { fold, splitWords } from '../../../lib/text/fold.ts'
import type { Language } from '../../../lib/text/language.ts'
import {
  type AnswerQuote,
  isInList,
  type QuoteSource,
  type RatedSource,
  type Wanted,
} from './choice.ts'
import { denies, isTakenBack } from './polarity.ts'
import { writeQuotes } from './quote-text.ts'
import {
  type ChosenQuotes,
  completed,
  GAP,
  gapAt,
  inContext,
  inReadingOrder,
  isLeadIn,
  isQuestion,
  LEANS_BACK,
  lengthOf,
  MIN_DOCUMENTATION,
  quoteFrom,
  withRest,
} from './quotes.ts'
import type { AnswerHit } from './sources.ts'

/** Passages that a doubtful answer quotes beside the first one. */
const MAX_RIVALS = 4
/**
 * Of these, how many share the room that is left, and how long the quote of each may be. Below `GUESS` of confidence, where
 * the first passage is right for half of the questions, three shorter ones do.
 */
const SHARES = {
  doubt: { mains: 2, min: 260, max: 420 },
  guess: { mains: 3, min: 180, max: 280 },
}
export const GUESS = 0.5
/** How long the quotes of the others may be, which get what is left. */
const OTHER_LENGTH = { min: 140, max: 260 }
/** How long the first sentences of a guess may be, and the best of them where they are longer. */
const GUESSED_LENGTH = { whole: 420, part: 360 }
/** A part of a list says less than the whole. */
const MAX_LISTED_LENGTH = 560
/** What the other sentences of a short excerpt have to be worth beside its best one. */
const MIN_SHARE_OF_BEST = 0.35
/** Words of a sentence that may be only the name of what the next one tells. */
const NAME_WORDS = 5
/** The share of the words of a question on the page from which a visitor asks the same. */
const MIN_OWN_QUESTION = 0.6
/** How much longer a shortened quote may become where room is left. */
const MAX_FILLING = 150
/** Lower bound of the value of each sentence that fills it, as a share of the best one's. */
const MIN_FILLING = 0.15
/** Room for the heading of each. */
const LABEL_LENGTH = 40
/** The breaks around the quotes. */
export const MAX_BREAKS = 4
/**
 * How much worse a passage may be rated that a doubtful answer quotes beside the first one, and one with a word of the
 * question that is not said yet: of those rated worse by more, one in hundred has the answer, but where the question
 * goes on with another one or with a story.
 */
const NEAR_VALUE = 4
const FAR_VALUE = 5
/** Passages of a site on which the same may be told of several things. */
const SEVERAL_PAGES = 30
/** Longest heading that is named as a topic. */
const MAX_TOPIC_LENGTH = 80
const MAX_TOPICS = 3

const NO_HITS: readonly AnswerHit[] = []

/** A passage that a doubtful answer quotes beside the first one. */
export interface Rival {
  /** Index among the hits. */
  place: number
  text: string
  /** Whether nothing of the passage is left out, so that its heading need not be offered. */
  isWhole: boolean
}

/** The quote of a passage under its heading, beside others of these hits. */
export function labelled(
  hit: AnswerHit | undefined,
  text: string,
  hits: readonly AnswerHit[],
  isContested = false,
): string {
  const heading = hit === undefined ? '' : headingOf(hit, hits, isContested)
  if (heading === '' || heading.length > MAX_TOPIC_LENGTH) return text
  const label = /[.!?؟:]$/.test(heading) ? heading : `${heading}:`
  return `**${label.replaceAll('*', '')}**${text.startsWith('- ') ? '\n' : ' '}${text}`
}

/**
 * The heading of a passage: with the one above it where another section of the page is called the same (`Whitby › Getting
 * here`), and with the title of its page where that has more of the question (`Kasko › Prices`), or where a section of
 * another page is called the same.
 */
function headingOf(hit: AnswerHit, hits: readonly AnswerHit[], isContested: boolean): string {
  const { passage, headingMatched, titleMatched } = hit
  const own = lastOf(passage.heading)
  const namesakes = hits.filter((other) => other !== hit && lastOf(other.passage.heading) === own)
  if (namesakes.some(({ passage: other }) => isNamesake(passage, other)))
    return passage.heading.split(' › ').slice(-2).join(' › ')
  const isCalledSo = namesakes.some(({ passage: other }) => other.doc_id !== passage.doc_id)
  const isOfTitle = (titleMatched & ~headingMatched) !== 0
  const isDetail = (hit.detail ?? 0) > 0 && !GENERAL.test(fold(passage.title))
  const isTitled =
    (isCalledSo || isOfTitle || isDetail || isContested) &&
    own !== passage.title &&
    own.length + passage.title.length <= MAX_TOPIC_LENGTH
  return isTitled && own !== '' ? `${passage.title} › ${own}` : own
}

/** Whether another section of the same page is called the same. */
const isNamesake = (passage: AnswerHit['passage'], other: AnswerHit['passage']): boolean =>
  other.doc_id === passage.doc_id &&
  other.heading !== passage.heading &&
  lastOf(other.heading) === lastOf(passage.heading)

const lastOf = (heading: string): string => heading.split(' › ').at(-1) ?? ''

/**
 * The quotes of a sure answer, after its yes or no: under its heading where that has nothing of what is asked for, where it
 * says that the rows below it are not so (`What we don't host`), and with its page where another one tells such a thing too.
 */
export function sureText(
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes,
  { yes = '', isContested = false, isBesideOthers = false, isAlone = false, hits = NO_HITS } = {},
): string {
  const isBrief = yes !== ''
  const text = writeQuotes(completed(chosen, isBrief))
  const isOfOne = !isAlone && isOfOneService(hit)
  if (isOfOne) return labelled(hit, `${yes}${text}`, hits, true)
  const isOneOf = hits.some(
    ({ passage }) => !isBrief && hit !== undefined && isNamesake(hit.passage, passage),
  )
  return isContested ||
    isBesideOthers ||
    isOneOf ||
    isTakenBack(hit, chosen.lead) ||
    answersOwnQuestion(hit)
    ? `${yes}${labelled(hit, text, hits, isContested)}`
    : `${yes}${text}`
}

/** Pages and sections on the business as a whole, by their folded names, and pages of the prices of all. */
const GENERAL =
  /\bfaqs?\b|frequently|questions|sik sorul|\bsss\b|contact|find(?:ing)? us|visit us|getting here|iletisim|ulasim|about|hakkimizda|biz kimiz|team|ekib|\bhome\b|ana ?sayfa|services|hizmet|fragen|kontakt|uber uns|تواصل|اتصل|من نحن/
/** A title that is the name of a file. */
const FILE_NAME = /_|\.\w{2,4}$/
const OF_PRICES = /prices?|pricing|fees|fiyat|ucret|preise|اسعار/

/** Whether a passage is on something that the question does not name, such as one of several services. */
function isOfOneService(hit: AnswerHit | undefined): boolean {
  if (hit === undefined || hit.passages < SEVERAL_PAGES) return false
  if (hit.documents === 1) return false
  if (hit.documentationShare >= MIN_DOCUMENTATION) return false
  const { title, heading } = hit.passage
  const isNamed = (matched: number): boolean =>
    hit.terms.some(({ isTopic, isAsked }, at) => isTopic && isAsked && (matched & (1 << at)) !== 0)
  const isDetail = (hit.detail ?? 0) > 0
  if ((!isDetail && isNamed(hit.titleMatched)) || GENERAL.test(fold(title))) return false
  if (FILE_NAME.test(title)) return false
  if (isDetail) return !GENERAL.test(fold(heading))
  return !OF_PRICES.test(fold(title)) || !isNamed(hit.headingMatched)
}

/** Whether a passage answers a question of the page's own of which the visitor's has only some words. */
const answersOwnQuestion = (hit: AnswerHit | undefined): boolean =>
  hit !== undefined && /[?؟]$/.test(hit.passage.heading) && hit.headingAsked < MIN_OWN_QUESTION

/**
 * The best quotes of a passage that fit a length, in reading order: the best one however long it is, and those worth
 * `least` of it.
 */
function bestWithin(
  { source, values, best }: RatedSource,
  { max, least }: { max: number; least: number },
): AnswerQuote[] {
  const byValue = source.quotes
    .map((quote, at) => ({ quote, value: values[at] ?? 0 }))
    .filter(({ quote }) => quote.kind !== 'code' && !isQuestion(quote))
    .toSorted((a, b) => b.value - a.value)
  const kept = new Set<AnswerQuote>()
  let length = 0
  for (const { quote, value } of byValue) {
    const sum = length + lengthOf([quote])
    if (kept.size > 0 && (sum > max || value < best * least)) continue
    kept.add(quote)
    length = sum
  }
  return withGaps(source.quotes, withCompanions(source.quotes, kept))
}

/** The first quotes of a doubtful answer: with the rest of a short passage, and of a guess the best sentences of a long one. */
export function readMain(chosen: ChosenQuotes, isGuess: boolean): readonly AnswerQuote[] {
  const quotes = inContext(chosen)
  const [main] = chosen.rated
  const { whole, part } = GUESSED_LENGTH
  const isWhole = lengthOf(quotes) <= whole || quotes.some(isInList)
  if (!isGuess || main === undefined || isWhole) return quotes
  return bestWithin(main, { max: part, least: 0 })
}

/**
 * Adds the sentence that takes back a name before it (`Park homes. Not offered.`), what introduces a sentence or a list,
 * and what a sentence refers to.
 */
function withCompanions(
  all: readonly AnswerQuote[],
  kept: ReadonlySet<AnswerQuote>,
): ReadonlySet<AnswerQuote> {
  const companions = all.flatMap((quote, at) => {
    if (!kept.has(quote)) return []
    const opening = isInList(quote)
      ? all[all.slice(0, at).findLastIndex((own) => own.kind !== quote.kind)]
      : all[at - 1]
    if (opening !== undefined && isLeadIn(opening)) return [opening]
    if (quote.kind !== 'sentence') return []
    const [before, next] = [all[at - 1], all[at + 1]]
    if (next !== undefined && isName(quote) && denies(next.folded)) return [next]
    const leans = LEANS_BACK.test(quote.text) || (before !== undefined && isName(before))
    return leans ? (before ?? []) : []
  })
  return new Set([...kept, ...companions.filter(({ kind }) => kind === 'sentence')])
}

/** Whether a sentence is short enough to be only the name of what the next one tells. */
const isName = ({ text }: AnswerQuote): boolean => splitWords(text).length <= NAME_WORDS

/** Some of the quotes of a passage, with `…` where sentences between them, or other rows of their list, are left out. */
function withGaps(all: readonly AnswerQuote[], kept: ReadonlySet<AnswerQuote>): AnswerQuote[] {
  const isShown = all.map((quote) => kept.has(quote))
  const isList = [...kept].filter(isInList).length > 1
  const from = isShown.indexOf(true)
  const to = isShown.lastIndexOf(true)
  const shown = all.flatMap((quote, at) => {
    if (isShown[at] === true) return quote
    const isBetween = at > from && at < to
    const isGap = isInList(quote) ? isList : isBetween
    return isGap ? gapAt(quote) : []
  })
  // One mark stands for all that is left out in one place.
  return shown.filter(({ text }, at) => text !== GAP || shown[at - 1]?.text !== GAP)
}

/** The quotes of a passage, with the rest of it where it is short: a part would have to be read twice. */
function withShortRest(
  quotes: readonly AnswerQuote[],
  source: QuoteSource,
  max: { prose: number; list: number },
): readonly AnswerQuote[] | undefined {
  const all = source.quotes
  const isShort = lengthOf(all) <= (all.some(isInList) ? max.list : max.prose)
  const isProse = all.every((quote) => quote.kind !== 'code' && !isQuestion(quote))
  if (!isShort || !isProse) return undefined
  return all.some(isInList) ? all : inReadingOrder(withRest(quotes, source))
}

/** Passages by their value, the best one followed by the one that the search found first. */
function withFound(rated: readonly RatedSource[]): readonly RatedSource[] {
  const [first, ...rest] = rated
  const [found] = rated.toSorted((a, b) => b.source.score - a.source.score)
  if (first === undefined || found === undefined || found === first) return rated
  return [first, found, ...rest.filter((one) => one !== found)]
}

/**
 * The best sentences of the passages rated next which a doubtful answer quotes too: those that have a
 * word of the question that it lacks, and those in its language that are rated nearly alike. The same
 * section in another language has neither.
 */
export function readRivals(
  hits: readonly AnswerHit[],
  { rated, quotes, source }: ChosenQuotes,
  {
    wanted,
    room,
    isGuess,
    isContested = false,
  }: { wanted: Wanted; room: number; isGuess: boolean; isContested?: boolean },
): Rival[] {
  const [main, ...next] = rated
  const others = withFound(next)
  if (main === undefined || next.length === 0) return []
  const ofPlace = (place: number): number => hits[place]?.headingMatched ?? 0
  let said = quotes.reduce((mask, { matched }) => mask | matched, ofPlace(source.place))
  const rivals: Rival[] = []
  const told = [writeQuotes(source.quotes)]
  const { mains, ...lengths } = isGuess ? SHARES.guess : SHARES.doubt
  const isAlone = wanted.context === undefined || wanted.context === ''
  let left = room
  const shortened = new Map<number, { rival: RatedSource; length: number }>()
  for (const rival of others) {
    if (rivals.length === MAX_RIVALS) break
    const gap = main.value - rival.value
    if (gap > FAR_VALUE && isAlone) continue
    const { place, isOwn } = rival.source
    const isMain = rivals.length < mains
    const { min, max } = isMain ? lengths : OTHER_LENGTH
    const share = left / Math.max(1, mains - rivals.length) - LABEL_LENGTH
    const length = Math.min(max, Math.max(min, share))
    const whole = withShortRest(quoteFrom(rival, wanted), rival.source, {
      prose: length,
      list: Math.min(MAX_LISTED_LENGTH, left - LABEL_LENGTH),
    })
    const best = whole ?? bestWithin(rival, { max: length, least: isMain ? 0 : MIN_SHARE_OF_BEST })
    const matched = best.reduce((mask, quote) => mask | quote.matched, ofPlace(place))
    const isNear = gap <= NEAR_VALUE || (gap <= FAR_VALUE && isMain)
    if (best.length === 0 || isOwn !== source.isOwn || (!isNear && (matched & ~said) === 0))
      continue
    // A price beside the time that was asked for answers something else.
    if (rival.isPriceOnly && main.holds === true) continue
    const isElsewhere = isContested && rival.source.document !== source.document
    const label = (quoted: string): string => labelled(hits[place], quoted, hits, isElsewhere)
    const isFitting = label(writeQuotes(best)).length + 2 <= left
    // Of what is too long the best sentences are quoted that fit.
    const around = label('').length + 2
    const fitting = isFitting
      ? best
      : bestWithin(rival, { max: left - around, least: MIN_SHARE_OF_BEST })
    const isCut = whole === undefined || !isFitting
    const written = writeQuotes(fitting)
    const text = label(written)
    if (text.length + 2 > left || told.some((one) => one.includes(written))) continue
    told.push(written)
    left -= text.length + 2
    said |= matched
    rivals.push({ place, text, isWhole: !isCut })
    if (isCut) shortened.set(place, { rival, length: lengthOf(fitting) })
  }
  return filled(rivals, shortened, { hits, room: left, first: source.document, isContested })
}

/** Lengthens shortened quotes, the first ones first, where room is left. */
function filled(
  rivals: readonly Rival[],
  shortened: ReadonlyMap<number, { rival: RatedSource; length: number }>,
  {
    hits,
    room,
    first,
    isContested,
  }: { hits: readonly AnswerHit[]; room: number; first: string; isContested: boolean },
): Rival[] {
  let left = room
  return rivals.map((rival) => {
    const cut = shortened.get(rival.place)
    if (cut === undefined) return rival
    const max = cut.length + Math.min(left, MAX_FILLING)
    const longer = writeQuotes(bestWithin(cut.rival, { max, least: MIN_FILLING }))
    const isElsewhere = isContested && cut.rival.source.document !== first
    const text = labelled(hits[rival.place], longer, hits, isElsewhere)
    const more = text.length - rival.text.length
    if (more <= 0 || more > left) return rival
    left -= more
    return { ...rival, text }
  })
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
    const heading = lastOf(hit.passage.heading)
    if (heading !== '' && heading.length <= MAX_TOPIC_LENGTH) topics.add(heading)
  }
  return [...topics].slice(0, MAX_TOPICS)
}
