import { nameParts, splitWords } from '../../lib/text/fold.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import { detectLanguage } from '../../lib/text/language.ts'

const PART_OF_NAME = 0.5
const LANGUAGE_SAMPLE = 600

/** An index term of a word, and its share of an occurrence. */
type Share = readonly [id: number, share: number]

/** Assigns ids to terms in order of occurrence; each distinct word is folded and stemmed once. */
export class TermCounter {
  readonly terms: string[] = []
  private readonly ids = new Map<string, number>()
  private readonly english = new Map<string, readonly Share[]>()
  private readonly other = new Map<string, readonly Share[]>()
  private isEnglish = false
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
    return id
  }
}

/** Occurrences as parallel arrays of term, unit and weight. */
export interface Occurrences {
  terms: number[]
  units: number[]
  weights: number[]
}

/**
 * Accumulates the terms of one unit after another. Weights that depend on the unit's length are
 * separate, because the average length is known only at the end.
 */
export class OccurrenceList {
  private readonly terms: number[] = []
  private readonly units: number[] = []
  private readonly fixed: number[] = []
  private readonly relative: number[] = []
  private sums = new Float64Array(2_048)
  private readonly touched: number[] = []

  /** Adds a weight to a term of the open unit. */
  add(term: number, fixed: number, relative: number): void {
    const place = term * 2
    if (place >= this.sums.length) this.grow(place)
    if (this.sums[place] === 0 && this.sums[place + 1] === 0) this.touched.push(term)
    this.sums[place] = (this.sums[place] ?? 0) + fixed
    this.sums[place + 1] = (this.sums[place + 1] ?? 0) + relative
  }

  /** Ends the open unit, and starts the next one. */
  closeUnit(unit: number): void {
    for (const term of this.touched) {
      this.terms.push(term)
      this.units.push(unit)
      this.fixed.push(this.sums[term * 2] ?? 0)
      this.relative.push(this.sums[term * 2 + 1] ?? 0)
      this.sums.fill(0, term * 2, term * 2 + 2)
    }
    this.touched.length = 0
  }

  /** Returns all occurrences; `scaleOf` is the length normalization of a unit. */
  finish(scaleOf: (unit: number) => number): Occurrences {
    const weights = this.fixed.map(
      (fixed, at) => fixed + (this.relative[at] ?? 0) * scaleOf(this.units[at] ?? 0),
    )
    return { terms: this.terms, units: this.units, weights }
  }

  private grow(place: number): void {
    const larger = new Float64Array(Math.max(this.sums.length * 2, place + 2))
    larger.set(this.sums)
    this.sums = larger
  }
}
