import { fitOf, type Quantity, readQuantities } from '../../lib/text/quantity.ts'
import { sumOfBits } from '../../lib/text/word-mask.ts'
import { fold, hyphenated, splitWords } from '../../lib/text/fold.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import { detectLanguage, type Language } from '../../lib/text/language.ts'
import { isStopWord } from '../../lib/text/stop-words.ts'
import { sentences } from '../../lib/text/sentences.ts'
import type { Vocabulary } from './vocabulary.ts'

export type QuoteKind = 'sentence' | 'item' | 'row' | 'code'

/** A part of a passage that can be quoted alone. */
interface QuoteCandidate {
  text: string
  /** The text without case and accents. */
  folded: string
  kind: QuoteKind
  /** The index terms of its words, without duplicates. */
  terms: Uint32Array
  /** Those of what is said for it elsewhere: the names of a row's columns, the question it answers. */
  context: Uint32Array
  /** Those of each word of the name of a row or an item, such as a product before its price; none of any other part. */
  name: readonly Uint32Array[]
  /** Its numbers with their units, read when a question has one. */
  quantities?: readonly Quantity[]
}

/** A passage split into quotable parts. Built on its first hit and cached with the index. */
export interface QuotablePassage {
  pieces: readonly QuoteCandidate[]
  heading: Uint32Array
  title: Uint32Array
  /** The index terms of each word of the last heading, without small words. */
  headline: readonly Uint32Array[]
  language: Language | undefined
}

/** A quotable part with its score for one query. */
export interface ScoredQuote {
  text: string
  /** The text without case and accents. */
  folded: string
  kind: QuoteKind
  /** Position in its passage. */
  at: number
  /** Share of the query that the part covers, 0–1 by weight. */
  score: number
  /** The same together with a row's heading and column names, or with the question that it answers. */
  inContext: number
  /** The words of the query that it has, closely matched: one bit each, in their order. */
  matched: number
  /** How much it says of the numbers that were asked about, 0–1; see `fitOf`. */
  fit: number
  /** The words of the query that are the name of a row or an item, which it has in full: one bit each. */
  named: number
}

/** Share of a word that a quote covers by a synonym. */
const SYNONYM_SHARE = 0.83
/** How far what is said of an asked number covers a question that its words do not. */
const QUANTITY_SHARE = 0.5
const MAX_QUOTABLE_LENGTH = 6_000
const LANGUAGE_SAMPLE = 600
/** A longer list item is quoted by its sentences. */
const MAX_ITEM_LENGTH = 240
const FENCE = /^(?:`{3,}|~{3,})/
const MARKER = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/
/** A line that begins with an ordinal number: `7. aydan sonra`. After another item it is an item too. */
const ORDINAL_LINE = /^\s*(?!1\.)\d{1,3}\.\s+\p{Ll}/u
/** Tables of more columns than these name them in each row. */
const NAMED_COLUMNS = 2
/** Of fewer columns, those without whose name a value means something else: what it is per, and what is paid back. */
const TELLING_NAME =
  /\b(?:per|pro|each)\b|\/ ?\p{L}|\bbasina\b|\b(?:kilosu|tanesi|metresi)\b|\brefund|\breturned\b|\biade|\bkesinti|\bdeposit|\bdepozito|\bkapora|\berstatt|\bkaution/u
/** One or two words that are neither yes nor no. */
const LABEL = /^(?!(?:yes|no|evet|hayır|ja|nein)\b)\p{L}[\p{L}'’-]*(?: [\p{L}'’-]+)?\.$/iu
const TABLE_RULE = /^[|:\-\s]+$/

interface QuotePart {
  text: string
  kind: QuoteKind
  /** The words that it is found by, where they are not those of the text. */
  found?: string
  /** The names of a row's columns. */
  columns?: string
}

function readCells(line: string): string[] {
  const cells = line.split('|').map((cell) => cell.trim())
  return cells.slice(1, cells.at(-1) === '' ? -1 : undefined)
}

/** Whether a cell says something: a letter, a number or a mark such as `✓`, and not only a dash. */
const isTelling = (cell: string): boolean => /[\p{L}\p{N}✓✔✗✘]/u.test(cell)

/** A row names its columns where there is more than one value: `Suite — Capacity: 2 — Price: 90 €`. */
function readRow(line: string, head: readonly string[]): QuotePart[] {
  if (TABLE_RULE.test(line)) return []
  const cells = readCells(line)
  const named = cells.map((cell, at) => {
    const isNamed = head.length > NAMED_COLUMNS || TELLING_NAME.test(fold(head[at] ?? ''))
    const name = at === 0 || !isNamed ? '' : (head[at] ?? '')
    return name === '' || !isTelling(cell) ? cell : `${name}: ${cell}`
  })
  const write = (row: readonly string[]): string => row.filter(isTelling).join(' — ')
  return [{ kind: 'row', text: write(named), found: write(cells), columns: head.join(' ') }]
}

/** The sentences of a paragraph. A label that it begins with, such as `Waking night.`, stays with the first one. */
function sentencesWithLabel(text: string): string[] {
  const all = sentences(text)
  const [first = '', second, ...others] = all
  return second !== undefined && LABEL.test(first) ? [`${first} ${second}`, ...others] : all
}

/** Splits a passage into sentences, items, rows and code. The head of a table is left out. */
function splitParts(passage: string): QuotePart[] {
  const parts: QuotePart[] = []
  const lines = passage.slice(0, MAX_QUOTABLE_LENGTH).split('\n')
  let code: string[] | undefined
  let head: readonly string[] = []
  for (const [at, line] of lines.entries()) {
    const isFence = FENCE.test(line)
    if (code !== undefined) {
      code.push(line)
      if (!isFence) continue
      parts.push({ kind: 'code', text: code.join('\n') })
      code = undefined
    } else if (isFence) code = [line]
    else if (line.startsWith('|')) {
      const isHead = TABLE_RULE.test(lines[at + 1] ?? 'none')
      if (isHead) head = readCells(line)
      else parts.push(...readRow(line, head))
    } else if (line.trim() !== '') {
      const isOrdinal = ORDINAL_LINE.test(line) && parts.at(-1)?.kind !== 'item'
      const isItem = MARKER.test(line) && !isOrdinal
      const text = isItem ? line.replace(MARKER, '').trim() : line.trim()
      if (isItem && text.length <= MAX_ITEM_LENGTH) parts.push({ kind: 'item', text })
      else
        for (const one of sentencesWithLabel(text))
          parts.push({ kind: isItem ? 'item' : 'sentence', text: one })
    }
  }
  return parts
}

/** The language of a passage, told by its beginning. */
export const passageLanguage = (passage: string): Language | undefined =>
  detectLanguage(passage.slice(0, LANGUAGE_SAMPLE))

/** The texts of the parts that a passage is split into. */
export const partsOf = (passage: string): string[] => splitParts(passage).map(({ text }) => text)

function termIds(text: string, vocabulary: Vocabulary, stemmer: Stemmer): Uint32Array {
  const found = new Set<number>()
  for (const word of splitWords(text)) {
    for (const form of stemmer.forms(word)) {
      const id = vocabulary.find(form)
      if (id !== undefined) found.add(id)
    }
  }
  for (const compound of hyphenated(text)) {
    const id = vocabulary.find(compound)
    if (id !== undefined) found.add(id)
  }
  return Uint32Array.from(found)
}

/** The question that a sentence answers; empty for any other part. */
function questionBefore(parts: readonly QuotePart[], at: number): string {
  const [before, own] = [parts[at - 1]?.text ?? '', parts[at]]
  return own?.kind === 'sentence' && isQuestion(before) && !isQuestion(own.text) ? before : ''
}

/** The question that a passage of its own answers; empty for any other part. */
const questionAbove = (headline: string, kind: QuoteKind): string =>
  kind === 'sentence' && isQuestion(headline) ? headline : ''

const isQuestion = (text: string): boolean => /[?؟]$/.test(text)

function readHeadline(headline: string, vocabulary: Vocabulary, stemmer: Stemmer): Uint32Array[] {
  return splitWords(headline)
    .filter((word) => !isStopWord(fold(word)))
    .map((word) => termIds(word, vocabulary, stemmer))
}

/** Ends what a row or an item is about: `Half board — 35 €`. */
const NAME_END = /\s[—–-]\s|:\s/

/** The name of a row or of an item that goes on after it; empty for any other part. */
function nameOf({ kind, text, found = text }: QuotePart): string {
  if (kind !== 'row' && kind !== 'item') return ''
  const end = NAME_END.exec(found)?.index ?? 0
  return found.slice(0, end)
}

/** Splits a passage once for all later queries. */
export function splitQuotes(
  { title, heading, text }: { title: string; heading: string; text: string },
  vocabulary: Vocabulary,
  stemmer: Stemmer,
): QuotablePassage {
  const parts = splitParts(text)
  const headline = heading.split(' › ').at(-1) ?? ''
  const pieces = parts.map(({ text: written, kind, found = written, columns = '' }, at) => ({
    name: readHeadline(nameOf({ text: written, kind, found }), vocabulary, stemmer),
    text: written,
    folded: fold(written),
    kind,
    terms: kind === 'code' ? new Uint32Array() : termIds(found, vocabulary, stemmer),
    context: termIds(
      kind === 'row' ? columns : questionBefore(parts, at) || questionAbove(headline, kind),
      vocabulary,
      stemmer,
    ),
  }))
  return {
    pieces,
    heading: termIds(heading, vocabulary, stemmer),
    title: termIds(title, vocabulary, stemmer),
    headline: readHeadline(headline, vocabulary, stemmer),
    language: passageLanguage(text),
  }
}

/** The share of a query that is covered by words, and beyond them by what is said of an asked number. */
export function withFit(share: number, fit: number): number {
  return share + (1 - share) * QUANTITY_SHARE * fit
}

/** A word of a query as quotes are scored by it. */
interface ScoredWord {
  weight: number
  ids: readonly number[]
  /** Those of the ids that match the word closely. */
  close: readonly number[]
  /** Those that are the word itself, in another form or language. */
  same: readonly number[]
}

/** The words of a query that a term matches: at all, as the word itself, and closely. One bit each. */
interface TermMatch {
  found: number
  same: number
  close: number
}

/** Slots for the last bits of the terms that a query matches: some 200 of thousands. */
const TERM_SLOTS = 2_048

/** Scores parts of passages against one query; each word of the query is one bit. */
export class QuoteScorer {
  private readonly matches = new Map<number, TermMatch>()
  /** Whether a term with these last bits matches: most terms of a passage do not, which the map takes longer to tell. */
  private readonly slots = new Uint8Array(TERM_SLOTS)
  private readonly shares: readonly number[]
  private readonly asked: readonly Quantity[]

  /** Takes at most 31 words, one bit of an integer each, and the numbers that are asked about. */
  constructor(query: readonly ScoredWord[], asked: readonly Quantity[] = []) {
    this.asked = asked
    const total = query.reduce((sum, word) => sum + word.weight, 0)
    this.shares = query.map((word) => word.weight / Math.max(total, Number.EPSILON))
    for (const [at, { ids, close, same }] of query.entries()) {
      for (const id of ids) this.open(id).found |= 1 << at
      for (const id of same) this.open(id).same |= 1 << at
      for (const id of close) this.open(id).close |= 1 << at
    }
  }

  private open(id: number): TermMatch {
    const known = this.matches.get(id)
    if (known !== undefined) return known
    const opened = { found: 0, same: 0, close: 0 }
    this.matches.set(id, opened)
    this.slots[id % TERM_SLOTS] = 1
    return opened
  }

  /** Adds to a match what these terms match. A plain loop: it runs over all words of all hits. */
  private add(terms: Uint32Array, to: TermMatch): void {
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms[at] ?? 0
      const match = this.slots[term % TERM_SLOTS] === 1 ? this.matches.get(term) : undefined
      if (match === undefined) continue
      to.found |= match.found
      to.same |= match.same
      to.close |= match.close
    }
  }

  private matchOf(terms: Uint32Array): TermMatch {
    const match = { found: 0, same: 0, close: 0 }
    this.add(terms, match)
    return match
  }

  private share({ found, same }: TermMatch): number {
    if (found === 0) return 0
    const whole = sumOfBits(same, this.shares)
    return whole + SYNONYM_SHARE * sumOfBits(found & ~same, this.shares)
  }

  /** Returns the share of the query that these terms cover, 0–1 by weight. */
  of(terms: Uint32Array): number {
    return this.share(this.matchOf(terms))
  }

  /** Returns the share of the query that a part covers, by its words and its numbers. */
  ofPart(part: QuoteCandidate): number {
    return withFit(this.of(part.terms), this.fitOf(part))
  }

  private fitOf(part: QuoteCandidate): number {
    if (this.asked.length === 0 || part.kind === 'code') return 0
    part.quantities ??= readQuantities(part.folded)
    return fitOf(this.asked, part.quantities)
  }

  /** Returns the words of the query that these terms match closely. */
  matchedBy(terms: Uint32Array): number {
    return this.matchOf(terms).close
  }

  /** Returns the share of these words that the query has. */
  shareOf(words: readonly Uint32Array[]): number {
    const asked = words.filter((terms) => this.matchedBy(terms) !== 0)
    return asked.length / Math.max(1, words.length)
  }

  /** Returns the words of the query that these words match, where it has all of them. */
  private namedBy(words: readonly Uint32Array[]): number {
    let named = 0
    for (const terms of words) {
      const matched = this.matchedBy(terms)
      if (matched === 0) return 0
      named |= matched
    }
    return named
  }

  quotes({ pieces, heading }: QuotablePassage): ScoredQuote[] {
    return pieces.map((part, at) => {
      const { text, folded, kind, terms, context, name } = part
      const fit = this.fitOf(part)
      const match = this.matchOf(terms)
      const score = withFit(this.share(match), fit)
      const matched = match.close
      // The heading and the columns are those of a row that has a word of the question.
      const hasContext = kind !== 'row' || score > 0
      if (hasContext) this.add(context, match)
      if (kind === 'row' && score > 0) this.add(heading, match)
      const inContext = withFit(this.share(match), fit)
      const named = matched === 0 ? 0 : this.namedBy(name)
      return { text, folded, kind, at, score, inContext, matched, fit, named }
    })
  }
}
