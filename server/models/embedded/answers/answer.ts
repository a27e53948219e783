import { fold } from '../../../lib/text/fold.ts'
import type { Language } from '../../../lib/text/language.ts'
import type { AnswerStrings } from '../../../locales/answers/en.ts'
import type { MessageReading } from '../understanding/message.ts'
import { isEmergency, isSurelyEmergency } from '../understanding/danger.ts'
import { isOfTranslating } from '../understanding/off-topic.ts'
import { announces } from '../understanding/question-kind.ts'
import { readMessage } from '../understanding/message.ts'
import {
  isDelicate,
  isOfHealthOrLaw,
  missesPerson,
  tellsOfSomebody,
} from '../understanding/sensitive.ts'
import {
  askingOf,
  confidenceOf,
  DEFAULT_ANSWER_THRESHOLD,
  isInDomain,
  isToldInOtherWords,
  KNOWN_WORD,
  NAMED_WORD,
} from './confidence.ts'
import {
  GUESS,
  labelled,
  MAX_BREAKS,
  nearestTopics,
  readMain,
  readRivals,
  sureText,
} from './doubtful.ts'
import type { QuoteSource } from './choice.ts'
import { writeQuotes } from './quote-text.ts'
import { type ChosenQuotes, maxLengthFor, maxLengthOf, MIN_DOCUMENTATION } from './quotes.ts'
import { isElsewhere, lacksJobs, lacksPlace, lacksTopic, leavesContext } from './missing-topics.ts'
import { type Offer, writeRefusal } from './refusal.ts'
import { type AnswerHit, chooseFrom, PLAIN_DETAIL } from './sources.ts'
import { ANSWER_STRINGS } from './strings.ts'
import { contestersOf, isOfOther, isOtherBranch, isTied, tellsBeside } from './ties.ts'
import { answersOther, hasAllAsked, yesOrNo } from './yes-or-no.ts'

/**
 * From the threshold to this share of the way to certainty, an answer says that it is not sure. The
 * words of a business tell its topics less well apart.
 */
const UNSURE_SHARE = { business: 0.77, documentation: 0.38 }
/** How likely a refused question is one for this kind of site, whose nearest passages are quoted then. */
const IN_DOMAIN = 0.12
/** The same, and the least share of the threshold, where it is of health, of law, of somebody, or perhaps of anything else. */
const SURELY_NEAR = { inDomain: 0.35, share: 0.28 }
/** The share of the threshold that is at most left of a question that is about something else. */
const FAR_SHARE = 0.2
/** Share of the question's topics that a passage has which a doubtful answer names. */
const NEAR_TOPIC_SHARE = 0.1
/**
 * Where hardly any site is asked such a thing, one that writes about it says so in a heading: nearly
 * wholly, or in part where the passage has all the rest.
 */
const MIN_HEADLINE_SHARE = 0.8
const MIN_PART_OF_HEADLINE = 0.5
const MIN_WHOLE_COVERAGE = 0.9
const ALL_TOPICS = 0.95
/** The share of a heading's words that a question has which is about nothing else, or how likely the passage tells what it asks for. */
const MIN_HEADING_ASKED = 0.6
const MIN_HEADING_INTENT = 0.45
/** The kinds of questions that need name nothing else: when, where and how to reach the site. */
const ASKED_ALONE: ReadonlySet<MessageReading['kind']> = new Set(['hours', 'place', 'contact'])
/** The least confidence of a passage that is plainly on what the question asks. */
const PLAIN_CONFIDENCE = 0.9
/** The weight of a word that a quarter of the site's passages have. */
const COMMON_WEIGHT = 0.65
/** How plainly a passage tells what any business is asked for, to be quoted at all. */
const MIN_DETAIL = 1
/** From this number of passages on, a site writes of the same on several pages. */
const MANY_PASSAGES = 70
/** The least confidence of an answer to a message of danger. */
const SURE_IN_DANGER = 0.6
/** Sections quoted beside a sure one that tell such a thing too. */
const MAX_CONTESTERS = 2
/** Documents that are cited beside the one that is quoted. */
const MAX_CITED = 3
const CITED_SHARE = 0.45

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
  /** Upper bound of the answer in UTF-16 units; by default that of an answer to the question alone. */
  maxLength?: number
}

export interface EmbeddedAnswer {
  content: string
  /** Indexes in `hits` of the cited passages, the quoted one first. */
  used: number[]
  /** 0–1, three decimals. */
  confidence: number
  /** False below the threshold; `content` then says that there is no clear answer, and may quote the nearest. */
  known: boolean
  /** Known, but near the threshold; `content` says so. */
  isUnsure: boolean
  /** The nearest topics, where the answer is not sure. */
  topics: string[]
  /** The questions of a message with several that no page answers, beside those that have an answer. */
  unanswered?: readonly string[]
  /** The first quote, under its heading where the answer is not sure; empty in a refusal, unless it plainly tells what is asked for. */
  quote: string
  language: Language
}

/** The topics beside a doubtful quote: those of passages that have some of the question's topics, or else any. */
function topicsBeside(
  hits: readonly AnswerHit[],
  sources: readonly QuoteSource[],
  about: { quoted: readonly number[]; languages: readonly (Language | undefined)[] },
): string[] {
  const near = nearestTopics(hits, sources, { ...about, least: NEAR_TOPIC_SHARE })
  return near.length > 0 ? near : nearestTopics(hits, sources, { ...about, least: 0 })
}

/**
 * The quoted passage, then those of other documents that matched nearly as well: of a site in two languages, not the same
 * page in the other one.
 */
function citedPlaces(quoted: readonly number[], sources: readonly QuoteSource[]): number[] {
  const used = [...quoted]
  const documents = new Set(
    sources.filter(({ place }) => used.includes(place)).map(({ document }) => document),
  )
  const quotesOwn = sources.some(({ place, isOwn }) => isOwn && used.includes(place))
  for (const { place, document, score, isOwn } of sources) {
    if (quotesOwn && !isOwn) continue
    if (documents.size >= MAX_CITED || score < (sources[0]?.score ?? 0) * CITED_SHARE) break
    if (documents.has(document)) continue
    documents.add(document)
    used.push(place)
  }
  return used
}

/**
 * Answers with consecutive sentences of one passage, at most `maxLengthOf`: in the language of the
 * message, with yes or no where that was asked, and with a doubt near the threshold. Below the
 * threshold refuses with the site's offer.
 */
export function answerFromPassages(request: PassageAnswerRequest): EmbeddedAnswer {
  const { hits, threshold, offer = 'form', maxLength = maxLengthFor(request.question) } = request
  const asked = fold(request.question)
  const isInDanger = isEmergency(asked)
  const isSurelyInDanger = isSurelyEmergency(asked)
  const reading =
    request.reading ?? readMessage(request.question, { locale: request.locale ?? 'en' })
  const language =
    reading.detected ??
    (request.locale === undefined ? hits[0]?.language : undefined) ??
    reading.language
  const { sources, chosen } = chooseFrom(hits, { ...reading, language })
  const quoted = hits[chosen?.source.place ?? 0]?.language
  const isForeign = quoted !== undefined && quoted !== language
  const asking = askingOf(reading)
  const found = confidenceOf(hits, chosen, asking)
  const isAlone =
    !reading.refersBack && asksKindAlone(reading.kind, hits[chosen?.source.place ?? 0], chosen)
  const isHeaded =
    found >= threshold && isUnderHeading(reading, hits[chosen?.source.place ?? 0], chosen)
  const detail = hits[chosen?.source.place ?? 0]?.detail ?? 0
  const least =
    isAlone || isHeaded || detail >= PLAIN_DETAIL
      ? PLAIN_CONFIDENCE
      : detail >= MIN_DETAIL
        ? threshold
        : 0
  const documentationShare = hits[0]?.documentationShare ?? 0
  const { business, documentation } = UNSURE_SHARE
  const unsureShare = business + documentationShare * (documentation - business)
  const sureFrom = threshold + (1 - threshold) * unsureShare
  const best = hits[chosen?.source.place ?? 0]
  const lacksOptional = best?.terms.some(({ isOptional }) => isOptional) === true
  const isLeaning = best?.isLeaning === true
  const isOther =
    lacksOptional ||
    lacksPlace(reading, best) ||
    leavesContext(reading, best, chosen) ||
    isLeaning ||
    (reading.search.detail === undefined && lacksTopic(reading, best, chosen)) ||
    answersOther(reading, best, chosen) ||
    isElsewhere(reading, best, chosen) ||
    isTied(chosen) ||
    isOfOther(hits, chosen) ||
    tellsBeside(reading, chosen) ||
    (found < PLAIN_CONFIDENCE && isUnannounced(best))
  const measured = isOther ? Math.min(found, doubtBelow(sureFrom)) : Math.max(found, least)
  const isUnsure = measured < sureFrom
  const isGuess = measured < GUESS
  const text =
    chosen === undefined ? '' : writeQuotes(isUnsure ? readMain(chosen, isGuess) : chosen.quotes)
  const isFar =
    (reading.isOffTopic && !isHeadline(best) && !isOfTrade(best) && !hasAllTopics(best)) ||
    lacksJobs(reading, best) ||
    missesPerson(asked) ||
    // A guess may harm somebody in danger.
    (isSurelyInDanger && measured < SURE_IN_DANGER)
  // A refusal is never as sure as an answer.
  const confidence = isFar ? Math.min(measured, rounded(threshold * FAR_SHARE)) : measured
  if (chosen === undefined || isFar || text === '' || confidence < threshold) {
    const isTold = isToldInOtherWords(hits, chosen, asking)
    // Passages that are hardly near may do harm there, or are there by chance.
    const isRisky = isOfHealthOrLaw(asked) || tellsOfSomebody(asked) || reading.mayBeOffTopic
    const isNear =
      (!isRisky || confidence >= threshold * SURELY_NEAR.share || isTold) &&
      !reading.isOffTopic &&
      !isFar &&
      !isSurelyInDanger &&
      !isDelicate(asked)
    // An owner who asks for more certainty than usual wants no guesses.
    const mayQuote = isNear && text !== '' && threshold <= DEFAULT_ANSWER_THRESHOLD
    const likely = isRisky ? SURELY_NEAR.inDomain : IN_DOMAIN
    // What the search found by chance does not tell the visitor's language.
    const spoken = request.reading === undefined ? language : reading.language
    const refusal = writeRefusal({
      hits,
      sources,
      reading,
      language: spoken,
      offer,
      isNear,
      isEmergency: isInDanger,
      maxLength,
      nearest:
        mayQuote && (isTold || isInDomain(hits, chosen, { asking, least: likely }))
          ? chosen
          : undefined,
    })
    const quote = isTold ? refusal.quote : ''
    return { ...refusal, quote, confidence, known: false, isUnsure: false, language: spoken }
  }
  const opening = openingOf(ANSWER_STRINGS[language], {
    isUnsure,
    foreign: isForeign ? quoted : undefined,
  })
  // A visitor in danger reads the number before anything of the site.
  const alarm = isInDanger ? `${ANSWER_STRINGS[language].emergency}\n\n` : ''
  const contesters = isUnsure ? [] : contestersOf(hits, chosen)
  const isContested = contesters.some(
    ({ source: one }) =>
      one.document !== chosen.source.document || isOtherBranch(one, chosen.source),
  )
  const mayJudge = contesters.length === 0 && hasAllAsked(best, chosen.lead)
  const yes = mayJudge ? yesOrNo(best, chosen, reading, language) : ''
  const sure = sureText(best, chosen, {
    yes,
    isContested,
    isBesideOthers: contesters.length > 0,
    isAlone,
    hits,
  })
  // A doubtful quote stands under its heading.
  const own = isUnsure ? labelled(best, text, hits) : opening === undefined ? sure : text
  const rivals = readRivals(hits, isUnsure ? chosen : besideSure(chosen, contesters), {
    wanted: { ...reading.search, kind: reading.kind },
    isGuess,
    isContested,
    room:
      maxLengthOf(chosen.source, maxLength) -
      own.length -
      (opening?.length ?? 0) -
      alarm.length -
      MAX_BREAKS,
  })
  const beside = rivals.map((rival) => rival.text).join('\n\n')
  const isBlock = isForeign || beside !== '' || own !== text || text.includes('\n')
  const first = beside === '' ? own : `${own}\n\n${beside}`
  const content = opening === undefined ? first : `${opening}${isBlock ? '\n\n' : ' '}${first}`
  const shown = [chosen.source.place, ...rivals.map(({ place }) => place)]
  const whole = [
    chosen.source.place,
    ...rivals.filter(({ isWhole }) => isWhole).map(({ place }) => place),
  ]
  const topics = isUnsure
    ? topicsBeside(hits, sources, { quoted: whole, languages: [language, quoted] })
    : []
  return {
    content: `${alarm}${content}`,
    used: citedPlaces(shown, sources),
    confidence,
    known: true,
    isUnsure,
    topics,
    quote: isUnsure ? own : sureText(best, chosen),
    language,
  }
}

/** The quoted passage of a sure answer with those that tell such a thing too. */
const besideSure = (chosen: ChosenQuotes, contesters: ChosenQuotes['rated']): ChosenQuotes => ({
  ...chosen,
  rated: [...chosen.rated.slice(0, 1), ...contesters.slice(0, MAX_CONTESTERS)],
})

/** With the three decimals of a confidence. */
const rounded = (share: number): number => Math.round(share * 1_000) / 1_000

/** The most, with three decimals, that is in doubt. */
const doubtBelow = (sureFrom: number): number => Math.floor(sureFrom * 1_000 - 1) / 1_000

/** Whether a question names nothing but what it asks for, and the quote is from a passage on that. */
function asksKindAlone(
  kind: MessageReading['kind'],
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes | undefined,
): boolean {
  if (hit === undefined || chosen?.isSatisfied !== true) return false
  const above = hit.headingMatched | hit.titleMatched
  const isPlain = ASKED_ALONE.has(kind)
    ? announces(hit.passage.heading, kind)
    : hit.isPriceList === true &&
      hit.terms.every(
        ({ isAsked, isGeneral }, at) => !isAsked || isGeneral || (above & (1 << at)) !== 0,
      )
  return isPlain && !hit.terms.some(({ isTopic, isGoods }) => isTopic || isGoods)
}

/**
 * Whether the heading has all that the question is about; it also announces what another question than an
 * open one, or one for yes or no, asks for.
 */
function isUnderHeading(
  { kind, isFollowUp }: MessageReading,
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes | undefined,
): boolean {
  if (hit === undefined) return false
  const isAnnounced =
    chosen?.holds === true &&
    !isFollowUp &&
    announces(hit.passage.heading, kind) &&
    isOnlyHeading(chosen)
  const isOpen = kind === undefined || kind === 'polar'
  if (isOpen ? !isAboutHeading(hit) : !isAnnounced) return false
  const asked = hit.terms.filter((term) => term.isAsked && !term.isGeneral)
  if (asked.length === 0 || asked.some(({ closeness }) => closeness < NAMED_WORD)) return false
  const sumOf = (terms: AnswerHit['terms']): number =>
    terms.reduce((sum, { weight }) => sum + weight, 0)
  // A synonym in the heading covers less than the word itself.
  return hit.headingShare * sumOf(hit.terms) >= sumOf(asked) * NAMED_WORD
}

/** Whether a question has most words of the heading, or the passage probably tells what it asks for. */
const isAboutHeading = ({ headingAsked, intent }: AnswerHit): boolean =>
  headingAsked >= MIN_HEADING_ASKED || intent >= MIN_HEADING_INTENT

/** Whether no other passage that holds what is asked for has as much of the question in its heading. */
function isOnlyHeading({ source, rated }: ChosenQuotes): boolean {
  return rated.every(
    (rival) =>
      rival.source === source ||
      rival.holds !== true ||
      rival.source.headingShare < source.headingShare * NAMED_WORD,
  )
}

/**
 * Whether neither the heading nor the page's title has a word of the question: on a site of some length another page may
 * tell the same, such as the deposit of another service.
 */
function isUnannounced(hit: AnswerHit | undefined): boolean {
  if (hit === undefined || hit.passages < MANY_PASSAGES) return false
  if (hit.documentationShare >= MIN_DOCUMENTATION || (hit.detail ?? 0) >= MIN_DETAIL) return false
  return hit.headingMatched === 0 && hit.titleMatched === 0
}

/** Whether a heading is about what hardly any site is asked. */
function isHeadline(hit: AnswerHit | undefined): boolean {
  const isNamed = hit?.terms.some(({ isTopic, closeness }) => isTopic && closeness >= NAMED_WORD)
  if (hit === undefined || isNamed !== true) return false
  return (
    hit.headingShare >= MIN_HEADLINE_SHARE ||
    (hit.headingShare >= MIN_PART_OF_HEADLINE && hit.coverage >= MIN_WHOLE_COVERAGE)
  )
}

/** Whether one passage has nearly all of a question and each of its topics, so that it is about the site. */
const hasAllTopics = (hit: AnswerHit | undefined): boolean =>
  hit !== undefined &&
  hit.terms.some(({ isTopic }) => isTopic) &&
  hit.topicShare >= ALL_TOPICS &&
  hit.coverage >= MIN_WHOLE_COVERAGE

/** Whether a question asks for a translation, on a site whose pages speak of translating. */
function isOfTrade(hit: AnswerHit | undefined): boolean {
  return (
    hit?.terms.some(({ folded, isTopic, weight, closeness }) => {
      const isCommon = weight <= COMMON_WEIGHT && closeness >= KNOWN_WORD
      return isTopic && isCommon && isOfTranslating(folded)
    }) ?? false
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
