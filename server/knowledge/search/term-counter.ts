import { hyphenated, nameParts, splitWords } from '../../lib/text/fold.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import { detectLanguage } from '../../lib/text/language.ts'

const PART_OF_NAME = 0.5
const LANGUAGE_SAMPLE = 600
/** Estimated heap of a term in its map and lists, of a cached word, and of a share of a word. */
const TERM_BYTES = 250
const WORD_BYTES = 200
const SHARE_BYTES = 90
const CHARACTER_BYTES = 2
/** A packed occurrence beside its accumulated form, while the lists are packed. */
const PACKING_BYTES = 17
const INITIAL_OCCURRENCES = 1_024

/** Steps of a loop between two yields of a build: about a millisecond. */
export const STEPS_PER_YIELD = 16_384

/** An index term of a word, and its share of an occurrence. */
type Share = readonly [id: number, share: number]

/** Assigns ids to terms in order of occurrence; each distinct word is folded and stemmed once. */
export class TermCounter {
  readonly terms: string[] = []
  private readonly ids = new Map<string, number>()
  private readonly english = new Map<string, readonly Share[]>()
  private readonly other = new Map<string, readonly Share[]>()
  private isEnglish = false
  /** Estimated heap of the terms and cached words. */
  bytes = 0
  private readonly stemmer: Stemmer

  constructor(stemmer: Stemmer) {
    this.stemmer = stemmer
  }

  /** Sets the language of the texts that follow: English text gets no Turkish stems. */
  setLanguage(text: string): void {
    this.isEnglish = detectLanguage(text.slice(0, LANGUAGE_SAMPLE)) === 'en'
  }

  /** Calls back for every occurrence of a term in a text; returns the number of words. */
  forEachTerm(text: string, onTerm: (id: number, share: number) => void): number {
    const found = splitWords(text)
    for (const word of found) {
      const shares = this.termsOf(word)
      for (let at = 0; at < shares.length; at += 1) {
        const entry = shares[at]
        if (entry !== undefined) onTerm(entry[0], entry[1])
      }
    }
    for (const compound of hyphenated(text)) onTerm(this.idOf(compound), 1)
    return found.length
  }

  private termsOf(word: string): readonly Share[] {
    const byWord = this.isEnglish ? this.english : this.other
    const known = byWord.get(word)
    if (known !== undefined) return known
    const shares = new Map<number, number>()
    for (const part of nameParts(word)) {
      for (const form of this.formsOf(part)) shares.set(this.idOf(form), PART_OF_NAME)
    }
    for (const form of this.formsOf(word)) shares.set(this.idOf(form), 1)
    const entries = [...shares]
    byWord.set(word, entries)
    this.bytes += WORD_BYTES + word.length * CHARACTER_BYTES + entries.length * SHARE_BYTES
    return entries
  }

  private formsOf(word: string): readonly string[] {
    return this.isEnglish ? this.stemmer.englishForms(word) : this.stemmer.forms(word)
  }

  private idOf(term: string): number {
    const known = this.ids.get(term)
    if (known !== undefined) return known
    const id = this.terms.length
    this.ids.set(term, id)
    this.terms.push(term)
    this.bytes += TERM_BYTES + term.length * CHARACTER_BYTES
    return id
  }
}

/** Occurrences as parallel arrays of term, unit and weight. */
export interface Occurrences {
  terms: Uint32Array
  units: Uint32Array
  weights: Float64Array
}

/**
 * Accumulates the terms of one unit after another. Weights that depend on the unit's length are
 * separate, because the average length is known only at the end.
 */
export class OccurrenceList {
  private terms = new Uint32Array(INITIAL_OCCURRENCES)
  private units = new Uint32Array(INITIAL_OCCURRENCES)
  private fixed = new Float64Array(INITIAL_OCCURRENCES)
  private relative = new Float64Array(INITIAL_OCCURRENCES)
  private count = 0
  private sums = new Float64Array(2_048)
  private readonly touched: number[] = []

  /** Memory of the list, with the room that packing takes. */
  get bytes(): number {
    return this.terms.length * 24 + this.count * PACKING_BYTES + this.sums.byteLength
  }

  /** Adds a weight to a term of the open unit. */
  add(term: number, fixed: number, relative: number): void {
    const offset = term * 2
    if (offset >= this.sums.length) this.sums = grow(this.sums, offset + 2)
    if (this.sums[offset] === 0 && this.sums[offset + 1] === 0) this.touched.push(term)
    this.sums[offset] = (this.sums[offset] ?? 0) + fixed
    this.sums[offset + 1] = (this.sums[offset + 1] ?? 0) + relative
  }

  /** Ends the open unit, and starts the next one. */
  closeUnit(unit: number): void {
    this.reserve(this.count + this.touched.length)
    for (const term of this.touched) {
      const at = this.count
      this.terms[at] = term
      this.units[at] = unit
      this.fixed[at] = this.sums[term * 2] ?? 0
      this.relative[at] = this.sums[term * 2 + 1] ?? 0
      this.sums.fill(0, term * 2, term * 2 + 2)
      this.count += 1
    }
    this.touched.length = 0
  }

  /** Returns all occurrences; `scaleOf` is the length normalization of a unit. Yields regularly. */
  *finish(scaleOf: (unit: number) => number): Generator<undefined, Occurrences> {
    const { count, fixed, relative, units } = this
    const weights = new Float64Array(count)
    for (let at = 0; at < count; at += 1) {
      weights[at] = (fixed[at] ?? 0) + (relative[at] ?? 0) * scaleOf(units[at] ?? 0)
      if (at % STEPS_PER_YIELD === 0) yield undefined
    }
    return { terms: this.terms.subarray(0, count), units: units.subarray(0, count), weights }
  }

  private reserve(size: number): void {
    if (size <= this.terms.length) return
    const length = Math.max(size, Math.ceil(this.terms.length * 1.5))
    const terms = new Uint32Array(length)
    const units = new Uint32Array(length)
    terms.set(this.terms)
    units.set(this.units)
    this.terms = terms
    this.units = units
    this.fixed = grow(this.fixed, length)
    this.relative = grow(this.relative, length)
  }
}

function grow(array: Float64Array, least: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(Math.ceil(array.length * 1.5), least))
  larger.set(array)
  return larger
}
