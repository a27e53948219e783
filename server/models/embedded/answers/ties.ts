import { shareOfDetail } from '../../../lib/text/detail.ts'
import { fold } from '../../../lib/text/fold.ts'
import { isOwnDetail } from '../understanding/details.ts'
import type { MessageReading } from '../understanding/message.ts'
import { satisfies } from '../understanding/question-kind.ts'
import type { QuoteSource, RatedSource } from './choice.ts'
import type { ChosenQuotes } from './quotes.ts'
import type { AnswerHit } from './sources.ts'

/** Two passages tell the same where both are so likely to, have the same topics and are rated nearly alike. */
const TOLD = 0.8
const TIED_TOPICS = 0.05
const TIED_VALUE = 1.5
/** How much worse a section is rated that may be asked for as well, and how likely it tells what is asked for. */
const CONTESTED_VALUE = 4
const CONTESTED_INTENT = 0.4
/** How plainly sections of one page tell the hours, the phone or the address of a branch each. */
const DETAIL_OF_BRANCH = 2

/** Questions for a free place of a course or a table, and Turkish parking, whose word for a place is the same. */
const FREE_PLACE =
  /^(?!.*(?:park|arac|araba)).*\byer(?:iniz|leriniz)? (?:var|kaldi|acil\w*|bulunur) m[iu]/
const PARKING = /\bpark yer|\botopark/
/** The kinds of what a site tells of itself. */
const OWN_DETAILS = ['place', 'contact', 'email'] as const

/** Whether two passages tell what is asked for alike, such as the deposits of a tour and of a hire. */
export function isTied(chosen: ChosenQuotes | undefined): boolean {
  const [main, rival] = chosen?.rated ?? []
  if (main === undefined || rival === undefined || chosen === undefined) return false
  const isAlike = ({ source, holds }: ChosenQuotes['rated'][number]): boolean =>
    holds === true &&
    source.isOwn &&
    source.intent >= TOLD &&
    source.topics >= main.source.topics - TIED_TOPICS
  return chosen.margin < TIED_VALUE && isAlike(main) && isAlike(rival)
}

/**
 * The sections that tell such a thing too, such as the deposit of another service or the other prices, while the question
 * does not name all of the chosen one's heading.
 */
export function contestersOf(
  hits: readonly AnswerHit[],
  chosen: ChosenQuotes,
): readonly RatedSource[] {
  const [main, ...others] = chosen.rated
  const own = hits[main?.source.place ?? 0]
  if (main === undefined || own === undefined) return []
  const isNamed =
    own.headingAsked === 1 &&
    own.terms.some(({ isTopic }, at) => isTopic && (own.headingMatched & (1 << at)) !== 0)
  if (isNamed && main.source.detail === 0) return []
  const isOfAllPrices = ({ isPriceList }: QuoteSource): boolean =>
    isPriceList && main.source.isPriceList
  const isElsewhere = ({ document, place }: QuoteSource): boolean =>
    document !== main.source.document || isCalledAlike(own, hits[place])
  // The price to repair a phone, and what is paid for it.
  const isNamedAlike = ({ named }: QuoteSource): boolean =>
    named > 0 && named >= main.source.named - TIED_TOPICS
  const isSuch = (source: QuoteSource): boolean =>
    (isOfAllPrices(source) ||
      (isElsewhere(source) && (source.intent >= CONTESTED_INTENT || isNamedAlike(source)))) &&
    source.topics >= main.source.topics - TIED_TOPICS
  return others.filter(
    ({ source, holds, value }) =>
      (isSuch(source) || isOtherBranch(source, main.source)) &&
      source.isOwn &&
      !isCopyOf(source, main.source) &&
      holds !== false &&
      main.value - value < CONTESTED_VALUE,
  )
}

/**
 * Whether two sections tell the detail that is asked for, as those of branches do: of a page the hours, the phone or the
 * address, and of several pages the hours, which each service may have of its own.
 */
export const isOtherBranch = (one: QuoteSource, other: QuoteSource): boolean =>
  Math.min(one.detail, other.detail) >= DETAIL_OF_BRANCH &&
  (one.document === other.document || (tellsHours(one) && tellsHours(other)))

const tellsHours = ({ quotes }: QuoteSource): boolean =>
  quotes.some(({ folded }) => shareOfDetail('hours', folded) === 1)

/** Whether two passages have the same sentences, as pages have that repeat a note. */
const isCopyOf = (one: QuoteSource, other: QuoteSource): boolean =>
  one.quotes.length === other.quotes.length &&
  one.quotes.every(({ folded }, at) => folded === other.quotes[at]?.folded)

/** Whether two sections of a page have the same words of the question in their headings: `Dogs on the beach`, `Dogs on the pitches`. */
function isCalledAlike(own: AnswerHit, other: AnswerHit | undefined): boolean {
  if (other === undefined || own.passage.heading === other.passage.heading) return false
  const isNamed = own.terms.some(
    ({ isTopic }, at) => isTopic && (own.headingMatched & (1 << at)) !== 0,
  )
  return isNamed && own.headingMatched === other.headingMatched
}

/**
 * Whether another section of the page tells the same of something else, such as the hours of another branch: its best row
 * has the same name, or all of its heading is asked for and not that of the chosen one.
 */
export function isOfOther(hits: readonly AnswerHit[], chosen: ChosenQuotes | undefined): boolean {
  const [main, ...others] = chosen?.rated ?? []
  const own = hits[main?.source.place ?? 0]
  if (main === undefined || own === undefined) return false
  const name = rowName(main)
  return others.some((rival) => {
    const other = hits[rival.source.place]
    if (other === undefined || rival.source.document !== main.source.document) return false
    const named = other.headingMatched & ~own.headingMatched
    const isNamed = own.terms.some(
      ({ isTopic, isPlace }, at) => (isTopic || isPlace) && (named & (1 << at)) !== 0,
    )
    if (isNamed && other.headingAsked === 1 && own.headingAsked < 1) return true
    const isNear = main.value - rival.value < TIED_VALUE
    return (
      isNear &&
      name !== '' &&
      name === rowName(rival) &&
      own.headingMatched === other.headingMatched
    )
  })
}

/** The name of a passage's best row; empty where its best part is none. */
function rowName({ source, values, best }: ChosenQuotes['rated'][number]): string {
  const lead = source.quotes[values.indexOf(best)]
  return lead?.kind === 'row' ? (lead.text.split(' — ')[0] ?? '') : ''
}

/** Whether a quote tells the site's address or phone for the visitor's own, or of parking for a free place. */
export function tellsBeside({ search }: MessageReading, chosen: ChosenQuotes | undefined): boolean {
  if (chosen === undefined) return false
  const asked = fold(search.question)
  if (FREE_PLACE.test(asked) && PARKING.test(chosen.lead.folded)) return true
  if (!isOwnDetail(asked)) return false
  return OWN_DETAILS.some((kind) => satisfies(kind, chosen.lead.folded) === true)
}
