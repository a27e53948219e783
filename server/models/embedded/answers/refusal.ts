import type { Language } from '../../../lib/text/language.ts'
import type { AnswerStrings } from '../../../locales/answers/en.ts'
import type { MessageReading } from '../understanding/message.ts'
import type { QuoteSource } from './choice.ts'
import { labelled, MAX_BREAKS, nearestTopics, readMain, readRivals } from './doubtful.ts'
import { writeQuotes } from './quote-text.ts'
import { type ChosenQuotes, maxLengthOf } from './quotes.ts'
import type { AnswerHit } from './sources.ts'
import { ANSWER_STRINGS } from './strings.ts'

/** The offer to a visitor whose question has no answer. */
export type Offer = 'person' | 'form' | 'none'

export interface RefusalRequest {
  hits: readonly AnswerHit[]
  sources: readonly QuoteSource[]
  reading: MessageReading
  /** The language of the reply. */
  language: Language
  offer: Offer
  /** Whether the site has something of the question. */
  isNear: boolean
  /** Whether somebody's life may be in danger. */
  isEmergency: boolean
  /** Upper bound of the refusal in UTF-16 units. */
  maxLength: number
  /** The quotes that may help, where there are any. */
  nearest: ChosenQuotes | undefined
}

export interface Refusal {
  content: string
  /** Indexes in `hits` of the quoted passages. */
  used: number[]
  /** The nearest topics that are not quoted. */
  topics: string[]
  /** The nearest quote under its heading; empty without one. */
  quote: string
}

/** Share of the question's topics that a passage has which a refusal names. */
const MIN_TOPIC_SHARE = 0.2

/** Says that a question has no answer, with the nearest passages where they may help, and then what the site offers. */
export function writeRefusal(request: RefusalRequest): Refusal {
  const { hits, sources, language, offer, isNear, nearest } = request
  const words = ANSWER_STRINGS[language]
  const offered = offerText(language, offer)
  const topicsBeside = (quoted: readonly number[]): string[] =>
    isNear
      ? nearestTopics(hits, sources, { quoted, languages: [language], least: MIN_TOPIC_SHARE })
      : []
  if (nearest === undefined) {
    const said = request.isEmergency ? [words.emergency, words.onlyThisSite] : [words.unknown]
    return {
      content: joined([...said, offered], ' '),
      used: [],
      topics: topicsBeside([]),
      quote: '',
    }
  }
  const opening = openingOf(words, language, hits[nearest.source.place]?.language)
  const first = labelled(hits[nearest.source.place], writeQuotes(readMain(nearest, true)), hits)
  const rivals = readRivals(hits, nearest, {
    wanted: { ...request.reading.search, kind: request.reading.kind },
    isGuess: true,
    room:
      maxLengthOf(nearest.source, request.maxLength) -
      first.length -
      opening.length -
      offered.length -
      MAX_BREAKS,
  })
  const used = [nearest.source.place, ...rivals.map(({ place }) => place)]
  const whole = used.filter((place) => !rivals.some((own) => own.place === place && !own.isWhole))
  const content = joined([opening, first, ...rivals.map(({ text }) => text), offered], '\n\n')
  return { content, used, topics: topicsBeside(whole), quote: first }
}

/** The sentence with which a site offers help; empty for a site that takes no contact. */
export function offerText(language: Language, offer: Offer): string {
  const words = ANSWER_STRINGS[language]
  return { person: words.offerPerson, form: words.offerForm, none: '' }[offer]
}

function openingOf(words: AnswerStrings, own: Language, quoted: Language | undefined): string {
  if (quoted === undefined || quoted === own) return `${words.unclear} ${words.nearest}`
  const name = new Intl.DisplayNames(own, { type: 'language' }).of(quoted) ?? quoted
  return `${words.unclear} ${words.nearest.replace(/:$/, ` (${name}):`)}`
}

const joined = (parts: readonly string[], between: string): string =>
  parts.filter(Boolean).join(between)
