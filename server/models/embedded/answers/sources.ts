import { fold } from '../../../lib/text/fold.ts'
import { sumOfBits } from '../../../lib/text/word-mask.ts'
import type { Language } from '../../../lib/text/language.ts'
import { asksForJob, speaksOfJobs } from '../understanding/off-topic.ts'
import type { MessageReading } from '../understanding/message.ts'
import type { AnswerQuote, QuoteSource } from './choice.ts'
import type { Evidence } from './confidence.ts'
import { type ChosenQuotes, chooseQuotes } from './quotes.ts'

/** How plainly a passage tells what any business is asked for, to be sure of it. */
export const PLAIN_DETAIL = 3
/** Eight found ones, and those that the reply before cites. */
const MAX_PASSAGES = 11
/** Factor on the score of a passage in another language than the question's. */
const OTHER_LANGUAGE_FACTOR = 0.8
/** Share of the best score from which a passage in the question's language is quoted instead. */
const OWN_LANGUAGE_SHARE = 0.5
/** Share from which a passage in a language that the visitor probably reads is quoted instead. */
const NEXT_LANGUAGE_SHARE = 0.6
/** What visitors probably read where no page is in their own language. */
const NEXT_LANGUAGE: Readonly<Partial<Record<Language, Language>>> = { de: 'en', ar: 'en' }

/** One search result. Structural, so that models do not depend on the search. */
export interface AnswerHit extends Evidence {
  passage: { doc_id: string; title: string; heading: string; text: string }
  score: number
  /** The passage's quotable sentences, in reading order. */
  quotes: readonly AnswerQuote[]
  /** 0–1: the share of the question that the heading covers. */
  headingShare: number
  /** The words of the question that the title has, one bit each. */
  titleMatched: number
  /** The documents of the site. */
  documents?: number
  language: Language | undefined
  /** How plainly it tells the detail that is asked for. */
  detail?: number
  /** How far the reply before rests on it. */
  citedBefore?: number
  /** Whether it lists the prices that are asked for. */
  isPriceList?: boolean
}

/** Questions on a guarantee, folded. */
const GUARANTEE = /\bgaranti|\bguarantee|\bwarrant(?:y|ies)|\bgarantie|ضمان/

/** Questions for a number of days or nights, folded. */
const OF_DAYS = /\bkac (?:gun|gece)\b|\bhow many (?:days|nights)\b|\bwie viele? (?:tage|nachte)\b/

/** Questions for days of the week or of the year, folded. */
const OF_DATES =
  /\bhangi gun(?:ler)?\b|\b(?:which|what) days?\b|\bwelche[mnr]? tage?n?\b|\bwhat dates?\b|\bhangi tarih/

/** Questions for a number of things, with the beginning of the noun; folded. */
const OF_NUMBER =
  /\bkac (?:tane |adet |farkli )?(\w{3,5})|\bhow many (?:different )?(\w{3,12}?)(?:e?s|ies)?\b/
const NUMBERS = {
  tr: '(?:\\d+|iki|uc|dort|bes|alti|yedi|sekiz|dokuz|(?:on|yirmi|otuz|kirk|elli|altmis|yetmis|seksen|doksan)(?: (?:bir|iki|uc|dort|bes|alti|yedi|sekiz|dokuz))?|yuz)',
  en: '(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred)',
}

/** The pattern of the number that is asked for, where a passage has it: `14 rooms`, `rooms: 14`. */
function countAsked(
  kind: MessageReading['kind'],
  asked: string,
  hits: readonly AnswerHit[],
): RegExp | undefined {
  if (kind !== 'amount') return undefined
  const [, turkish, english] = OF_NUMBER.exec(asked) ?? []
  const noun = turkish ?? english
  if (noun === undefined) return undefined
  const stem = turkish === undefined ? noun : noun.slice(0, noun.length > 4 ? 4 : 3)
  const number = turkish === undefined ? NUMBERS.en : NUMBERS.tr
  const count = new RegExp(`\\b${number} (?:\\w+ )?${stem}|\\b${stem}\\w*: ${number}\\b`)
  return hits.some(({ quotes }) => quotes.some(({ folded }) => count.test(folded)))
    ? count
    : undefined
}

/** Questions for when, folded. */
const OF_MOMENT = /\bwhen\b|\bne ?zaman\b|\bwann\b|متي|امتي|ايمتي/

/** Questions for a time of the day, and not whether it is open; folded. */
const OF_CLOCK =
  /^(?!.*(?:\bopen|\bshut|\bclos|\bkapan|\bacil|\bacik|offn|schliess)).*(?:\bwhat time|\bsaat kac|\bkacta\b|\bkaca kadar\b|\bwie viel uhr)/

/** The passages to quote from, by score, with a bonus for the question's language. */
function readSources(hits: readonly AnswerHit[], wanted: Language): QuoteSource[] {
  const plainest = Math.max(0, ...hits.map(({ detail = 0 }) => detail))
  const isPlain = ({ detail = 0, language }: AnswerHit): boolean =>
    plainest === 0 || detail >= plainest - 1 || (detail >= PLAIN_DETAIL && language === wanted)
  const sources = hits.slice(0, MAX_PASSAGES).flatMap((hit, place) => {
    if (!isPlain(hit)) return []
    const isForeign = hit.language !== undefined && hit.language !== wanted
    const topics = hit.terms.map(({ isTopic, weight }) => (isTopic ? weight : 0))
    const named = hit.quotes.map((quote) => sumOfBits(quote.named, topics))
    const total = topics.reduce((sum, weight) => sum + weight, 0)
    const said = hit.quotes.reduce((mask, quote) => mask | quote.matched, hit.headingMatched)
    const shareOf = (sum: number): number => (total === 0 ? 0 : sum / total)
    const source = {
      place,
      document: hit.passage.doc_id,
      heading: hit.passage.heading,
      score: hit.score * (isForeign ? OTHER_LANGUAGE_FACTOR : 1),
      quotes: hit.quotes,
      headingShare: hit.headingShare,
      matchedAbove: hit.headingMatched | hit.titleMatched,
      unspecific: hit.terms.reduce(
        (mask, { isTopic, isPlace, isGoods }, at) =>
          isTopic || isPlace || isGoods ? mask : mask | (1 << at),
        0,
      ),
      // Any long documentation has many passages with all words of a question.
      coverage: hit.coverage * (1 - hit.documentationShare),
      topics: hit.topicShare * (1 - hit.documentationShare),
      intent: hit.intent,
      citedBefore: hit.citedBefore ?? 0,
      isPriceList: hit.isPriceList ?? false,
      detail: hit.detail ?? 0,
      named: shareOf(Math.max(0, ...named)),
      page: shareOf(sumOfBits(hit.titleMatched & ~said, topics)),
      documentationShare: hit.documentationShare,
      isOwn: !isForeign,
    }
    return [source]
  })
  return sources.toSorted((a, b) => b.score - a.score)
}

/** Whether a passage speaks of jobs. */
export function isOfJobs(hit: AnswerHit | undefined): boolean {
  const { heading = '', text = '' } = hit?.passage ?? {}
  return speaksOfJobs(fold(`${heading} ${text}`))
}

/** Chooses what to quote for a message. */
export function chooseFrom(
  hits: readonly AnswerHit[],
  {
    language,
    search,
    kind,
    isFollowUp,
  }: Pick<MessageReading, 'language' | 'search' | 'kind' | 'isFollowUp'>,
): { sources: QuoteSource[]; chosen: ChosenQuotes | undefined } {
  const asked = fold(search.question)
  const found = readSources(hits, language)
  // A question for work is answered by jobs, not by things that are hired out.
  const ofJobs = asksForJob(asked) ? found.filter(({ place }) => isOfJobs(hits[place])) : []
  const sources = ofJobs.length > 0 ? ofJobs : found
  const wanted = {
    question: search.question,
    context: search.context,
    kind,
    detail: search.detail,
    goesOn: isFollowUp || hits[0]?.isLeaning === true,
    isOfAll: hits[0]?.terms.every(({ isTopic }) => !isTopic) === true,
    isOfDays: kind === 'duration' && OF_DAYS.test(asked),
    isOfDates: kind === 'duration' && OF_DATES.test(asked),
    isOfMoment: kind === 'duration' && OF_MOMENT.test(asked),
    countOf: countAsked(kind, asked, hits),
    isOfClock: kind === 'hours' && search.detail === undefined && OF_CLOCK.test(asked),
    isOfGuarantee: kind === 'duration' && GUARANTEE.test(asked),
  }
  const max = sources[0]?.score ?? 0
  const writtenIn = (wish: Language, share: number): QuoteSource[] =>
    sources.filter(({ place, score }) => {
      const written = hits[place]?.language
      return (written === undefined || written === wish) && score >= max * share
    })
  const own = writtenIn(language, OWN_LANGUAGE_SHARE)
  if (own.length > 0) {
    // The hours of a site stand in each of its languages.
    const from = search.detail === undefined ? sources : own
    return { sources, chosen: chooseQuotes(from, wanted) }
  }
  const any = chooseQuotes(sources, wanted)
  const next = NEXT_LANGUAGE[language]
  const nearer =
    next === undefined ? undefined : chooseQuotes(writtenIn(next, NEXT_LANGUAGE_SHARE), wanted)
  const isAsGood = nearer !== undefined && (nearer.holds !== false || any?.holds !== true)
  return { sources, chosen: isAsGood ? nearer : any }
}
