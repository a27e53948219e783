import { fold } from '../../../lib/text/fold.ts'
import { sumOfBits } from '../../../lib/text/word-mask.ts'
import type { MessageReading } from '../understanding/message.ts'
import { isOfHealthOrLaw } from '../understanding/sensitive.ts'
import { asksForSale, type QuestionKind, speaksOfSale } from '../understanding/question-kind.ts'
import { isInList } from './choice.ts'
import {
  FEATURE_NAMES,
  type Features,
  IN_DOMAIN,
  DOCUMENTATION,
  RELATED,
  SURE,
  type Weights,
} from './confidence-weights.ts'
import type { ChosenQuotes } from './quotes.ts'

/** The search's measures of a passage; all shares are 0–1. */
export interface Evidence {
  coverage: number
  documentCoverage: number
  headingCoverage: number
  aboutness: number
  topicShare: number
  /** 0–1: how far the site is weighed as documentation. */
  documentationShare: number
  /** The passages of the site. */
  passages: number
  score: number
  passage: { doc_id: string; heading: string; text: string }
  /** The words of the question that the heading has, one bit each. */
  headingMatched: number
  /** The share of the words of the heading that the question has. */
  headingAsked: number
  /** How likely it tells what any business is asked for. */
  intent: number
  /** Whether the question was searched together with the one before. */
  isLeaning?: boolean
  /** The terms of the question; a general term, such as `best`, belongs to any topic. */
  terms: readonly {
    folded: string
    isAsked: boolean
    isGeneral: boolean
    isTopic: boolean
    isPlace: boolean
    isGoods: boolean
    isOptional: boolean
    weight: number
    closeness: number
  }[]
}

/** Default threshold, below which the answer is "I have no information". */
export const DEFAULT_ANSWER_THRESHOLD = 0.35
const ENOUGH_WORDS = 6
const MAX_CONSIDERED = 3
const MAX_LEAD = 0.6
/** Closeness below which a word of the question is not on the site. */
export const KNOWN_WORD = 0.7
/** Closeness from which a word of the question stands on the site itself, with any ending. */
export const NAMED_WORD = 0.95
const DIRECT_WORD = 0.88
/** Closeness of the topics of a question without any. */
const NO_TOPICS = 0.5
/** Bounds a document's coverage by its passage's, since a long list covers any question. */
const MAX_BEYOND_PASSAGE = 0.25
/** Factor for questions of general terms only, such as "İyi günler", which match any text. */
const GENERAL_ONLY = 0.3

/** How likely a passage without a topic of the question tells what it asks for, to be quoted as the nearest one. */
const TOLD = 0.5
const MANY_WORDS = 12
const MANY_RIVALS = 5
const WHOLE_COVERAGE = 0.95
/**
 * Passages of the sites that the weights were fitted on, and what each doubling takes from the certainty that a question is
 * answered, or is one for this kind of site: in more text more words are found by chance.
 */
const FITTED_PASSAGES = 70
const SIZE_DOUBT = { related: 0.15, inDomain: 0.2 }

/** Words of who asks a business for something, folded. */
const ADDRESSED =
  /\b(?:you|your|yours|ur?|can (?:i|we)|may (?:i|we)|do i get|(?:is it|its?) ok|ok to|alright|allowed|(?:is|are) there|somewhere)\b|\b(?:sie|ihr\w*|euch|darf|durfen|kann ich|konnen wir|gibts?|gibt es|habt)\b|\p{L}(?:iniz|unuz|abilir\w*|ebilir\w*)\b|\b(?:m[iu]siniz|musunuz|sizde\w*|var ?m[iu])\b|عندكم|عندك|لديكم|فيكم|فيني|ممكن|اقدر|نقدر|بقدر/u

/** Properties of a question beside its words. */
export interface Asking {
  kind: QuestionKind | undefined
  isPolar: boolean
  /** Whether it asks if something is sold. */
  isForSale: boolean
  /** Whether it asks the business for something, and is neither on health nor on the law. */
  isAddressed: boolean
}

/** Reads the properties of a question that was understood. */
export const askingOf = ({ kind, isPolar, search }: MessageReading): Asking => ({
  kind,
  isPolar,
  isForSale: asksForSale(fold(search.question)),
  isAddressed: ADDRESSED.test(fold(search.question)) && !isOfHealthOrLaw(fold(search.question)),
})

/** Returns the measures of an answer; `undefined` without one. */
export function featuresOf(
  hits: readonly Evidence[],
  chosen: ChosenQuotes | undefined,
  { kind, isPolar, isForSale }: Asking,
): Features | undefined {
  const best = hits[chosen?.source.place ?? 0]
  if (best === undefined || chosen === undefined) return undefined
  const max = (share: (hit: Evidence) => number): number =>
    Math.max(...hits.slice(0, MAX_CONSIDERED).map(share))
  const quotes = chosen.source.quotes.map(({ score }) => score)
  const { terms } = best
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  const shareOf = (min: number): number =>
    terms.reduce((sum, term) => sum + (term.closeness >= min ? term.weight : 0), 0) /
    Math.max(total, Number.EPSILON)
  const topics = terms.filter(({ isTopic }) => isTopic)
  const missing = topics.filter(({ closeness }) => closeness < KNOWN_WORD)
  const rival = hits.find((hit) => hit.passage.doc_id !== best.passage.doc_id)
  const margin =
    rival === undefined ? 1 : 1 - Math.min(1, rival.score / Math.max(best.score, Number.EPSILON))
  const passage = max((hit) => hit.coverage)
  const said = chosen.quotes.reduce((mask, quote) => mask | quote.matched, best.headingMatched)
  const specific = terms.filter(({ isAsked, isGeneral }) => isAsked && !isGeneral)
  const asked = specific.reduce((sum, { weight }) => sum + weight, 0)
  const askedAndKnown = specific.reduce(
    (sum, { weight, closeness }) => sum + (closeness >= KNOWN_WORD ? weight : 0),
    0,
  )
  const ofTopics = terms.map(({ isTopic, weight }) => (isTopic ? weight : 0))
  const topicTotal = ofTopics.reduce((sum, weight) => sum + weight, 0)
  const shareOfTopics = (mask: number): number =>
    topicTotal === 0 ? NO_TOPICS : sumOfBits(mask, ofTopics) / topicTotal
  const [main, ...rivals] = chosen.rated
  const leads = rivals
    .filter(({ holds }) => holds !== false)
    .map(({ value }) => (main?.value ?? value) - value)
  return {
    base: 1,
    passage,
    own: best.coverage,
    document: Math.min(best.documentCoverage, passage + MAX_BEYOND_PASSAGE),
    heading: max((hit) => hit.headingCoverage),
    ownHeading: best.headingCoverage,
    about: max((hit) => hit.aboutness),
    sentence: Math.max(chosen.source.headingShare, ...quotes),
    words: Math.min(1, terms.length / ENOUGH_WORDS),
    known: shareOf(KNOWN_WORD),
    direct: shareOf(DIRECT_WORD),
    margin,
    missingTopics: missing.length / Math.max(1, topics.length),
    hasTopic: topics.length > missing.length ? 1 : 0,
    satisfied: chosen.isSatisfied === true ? 1 : 0,
    unsatisfied: chosen.isSatisfied === false ? 1 : 0,
    asked: asked === 0 ? 0 : askedAndKnown / asked,
    pair: specific.length === 2 ? 1 : 0,
    closeness:
      topics.length === 0
        ? NO_TOPICS
        : topics.reduce((sum, { closeness }) => sum + closeness, 0) / topics.length,
    holdsTopics:
      chosen.holds !== true || topicTotal === 0 ? 0 : sumOfBits(said, ofTopics) / topicTotal,
    lead: Math.min(MAX_LEAD, chosen.margin),
    polar: isPolar ? 1 : 0,
    unsold:
      isForSale && !speaksOfSale(fold(`${best.passage.heading} ${best.passage.text}`)) ? 1 : 0,
    headingAsked: best.headingAsked,
    holds: chosen.holds === true ? 1 : 0,
    lacks: chosen.holds === false ? 1 : 0,
    saidTopics: shareOfTopics(said),
    leadTopics: shareOfTopics(chosen.lead.matched | best.headingMatched),
    rivals: Math.min(1, rivals.length / MANY_RIVALS),
    leadOfHolding: Math.min(1, ...leads),
    listed: isInList(chosen.lead) ? 1 : 0,
    long: Math.min(1, terms.length / MANY_WORDS),
    whole: best.coverage >= WHOLE_COVERAGE ? 1 : 0,
    hours: kind === 'hours' ? 1 : 0,
    duration: kind === 'duration' ? 1 : 0,
    place: kind === 'place' ? 1 : 0,
    unnamed: kind === undefined ? 1 : 0,
    intent: Math.sqrt(best.intent),
    intentSaid: Math.sqrt(Math.max(...chosen.quotes.map(({ intent }) => intent))),
    intentLead: Math.sqrt(best.intent) - Math.sqrt(max(({ intent }) => intent)),
  }
}

/** Features or their weights in the order of their names; one that is left out is zero. */
const vectorOf = (values: Weights): readonly number[] =>
  FEATURE_NAMES.map((name) => values[name] ?? 0)

const MODELS = {
  related: vectorOf(RELATED),
  sure: vectorOf(SURE),
  inDomain: vectorOf(IN_DOMAIN),
  documentation: vectorOf(DOCUMENTATION),
}

/** Share of the model for documentation, added to the weighted sum of one for a business. */
export function weighDocumentation(features: Features, documentationShare: number): number {
  return documentationShare * weigh(vectorOf(features), MODELS.documentation)
}

function weigh(features: readonly number[], weights: readonly number[]): number {
  return features.reduce((sum, value, at) => sum + (weights[at] ?? 0) * value, 0)
}

/**
 * The answer's confidence: 0–1, three decimals. Below the default threshold, how likely it is that the
 * passages answer at all; above it, how likely the quotes are right.
 */
export function confidenceOf(
  hits: readonly Evidence[],
  chosen: ChosenQuotes | undefined,
  asking: Asking,
): number {
  const features = featuresOf(hits, chosen, asking)
  if (features === undefined) return 0
  const documentationShare = hits[0]?.documentationShare ?? 0
  const size = sizeOf(hits)
  const measured = vectorOf(features)
  const related =
    likelihood(measured, MODELS.related, { documentationShare, doubt: SIZE_DOUBT.related * size }) *
    (isGeneral(hits) ? GENERAL_ONLY : 1)
  const confidence =
    related < DEFAULT_ANSWER_THRESHOLD
      ? related
      : Math.max(
          DEFAULT_ANSWER_THRESHOLD,
          likelihood(measured, MODELS.sure, { documentationShare, doubt: 0 }),
        )
  return Math.round(confidence * 1_000) / 1_000
}

/** Whether a question that is refused is one for this kind of site, with a likelihood of `least`; see `IN_DOMAIN`. */
export function isInDomain(
  hits: readonly Evidence[],
  chosen: ChosenQuotes | undefined,
  { asking, least }: { asking: Asking; least: number },
): boolean {
  const features = featuresOf(hits, chosen, asking)
  if (features === undefined || isGeneral(hits)) return false
  // The site does not name what it is asked to sell.
  if (asking.isForSale && features.missingTopics > 0) return false
  const likely = likelihood(vectorOf(features), MODELS.inDomain, {
    documentationShare: hits[0]?.documentationShare ?? 0,
    doubt: SIZE_DOUBT.inDomain * sizeOf(hits),
  })
  return likely >= least
}

/**
 * Whether the chosen passage has no topic of the question, and tells what any business or its trade is asked for all the
 * same: `is there parking` and "a small lot with six spaces".
 */
export function isToldInOtherWords(
  hits: readonly Evidence[],
  chosen: ChosenQuotes | undefined,
  { isForSale, isAddressed }: Asking,
): boolean {
  const best = hits[chosen?.source.place ?? 0]
  if (best === undefined || isForSale || !isAddressed || best.intent < TOLD) return false
  const topics = best.terms.filter(({ isTopic }) => isTopic)
  return topics.every(({ closeness }) => closeness < KNOWN_WORD)
}

/** How often the passages of a site are twice as many as those of the sites that the weights were fitted on. */
const sizeOf = (hits: readonly Evidence[]): number =>
  Math.max(0, Math.log2((hits[0]?.passages ?? 0) / FITTED_PASSAGES))

/** `doubt` is subtracted from the weighted sum of a business's model. */
function likelihood(
  features: readonly number[],
  weights: readonly number[],
  { documentationShare, doubt }: { documentationShare: number; doubt: number },
): number {
  const sum =
    (1 - documentationShare) * (weigh(features, weights) - doubt) +
    documentationShare * weigh(features, MODELS.documentation)
  return 1 / (1 + Math.exp(-sum))
}

/** Whether a question has general terms only. */
const isGeneral = (hits: readonly Evidence[]): boolean =>
  hits[0]?.terms.every((term) => term.isGeneral) ?? true
