import { sumOfBits } from '../../lib/text/word-mask.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import { readOwnNumbers } from '../../lib/text/quantity.ts'
import { createStemmer, type Stemmer } from '../../lib/text/stemmer.ts'
import type { Detail } from '../../lib/text/detail.ts'
import type { Language } from '../../lib/text/language.ts'
import { listStopWords } from '../../lib/text/stop-words.ts'
import { addTold, choosePrices, findPriceLists, measureDetail, withPrices } from './details.ts'
import { type Hit, shareOfCited } from './hit.ts'
import { buildPostings, type BuiltIndex, type IndexedPassage } from './index-builder.ts'
import { relaxQuery } from './query-relaxation.ts'
import { messageLanguage } from './message-language.ts'
import { IntentMatcher, measureIntents, type PassageIntents } from './intents/passage-intents.ts'
import { fuseRanks, type RankedPassage, topOf, withCited } from './rank-fusion.ts'
import { limitPostings, scoreUnits, type Scores } from './postings.ts'
import {
  type QueryWord,
  type WordRole,
  type SearchRequest,
  type WordCache,
  parseQuery,
  SYNONYM_WEIGHTS,
  type SynonymWeights,
} from './query.ts'
import { splitQuotes, QuoteScorer, type QuotablePassage, withFit } from './quotes.ts'
import { SearchBuffers } from './score-buffers.ts'
import { documentationShareOf, isDocumentation } from './documentation-share.ts'
import { languagesWritten, shippedSynonyms } from './shipped-synonyms.ts'
import { runInSlices } from './slices.ts'
import { Synonyms } from './synonyms.ts'
import { Vocabulary } from './vocabulary.ts'
import { DIRECT_MATCH, STEM_MATCH, weighRole, type WeighedWord, weighWord } from './word-weights.ts'

export type { IndexedPassage } from './index-builder.ts'

/** Hits per document; further passages of the document are skipped. */
const MAX_PER_DOCUMENT = { business: 8, documentation: 3 }
/** Lower bound of a hit, as a share of the best score; below it, only a common word matches. */
const MIN_SHARE = 0.3
const FIELD_BOOSTS = { heading: 0.6, above: 0.4, title: 1, document: 0.6 }
/** Quotable parts in the cache of an index, some 300 bytes each. */
const MAX_CACHED_PARTS = 3_000
/**
 * Above 1, a fuzzy match covers less of the query than it adds to the score. What a business says in
 * another word is most likely what is asked for; documentation has the word too.
 */
const FUZZY_PENALTY = { business: 1.4, documentation: 2.2 }
/** Of an inflected, corrected or translated word, and not of a synonym. */
const SAME_MATCH = 0.75
/** The weight of a word that a quarter of the site's passages have, and of one that a tenth has. */
const COMMON_TOPIC = 0.65
const ONLY_TOPIC = 0.8
/** Passages of which each is looked at for a detail when it is first asked for: 5,000 took 45 ms. */
const MAX_MEASURED = 3_000
/** Candidates whose sentences are looked at, for each hit, and what a sentence with all words adds. */
const CANDIDATES_PER_HIT = 3
const SENTENCE_SHARE = 1
/** Lower bound of the closeness of a term that selects quotes. */
const QUOTED_MATCH = 0.3
/** A question that leans on the one before has at most so many words, and so many that tell a topic. */
const MAX_OPEN_WORDS = 9
const MAX_OPEN_TOPICS = 2

export interface SearchIndex extends BuiltIndex {
  entries: readonly IndexedPassage[]
  /** 0–1: how far the site is weighed as documentation. */
  documentationShare: number
  stemmer: Stemmer
  synonyms: Synonyms
  synonymWeights: SynonymWeights
  /** The tenant's groups among them, as JSON. */
  ownSynonyms: string
  stopWords: Vocabulary
  /** In which the site is written. */
  languages: ReadonlySet<Language>
  /** Quotable parts of passages that were hits before, by passage; bounded. */
  quotables: Map<number, QuotablePassage>
  wordCache: WordCache
  /** How plainly each passage tells a detail, or whether it lists prices; measured when it is first asked for. */
  details: Map<Detail | 'prices', Uint8Array>
  /** The intents of the passages' parts; none of large documentation. */
  intents: PassageIntents | undefined
}

/** Indexes a tenant's passages. Share one stemmer among indexes: it is most of the time. */
export function buildIndexSync(
  passages: readonly IndexedPassage[],
  stemmer: Stemmer = createStemmer(),
): SearchIndex {
  const steps = buildSteps(passages, stemmer)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The estimated memory of a build exceeded its bound. */
export class IndexTooLargeError extends Error {
  override name = 'IndexTooLargeError'
}

/**
 * Does the same in slices of 10 ms, so that the build of a large index does not block the event loop.
 * Throws IndexTooLargeError as soon as the estimated memory exceeds `maxBytes`.
 */
export function buildIndexCooperatively(
  passages: readonly IndexedPassage[],
  stemmer: Stemmer,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<SearchIndex> {
  return runInSlices(buildSteps(passages, stemmer), (bytes) => {
    if ((bytes ?? 0) > maxBytes) throw new IndexTooLargeError()
  })
}

/** Adds the bytes of what is built already to those that steps yield. */
function* withBytes<Result>(
  steps: Generator<number, Result>,
  bytes: number,
): Generator<number, Result> {
  let step = steps.next()
  while (step.done !== true) {
    yield bytes + step.value
    step = steps.next()
  }
  return step.value
}

function* buildSteps(
  passages: readonly IndexedPassage[],
  stemmer: Stemmer,
): Generator<number | undefined, SearchIndex> {
  const built = yield* buildPostings(passages, stemmer)
  const intents = isDocumentation(documentationShareOf(passages))
    ? undefined
    : yield* withBytes(measureIntents(passages), built.bytes)
  const bytes = built.bytes + (intents?.bytes ?? 0)
  return assembleIndex(passages, { ...built, bytes, intents }, stemmer)
}

/** Returns the index of passages from the parts that are counted; everything else follows from them. */
export function assembleIndex(
  passages: readonly IndexedPassage[],
  counted: BuiltIndex & Pick<SearchIndex, 'intents'>,
  stemmer: Stemmer,
): SearchIndex {
  const documentationShare = documentationShareOf(passages)
  return {
    ...counted,
    entries: [...passages],
    documentationShare,
    stemmer,
    synonyms: shippedSynonyms(isDocumentation(documentationShare)),
    synonymWeights: isDocumentation(documentationShare)
      ? SYNONYM_WEIGHTS.documentation
      : SYNONYM_WEIGHTS.business,
    ownSynonyms: '[]',
    stopWords: Vocabulary.of(listStopWords().toSorted()),
    languages: languagesWritten((word) => counted.vocabulary.find(word) !== undefined),
    quotables: new Map(),
    wordCache: new Map(),
    details: new Map(),
  }
}

/** Makes an index use the tenant's own synonyms beside the shipped ones. Idempotent. */
export function useSynonyms(index: SearchIndex, own: readonly (readonly string[])[]): void {
  const json = JSON.stringify(own)
  if (index.ownSynonyms === json) return
  index.ownSynonyms = json
  const shipped = shippedSynonyms(isDocumentation(index.documentationShare))
  index.synonyms = own.length === 0 ? shipped : new Synonyms(own, { base: shipped })
  index.wordCache.clear()
}

/** Scores headings; those with few words beside the query score most. */
function scoreHeadings(
  index: SearchIndex,
  query: readonly WeighedWord[],
  { fuzzyPenalty, buffers }: { fuzzyPenalty: number; buffers: SearchBuffers },
): Scores {
  const found = scoreUnits(index.headings, query, { fuzzyPenalty, buffers: buffers.headings })
  for (let unit = 0; unit < found.score.length; unit += 1) {
    const score = found.score[unit] ?? 0
    if (score === 0) continue
    const share = (found.count[unit] ?? 0) / (index.headingLengths[unit] ?? 1)
    found.score[unit] = score * Math.sqrt(Math.min(1, share))
  }
  return found
}

function best(values: Float32Array, places: readonly number[], from = 0): number {
  let max = 0
  for (let at = from; at < places.length; at += 1) {
    max = Math.max(max, values[places[at] ?? 0] ?? 0)
  }
  return max
}

/** Returns the candidate passages, best first; only candidates are sorted, not every match. */
function rank(
  index: SearchIndex,
  { passages, documents, headings }: Record<'passages' | 'documents' | 'headings', Scores>,
  buffers: SearchBuffers,
): RankedPassage[] {
  // Plain loops: this runs over every passage at every question.
  const ofDocuments = buffers.ofDocuments.take(documents.score.length)
  for (let number = 0; number < ofDocuments.length; number += 1) {
    const titles = best(headings.score, index.titlesOf[number] ?? [])
    ofDocuments[number] =
      FIELD_BOOSTS.document * (documents.score[number] ?? 0) + FIELD_BOOSTS.title * titles
  }
  const scores = buffers.ofPassages.take(passages.score.length)
  let max = 0
  for (let at = 0; at < scores.length; at += 1) {
    const own = passages.score[at] ?? 0
    if (own === 0) continue
    const over = index.headingsOf[at] ?? []
    const score =
      own +
      (ofDocuments[index.documentOf[at] ?? 0] ?? 0) +
      FIELD_BOOSTS.heading * (headings.score[over[0] ?? 0] ?? 0) +
      FIELD_BOOSTS.above * best(headings.score, over, 1)
    scores[at] = score
    if (score > max) max = score
  }
  const found: RankedPassage[] = []
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] ?? 0
    if (score > 0 && score >= max * MIN_SHARE) found.push({ at, score })
  }
  return found.toSorted((a, b) => b.score - a.score || a.at - b.at)
}

/** How plainly each passage of a business tells a detail, or lists prices; `undefined` where none is asked for. */
function tellDetail(
  index: SearchIndex,
  detail: Detail | 'prices' | undefined,
): Uint8Array | undefined {
  if (detail === undefined || isDocumentation(index.documentationShare)) return undefined
  if (index.entries.length > MAX_MEASURED) return undefined
  const known = index.details.get(detail)
  if (known !== undefined) return known
  const { entries } = index
  const measured = detail === 'prices' ? findPriceLists(entries) : measureDetail(detail, entries)
  index.details.set(detail, measured)
  return measured
}

/** Whether a question is about the whole site: it has common words of that, or one that is not rare. */
const isOfSite = (topics: readonly WeighedWord[]): boolean =>
  topics.every(({ weight }) => weight <= COMMON_TOPIC) ||
  (topics.length === 1 && topics.every(({ weight }) => weight <= ONLY_TOPIC))

function openQuotable(index: SearchIndex, at: number, passage: IndexedPassage): QuotablePassage {
  const cached = index.quotables.get(at)
  if (cached) return cached
  const quotable = splitQuotes(passage, index.vocabulary, index.stemmer)
  let parts = quotable.pieces.length
  for (const { pieces } of index.quotables.values()) parts += pieces.length
  if (parts > MAX_CACHED_PARTS) index.quotables.clear()
  index.quotables.set(at, quotable)
  return quotable
}

/**
 * Of a business, ranks those passages first that have the words of the question in one sentence: a
 * page of questions and answers has all words of its topics somewhere.
 */
function promoteSentences(
  index: SearchIndex,
  ranked: readonly RankedPassage[],
  relevance: QuoteScorer,
  limit: number,
): readonly RankedPassage[] {
  if (isDocumentation(index.documentationShare)) return ranked
  return ranked
    .slice(0, limit * CANDIDATES_PER_HIT)
    .flatMap(({ at, score }) => {
      const passage = index.entries[at]
      if (passage === undefined) return []
      const quotable = openQuotable(index, at, passage)
      const share = quotable.pieces.reduce((max, part) => Math.max(max, relevance.ofPart(part)), 0)
      return [{ at, score: score * (1 + SENTENCE_SHARE * share) }]
    })
    .toSorted((a, b) => b.score - a.score)
}

/** Whether the site has a word of a query so closely. */
const isKnown = ({ terms }: QueryWord, closeness: number): boolean =>
  terms.some(({ weight }) => weight >= closeness)

/**
 * Whether a question says too little on its own to be asked without the one before it: `how soon could someone come
 * out` after one for a valuation. What it is about stands on the site; a request of other words begins another topic,
 * and so does one for the price or the place of what it names.
 */
function isOpen({ question, hints = [] }: SearchRequest, words: readonly QueryWord[]): boolean {
  const topics = words.filter(({ role, isTopic }) => role === 'question' && isTopic)
  return (
    topics.length <= (hints.length > 0 ? 0 : MAX_OPEN_TOPICS) &&
    topics.every((word) => isKnown(word, STEM_MATCH)) &&
    splitWords(question).length <= MAX_OPEN_WORDS
  )
}

/**
 * Returns the best matching passages, best first, at most eight per document, of documentation three. `nearest` are passages
 * whose vectors are near to the question's, the nearest first: their ranks count like the lexical ones.
 */
export function search(
  index: SearchIndex,
  request: SearchRequest,
  limit: number,
  {
    nearest = [],
    buffers = new SearchBuffers(),
  }: { nearest?: readonly number[]; buffers?: SearchBuffers } = {},
): Hit[] {
  const { documentationShare } = index
  const parsed = parseQuery(request, index)
  // Large documentation says of each thing on its own what it returns.
  const asked = isDocumentation(documentationShare) ? parsed : relaxQuery(parsed)
  const words = limitPostings(asked, index.passages)
  const isAboutContext = !words.some(({ role, isGeneral }) => role === 'question' && !isGeneral)
  const earlier: WordRole = isOpen(request, words) ? 'context' : 'earlier'
  // The words of the question before would rank all passages where the site lacks those of this one.
  const isNamed = words.some((word) => word.role === 'question' && isKnown(word, DIRECT_MATCH))
  const isLeaning = earlier === 'context' && words.some(({ role }) => role === 'earlier')
  const scored = words
    .map((word) => ({ ...word, role: word.role === 'earlier' ? earlier : word.role }))
    .filter(({ role }) => role !== 'earlier' || isNamed)
    .map((word) => weighRole(weighWord(index, word), isAboutContext))
  const query = scored.filter(({ role }) => role !== 'earlier')
  const weighed = query.reduce((sum, word) => sum + word.weight, 0)
  const told = tellDetail(index, request.detail)
  const named = query.filter(({ isTopic, role }) => isTopic && role === 'question')
  const intents = new IntentMatcher(index.intents, {
    question: request.question,
    language: messageLanguage(request.question) ?? [...index.languages][0],
    detail: request.detail,
    namesPlace: query.some(({ isPlace }) => isPlace),
  })
  const quantities = isDocumentation(documentationShare)
    ? []
    : readOwnNumbers(fold(request.question))
  if (weighed === 0 && nearest.length === 0 && told === undefined && !intents.isAsking) return []
  const total = weighed || 1
  const { business, documentation } = FUZZY_PENALTY
  const fuzzyPenalty = business + (documentation - business) * documentationShare
  const passages = scoreUnits(index.passages, scored, { fuzzyPenalty, buffers: buffers.passages })
  const documents = scoreUnits(index.documents, scored, {
    fuzzyPenalty,
    buffers: buffers.documents,
  })
  const headings = scoreHeadings(index, scored, { fuzzyPenalty, buffers })
  const terms = query.map(
    ({
      folded,
      role,
      isGeneral,
      isTopic,
      isPlace,
      isGoods,
      isOptional,
      weight,
      terms: matches,
    }) => ({
      folded,
      isAsked: role === 'question',
      isGeneral,
      isTopic: isTopic && role === 'question',
      isPlace,
      isGoods,
      isOptional,
      weight,
      closeness: Math.max(0, ...matches.map((match) => match.weight)),
    }),
  )
  const relevance = new QuoteScorer(
    query.map(({ weight: share, terms: matches }) => ({
      weight: share,
      ids: matches.filter(({ weight }) => weight >= QUOTED_MATCH).map(({ id }) => id),
      close: matches.filter(({ weight }) => weight >= DIRECT_MATCH).map(({ id }) => id),
      same: matches.filter(({ weight }) => weight >= SAME_MATCH).map(({ id }) => id),
    })),
    quantities,
  )
  const topics = query.map(({ isTopic, role, weight }) => (isTopic && role !== 'hint' ? weight : 0))
  const topicTotal = Math.max(
    topics.reduce((sum, weight) => sum + weight, 0),
    Number.EPSILON,
  )
  const lists = tellDetail(index, request.asksPrice === true ? 'prices' : undefined)
  const prices = choosePrices(lists, {
    isOfSite: isOfSite(named),
    titleShare: (at) =>
      best(headings.covered, index.titlesOf[index.documentOf[at] ?? 0] ?? []) / total,
  })
  const byWords = rank(index, { passages, documents, headings }, buffers)
  const bySentences = promoteSentences(index, byWords, relevance, limit)
  const lexical = withPrices(addTold(intents.rank(bySentences), told), prices, named.length)
  const ranked = nearest.length === 0 ? lexical : fuseRanks(lexical, nearest)
  const hits: Hit[] = []
  const { cited = [] } = request
  const most = MAX_PER_DOCUMENT[isDocumentation(documentationShare) ? 'documentation' : 'business']
  const top = topOf(ranked, { limit, most, documentOf: index.documentOf })
  for (const { at, score } of withCited(top, { entries: index.entries, ranked, cited })) {
    const passage = index.entries[at]
    const number = index.documentOf[at] ?? 0
    if (passage === undefined) continue
    const quotable = openQuotable(index, at, passage)
    const quotes = relevance
      .quotes(quotable)
      .map((quote) => ({ ...quote, intent: intents.ofPart(at, quote.at) }))
    const fit = quotes.reduce((max, quote) => Math.max(max, quote.fit), 0)
    const headingMatched = relevance.matchedBy(quotable.heading)
    const matched = quotes.reduce((mask, quote) => mask | quote.matched, headingMatched)
    hits.push({
      passage,
      score,
      coverage: withFit(Math.min(1, (passages.covered[at] ?? 0) / total), fit),
      documentCoverage: Math.min(1, (documents.covered[number] ?? 0) / total),
      headingCoverage: Math.min(
        1,
        best(headings.covered, [
          ...(index.headingsOf[at] ?? []),
          ...(index.titlesOf[number] ?? []),
        ]) / total,
      ),
      aboutness: Math.min(1, (documents.about[number] ?? 0) / total),
      documentationShare,
      passages: index.entries.length,
      documents: index.titlesOf.length,
      terms,
      quotes,
      headingMatched,
      titleMatched: relevance.matchedBy(quotable.title),
      headingAsked: relevance.shareOf(quotable.headline),
      headingShare: relevance.of(quotable.heading),
      topicShare: sumOfBits(matched, topics) / topicTotal,
      language: quotable.language,
      detail: told?.[at] ?? 0,
      intent: intents.ofPassage(at),
      isLeaning,
      isPriceList: (prices?.[at] ?? 0) > 0,
      citedBefore: shareOfCited(passage, cited),
    })
  }
  return hits
}
