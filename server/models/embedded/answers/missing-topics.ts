import { fold } from '../../../lib/text/fold.ts'
import { sumOfBits } from '../../../lib/text/word-mask.ts'
import { namesDay } from '../understanding/details.ts'
import type { MessageReading } from '../understanding/message.ts'
import { asksForJob } from '../understanding/off-topic.ts'
import { NAMED_WORD } from './confidence.ts'
import type { ChosenQuotes } from './quotes.ts'
import { type AnswerHit, isOfJobs } from './sources.ts'

/**
 * The share of its topics that the quote of a sure answer has, where yes or no is asked for: of one that the
 * site does not name at all, by its closeness, the quote has to say more of the others.
 */
const MIN_SAID_TOPICS = 0.4
const MIN_SAID_BESIDE = 0.7
const UNNAMED_WORD = 0.5
const OF_PLACE: ReadonlySet<MessageReading['kind']> = new Set(['price', 'duration', 'amount'])
/** The least weight of a word of the question before that tells a topic. */
const MIN_CONTEXT = 0.15
/** The weight of a word that few of the site's passages have: one of them is what it is asked about. */
const RARE_WEIGHT = 0.75

/**
 * Whether a question for yes or no is about something that the site does not name (`Can I bring my dog to the
 * café?`), or that the quote leaves out.
 */
export function lacksTopic(
  { isPolar }: MessageReading,
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes | undefined,
): boolean {
  if (!isPolar || hit === undefined || chosen === undefined) return false
  const isAskedTopic = ({ isTopic, isAsked, folded }: AnswerHit['terms'][number]): boolean =>
    isTopic && isAsked && !namesDay(folded)
  const weights = hit.terms.map((term) => (isAskedTopic(term) ? term.weight : 0))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const said = chosen.quotes.reduce((mask, quote) => mask | quote.matched, hit.headingMatched)
  const isUnnamed = hit.terms.some((term) => isAskedTopic(term) && term.closeness < UNNAMED_WORD)
  return sumOfBits(said, weights) < total * (isUnnamed ? MIN_SAID_BESIDE : MIN_SAID_TOPICS)
}

/** The words of a question that the quotes have or what stands above them, one bit each. */
const saidBy = ({ headingMatched, titleMatched }: AnswerHit, { quotes }: ChosenQuotes): number =>
  quotes.reduce((mask, { matched }) => mask | matched, headingMatched | titleMatched)

/** Whether a question is about something that the site names elsewhere, and not under this heading. */
export function isElsewhere(
  { search }: MessageReading,
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes | undefined,
): boolean {
  if (hit === undefined || chosen === undefined || search.detail !== undefined) return false
  const said = saidBy(hit, chosen)
  return hit.terms.some(
    ({ isAsked, isTopic, folded, weight, closeness }, at) =>
      isAsked &&
      isTopic &&
      !namesDay(folded) &&
      weight >= RARE_WEIGHT &&
      closeness >= NAMED_WORD &&
      (said & (1 << at)) === 0,
  )
}

/** Whether a question asks for the price, the time or the number of something at a place that the site does not name; what goes abroad goes there too. */
export const lacksPlace = ({ kind }: MessageReading, hit: AnswerHit | undefined): boolean =>
  OF_PLACE.has(kind) &&
  hit?.terms.some(
    ({ isPlace, isAsked, closeness }) => isPlace && isAsked && closeness < UNNAMED_WORD,
  ) === true

/** Whether nothing that is quoted is on what was asked before, with which a question goes on. */
export function leavesContext(
  reading: Pick<MessageReading, 'refersBack'>,
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes | undefined,
): boolean {
  if (!reading.refersBack || hit === undefined || chosen === undefined) return false
  // `And parking?` names its own topic.
  if (hit.terms.some(({ isTopic, isAsked }) => isTopic && isAsked)) return false
  const said = saidBy(hit, chosen)
  const before = hit.terms.map(
    ({ isAsked, isGeneral, weight }) => !isAsked && !isGeneral && weight >= MIN_CONTEXT,
  )
  return (
    before.some(Boolean) && before.every((isBefore, at) => !isBefore || (said & (1 << at)) === 0)
  )
}

/** Whether a question asks for work, of which the passage says nothing. */
export const lacksJobs = ({ search }: MessageReading, hit: AnswerHit | undefined): boolean =>
  asksForJob(fold(search.question)) && !isOfJobs(hit)
