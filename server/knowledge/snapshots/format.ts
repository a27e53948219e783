import type { Stemmer } from '../../lib/text/stemmer.ts'
import type { BuiltIndex, IndexedPassage } from '../search/index-builder.ts'
import type { Postings } from '../search/postings.ts'
import { assembleIndex, type SearchIndex } from '../search/search-index.ts'
import { STEPS_PER_YIELD } from '../search/term-counter.ts'
import { Vocabulary } from '../search/vocabulary.ts'

/** Sections begin at multiples of it, so that arrays of any type can be views of the snapshot. */
const ALIGNMENT = 8
/** Terms of a section, and lists between two yields: about a millisecond of decoding. */
const TERMS_PER_SECTION = 4_096
const LISTS_PER_YIELD = 4_096
/** No term has white space. */
const TERM_SEPARATOR = '\n'

type Section = Uint32Array | Uint16Array | Float32Array | Float64Array | Uint8Array
type PassageIntents = NonNullable<SearchIndex['intents']>
type ToldIntents = PassageIntents['told']['intents']
type Lists = readonly (readonly number[])[]

/**
 * Writes what is counted in an index as sections: the length in bytes, then the values as they are in
 * memory. Passages are not in it, and what they imply. Numbers that ascend are stored as differences, which
 * compress better. Yields the snapshot in pieces, each of which takes a few milliseconds at most.
 */
export function* writeSnapshot(index: SearchIndex): Generator<Uint8Array> {
  const { vocabulary, passages, documents, headings, intents } = index
  const { terms } = vocabulary
  yield* writeSection(
    Float64Array.of(
      index.bytes,
      terms.length,
      passages.unitCount,
      documents.unitCount,
      headings.unitCount,
      intents === undefined ? 0 : 1,
    ),
  )
  for (let from = 0; from < terms.length; from += TERMS_PER_SECTION) {
    const text = terms.slice(from, from + TERMS_PER_SECTION).join(TERM_SEPARATOR)
    yield* writeSection(Buffer.from(text))
  }
  for (const postings of [passages, documents, headings]) yield* writePostings(postings)
  yield* writeSection(index.headingLengths)
  yield* writeSection(index.documentOf)
  for (const lists of [index.headingsOf, index.titlesOf]) yield* writeLists(lists)
  if (intents === undefined) return
  yield* writeSection(Float64Array.of(intents.bytes))
  yield* writeSection(intents.starts)
  for (const told of [intents.told.intents, intents.told.topics]) {
    yield* writeSection(told.intents)
    yield* writeSection(told.likelihoods)
  }
}

/**
 * Reads what `writeSnapshot` wrote, for the same passages; the arrays of the index are views of `bytes`, which
 * change. Yields regularly. Throws for anything that is not a whole snapshot.
 */
export function* readSnapshot(
  bytes: Uint8Array<ArrayBuffer>,
  passages: readonly IndexedPassage[],
  stemmer: Stemmer,
): Generator<undefined, SearchIndex> {
  const reader = new SectionReader(bytes)
  const [
    estimate = 0,
    termCount = 0,
    passageCount,
    documentCount = 0,
    headingCount = 0,
    hasIntents,
  ] = reader.next(Float64Array)
  const terms: string[] = []
  while (terms.length < termCount) {
    for (const term of reader.nextText().split(TERM_SEPARATOR)) terms.push(term)
    yield undefined
  }
  const built: BuiltIndex = {
    bytes: estimate,
    vocabulary: yield* Vocabulary.build(terms),
    passages: yield* readPostings(reader, passages.length),
    documents: yield* readPostings(reader, documentCount),
    headings: yield* readPostings(reader, headingCount),
    headingLengths: reader.next(Uint8Array),
    documentOf: reader.next(Uint32Array),
    headingsOf: yield* readLists(reader),
    titlesOf: yield* readLists(reader),
  }
  const intents = hasIntents === 1 ? readIntents(reader) : undefined
  if (passageCount !== passages.length || !reader.isAtEnd)
    throw new Error('The snapshot is of another index.')
  yield undefined
  return assembleIndex(passages, { ...built, intents }, stemmer)
}

function readIntents(reader: SectionReader): PassageIntents {
  const [bytes = 0] = reader.next(Float64Array)
  const starts = reader.next(Uint32Array)
  const next = (): ToldIntents => ({
    intents: reader.next(Uint16Array),
    likelihoods: reader.next(Uint8Array),
  })
  return { bytes, starts, told: { intents: next(), topics: next() } }
}

function* writeSection(values: Section): Generator<Uint8Array> {
  const { byteLength } = values
  yield bytesOf(Float64Array.of(byteLength))
  if (byteLength > 0) yield bytesOf(values)
  if (byteLength % ALIGNMENT > 0) yield new Uint8Array(ALIGNMENT - (byteLength % ALIGNMENT))
}

function bytesOf({ buffer, byteOffset, byteLength }: Section): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function* writePostings({ starts, units, impacts, counts }: Postings): Generator<Uint8Array> {
  yield* writeSection(starts.map((start, term) => start - (starts[term - 1] ?? 0)))
  yield* writeSection(impacts)
  yield* writeSection(counts)
  yield bytesOf(Float64Array.of(units.byteLength))
  let term = 0
  for (let from = 0; from < units.length; from += STEPS_PER_YIELD) {
    const piece = units.slice(from, from + STEPS_PER_YIELD)
    for (let at = 0; at < piece.length; at += 1) {
      while ((starts[term] ?? Infinity) < from + at) term += 1
      // The first unit of a term is stored as it is.
      if (starts[term] !== from + at) piece[at] = (piece[at] ?? 0) - (units[from + at - 1] ?? 0)
    }
    yield bytesOf(piece)
  }
  const rest = units.byteLength % ALIGNMENT
  if (rest > 0) yield new Uint8Array(ALIGNMENT - rest)
}

function* readPostings(reader: SectionReader, unitCount: number): Generator<undefined, Postings> {
  const starts = reader.next(Uint32Array)
  for (let term = 1; term < starts.length; term += 1) {
    starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0)
    if (term % STEPS_PER_YIELD === 0) yield undefined
  }
  const impacts = reader.next(Uint8Array)
  const counts = reader.next(Float32Array)
  const units = reader.next(Uint32Array)
  let term = 0
  for (let at = 0; at < units.length; at += 1) {
    while ((starts[term] ?? Infinity) < at) term += 1
    if (starts[term] !== at) units[at] = (units[at] ?? 0) + (units[at - 1] ?? 0)
    if (at % STEPS_PER_YIELD === 0) yield undefined
  }
  if (units.length !== starts.at(-1) || impacts.length !== units.length)
    throw new Error('The postings of the snapshot are incomplete.')
  return { starts, units, impacts, counts, unitCount }
}

function* writeLists(lists: Lists): Generator<Uint8Array> {
  yield* writeSection(Uint32Array.from(lists, ({ length }) => length))
  yield* writeSection(Uint32Array.from(lists.flat()))
}

function* readLists(reader: SectionReader): Generator<undefined, number[][]> {
  const lengths = reader.next(Uint32Array)
  const values = reader.next(Uint32Array)
  const lists: number[][] = []
  let from = 0
  for (const [at, length] of lengths.entries()) {
    lists.push(Array.from(values.subarray(from, from + length)))
    from += length
    if (at % LISTS_PER_YIELD === 0) yield undefined
  }
  return lists
}

/** A typed array that is a view of bytes. */
interface View<Values> {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Values
  readonly BYTES_PER_ELEMENT: number
}

/** Reads sections one after the other. */
class SectionReader {
  readonly #bytes: Uint8Array<ArrayBuffer>
  #at = 0

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes.byteOffset % ALIGNMENT === 0 ? bytes : new Uint8Array(bytes)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  next<Values>(Type: View<Values>): Values {
    const { buffer, byteOffset } = this.#bytes
    const start = this.#at + ALIGNMENT
    if (start > this.#bytes.length) throw new Error('The snapshot is truncated.')
    const [length = 0] = new Float64Array(buffer, byteOffset + this.#at, 1)
    this.#at = start + Math.ceil(length / ALIGNMENT) * ALIGNMENT
    if (this.#at > this.#bytes.length) throw new Error('The snapshot is truncated.')
    return new Type(buffer, byteOffset + start, length / Type.BYTES_PER_ELEMENT)
  }

  nextText(): string {
    const { buffer, byteOffset, length } = this.next(Uint8Array)
    return Buffer.from(buffer, byteOffset, length).toString()
  }
}
