import { fold } from '../../lib/text/fold.ts'
import type { Language } from '../../lib/text/language.ts'
import { arabicStems } from './arabic-stems.ts'

/** Shortest part of a German compound, and shortest stem of an inflected word, that is looked up. */
const MIN_PART = 4
const MAX_ENDING = 7
const MIN_COMPOUND_PART = 2
/** Letters between the words of a compound. */
const LINKING_LETTER = /(?:s|n|es|en)$/
/** Shortest English word without its ending that is looked up. */
const MIN_STEM = 3
/** Other words for a word, folded; a word of another language is a translation. */
export interface SynonymSet {
  same: readonly string[]
  other: readonly string[]
}

/** The languages of a line of `lexicon/`, in order. */
const COLUMNS: readonly Language[] = ['tr', 'en', 'de', 'ar']
/** The column of a word whose language is not known: it counts in any question and on any site. */
const ANY_COLUMN = COLUMNS.length
/** A place is the number of a concept and, in the lowest bits, a column. */
const COLUMN_BITS = 3
const COLUMN_MASK = (1 << COLUMN_BITS) - 1

/** Marks a word that begins others, such as `hava` and `havale`: it stands for itself alone. */
export const WHOLE_WORD = '='

/** The folded words of an idea, by column. */
export type Concept = readonly (readonly string[])[]

interface Entry {
  key: string
  isExact: boolean
  places: readonly number[]
}

/** Reads a group of words, each in one language or in several, in the order of `COLUMNS`. */
function readConcept(group: readonly (string | readonly string[])[]): Concept {
  const words = group.filter((part) => typeof part === 'string')
  const columns = group.filter((part) => typeof part !== 'string')
  const foldAll = (column: readonly string[]): string[] => [...new Set(column.flatMap(foldedParts))]
  return words.length > 0 ? [[], [], [], [], foldAll(words)] : columns.map(foldAll)
}

interface SynonymsOptions {
  base?: Synonyms
  dictionary?: () => Synonyms
  isByLanguage?: boolean
}

/** Synonyms and translations by folded word. */
export class Synonyms {
  readonly #concepts: readonly Concept[]
  /** The places of a word; most have one. */
  readonly #places = new Map<string, number | number[]>()
  readonly #base: Synonyms | undefined
  readonly #dictionary: (() => Synonyms) | undefined
  readonly #isByLanguage: boolean

  /**
   * Takes groups of words, each in one language or in several; `base` stands behind them. `isByLanguage`
   * says that a word of a question is looked up in its own language first. The words of a `dictionary` are
   * translations alone.
   */
  constructor(
    groups: readonly (readonly (string | readonly string[])[])[],
    { base, dictionary, isByLanguage = true }: SynonymsOptions = {},
  ) {
    this.#base = base
    this.#dictionary = dictionary
    this.#isByLanguage = isByLanguage
    this.#concepts = groups.map(readConcept)
    for (const [number, concept] of this.#concepts.entries()) {
      for (const [column, words] of concept.entries()) {
        for (const word of words) this.#add(word, (number << COLUMN_BITS) | column)
      }
    }
  }

  #add(word: string, place: number): void {
    const known = this.#places.get(word)
    if (known === undefined) this.#places.set(word, place)
    else if (typeof known === 'number') this.#places.set(word, [known, place])
    else known.push(place)
  }

  /** The places of a word in a language; all of them where none is given. */
  #placesOf(word: string, language: Language | undefined): readonly number[] {
    const found = this.#places.get(word)
    if (found === undefined) return []
    const places = typeof found === 'number' ? [found] : found
    if (language === undefined || !this.#isByLanguage) return places
    const own = COLUMNS.indexOf(language)
    return places.filter((place) => {
      const column = place & COLUMN_MASK
      return column === own || column === ANY_COLUMN
    })
  }

  /**
   * Returns what stands for a word: by its forms, and else by its stem or by the parts of a compound, in
   * the language of the question; a word that it lacks may be one of another language.
   * `written` are the languages of the site, which bound the translations: the German `Studio` is not an
   * English one.
   */
  find(
    forms: readonly string[],
    language: Language | undefined,
    written: ReadonlySet<Language>,
  ): SynonymSet {
    const behind = this.#base?.find(forms, language, written)
    const same = new Set(behind?.same)
    const other = new Set(behind?.other)
    for (const { key, isExact, places } of this.#lookUp(forms, language)) {
      // An inexact key stands for the word itself.
      if (!isExact) same.add(key)
      for (const place of places) {
        const own = place & COLUMN_MASK
        for (const [column, words] of (this.#concepts[place >> COLUMN_BITS] ?? []).entries()) {
          const spoken = COLUMNS[column]
          if (column !== own && spoken !== undefined && !written.has(spoken)) continue
          const into = column === own ? same : other
          for (const word of words) if (word !== key) into.add(word)
        }
      }
    }
    const dictionary = language === undefined ? undefined : this.#dictionary?.()
    for (const word of dictionary?.translationsOf(forms, language, written) ?? []) other.add(word)
    return { same: [...same], other: [...other] }
  }

  /** The words of other languages of the site for a word, as a dictionary lists them. */
  translationsOf(
    forms: readonly string[],
    language: Language | undefined,
    written: ReadonlySet<Language>,
  ): string[] {
    return this.#listed(forms, language).flatMap((place) =>
      (this.#concepts[place >> COLUMN_BITS] ?? []).flatMap((words, column) => {
        const spoken = COLUMNS[column]
        const isOther = column !== (place & COLUMN_MASK) && spoken !== undefined
        return isOther && written.has(spoken) ? words : []
      }),
    )
  }

  /** The places of a word in its language, by its forms, and else by its stem or by the parts of a compound. */
  #listed(forms: readonly string[], language: Language | undefined): readonly number[] {
    const exact = this.#exact(forms, language)
    if (exact.length > 0) return exact.flatMap(({ places }) => places)
    const keys = this.#inexact(forms[0] ?? '', language)
    return keys.flatMap((key) => this.#placesOf(key, language))
  }

  /** The names of the concepts that a folded word belongs to, in the language of its text. */
  conceptsOf(folded: string, language: Language | undefined): string[] {
    const own = this.#lookUp([folded], language).flatMap(({ places }) => places)
    const dictionary = language === undefined ? undefined : this.#dictionary?.()
    return [
      ...own.map((place) => this.#firstWords(place)[0] ?? ''),
      ...(dictionary?.meaningsOf(folded, language) ?? []),
    ]
  }

  /** The folded words of a language, with those of the dictionary; one of several meanings comes again. */
  *wordsOf(language: Language): Generator<string> {
    const column = COLUMNS.indexOf(language)
    for (const concept of this.#concepts)
      for (const word of concept[column] ?? []) yield word.replace(WHOLE_WORD, '')
    const dictionary = this.#dictionary?.()
    if (dictionary !== undefined) yield* dictionary.wordsOf(language)
  }

  /** The meanings of a folded word as a dictionary lists them, each named by its words in two languages. */
  meaningsOf(folded: string, language: Language | undefined): string[] {
    const places = this.#listed([folded], language)
    return places.map((place) => this.#firstWords(place).slice(0, 2).join(' '))
  }

  /** The first word of a concept in each language. */
  #firstWords(place: number): string[] {
    return (this.#concepts[place >> COLUMN_BITS] ?? []).flatMap(([first]) => first ?? [])
  }

  #lookUp(forms: readonly string[], language: Language | undefined): Entry[] {
    const found = this.#exact(forms, language)
    if (found.length > 0)
      return [...found, ...found.flatMap((entry) => this.#stemsOf(entry, language))]
    const keys = this.#inexact(forms[0] ?? '', language)
    if (keys.length === 0) return this.#exact(forms, undefined)
    return keys.map((key) => ({ key, isExact: false, places: this.#placesOf(key, language) }))
  }

  #exact(forms: readonly string[], language: Language | undefined): Entry[] {
    return forms
      .flatMap((form) => [form, `${form}${WHOLE_WORD}`])
      .map((key) => ({ key, isExact: true, places: this.#placesOf(key, language) }))
      .filter(({ places }) => places.length > 0)
  }

  /** The entries of the stem of an inflected form, as a concept lists both: `yurtdışı yurtdışına`. */
  #stemsOf({ key, places }: Entry, language: Language | undefined): Entry[] {
    const beside = places.flatMap(
      (place) => this.#concepts[place >> COLUMN_BITS]?.[place & COLUMN_MASK] ?? [],
    )
    const stems = beside.filter(
      (word) => word !== key && word.length >= MIN_PART && key.startsWith(word),
    )
    return this.#exact(stems, language)
  }

  #has(word: string, language: Language | undefined): boolean {
    return this.#places.has(word) && this.#placesOf(word, language).length > 0
  }

  #inexact(folded: string, language: Language | undefined): string[] {
    if (language === 'ar') return this.#arabic(folded)
    if (language === 'de') return this.#compound(folded)
    if (language === 'en') return this.#english(folded)
    const shortest = Math.max(MIN_PART, folded.length - MAX_ENDING)
    for (let length = folded.length - 1; length >= shortest; length -= 1) {
      const stem = folded.slice(0, length)
      if (this.#has(stem, language)) return [stem]
    }
    return []
  }

  /** The two known words of a German compound: `Türkischkurs` is about both. */
  partsOf(folded: string): readonly string[] {
    if (this.isKnown(folded, 'de')) return []
    for (let cut = folded.length - MIN_COMPOUND_PART; cut >= MIN_COMPOUND_PART; cut -= 1) {
      const [start, end] = [folded.slice(0, cut), folded.slice(cut)]
      const first = [start, start.replace(LINKING_LETTER, '')].find((word) =>
        this.isKnown(word, 'de'),
      )
      if (first !== undefined && this.isKnown(end, 'de')) return [first, end]
    }
    return []
  }

  /** Whether a folded word, or two written as one, stand in a group, in any language. */
  has(word: string): boolean {
    return this.#places.has(word) || this.#base?.has(word) === true
  }

  /** Whether a folded word stands in a group, as a word of a language. */
  isKnown(word: string, language: Language | undefined): boolean {
    const isOwn = this.#has(word, language) || this.#has(`${word}${WHOLE_WORD}`, language)
    return isOwn || this.#base?.isKnown(word, language) === true
  }

  #english(folded: string): string[] {
    const bare = folded.replace(/(?:ies|e?s|e?d|ing)$/, '')
    const forms = [folded.replace(/s$/, ''), bare, `${bare}e`, `${bare}y`]
    const found = forms.find((form) => form.length >= MIN_STEM && this.#has(form, 'en'))
    return found === undefined ? [] : [found]
  }

  #compound(folded: string): string[] {
    const found: string[] = []
    for (let cut = folded.length - 1; cut >= MIN_PART; cut -= 1) {
      const start = folded.slice(0, cut)
      if (!this.#has(start, 'de')) continue
      found.push(start)
      break
    }
    for (let cut = 2; cut <= folded.length - MIN_PART; cut += 1) {
      const end = folded.slice(cut)
      if (!this.#has(end, 'de')) continue
      found.push(end)
      break
    }
    return found
  }

  /** The known words with the fewest letters cut off, with and without the ending of the feminine. */
  #arabic(folded: string): string[] {
    for (const stems of arabicStems(folded)) {
      const known = stems
        .flatMap((stem) => [stem, `${stem}ه`])
        .filter((form) => this.#has(form, 'ar'))
      if (known.length > 0) return [...new Set(known)]
    }
    return []
  }
}

function foldedParts(word: string): string[] {
  return word.split(/[\s'’-]+/).flatMap((part) => (part === '' ? [] : [fold(part)]))
}
