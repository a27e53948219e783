import { createStemmer, type Stemmer } from '../lib/fold.ts'
import { buildPostings, type BuiltIndex, type IndexedPassage } from './index-build.ts'
import { matchWord, type Postings } from './postings.ts'
import { readQuery, type QueryWord } from './query.ts'
import { readSynonyms, type Synonyms } from './synonyms.ts'

export type { IndexedPassage } from './index-build.ts'

/** Beyond this many passages of one document, others get their turn. */
const MOST_PER_DOCUMENT = 3
const DOCUMENT_SHARE = 0.9
const GENERAL_WORD = 0.4
/** How much a word that nothing matches weighs against one found in a single passage. */
const UNKNOWN_WORD = 0.9

export interface SearchIndex extends BuiltIndex {
  entries: readonly IndexedPassage[]
  stemmer: Stemmer
  synonyms: Synonyms
}

/** A word of the question: how the index spells what it matched, and how rare that is. */
export interface QueryTerm {
  folded: string
  forms: readonly string[]
  /** 0–1: how much the word says about the topic. */
  weight: number
}

export interface Hit {
  passage: IndexedPassage
  /** Comparable within one answer only; the first is the highest. */
  score: number
  /** 0–1: the share of the question, by rarity, that the passage, its heading and its title hold. */
  coverage: number
  /** 0–1: the same of the passage's whole document. */
  documentCoverage: number
  /** The words of the question, the same for all hits of a search. */
  terms: readonly QueryTerm[]
}

/** Indexes a tenant's passages. Share one stemmer among indexes: it is most of the time. */
export function buildIndex(
  passages: readonly IndexedPassage[],
  stemmer: Stemmer = createStemmer(),
): SearchIndex {
  const entries = [...passages]
  return { ...buildPostings(entries, stemmer), entries, stemmer, synonyms: readSynonyms() }
}

interface Scores {
  score: Float32Array
  covered: Float32Array
}

interface WeighedWord extends QueryWord {
  idf: number
  weight: number
}

function weighWord(index: SearchIndex, word: QueryWord): WeighedWord {
  const total = index.entries.length
  const { touched, match } = matchWord(index.passages, word)
  const found = touched.reduce((sum, unit) => sum + ((match[unit] ?? 0) >= 0.55 ? 1 : 0), 0)
  const count = found === 0 ? touched.length : found
  const idf = Math.log(1 + (total - count + 0.5) / (count + 0.5))
  const rarest = Math.log(1 + (total - 0.5) / 1.5)
  const rarity = count === 0 ? UNKNOWN_WORD : Math.min(1, idf / Math.max(rarest, 0.1))
  return { ...word, idf, weight: rarity * (word.isGeneral ? GENERAL_WORD : 1) }
}

function scoreUnits(postings: Postings, query: readonly WeighedWord[]): Scores {
  const score = new Float32Array(postings.unitCount)
  const covered = new Float32Array(postings.unitCount)
  for (const word of query) {
    const { touched, impact, match } = matchWord(postings, word)
    for (const unit of touched) {
      score[unit] = (score[unit] ?? 0) + word.idf * (impact[unit] ?? 0)
      covered[unit] = (covered[unit] ?? 0) + word.weight * (match[unit] ?? 0)
    }
  }
  return { score, covered }
}

/** The passages that best match a question, best first; at most three of one document. */
export function search(index: SearchIndex, question: string, limit: number): Hit[] {
  const query = readQuery(question, index).map((word) => weighWord(index, word))
  const total = query.reduce((sum, word) => sum + word.weight, 0)
  if (total === 0) return []
  const passages = scoreUnits(index.passages, query)
  const documents = scoreUnits(index.documents, query)
  const terms = query.map(({ folded, weight, terms: found }) => ({
    folded,
    weight,
    forms: found.map(({ id }) => index.vocabulary.terms[id] ?? ''),
  }))

  const ranked: { at: number; score: number }[] = []
  for (let at = 0; at < index.entries.length; at += 1) {
    const own = passages.score[at] ?? 0
    if (own === 0) continue
    const document = documents.score[index.documentOf[at] ?? 0] ?? 0
    ranked.push({ at, score: own + DOCUMENT_SHARE * document })
  }
  ranked.sort((a, b) => b.score - a.score || a.at - b.at)

  const hits: Hit[] = []
  const perDocument = new Map<number, number>()
  for (const { at, score } of ranked) {
    if (hits.length >= limit) break
    const passage = index.entries[at]
    const number = index.documentOf[at] ?? 0
    const taken = perDocument.get(number) ?? 0
    if (passage === undefined || taken >= MOST_PER_DOCUMENT) continue
    perDocument.set(number, taken + 1)
    hits.push({
      passage,
      score,
      coverage: Math.min(1, (passages.covered[at] ?? 0) / total),
      documentCoverage: Math.min(1, (documents.covered[number] ?? 0) / total),
      terms,
    })
  }
  return hits
}
