import { shareOfDetail } from '../../../lib/text/detail.ts'
import { fold, splitWords } from '../../../lib/text/fold.ts'
import { hasSeveral } from '../../../lib/text/word-mask.ts'
import { namesOneDay } from '../understanding/details.ts'
import type { QuestionKind } from '../understanding/question-kind.ts'
import {
  type AnswerQuote,
  holdsWanted,
  isInList,
  type QuoteSource,
  type RatedSource,
  rateSources,
  tellsYesOrNo,
  type Wanted,
} from './choice.ts'
import { denies } from './polarity.ts'

/**
 * Upper bounds of an answer in UTF-16 units: 300 tokens, which cost one credit with a question of up to 400 characters,
 * up to 330 with a shorter one, and 195 from large documentation.
 */
export const MAX_ANSWER_LENGTH = 1200
const MAX_LENGTH_TO_SHORT_QUESTION = 1320
/** An output token costs as much as this many of input. */
const OUTPUT_PRICE = 3
const MAX_DOCUMENTATION_LENGTH = 780
/** From this share on, a site is documentation. */
export const MIN_DOCUMENTATION = 0.5

/** A run of sentences ends at this length, unless one is left over. */
const RUN_LENGTH = 420
const LEFTOVER_LENGTH = 160
const MAX_CODE_LENGTH = 260
/** Upper bound of a list, or of a short passage that is quoted whole: of a business, and of documentation. */
const MAX_LIST_LENGTH = { business: 800, documentation: 640 }
/** Upper bound of a passage of a business that is quoted whole. */
const MAX_WHOLE_LENGTH = 700
/** From this ratio of the best score to the next, a list or table is answered with its best row alone. */
const DISTINCT = 1.15
/** How much better than the first sentence one must be to come before it. */
const CLEARLY_BETTER = 1.2

/** Somebody who is allergic, folded. */
const ALLERGY = /\b(?:allerg|alerj|colia|celiac|coeliac|colyak|intoleran|zoliakie)|حساسيه|تحسس/
/** Warnings of a kitchen, folded. */
const TRACES =
  /\b(?:can ?not|can['’]t|do not|don['’]t|unable to) (?:\w+ )?(?:promise|guarantee|rule out)|\btraces? of\b|\bmay contain\b|\bcross[- ]contamin|\beser miktarda|\biz (?:miktar|bulun|icer)|\bgaranti (?:edemiyor|edemey|vermiyor|veremi)|\b(?:spuren|kreuzkontamin)|\bnicht (?:ausschliessen|garantieren)|قد يحتوي|اثار من/
/** Words of a denial that speaks of the one thing that was asked for, and not of some kind of it. */
export const MAX_DENIAL_WORDS = 8
/** What is written for what is left out. */
export const GAP = '…'
/** Words without which a sentence out of its place says nothing. */
const MIN_WORDS = 3

const ASKS_HOW = /\b(?:nasil|how|ornek|example|syntax|kod|code)\b/
/** Openings that refer to the sentence before. */
export const LEANS_BACK =
  /^(?:bu|bunu|bunun|buna|kendisi|he|she|böylece|ancak|fakat|ayrıca|bunlar|bunlardan|sonraki|daha geç|this|these|it|they|however|that|but|also|then|otherwise|below that|above that|with it|after that|later|every further|in this case|for example|örneğin|takip numarasıyla)(?=[\s,])/i

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
  /** The passages that could answer, the quoted one first. */
  rated: readonly RatedSource[]
}

/** Chooses the passage that answers, and from it the sentence that was asked for with its neighbours. */
export function chooseQuotes(
  sources: readonly QuoteSource[],
  wanted: Wanted,
): ChosenQuotes | undefined {
  const rated = rateSources(sources, wanted)
  const [main, second] = rated
  if (main === undefined) return undefined
  const quotes = withPrice(quoteFrom(main, wanted), main, wanted)
  const [lead] = quotes
  if (lead === undefined) return undefined
  const found = new Set(quotes.map(({ folded }) => holdsWanted(wanted, folded)))
  return {
    source: main.source,
    lead,
    quotes,
    isSatisfied: main.holds,
    holds: found.has(true) ? true : found.has(false) ? false : undefined,
    margin: second === undefined ? 1 : main.value - second.value,
    rated,
  }
}

/** Adds the best quote with a price where one is asked for, the passage has one and the chosen quotes have none. */
function withPrice(
  quotes: AnswerQuote[],
  { source, values }: RatedSource,
  wanted: Wanted,
): AnswerQuote[] {
  const isHeld = ({ folded }: AnswerQuote): boolean => holdsWanted(wanted, folded) === true
  if (wanted.kind !== 'price' || quotes.some(isHeld)) return quotes
  const [best] = source.quotes
    .filter((quote) => isHeld(quote) && !isQuestion(quote))
    .toSorted((a, b) => (values[b.at] ?? 0) - (values[a.at] ?? 0))
  return best === undefined || lengthOf([...quotes, best]) > MAX_ANSWER_LENGTH
    ? quotes
    : [...quotes, best]
}

/** The sentence, row or item of a passage that was asked for, with its neighbours. */
export function quoteFrom(rated: RatedSource, wanted: Wanted): AnswerQuote[] {
  const { question, context = '' } = wanted
  const kind = asksForAllHours(wanted) ? 'list' : wanted.kind
  const { source, values, best } = rated
  const listed = source.quotes.findIndex(isInList)
  const isWhole =
    wanted.kind === 'list' ? listed >= 0 : kind === 'list' && source.quotes.some(isRowOfHours)
  const at = isWhole ? listed : values.indexOf(best)
  const lead = source.quotes[at]
  if (lead === undefined) return []
  const chosen = isInList(lead)
    ? chooseListed(rated, at, kind)
    : (wholeWithRows(source, at, wanted) ??
      chooseRun(rated, at, {
        wantsCode: ASKS_HOW.test(fold(question)),
        isPolar: kind === 'polar',
        isOwnQuestion: tellsYesOrNo(source, question),
      }))
  return withWarning(withRemarks(chosen, source), source.quotes, fold(`${question} ${context}`))
}

const isRowOfHours = (quote: AnswerQuote): boolean =>
  isInList(quote) && shareOfDetail('hours', quote.folded) === 1

/** Puts the warning of a passage before what it lists, where somebody is allergic. */
function withWarning(
  quotes: AnswerQuote[],
  all: readonly AnswerQuote[],
  asked: string,
): AnswerQuote[] {
  if (!ALLERGY.test(asked)) return quotes
  const warning = all.find(({ folded }) => TRACES.test(folded))
  return warning === undefined ? quotes : [warning, ...quotes.filter((quote) => quote !== warning)]
}

/**
 * Returns a table or a list with the sentence at `at` that it comes before, and the whole passage where it is short: where
 * the list holds what is asked for too, or the sentence has only those words of the question that its heading has. A
 * remark on a list of prices says little without the prices.
 */
function wholeWithRows(source: QuoteSource, at: number, wanted: Wanted): AnswerQuote[] | undefined {
  const { quotes, matchedAbove } = source
  const remark = quotes[at]
  const listed = quotes.slice(0, at).filter(isInList)
  if (remark === undefined || quotes.some(({ kind }) => kind === 'code')) return undefined
  const isRemark = (remark.matched & ~matchedAbove) === 0
  const isTold = listed.some(({ folded }) => holdsWanted(wanted, folded) === true)
  if (!isTold && !(isRemark && listed.length > 0)) return undefined
  const max = maxListOf(source)
  const fitting = [quotes, [...listed, remark]].find((part) => lengthOf(part) <= max)
  if (fitting !== undefined || !isTold || !isRemark) return fitting?.slice()
  const [first] = listed
  return first === undefined
    ? undefined
    : [...aroundLead(listed, first, max - remark.text.length), remark]
}

/** The length of quotes written below one another. */
export const lengthOf = (quotes: readonly AnswerQuote[]): number =>
  quotes.reduce((sum, { text }) => sum + text.length + 3, 0)

/**
 * The quotes of a sure answer, and the rest of a short passage, whose sentences belong together: of a paragraph what follows
 * the first one, and then what stands before it. A brief answer is told by its first sentence.
 */
export function completed(
  { quotes, source, lead }: ChosenQuotes,
  isBrief: boolean,
): readonly AnswerQuote[] {
  const isParagraph = source.quotes.every(({ kind }) => kind === 'sentence')
  const isLong = !isBrief && source.documentationShare < MIN_DOCUMENTATION
  const maxOfParagraph = isLong ? MAX_WHOLE_LENGTH : RUN_LENGTH
  const max = isParagraph ? maxOfParagraph : isLong ? maxListOf(source) : 0
  if (lengthOf(source.quotes) > max || (!isParagraph && isExcerpt(quotes, source))) return quotes
  const whole = inReadingOrder(withRest(quotes, source))
  const first = whole.indexOf(quotes[0] ?? lead)
  return [...whole.slice(first), ...whole.slice(0, first)]
}

/** Whether some rows of a list were asked for and not all, or a passage has more than sentences and lists. */
function isExcerpt(quotes: readonly AnswerQuote[], source: QuoteSource): boolean {
  const kinds = new Set(quotes.filter(isInList).map(({ kind }) => kind))
  return source.quotes.some((quote) => {
    const isLeftOut = kinds.has(quote.kind) && !quotes.includes(quote)
    return isLeftOut || quote.kind === 'code' || isQuestion(quote)
  })
}

/** The quotes of a doubtful answer with the rest of a short passage: any of its sentences may be what was asked for. */
export function inContext(chosen: ChosenQuotes): readonly AnswerQuote[] {
  const all = chosen.source.quotes
  const isShort =
    lengthOf(all) <= MAX_WHOLE_LENGTH && chosen.source.documentationShare < MIN_DOCUMENTATION
  if (!isShort || all.some((quote) => quote.kind === 'code' || isQuestion(quote)))
    return chosen.quotes
  if (!all.some(isInList)) return withRest(chosen.quotes, chosen.source)
  const [first] = chosen.quotes
  const isWarned = first !== undefined && !isInList(first) && TRACES.test(first.folded)
  return isWarned ? [first, ...all.filter((quote) => quote !== first)] : all
}

/** Quotes as their passage has them; what stands for a gap keeps its place. */
export const inReadingOrder = (quotes: readonly AnswerQuote[]): AnswerQuote[] =>
  quotes.toSorted((a, b) => a.at - b.at)

/** Quotes, followed by the other sentences of their passage. */
export function withRest(
  quotes: readonly AnswerQuote[],
  { quotes: all }: QuoteSource,
): AnswerQuote[] {
  const rest = all.filter(
    (quote) => !quotes.includes(quote) && !isQuestion(quote) && !isExclamation(quote),
  )
  return [...quotes, ...rest]
}

const maxListOf = ({ documentationShare }: Pick<QuoteSource, 'documentationShare'>): number =>
  documentationShare < MIN_DOCUMENTATION ? MAX_LIST_LENGTH.business : MAX_LIST_LENGTH.documentation

/** The upper bound of an answer to a message, which costs one credit with a message of up to 400 characters. */
export const maxLengthFor = (message: string): number =>
  Math.max(
    MAX_ANSWER_LENGTH,
    MAX_LENGTH_TO_SHORT_QUESTION - Math.ceil(message.length / OUTPUT_PRICE),
  )

/** The same for a site that has written so much. */
export const maxLengthOf = (
  { documentationShare }: Pick<QuoteSource, 'documentationShare'>,
  max: number,
): number => (documentationShare < MIN_DOCUMENTATION ? max : MAX_DOCUMENTATION_LENGTH)

/** Whether it asks for the hours of all days. */
const asksForAllHours = ({ question, detail }: Wanted): boolean =>
  detail === 'hours' && !splitWords(fold(question)).some(namesOneDay)

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
  // What the heading says of all rows singles none out.
  const isNamed =
    (lead.matched & ~(source.matchedAbove | source.unspecific)) !== 0 || lead.named !== 0
  const isDistinct =
    isNamed &&
    lead.score > next * DISTINCT &&
    lead.score > 0.2 &&
    kind !== 'list' &&
    !(kind === 'hours' && lengthOf([lead, ...rivals]) <= RUN_LENGTH) &&
    !isSplit(lead, rivals)
  if (isDistinct && rivals.length > 0) {
    const after = source.quotes[end]
    const chosen = after?.kind === 'sentence' && lead.kind === 'row' ? [lead, after] : [lead]
    const opening = source.quotes[first - 1]
    // Without `You can't get it if:` an item says the opposite.
    return opening !== undefined && isLeadIn(opening) && denies(opening.folded)
      ? [opening, ...chosen]
      : chosen
  }
  const whole = source.quotes.slice(first, end)
  const length = lengthOf(whole)
  const max = maxListOf(source)
  const listed = length <= max ? whole : aroundLead(whole, lead, max)
  const before = source.quotes[first - 1]
  const after = source.quotes[end]
  const isLedIn = before !== undefined && isLeadIn(before)
  // The steps of a section say little without the sentences that they follow.
  const opening = source.quotes.slice(0, first)
  const isOpened =
    kind === undefined &&
    opening.every(({ kind: written }) => written === 'sentence') &&
    lengthOf([...opening, ...listed]) <= max
  const isRemark =
    after?.kind === 'sentence' && (values[end] ?? 0) > 0 && after.text.length < LEFTOVER_LENGTH
  return [
    ...(isOpened ? opening : isLedIn ? [before] : []),
    ...listed,
    ...(isRemark ? [after] : []),
  ]
}

/** Adds the sentences of the passage with words of the question that a row or a list lacks. */
function withRemarks(chosen: readonly AnswerQuote[], source: QuoteSource): AnswerQuote[] {
  const quotes = [...chosen]
  let said = quotes.reduce((mask, { matched }) => mask | matched, 0)
  let length = lengthOf(quotes)
  for (const quote of source.quotes) {
    const isNew = quote.kind === 'sentence' && (quote.matched & ~said) !== 0
    if (
      !isNew ||
      isQuestion(quote) ||
      quotes.includes(quote) ||
      length + quote.text.length > maxListOf(source)
    )
      continue
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

function aroundLead(whole: readonly AnswerQuote[], lead: AnswerQuote, max: number): AnswerQuote[] {
  const from = Math.max(0, whole.indexOf(lead) - 2)
  const kept: AnswerQuote[] = whole.slice(0, from).slice(-1).map(gapAt)
  let length = 0
  for (const quote of whole.slice(from)) {
    length += quote.text.length + 3
    if (length > max) return [...kept, gapAt(quote)]
    kept.push(quote)
  }
  return kept
}

/** Stands for what is left out in the place of a quote. */
export const gapAt = (quote: AnswerQuote): AnswerQuote => ({
  ...quote,
  text: GAP,
  folded: GAP,
  score: 0,
  inContext: 0,
  matched: 0,
  intent: 0,
  named: 0,
})

/** Whether it is a sentence that introduces what follows it. */
export const isLeadIn = ({ kind, text }: AnswerQuote): boolean =>
  kind === 'sentence' && text.endsWith(':')

/** Whether it is a question of the page's own, which says nothing without its answer. */
export const isQuestion = ({ text }: AnswerQuote): boolean => /[?؟]$/.test(text)

/** Whether it says nothing where it does not open its paragraph: `Lovely.`, `Hire first.` */
const isExclamation = ({ text }: AnswerQuote): boolean =>
  splitWords(text).length < MIN_WORDS && !/\d/.test(text)

/** The rows or items of a list from the one at `at` on. */
function restOfList(all: readonly AnswerQuote[], at: number): AnswerQuote[] {
  const end = all.findIndex(({ kind }, next) => next > at && kind !== all[at]?.kind)
  return all.slice(at, end < 0 ? undefined : end)
}

/** Whether a sentence denies what was asked for: with several words of the question, or little else than one. */
const isDenial = (quote: AnswerQuote | undefined): boolean =>
  quote !== undefined &&
  denies(quote.folded) &&
  (splitWords(quote.folded).length <= MAX_DENIAL_WORDS || hasSeveral(quote.matched))

/** The sentence that was asked for and what follows it; before it only what it refers to. */
function chooseRun(
  { source, values }: RatedSource,
  at: number,
  {
    wantsCode,
    isPolar,
    isOwnQuestion,
  }: { wantsCode: boolean; isPolar: boolean; isOwnQuestion: boolean },
): AnswerQuote[] {
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
  if (start === 1 && isOwnQuestion) start = 0
  const isOpening =
    start > 0 && start <= 2 && all.slice(0, start).every(({ kind }) => kind === 'sentence')
  const bestBefore = Math.max(0, ...values.slice(0, start))
  // The exception that was asked about comes before the rule.
  const isException = isPolar && isDenial(all[at])
  if (isOpening && !isException && best < bestBefore * CLEARLY_BETTER) start = 0
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
    // The next question of a page of questions and answers begins another topic.
    if (next > at && isQuestion(quote) && quote.matched === 0) break
    const isFull = length + quote.text.length > RUN_LENGTH && next > at
    if (isFull && quote.text.length > LEFTOVER_LENGTH) break
    if (isFull && next < all.length - 1) break
    run.push(quote)
    length += quote.text.length + 1
  }
  const cut = all[start + run.length]
  if (cut !== undefined && isInList(cut) && run.at(-1)?.kind === cut.kind) {
    const rest = restOfList(all, start + run.length)
    run.push(...(length + lengthOf(rest) <= maxListOf(source) ? rest : [gapAt(cut)]))
    length = lengthOf(run)
  }
  // What stands before the sentence that was asked for follows it, where it is about the question.
  for (let before = 0; before < start; before += 1) {
    const quote = all[before]
    if (quote?.kind !== 'sentence' || (quote.score < 0.3 && start > 2)) continue
    if (isQuestion(quote) || isExclamation(quote)) continue
    if (length + quote.text.length > RUN_LENGTH || run.some(({ kind }) => kind !== 'sentence'))
      break
    run.push(quote)
    length += quote.text.length + 1
  }
  return run
}
