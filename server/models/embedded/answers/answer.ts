import { fold } from '../../../lib/text/fold.ts'
import type { Language } from '../../../lib/text/language.ts'
import type { AnswerStrings } from '../../../locales/answers/en.ts'
import type { MessageReading } from '../understanding/message.ts'
import { namesDay } from '../understanding/details.ts'
import { announces, asksForSale } from '../understanding/question-kind.ts'
import { readMessage } from '../understanding/message.ts'
import { confidenceOf, type Evidence, KNOWN_WORD, NAMED_WORD } from './confidence.ts'
import { judgePolarity } from './polarity.ts'
import type { AnswerQuote, QuoteSource, Wanted } from './choice.ts'
import {
  type ChosenQuotes,
  chooseQuotes,
  MAX_ANSWER_LENGTH,
  quoteFrom,
  shorten,
  writeQuotes,
} from './quotes.ts'
import { ANSWER_STRINGS } from './strings.ts'

/**
 * From the threshold to this share of the way to certainty, an answer says that it is not sure. The
 * words of a small site tell its topics less well apart.
 */
const UNSURE_SHARE = { fewPages: 0.77, manyPages: 0.38 }
/** A refusal names the nearest topics from this share of the threshold. */
const NEAR_SHARE = 0.5
/** Share of the question's topics that a passage has which a refusal names. */
const MIN_TOPIC_SHARE = 0.4
/** The same share of a passage that is only named as a topic. */
const NEAR_TOPIC_SHARE = 0.1
/**
 * Where hardly any site is asked such a thing, one that writes about it says so in a heading: nearly
 * wholly, or in part where the passage has all the rest.
 */
const MIN_HEADLINE_SHARE = 0.8
const MIN_PART_OF_HEADLINE = 0.5
const MIN_WHOLE_COVERAGE = 0.9
/** The kinds of questions that need name nothing else: when, where and how to reach the site. */
const ASKED_ALONE: ReadonlySet<MessageReading['kind']> = new Set(['hours', 'place', 'contact'])
/** The least confidence of a passage that is plainly on what the question asks. */
const PLAIN_CONFIDENCE = 0.9
/** How plainly a passage tells what any business is asked for, to be sure of it. */
const PLAIN_DETAIL = 3
/** The same to be quoted at all. */
const MIN_DETAIL = 1
const MAX_TOPICS = 3
const MAX_TOPIC_LENGTH = 80
const MAX_PASSAGES = 6
/** Passages that a doubtful answer quotes beside the first one, and the upper bound of each quote. */
const MAX_RIVALS = 2
const MAX_RIVAL_LENGTH = 320
/** The breaks around the quotes. */
const MAX_BREAKS = 8
/** Documents that are cited beside the one that is quoted. */
const MAX_CITED = 3
const CITED_SHARE = 0.4
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
  language: Language | undefined
  /** How plainly it tells the detail that is asked for. */
  detail?: number
}

/** What the site offers to a visitor whose question has no answer. */
export type Offer = 'person' | 'form' | 'none'

export interface PassageAnswerRequest {
  question: string
  /** The message as it was understood; by default the question alone. */
  reading?: MessageReading
  /** The visitor's language, for questions whose language cannot be detected. */
  locale?: string | undefined
  hits: readonly AnswerHit[]
  /** 0–1; see DEFAULT_ANSWER_THRESHOLD. */
  threshold: number
  offer?: Offer
}

export interface EmbeddedAnswer {
  content: string
  /** Indexes in `hits` of the cited passages, the quoted one first. */
  used: number[]
  /** 0–1, three decimals. */
  confidence: number
  /** False below the threshold; `content` then is a refusal. */
  known: boolean
  /** Known, but near the threshold; `content` says so. */
  isUnsure: boolean
  /** The nearest topics, where the answer is not sure. */
  topics: string[]
  language: Language
}

/** The passages to quote from, by score, with a bonus for the question's language. */
function readSources(hits: readonly AnswerHit[], wanted: Language): QuoteSource[] {
  const plainest = Math.max(0, ...hits.map(({ detail = 0 }) => detail))
  const isPlain = ({ detail = 0, language }: AnswerHit): boolean =>
    plainest === 0 || detail >= plainest - 1 || (detail >= PLAIN_DETAIL && language === wanted)
  const sources = hits.slice(0, MAX_PASSAGES).flatMap((hit, place) => {
    if (!isPlain(hit)) return []
    const isForeign = hit.language !== undefined && hit.language !== wanted
    const source = {
      place,
      document: hit.passage.doc_id,
      heading: hit.passage.heading,
      score: hit.score * (isForeign ? OTHER_LANGUAGE_FACTOR : 1),
      quotes: hit.quotes,
      headingShare: hit.headingShare,
      // Any long documentation has many passages with all words of a question.
      coverage: hit.coverage * (1 - hit.breadth),
      topics: hit.topicShare * (1 - hit.breadth),
      breadth: hit.breadth,
      isOwn: !isForeign,
    }
    return [source]
  })
  return sources.toSorted((a, b) => b.score - a.score)
}

/** Chooses what to quote for a message. */
export function chooseFrom(
  hits: readonly AnswerHit[],
  { language, search, kind }: Pick<MessageReading, 'language' | 'search' | 'kind'>,
): { sources: QuoteSource[]; chosen: ChosenQuotes | undefined } {
  const sources = readSources(hits, language)
  const wanted = { question: search.question, kind, detail: search.detail }
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

/** The headings of the nearest passages that are not quoted, each once, in the languages of the reply. */
function nearestTopics(
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

/** The quoted passage, then those of other documents that matched nearly as well. */
function citedPlaces(quoted: readonly number[], sources: readonly QuoteSource[]): number[] {
  const used = [...quoted]
  const documents = new Set(
    sources.filter(({ place }) => used.includes(place)).map(({ document }) => document),
  )
  for (const { place, document, score } of sources) {
    if (documents.size >= MAX_CITED || score < (sources[0]?.score ?? 0) * CITED_SHARE) break
    if (documents.has(document)) continue
    documents.add(document)
    used.push(place)
  }
  return used
}

/**
 * Answers with consecutive sentences of one passage, at most MAX_ANSWER_LENGTH: in the language of the
 * message, with yes or no where that was asked, and with a doubt near the threshold. Below the
 * threshold refuses with the site's offer.
 */
export function answerFromPassages(request: PassageAnswerRequest): EmbeddedAnswer {
  const { hits, threshold, offer = 'form' } = request
  const reading =
    request.reading ?? readMessage(request.question, { locale: request.locale ?? 'en' })
  const language =
    reading.detected ??
    (request.locale === undefined ? hits[0]?.language : undefined) ??
    reading.language
  const words = ANSWER_STRINGS[language]
  const { sources, chosen } = chooseFrom(hits, { ...reading, language })
  const quoted = hits[chosen?.source.place ?? 0]?.language
  const isForeign = quoted !== undefined && quoted !== language
  const found = confidenceOf(hits, chosen, {
    kind: reading.kind,
    isPolar: reading.isPolar,
    isForSale: asksForSale(fold(reading.search.question)),
  })
  const isAlone = asksKindAlone(reading.kind, hits[chosen?.source.place ?? 0], chosen)
  const isHeaded =
    found >= threshold && isUnderHeading(reading.kind, hits[chosen?.source.place ?? 0])
  const told = hits[chosen?.source.place ?? 0]?.detail ?? 0
  const least =
    isAlone || isHeaded || told >= PLAIN_DETAIL
      ? PLAIN_CONFIDENCE
      : told >= MIN_DETAIL
        ? threshold
        : 0
  const measured = Math.max(found, least)
  const text = chosen === undefined ? '' : writeQuotes(chosen.quotes)
  const breadth = hits[0]?.breadth ?? 0
  const { fewPages, manyPages } = UNSURE_SHARE
  const unsureShare = fewPages + breadth * (manyPages - fewPages)
  const isUnsure = measured < threshold + (1 - threshold) * unsureShare
  const isFar = reading.isOffTopic && !isHeadline(hits[chosen?.source.place ?? 0])
  // A refusal is never as sure as an answer.
  const confidence = isFar ? Math.min(measured, threshold * NEAR_SHARE) : measured
  if (chosen === undefined || isFar || text === '' || confidence < threshold) {
    const isNear = confidence >= threshold * NEAR_SHARE && !reading.isOffTopic
    const topics = isNear
      ? nearestTopics(hits, sources, {
          quoted: [],
          languages: [language],
          least: MIN_TOPIC_SHARE,
        })
      : []
    // What the search found by chance does not tell the visitor's language.
    const spoken = request.reading === undefined ? language : reading.language
    const { unknown, offerPerson, offerForm } = ANSWER_STRINGS[spoken]
    const offered = { person: ` ${offerPerson}`, form: ` ${offerForm}`, none: '' }[offer]
    const content = `${unknown}${offered}`
    return {
      content,
      used: [],
      confidence,
      known: false,
      isUnsure: false,
      topics,
      language: spoken,
    }
  }
  const opening = openingOf(words, { isUnsure, foreign: isForeign ? quoted : undefined })
  const rivals = isUnsure
    ? readRivals(hits, chosen, {
        length: text.length + (opening?.length ?? 0),
        wanted: { ...reading.search, kind: reading.kind },
      })
    : []
  const beside = rivals.map((rival) => rival.text).join('\n\n')
  const isBlock = isForeign || beside !== '' || text.includes('\n')
  const first = beside === '' ? text : `${labelOf(hits[chosen.source.place])}${text}\n\n${beside}`
  const content =
    opening === undefined
      ? `${hasAllAsked(hits[chosen.source.place], chosen.lead) ? yesOrNo(hits[chosen.source.place], chosen, reading, language) : ''}${text}`
      : `${opening}${isBlock ? '\n\n' : ' '}${first}`
  const shown = [chosen.source.place, ...rivals.map(({ place }) => place)]
  const topics = isUnsure
    ? nearestTopics(hits, sources, {
        quoted: shown,
        languages: [language, quoted],
        least: NEAR_TOPIC_SHARE,
      })
    : []
  return {
    content,
    used: citedPlaces(shown, sources),
    confidence,
    known: true,
    isUnsure,
    topics,
    language,
  }
}

/** The heading before the quote of a passage where two are quoted. */
function labelOf(hit: AnswerHit | undefined): string {
  const heading = hit?.passage.heading.split(' › ').at(-1) ?? ''
  if (heading === '' || heading.length > MAX_TOPIC_LENGTH) return ''
  return /[.!?:]$/.test(heading) ? `${heading} ` : `${heading}: `
}

/** The quotes of the passages rated next, which a doubtful answer shows too, as far as there is room. */
function readRivals(
  hits: readonly AnswerHit[],
  { rated }: ChosenQuotes,
  { length, wanted }: { length: number; wanted: Wanted },
): { place: number; text: string }[] {
  const [main, ...others] = rated
  if (main === undefined) return []
  let left = MAX_ANSWER_LENGTH - length - labelOf(hits[main.source.place]).length - MAX_BREAKS
  const rivals: { place: number; text: string }[] = []
  for (const rival of others.slice(0, MAX_RIVALS)) {
    const { place } = rival.source
    const label = labelOf(hits[place])
    const room = Math.min(left - label.length, MAX_RIVAL_LENGTH)
    const quotes = shorten(quoteFrom(rival, wanted), room)
    if (quotes.length === 0) continue
    const text = `${label}${writeQuotes(quotes)}`
    rivals.push({ place, text })
    left -= text.length + 2
  }
  return rivals
}

/** Whether a question names nothing but what it asks for, and the quote is from a passage on that. */
function asksKindAlone(
  kind: MessageReading['kind'],
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes | undefined,
): boolean {
  if (!ASKED_ALONE.has(kind) || hit === undefined || chosen?.isSatisfied !== true) return false
  return announces(hit.passage.heading, kind) && !hit.terms.some(({ isTopic }) => isTopic)
}

/** Whether the heading has all that an open question, or one for yes or no, is about. */
function isUnderHeading(kind: MessageReading['kind'], hit: AnswerHit | undefined): boolean {
  if (hit === undefined || (kind !== undefined && kind !== 'polar')) return false
  const asked = hit.terms.filter((term) => term.isAsked && !term.isGeneral)
  if (asked.length === 0 || asked.some(({ closeness }) => closeness < NAMED_WORD)) return false
  const sumOf = (terms: AnswerHit['terms']): number =>
    terms.reduce((sum, { weight }) => sum + weight, 0)
  // A synonym in the heading covers less than the word itself.
  return hit.headingShare * sumOf(hit.terms) >= sumOf(asked) * NAMED_WORD
}

/** Whether a heading is about what hardly any site is asked. */
function isHeadline(hit: AnswerHit | undefined): boolean {
  if (hit === undefined || !hit.terms.some(({ isTopic }) => isTopic)) return false
  return (
    hit.headingShare >= MIN_HEADLINE_SHARE ||
    (hit.headingShare >= MIN_PART_OF_HEADLINE && hit.coverage >= MIN_WHOLE_COVERAGE)
  )
}

/** What is said before a quote that is not sure, or in another language. */
function openingOf(
  words: AnswerStrings,
  { isUnsure, foreign }: { isUnsure: boolean; foreign: Language | undefined },
): string | undefined {
  if (foreign === undefined) return isUnsure ? words.unsure : undefined
  const doubt = isUnsure ? `${words.unsure.replace(/:$/, '.')} ` : ''
  return `${doubt}${words.foreign[foreign]}`
}

/**
 * Whether a sentence with its heading has every word that was asked for: it says neither yes nor no to
 * another one, nor of a country to which another one is near.
 */
function hasAllAsked(hit: AnswerHit | undefined, lead: AnswerQuote): boolean {
  const said = lead.matched | (hit?.headingMatched ?? 0)
  const terms = hit?.terms.map(({ isAsked, isGeneral, isPlace, isGoods, closeness }, at) => {
    if (!isAsked || isGeneral || isGoods) return true
    return (said & (1 << at)) !== 0 && closeness >= (isPlace ? NAMED_WORD : KNOWN_WORD)
  })
  return terms?.every(Boolean) ?? false
}

/** Whether a sentence names the days that were asked for: hours from Monday to Friday are no yes for Sunday. */
function saysDays(hit: AnswerHit | undefined, lead: AnswerQuote): boolean {
  const isSaid = (at: number): boolean => (lead.matched & (1 << at)) !== 0
  const days = hit?.terms.map(
    ({ folded, isAsked }, at) => !isAsked || !namesDay(folded) || isSaid(at),
  )
  return days?.every(Boolean) ?? false
}

function yesOrNo(
  hit: AnswerHit | undefined,
  { lead, quotes }: ChosenQuotes,
  reading: MessageReading,
  language: Language,
): string {
  if (!reading.isPolar || reading.isFollowUp || quotes[0] !== lead) return ''
  if (reading.search.detail === 'hours' && !saysDays(hit, lead)) return ''
  // A sentence on all products is neither a yes nor a no for a product that it does not name.
  if (hit?.terms.some(({ isGoods }, at) => isGoods && (lead.matched & (1 << at)) === 0)) return ''
  const isYes = judgePolarity(reading.search.question, lead.text, { language, share: lead.score })
  if (isYes === undefined) return ''
  const { yesPrefix, noPrefix } = ANSWER_STRINGS[language]
  return `${isYes ? yesPrefix : noPrefix} `
}
