import { HEADING_SEPARATOR } from '../parsers/chunk.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import { isStopWord } from '../../lib/text/stop-words.ts'
import { packPostings, type Postings } from './postings.ts'
import { OccurrenceList, TermCounter, type Occurrences } from './term-counter.ts'
import { Vocabulary } from './vocabulary.ts'

/** A passage with the title and URL of its document. */
export interface IndexedPassage {
  doc_id: string
  title: string
  url: string | null
  heading: string
  anchor: string | null
  text: string
  /** Position in its document. */
  ordinal?: number
}

/** Weight of an occurrence by field. */
const PASSAGE_WEIGHTS = { title: 0.4, heading: 1, anchor: 0.5, prose: 1, code: 0.25 }
const DOCUMENT_WEIGHTS = { title: 1, heading: 1, anchor: 0.5, prose: 0.7, code: 0.1 }
const PASSAGE_SATURATION = 1.2
const DOCUMENT_SATURATION = 2.5
const LENGTH_EFFECT = 0.5
const MIN_PASSAGE_LENGTH = 40
/** Weight of a word of code in the length of a passage; a word of prose has 1. */
const WORDS_IN_CODE = 0.3
/** Upper bound of the length normalization: a long table is not less relevant. */
const MAX_LENGTH_RATIO = 3

/** Estimated heap of a passage beside its text, of a term, and of a heading. */
const PASSAGE_BYTES = 600
const TERM_BYTES = 220
const HEADING_BYTES = 250
const CHARACTER_BYTES = 2
/** Bounds the caches of an index: parsed words and quotable passages. */
const CACHES_BYTES = 1_000_000
const SORTED_RUN = 4_096

export interface BuiltIndex {
  /** Estimated memory of the index, its passages included. */
  bytes: number

  vocabulary: Vocabulary
  passages: Postings
  documents: Postings
  /** Headings and titles, each distinct text once. */
  headings: Postings
  /** Number of content words by heading. */
  headingLengths: Uint8Array
  /** Document number by passage. */
  documentOf: Uint32Array
  /** Heading ids by passage, innermost first. */
  headingsOf: readonly (readonly number[])[]
  /** Heading ids of the titles by document: the stored title, and the document's own. */
  titlesOf: readonly (readonly number[])[]
}

/** Separates fenced code from prose. */
function splitCode(text: string): { prose: string; code: string } {
  if (!text.includes('```') && !text.includes('~~~')) return { prose: text, code: '' }
  const prose: string[] = []
  const code: string[] = []
  let fence = ''
  for (const line of text.split('\n')) {
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && line.trimEnd() === fence) fence = ''
    else (fence === '' ? prose : code).push(line)
  }
  return { prose: prose.join('\n'), code: code.join('\n') }
}

/** Assigns ids to distinct headings. */
class HeadingList {
  readonly lengths: number[] = []
  bytes = 0
  private readonly ids = new Map<string, number>()
  private readonly tally = new OccurrenceList()
  private readonly counter: TermCounter

  constructor(counter: TermCounter) {
    this.counter = counter
  }

  idOf(heading: string): number {
    const known = this.ids.get(heading)
    if (known !== undefined) return known
    const id = this.lengths.length
    const content = splitWords(heading).filter((word) => !isStopWord(fold(word)))
    this.counter.forEachTerm(heading, (term) => this.tally.add(term, 1, 0))
    this.tally.closeUnit(id)
    this.bytes += HEADING_BYTES + heading.length * CHARACTER_BYTES
    this.lengths.push(Math.min(255, Math.max(1, content.length)))
    this.ids.set(heading, id)
    return id
  }

  occurrences(): Generator<undefined, Occurrences> {
    return this.tally.finish(() => 1)
  }
}

/** Returns the length normalization: a factor per unit, less for units longer than average. */
function scaleBy(lengths: readonly number[]): (unit: number) => number {
  const sum = lengths.reduce((total, length) => total + length, 0)
  const average = Math.max(MIN_PASSAGE_LENGTH, sum / Math.max(1, lengths.length))
  const scales = lengths.map((length) => {
    const ratio = Math.min(MAX_LENGTH_RATIO, Math.max(MIN_PASSAGE_LENGTH, length) / average)
    return 1 / (1 - LENGTH_EFFECT + LENGTH_EFFECT * ratio)
  })
  return (unit) => scales[unit] ?? 1
}

/** Groups the positions of passages by document, in order of first occurrence. */
function groupByDocument(passages: readonly IndexedPassage[]): number[][] {
  const groups = new Map<string, number[]>()
  for (const [at, { doc_id: document }] of passages.entries()) {
    const group = groups.get(document)
    if (group === undefined) groups.set(document, [at])
    else group.push(at)
  }
  return [...groups.values()]
}

/** Accumulates the occurrences of passages and of documents. */
class FieldAccumulator {
  readonly passages = new OccurrenceList()
  readonly documents = new OccurrenceList()
  readonly passageLengths: number[] = []
  readonly documentLengths: number[] = []
  private readonly counter: TermCounter

  constructor(counter: TermCounter) {
    this.counter = counter
  }

  get bytes(): number {
    return this.passages.bytes + this.documents.bytes
  }

  /** Adds a title to its document; `addPassage` adds it to each passage with a lower weight. */
  addTitle(text: string): void {
    this.counter.forEachTerm(text, (id, share) =>
      this.documents.add(id, share * DOCUMENT_WEIGHTS.title, 0),
    )
  }

  addPassage(addPassage: IndexedPassage, at: number): number {
    const { prose, code } = splitCode(addPassage.text)
    this.counter.setLanguage(prose)
    this.counter.forEachTerm(addPassage.title, (id, share) => {
      this.passages.add(id, share * PASSAGE_WEIGHTS.title, 0)
    })
    this.addUnscaled(addPassage.heading, 'heading')
    // An anchor often retains the words of the language that a page was translated from.
    this.addUnscaled(addPassage.anchor ?? '', 'anchor')
    const length = this.addScaled(prose, 'prose') + this.addScaled(code, 'code') * WORDS_IN_CODE
    this.passages.closeUnit(at)
    this.passageLengths[at] = length
    return length
  }

  private addUnscaled(text: string, field: 'heading' | 'anchor'): void {
    const ofPassage = PASSAGE_WEIGHTS[field]
    const ofDocument = DOCUMENT_WEIGHTS[field]
    this.counter.forEachTerm(text, (id, share) => {
      this.passages.add(id, share * ofPassage, 0)
      this.documents.add(id, share * ofDocument, 0)
    })
  }

  private addScaled(text: string, field: 'prose' | 'code'): number {
    const ofPassage = PASSAGE_WEIGHTS[field]
    const ofDocument = DOCUMENT_WEIGHTS[field]
    return this.counter.forEachTerm(text, (id, share) => {
      this.passages.add(id, 0, share * ofPassage)
      this.documents.add(id, 0, share * ofDocument)
    })
  }
}

/** Sorts the terms, so that terms with a common prefix are a range of ids. */
function* sortTerms(
  terms: readonly string[],
): Generator<undefined, { sorted: string[]; rank: Uint32Array }> {
  const textOf = (id: number | undefined) => terms[id ?? 0] ?? ''
  let order = Uint32Array.from(terms.keys())
  for (let start = 0; start < order.length; start += SORTED_RUN) {
    order.subarray(start, start + SORTED_RUN).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
    yield undefined
  }
  // Merges runs instead of sorting at once, so that the build yields in between.
  for (let width = SORTED_RUN; width < order.length; width *= 2) {
    const merged = new Uint32Array(order.length)
    for (let start = 0; start < order.length; start += width * 2) {
      const middle = Math.min(start + width, order.length)
      const end = Math.min(middle + width, order.length)
      let left = start
      let right = middle
      for (let at = start; at < end; at += 1) {
        const isLeft = right >= end || (left < middle && textOf(order[left]) < textOf(order[right]))
        merged[at] = order[isLeft ? left : right] ?? 0
        if (isLeft) left += 1
        else right += 1
        if (at % SORTED_RUN === 0) yield undefined
      }
    }
    order = merged
  }
  const rank = new Uint32Array(order.length)
  const sorted: string[] = []
  for (const [position, id] of order.entries()) {
    rank[id] = position
    sorted.push(textOf(id))
    if (position % SORTED_RUN === 0) yield undefined
  }
  return { sorted, rank }
}

/** Returns the estimated memory of a passage's text. */
export function passageBytes({ anchor, heading, text, title, url }: IndexedPassage): number {
  const characters =
    text.length + heading.length + title.length + (url?.length ?? 0) + (anchor?.length ?? 0)
  return PASSAGE_BYTES + characters * CHARACTER_BYTES
}

/**
 * Counts every passage and every document, then packs both. Yields about every millisecond the
 * estimated memory of the build, so that the caller can abort the build or let other work run.
 */
export function* buildPostings(
  passages: readonly IndexedPassage[],
  stemmer: Stemmer,
): Generator<number | undefined, BuiltIndex> {
  const counter = new TermCounter(stemmer)
  const accumulator = new FieldAccumulator(counter)
  const headings = new HeadingList(counter)
  const documentOf = new Uint32Array(passages.length)
  const headingsOf: number[][] = []
  const titlesOf: number[][] = []
  const groups = groupByDocument(passages)
  const textBytes = passages.reduce((sum, passage) => sum + passageBytes(passage), 0)

  for (const [number, group] of groups.entries()) {
    const titles = new Set<number>()
    let length = 0
    for (const at of group) {
      const passage = passages[at]
      if (passage === undefined) continue
      length += accumulator.addPassage(passage, at)
      documentOf[at] = number
      const path = passage.heading.split(HEADING_SEPARATOR)
      headingsOf[at] = path.map((text) => headings.idOf(text)).toReversed()
      if (titles.size === 0) accumulator.addTitle(passage.title)
      titles.add(headings.idOf(passage.title))
      // A passage without an anchor is the top of the page; its heading is the document's own title.
      if (passage.anchor === null) titles.add(headings.idOf(passage.heading))
      yield CACHES_BYTES + textBytes + counter.bytes + accumulator.bytes + headings.bytes
    }
    accumulator.documents.closeUnit(number)
    accumulator.documentLengths.push(length)
    titlesOf.push([...titles])
  }

  const { sorted, rank } = yield* sortTerms(counter.terms)
  const pack = (found: Occurrences, units: number, saturation: number) =>
    packPostings(found, { rank, units }, saturation)
  const { documentLengths, passageLengths } = accumulator
  const ofPassages = yield* accumulator.passages.finish(scaleBy(passageLengths))
  const ofDocuments = yield* accumulator.documents.finish(scaleBy(documentLengths))
  const occurrences = ofPassages.terms.length + ofDocuments.terms.length
  const termBytes = sorted.reduce((sum, { length }) => sum + length, 0) * CHARACTER_BYTES
  return {
    bytes:
      CACHES_BYTES +
      textBytes +
      headings.bytes +
      termBytes +
      sorted.length * TERM_BYTES +
      occurrences * 5,
    vocabulary: yield* Vocabulary.build(sorted),
    passages: yield* pack(ofPassages, passages.length, PASSAGE_SATURATION),
    documents: yield* pack(ofDocuments, groups.length, DOCUMENT_SATURATION),
    headings: yield* pack(yield* headings.occurrences(), headings.lengths.length, 0),
    headingLengths: Uint8Array.from(headings.lengths),
    documentOf,
    headingsOf,
    titlesOf,
  }
}
