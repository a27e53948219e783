import { type Detail, shareOfDetail, SUM } from '../../../lib/text/detail.ts'
import { fold, splitWords } from '../../../lib/text/fold.ts'
import { announces, DATE, satisfies, type QuestionKind } from '../understanding/question-kind.ts'

const MIN_QUOTE_LENGTH = 15
const LONG_SENTENCE = 300
const KIND_BONUS = 0.5
const KIND_PENALTY = { price: 0.5, other: 0.12 }
const INTENT_BONUS = 0.3
/** The same where nothing but the detail is asked for. */
const DETAIL_BONUS = 1.5
/** The same of a quote that tells the number of what is asked for. */
const COUNT_BONUS = 0.4
/** Kinds of questions that a price does not answer, and what a passage with prices only loses there. */
const OTHER_THAN_PRICE: ReadonlySet<QuestionKind | undefined> = new Set([
  'duration',
  'hours',
  'place',
  'transport',
  'contact',
  'email',
])
const PRICE_ONLY_PENALTY = 2.5
/** Penalty of a passage without a time of the day where one is asked for. */
const CLOCK_PENALTY = 1.5
/** Bonus of each step by which a passage tells a detail more plainly. */
const DETAIL_STEP = 1
/** Nearly any heading may speak of a time. */
const DURATION_TITLE = 0.5
/**
 * The value of a passage in the visitor's language: it comes first, and one in another language is what
 * a doubtful answer quotes beside it.
 */
const OWN_LANGUAGE_BONUS = 5
/** The same where passages in another language are likely to tell what is asked for, and far likelier than those. */
const LESS_TOLD_BONUS = 1
const LIKELY = 0.2
const LESS_TOLD = 0.5
/** Share of an open question that one sentence covers, and what its passage is worth then. */
const WHOLE_QUOTE = 0.85
const WHOLE_QUOTE_BONUS = 1.2
/** Bonus of a list of the prices that are asked for, and where the question names nothing. */
const PRICE_LIST_BONUS = { some: 2, all: 4 }
/** Bonus of a passage on which the reply before rests, where the question plainly goes on with the one before, and elsewhere. */
const GOING_ON_BONUS = 1.5
const CITED_BONUS = 1
/** Share of the best score from which a passage may answer in the first one's place. */
const RIVAL_SHARE = { business: 0.35, documentation: 0.65 }

/** Spans that a guarantee lasts, folded. */
const MONTHS_OR_YEARS =
  /(?:\d|\b(?:bir|iki|uc|bes|on|one|two|three|five|ten|zwei|drei|funf))[\s-]*(?:yil|sene|ay(?:dir)?\b|years?|months?|jahre?|monate?|سن|شهر)|omur boyu|lifetime|lebenslang/
/** Spans of at most some weeks, folded. */
const DAYS =
  /(?:\d|\b(?:bir|iki|uc|dort|bes|alti|yedi|on|one|two|three|four|five|six|seven|ten|ein|zwei|drei|vier|funf|sechs|sieben))[\s-]*(?:is )?(?:gun|gece|hafta|saat|(?:working |business )?days?|nights?|weeks?|h(?:ou)?rs?|tage?n?|nachte?n?|wochen?|stunden?|يوم|ايام|ليال|اسبوع|ساع)|\b(?:a|the same|next|per) (?:day|night|week)|ayni gun|ertesi gun|haftada/
/** Days of the week or of the year, folded. */
const DATES =
  /\b(?:pazartesi|sali|carsamba|persembe|cuma|cumartesi|pazar)(?:lar|leri?|lari?|si)?\b|hafta (?:ici|sonu)|her gun|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweek(?:day|end)s?\b|\b(?:every day|daily)\b|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|werktag)s?|taglich|\d{1,2}\.? (?:ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|marz|mai|okt|dez)|الاحد|الاثنين|الثلاثاء|الاربعاء|الخميس|الجمعه|السبت|يوميا|كل يوم/

/** A time of the day, folded. */
const CLOCK =
  /\d{1,2}[.:]\d{2}|\d ?(?:[ap]\.?m\b|uhr\b|o['’]?clock)|\b(?:noon|midnight|midday|mittags?|ogle(?:n|ye|den)?|gece yarisi)\b|\b(?:half|quarter) past\b|\bsaat \d|\b(?:at|from|until|till|by|around) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\b(?:bir|iki|uc|dort|bes|alti|yedi|sekiz|dokuz|on)(?:bucuk|bucukta|[dt][ae]n?)\b/

/** The features by which a passage is chosen. */
export const CHOICE_MEASURES = [
  'score',
  'coverage',
  'topics',
  'best',
  'heading',
  'holds',
  'lacks',
  'title',
  'held',
  'sum',
  'intent',
  'named',
  'page',
] as const

export type ChoiceMeasures = Readonly<Record<(typeof CHOICE_MEASURES)[number], number>>

/** Weights of the measures on the sites of businesses, fitted by `test/quality/fit.ts`. */
const BUSINESS: ChoiceMeasures = {
  score: 2.71,
  coverage: 3.47,
  topics: 0.73,
  best: 1.16,
  heading: 0.73,
  holds: 0.19,
  lacks: -0.19,
  title: 0.5,
  held: 1.02,
  sum: 0.98,
  intent: 3.35,
  named: 1.2,
  page: 1.46,
}
/** The same for large documentation, where the rank tells most. */
const DOCUMENTATION: ChoiceMeasures = {
  score: 2.2,
  coverage: 0.9,
  topics: 0.7,
  best: 0.44,
  heading: 0.33,
  holds: 0.44,
  lacks: -0.26,
  title: 0.44,
  held: 0,
  sum: 0,
  intent: 0,
  named: 0,
  page: 0,
}

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
  /** The same together with a row's heading and column names, or with the question that it answers. */
  inContext: number
  /** The words of the question that it has: one bit each, in the order of the hit's terms. */
  matched: number
  /** How likely it tells what any business is asked for, 0–1. */
  intent: number
  /** The words of the question that are the name of a row or an item, which it has in full: one bit each. */
  named: number
}

/** Whether it is a part of a table or of a list. */
export const isInList = ({ kind }: Pick<AnswerQuote, 'kind'>): boolean =>
  kind === 'row' || kind === 'item'

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
  /** The words of the question that the heading or the title has, one bit each. */
  matchedAbove: number
  /** The words of the question that name no thing: amounts, times and general words. */
  unspecific: number
  /** The share of the question that the passage and its headings cover. */
  coverage: number
  /** The share of the question's topics that the passage or its heading has. */
  topics: number
  /** How likely it tells what any business is asked for, 0–1. */
  intent: number
  /** The share of the question's topics that name one of its rows or items. */
  named: number
  /** The share of the question's topics that the title of its page has, and the passage has not. */
  page: number
  /** 0–1: how far the site is weighed as documentation. */
  documentationShare: number
  /** Whether it lists the prices that are asked for. */
  isPriceList: boolean
  /** How plainly it tells the detail that is asked for. */
  detail: number
  /** How far the reply before rests on it, 0–1. */
  citedBefore: number
  /** Whether it is in the language of the question, or in none that is known. */
  isOwn: boolean
}

/** A passage with its value as the answer, and that of each of its quotes as the first sentence. */
export interface RatedSource {
  source: QuoteSource
  values: readonly number[]
  best: number
  /** Whether a quote holds what the question asks for; `undefined` where any sentence would. */
  holds: boolean | undefined
  measures: ChoiceMeasures
  value: number
  /** Whether it is a price where something else is asked for. */
  isPriceOnly: boolean
}

/** The fact that a question asks for. */
export interface Wanted {
  question: string
  /** The story around it. */
  context?: string
  kind: QuestionKind | undefined
  /** The detail of the business, where it names nothing beside it. */
  detail?: Detail | undefined
  /** Whether it is how long a guarantee lasts: months or years, not the hours until somebody comes. */
  isOfGuarantee?: boolean
  /** Whether the question names nothing of which it asks that. */
  isOfAll?: boolean
  /** Whether it is a number of days or nights. */
  isOfDays?: boolean
  /** Whether it is which days of the week or of the year. */
  isOfDates?: boolean
  /** The number of what is asked for, such as rooms; folded. */
  countOf?: RegExp | undefined
  /** Whether it is when, and not how long. */
  isOfMoment?: boolean
  /** Whether it is a time of the day, and not whether it is open. */
  isOfClock?: boolean
  /** Whether it goes on with the question before. */
  goesOn?: boolean
}

/** Whether a folded sentence holds what is wanted; `undefined` where any sentence would. */
export function holdsWanted(
  {
    kind,
    detail,
    isOfGuarantee,
    isOfDays,
    isOfDates,
    isOfClock,
    isOfMoment,
  }: Omit<Wanted, 'question'>,
  folded: string,
): boolean | undefined {
  if (isOfGuarantee === true) return MONTHS_OR_YEARS.test(folded)
  if (isOfDays === true) return DAYS.test(folded)
  if (isOfDates === true) return DATES.test(folded)
  if (isOfClock === true) return CLOCK.test(folded)
  if (isOfMoment === true && DATE.test(folded)) return true
  return detail === undefined ? satisfies(kind, folded) : shareOfDetail(detail, folded) > 0
}

/** A yes or a no of the page's own, folded. */
const OWN_YES_OR_NO = /^(?:evet|hayir|yes|no|ja|nein|نعم|لا)[.!]$/
/**
 * Whether a passage begins with its yes or no to the visitor's question, word by word the page's own: “do I pay” is another
 * one than “do you pay”.
 */
export function tellsYesOrNo({ heading, quotes }: QuoteSource, question: string): boolean {
  if (!OWN_YES_OR_NO.test(quotes[0]?.folded ?? '')) return false
  const own = new Set(splitWords(fold(heading.split(' › ').at(-1) ?? '')))
  const asked = new Set(splitWords(fold(question)))
  return own.size > 0 && own.size === asked.size && own.isSubsetOf(asked)
}

/** The value of a quote as the answer's first sentence; `holds` is whether it has what is asked for. */
function rateQuote(
  quote: AnswerQuote,
  { holds, bonus, penalty }: { holds: boolean | undefined; bonus: number; penalty: number },
): number {
  const isFragment = quote.kind !== 'row' && quote.text.length < MIN_QUOTE_LENGTH
  if (quote.kind === 'code' || isFragment) return 0
  const opening = quote.at === 0 ? 0.12 : quote.at < 3 ? 0.05 : 0
  const fit = holds === undefined ? 0 : holds ? bonus : -penalty
  // A list item without a full stop is mostly a heading, a link or a learning goal.
  const isLabel = quote.kind === 'item' && !/[.!:;)`\d]$/.test(quote.text) && quote.text.length < 30
  const shape = quote.text.endsWith('?') ? 0.2 : quote.text.endsWith(':') || isLabel ? 0.6 : 1
  const length = quote.text.length > LONG_SENTENCE ? 0.8 : 1
  return Math.max(
    0,
    (quote.inContext + INTENT_BONUS * quote.intent + opening + fit) * shape * length,
  )
}

function rateSource(
  source: QuoteSource,
  wanted: Omit<Wanted, 'question'>,
  { max, ownBonus }: { max: number; ownBonus: number },
): RatedSource {
  const { kind, detail } = wanted
  const held = source.quotes.map(({ folded }) => holdsWanted(wanted, folded))
  // A remark on a list of prices is none of them.
  const hasPrices =
    kind === 'price' &&
    source.quotes.filter((quote, at) => isInList(quote) && held[at] === true).length > 1
  const bonusOf = ({ folded }: AnswerQuote): number =>
    (detail === undefined ? KIND_BONUS : DETAIL_BONUS * shareOfDetail(detail, folded)) +
    (wanted.countOf?.test(folded) === true ? COUNT_BONUS : 0)
  const values = source.quotes.map((quote, at) =>
    rateQuote(quote, {
      holds: held[at],
      penalty: KIND_PENALTY[hasPrices ? 'price' : 'other'],
      bonus: bonusOf(quote),
    }),
  )
  const best = Math.max(0, ...values)
  const heldScores = source.quotes.map(({ inContext: score }, at) =>
    held[at] === true ? Math.min(1, score + source.headingShare) : 0,
  )
  const priced = kind === 'price' && source.quotes.some(({ folded }) => SUM.test(folded))
  const holds = held.includes(true) ? true : held.includes(false) ? false : undefined
  const listed = source.quotes.filter(isInList).length
  const isTitled = announces(source.heading, kind) || (kind === 'list' && listed > 2)
  const measures = {
    score: max > 0 ? source.score / max : 0,
    coverage: source.coverage,
    topics: source.topics,
    best,
    heading: source.headingShare,
    holds: holds === true ? 1 : 0,
    lacks: holds === false ? 1 : 0,
    title: isTitled ? (kind === 'duration' ? DURATION_TITLE : 1) : 0,
    held: Math.max(0, ...heldScores),
    sum: priced ? 1 : 0,
    intent: Math.sqrt(source.intent),
    named: source.named,
    page: source.page,
  }
  const lead = source.quotes[values.indexOf(best)]
  const isPriceOnly =
    OTHER_THAN_PRICE.has(kind) && holds === false && lead !== undefined && SUM.test(lead.folded)
  const documentationShare = source.documentationShare >= 0.5 ? 1 : source.documentationShare
  const isOpen = kind === undefined || kind === 'polar'
  const isWhole = isOpen && source.quotes.some(({ score }) => score >= WHOLE_QUOTE)
  const value = CHOICE_MEASURES.reduce(
    (sum, name) => {
      const weight =
        (1 - documentationShare) * BUSINESS[name] + documentationShare * DOCUMENTATION[name]
      return sum + weight * measures[name]
    },
    (source.isOwn ? ownBonus : 0) +
      (isWhole ? (1 - documentationShare) * WHOLE_QUOTE_BONUS : 0) +
      source.citedBefore * (wanted.goesOn === true ? GOING_ON_BONUS : CITED_BONUS) +
      DETAIL_STEP * source.detail +
      (source.isPriceList ? PRICE_LIST_BONUS[wanted.isOfAll === true ? 'all' : 'some'] : 0) -
      (isPriceOnly ? PRICE_ONLY_PENALTY : 0) -
      (wanted.isOfClock === true && holds === false ? CLOCK_PENALTY : 0),
  )
  return { source, values, best, holds, measures, value, isPriceOnly }
}

/** Rates the passages that matched nearly as well as the first one, the best one first. */
export function rateSources(
  sources: readonly QuoteSource[],
  wanted: Omit<Wanted, 'question'>,
): RatedSource[] {
  const max = sources[0]?.score ?? 0
  const ownBonus = isToldElsewhere(sources) ? LESS_TOLD_BONUS : OWN_LANGUAGE_BONUS
  const { business, documentation } = RIVAL_SHARE
  return sources
    .filter(
      ({ score, documentationShare, citedBefore }) =>
        citedBefore > 0 ||
        score >= max * (business + (documentation - business) * documentationShare),
    )
    .map((source) => rateSource(source, wanted, { max, ownBonus }))
    .toSorted((a, b) => b.value - a.value)
}

/** Whether passages in another language are far likelier to tell what is asked for than those in the visitor's. */
function isToldElsewhere(sources: readonly QuoteSource[]): boolean {
  const likeliest = (isOwn: boolean): number =>
    Math.max(0, ...sources.filter((source) => source.isOwn === isOwn).map(({ intent }) => intent))
  const told = likeliest(false)
  return told >= LIKELY && likeliest(true) < told * LESS_TOLD
}
