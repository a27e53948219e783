import { fold, nameParts, words, type Stemmer } from '../lib/fold.ts'
import { detectLanguage } from '../lib/language.ts'
import { isStopWord } from '../lib/stop-words.ts'
import { packPostings, type Occurrences, type Postings } from './postings.ts'
import { Vocabulary } from './vocabulary.ts'

/** A passage as the index reads it: the stored title and address of its document, and its own text. */
export interface IndexedPassage {
  doc_id: string
  title: string
  url: string | null
  heading: string
  anchor: string | null
  text: string
}

/** How much an occurrence counts by where it stands. */
const PASSAGE_WEIGHTS = { title: 0.4, heading: 1, anchor: 0.5, prose: 1, code: 0.25 }
const DOCUMENT_WEIGHTS = { title: 1, heading: 1, anchor: 0.5, prose: 0.7, code: 0.1 }
const PART_OF_NAME = 0.5
const PASSAGE_SATURATION = 1.2
const DOCUMENT_SATURATION = 2.5
const LENGTH_EFFECT = 0.5
const SHORTEST = 40
const LANGUAGE_SAMPLE = 600
/** Longer than so many averages is no worse: a long table is not about less. */
const LONGEST_RATIO = 3

const HEADING_SEPARATOR = ' › '

type Field = keyof typeof PASSAGE_WEIGHTS
type Counts = Record<Field, Map<number, number>>

export interface BuiltIndex {
  vocabulary: Vocabulary
  passages: Postings
  documents: Postings
  /** Every heading and title once, word for word. */
  headings: Postings
  /** Content words in each heading. */
  headingLengths: Uint8Array
  /** The document of each passage, by number. */
  documentOf: Uint32Array
  /** The headings over each passage, by number, innermost first. */
  headingsOf: readonly (readonly number[])[]
  /** The titles of each document: the stored one, and the one it gives itself. */
  titlesOf: readonly (readonly number[])[]
}

/** Parts fences from prose. A fence stands on lines of its own. */
export function splitCode(text: string): { prose: string; code: string } {
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

/** An index term of a word, and how much of an occurrence it is. */
type Share = readonly [id: number, share: number]

/** Numbers terms as they come; each distinct word is folded and stemmed once. */
class TermCounter {
  readonly terms: string[] = []
  private readonly ids = new Map<string, number>()
  private readonly english = new Map<string, readonly Share[]>()
  private readonly other = new Map<string, readonly Share[]>()
  private isEnglish = false
  private readonly stemmer: Stemmer

  constructor(stemmer: Stemmer) {
    this.stemmer = stemmer
  }

  /** Says what language comes next: Turkish stems are left out of what is plainly English. */
  read(text: string): void {
    this.isEnglish = detectLanguage(text.slice(0, LANGUAGE_SAMPLE)) === 'en'
  }

  /** Adds the words of a text to a count; returns how many there were. */
  count(text: string, into: Map<number, number>): number {
    const found = words(text)
    for (const word of found) {
      for (const [id, share] of this.termsOf(word)) into.set(id, (into.get(id) ?? 0) + share)
    }
    return found.length
  }

  private termsOf(word: string): readonly Share[] {
    const byWord = this.isEnglish ? this.english : this.other
    const known = byWord.get(word)
    if (known !== undefined) return known
    const shares = new Map<number, number>()
    for (const part of nameParts(word)) {
      for (const form of this.formsOf(part)) shares.set(this.number(form), PART_OF_NAME)
    }
    for (const form of this.formsOf(word)) shares.set(this.number(form), 1)
    const entries = [...shares]
    byWord.set(word, entries)
    return entries
  }

  private formsOf(word: string): readonly string[] {
    return this.isEnglish ? this.stemmer.englishForms(word) : this.stemmer.forms(word)
  }

  private number(term: string): number {
    const known = this.ids.get(term)
    if (known !== undefined) return known
    const id = this.terms.length
    this.ids.set(term, id)
    this.terms.push(term)
    return id
  }
}

/** Numbers headings, each text once. */
class HeadingList {
  readonly counts: Map<number, number>[] = []
  readonly lengths: number[] = []
  private readonly ids = new Map<string, number>()
  private readonly counter: TermCounter

  constructor(counter: TermCounter) {
    this.counter = counter
  }

  number(heading: string): number {
    const known = this.ids.get(heading)
    if (known !== undefined) return known
    const id = this.counts.length
    const count = new Map<number, number>()
    this.counter.count(heading, count)
    const content = words(heading).filter((word) => !isStopWord(fold(word)))
    this.counts.push(count)
    this.lengths.push(Math.min(255, Math.max(1, content.length)))
    this.ids.set(heading, id)
    return id
  }

  occurrences(): Occurrences {
    const found: Occurrences = { terms: [], units: [], weights: [] }
    for (const [unit, count] of this.counts.entries()) {
      for (const term of count.keys()) {
        found.terms.push(term)
        found.units.push(unit)
        found.weights.push(1)
      }
    }
    return found
  }
}

function emptyCounts(): Counts {
  return {
    title: new Map(),
    heading: new Map(),
    anchor: new Map(),
    prose: new Map(),
    code: new Map(),
  }
}

/** One weight per term: titles and headings as they are, the text relative to its length. */
function combine(
  counts: Counts,
  weights: Record<Field, number>,
  length: number,
): Map<number, number> {
  const total = new Map<number, number>()
  const add = (field: Field, scale: number): void => {
    for (const [id, count] of counts[field]) {
      total.set(id, (total.get(id) ?? 0) + weights[field] * count * scale)
    }
  }
  const relative = 1 / (1 - LENGTH_EFFECT + LENGTH_EFFECT * length)
  add('title', 1)
  add('heading', 1)
  add('anchor', 1)
  add('prose', relative)
  add('code', relative)
  return total
}

function addAll(from: Map<number, number>, into: Map<number, number>): void {
  for (const [id, count] of from) into.set(id, (into.get(id) ?? 0) + count)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function toOccurrences(
  counts: readonly Counts[],
  weights: Record<Field, number>,
  lengths: readonly number[],
): Occurrences {
  const average = Math.max(SHORTEST, mean(lengths))
  const found: Occurrences = { terms: [], units: [], weights: [] }
  for (const [unit, count] of counts.entries()) {
    const length = Math.min(LONGEST_RATIO, Math.max(SHORTEST, lengths[unit] ?? 0) / average)
    for (const [term, weight] of combine(count, weights, length)) {
      found.terms.push(term)
      found.units.push(unit)
      found.weights.push(weight)
    }
  }
  return found
}

/** Counts every passage and every document, then packs both. */
export function buildPostings(passages: readonly IndexedPassage[], stemmer: Stemmer): BuiltIndex {
  const counter = new TermCounter(stemmer)
  const numbers = new Map<string, number>()
  const ofDocuments: Counts[] = []
  const documentLengths: number[] = []
  const ofPassages: Counts[] = []
  const passageLengths: number[] = []
  const documentOf = new Uint32Array(passages.length)
  const headings = new HeadingList(counter)
  const headingsOf: number[][] = []
  const titlesOf: number[][] = []

  for (const [at, passage] of passages.entries()) {
    const known = numbers.get(passage.doc_id)
    const number = known ?? ofDocuments.length
    documentOf[at] = number
    numbers.set(passage.doc_id, number)
    const whole = ofDocuments[number] ?? emptyCounts()
    const own = emptyCounts()
    const { prose, code } = splitCode(passage.text)
    counter.read(prose)
    counter.count(passage.title, own.title)
    counter.count(passage.heading, own.heading)
    // An anchor often keeps the words of the language that a page was translated from.
    counter.count(passage.anchor ?? '', own.anchor)
    const length = counter.count(prose, own.prose) + counter.count(code, own.code) * 0.3
    if (known === undefined) {
      ofDocuments.push(whole)
      addAll(own.title, whole.title)
      titlesOf.push([headings.number(passage.title)])
    }
    // Over the top of a page stands the title that the document gives itself.
    if (passage.anchor === null) titlesOf[number]?.push(headings.number(passage.heading))
    headingsOf.push(
      passage.heading
        .split(HEADING_SEPARATOR)
        .map((text) => headings.number(text))
        .toReversed(),
    )
    addAll(own.heading, whole.heading)
    addAll(own.anchor, whole.anchor)
    addAll(own.prose, whole.prose)
    addAll(own.code, whole.code)
    ofPassages.push(own)
    passageLengths.push(length)
    documentLengths[number] = (documentLengths[number] ?? 0) + length
  }

  const order = counter.terms.map((_, id) => id)
  order.sort((a, b) => ((counter.terms[a] ?? '') < (counter.terms[b] ?? '') ? -1 : 1))
  const rank = new Uint32Array(order.length)
  for (const [place, id] of order.entries()) rank[id] = place
  const renumber = (found: Occurrences): Occurrences => ({
    ...found,
    terms: found.terms.map((id) => rank[id] ?? 0),
  })
  const terms = order.length
  return {
    vocabulary: new Vocabulary(order.map((id) => counter.terms[id] ?? '')),
    passages: packPostings(
      renumber(toOccurrences(ofPassages, PASSAGE_WEIGHTS, passageLengths)),
      { terms, units: ofPassages.length },
      PASSAGE_SATURATION,
    ),
    documents: packPostings(
      renumber(toOccurrences(ofDocuments, DOCUMENT_WEIGHTS, documentLengths)),
      { terms, units: ofDocuments.length },
      DOCUMENT_SATURATION,
    ),
    headings: packPostings(
      renumber(headings.occurrences()),
      { terms, units: headings.counts.length },
      0,
    ),
    headingLengths: Uint8Array.from(headings.lengths),
    documentOf,
    headingsOf,
    titlesOf,
  }
}
