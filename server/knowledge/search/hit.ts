import type { Language } from '../../lib/text/language.ts'
import { belowTitle } from '../parsers/chunk.ts'
import type { IndexedPassage } from './index-builder.ts'
import type { ScoredQuote } from './quotes.ts'

/** A word of the query with its weight. */
export interface QueryTerm {
  folded: string
  /** A word of the question itself, neither of its context nor a hint. */
  isAsked: boolean
  /** 0–1: how much the word tells about the topic. */
  weight: number
  /** A word of any topic, such as `kullanmak` or `best`. */
  isGeneral: boolean
  /** A word of the question that no other question has, unlike `price`, `day` and `best`. */
  isTopic: boolean
  /** Names a country or a city. */
  isPlace: boolean
  /** A product in a question about returns or warranties. */
  isGoods: boolean
  /** A term that a page on the subject leaves out, such as the people of a discount. */
  isOptional: boolean
  /** 0–1: how closely a word of the site matches it. */
  closeness: number
}

export interface Hit {
  passage: IndexedPassage
  /** Comparable within one search only; the first hit has the highest. */
  score: number
  /** 0–1: share of the query, by rarity, that the passage, its heading and its title cover. */
  coverage: number
  /** 0–1: the same share for the whole document. */
  documentCoverage: number
  /** 0–1: share of the query that its headings and its document's titles cover. */
  headingCoverage: number
  /** 0–1: how much its document is about the query instead of only mentioning it. */
  aboutness: number
  /** 0–1: how far the site is weighed as documentation; a business lacks words that it need not have. */
  documentationShare: number
  /** The passages of the site. */
  passages: number
  /** The documents of the site. */
  documents: number
  /** The words of the query, the same for all hits of a search. */
  terms: readonly QueryTerm[]
  /** Quotable parts of the passage with their scores, in reading order. */
  quotes: readonly (ScoredQuote & { intent: number })[]
  /** 0–1: share of the query that the heading alone covers. */
  headingShare: number
  /** 0–1: share of the words of the last heading that the query has. */
  headingAsked: number
  /** The words of the query that the heading has: one bit each, in the order of `terms`. */
  headingMatched: number
  /** Those that the title of the document has. */
  titleMatched: number
  /** 0–1: share of the topics of the query that the passage or its heading has; 0 without topics. */
  topicShare: number
  language: Language | undefined
  /** How plainly it tells the detail that is asked for: 0 for not at all, up to 5. */
  detail: number
  /** 0–1: how likely it tells what any business is asked for, as far as the question asks for that. */
  intent: number
  /** Whether the question was searched together with the one before; the same for all hits of a search. */
  isLeaning: boolean
  /** Whether it lists the prices that are asked for, of what the whole site sells or the page's title names. */
  isPriceList: boolean
  /** 0–1: how far the reply before rests on it, by the citations of that. */
  citedBefore: number
}

/** A passage as the citation of a reply names it. */
export interface CitedPassage {
  title: string
  /** Below the title; as that where there is none. */
  heading: string
}

/** How far a reply rests on the passage that it cites first, on another one, and on the rest of the first one's page. */
const CITED = { first: 1, other: 0.6, page: 0.2 }

/** Returns how far a reply with these citations rests on a passage, 0–1. */
export function shareOfCited(
  { title, heading }: Pick<IndexedPassage, 'title' | 'heading'>,
  cited: readonly CitedPassage[],
): number {
  if (!cited.some((citation) => citation.title === title)) return 0
  const own = belowTitle(heading, title)
  const at = cited.findIndex((citation) => citation.title === title && citation.heading === own)
  if (at >= 0) return at === 0 ? CITED.first : CITED.other
  return cited[0]?.title === title ? CITED.page : 0
}

/** Whether a reply cites the passage itself, and not only its page. */
export const isCited = (share: number): boolean => share > CITED.page
