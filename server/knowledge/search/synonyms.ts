import { fold } from '../../lib/text/fold.ts'
import { LANGUAGES, type Language } from '../../lib/text/language.ts'
import { EVERYDAY_WORDS } from './lexicon/everyday.ts'
import { HOUSEHOLD_WORDS } from './lexicon/household.ts'
import { LEISURE_WORDS } from './lexicon/leisure.ts'
import { SERVICE_WORDS } from './lexicon/services.ts'
import { SOFTWARE_WORDS } from './lexicon/software.ts'
import { PLACE_WORDS, TRADE_WORDS, WORDS_FOR_ABROAD } from './lexicon/trade.ts'

/** Shortest part of a German compound, and shortest stem of an inflected word, that is looked up. */
const MIN_PART = 4
const MAX_ENDING = 7
const MIN_COMPOUND_PART = 2
/** Letters between the words of a compound. */
const LINKING_LETTER = /(?:s|n|es|en)$/
/** Shortest English word without its ending that is looked up. */
const MIN_STEM = 3
const ARABIC_PREFIX = /^(?:وال|بال|كال|فال|لل|ال|و|ب|ل|ف|س|ت|ي|ن)/
const ARABIC_SUFFIX = /(?:ات|ين|ون|كم|ها|نا|هم|يه|ه|ي|ك)$/

/** Other words for a word, folded; a word of another language is a translation. */
export interface SynonymSet {
  same: readonly string[]
  other: readonly string[]
}

interface Entry {
  same: Set<string>
  /** Translations, with their languages as bits. */
  other: Map<string, number>
}

/** Of a word whose language is not known: it counts on any site. */
const ANY_LANGUAGE = 1 << LANGUAGES.length

function bitOf(language: Language | undefined): number {
  return language === undefined ? ANY_LANGUAGE : 1 << LANGUAGES.indexOf(language)
}

/** The languages of a line of `lexicon/`, in order. */
const COLUMNS: readonly Language[] = ['tr', 'en', 'de', 'ar']

/** Synonyms and translations by folded word. */
export class Synonyms {
  readonly #entries = new Map<string, Entry>()

  readonly #base: Synonyms | undefined

  /** Takes groups of words, each in one language or in several; `base` stands behind them. */
  constructor(groups: readonly (readonly (string | readonly string[])[])[], base?: Synonyms) {
    this.#base = base
    for (const group of groups) {
      const words = group.filter((part) => typeof part === 'string')
      this.#addGroup(words.length > 0 ? [words] : group.filter((part) => typeof part !== 'string'))
    }
  }

  #addGroup(languages: readonly (readonly string[])[]): void {
    const folded = languages.map((words) => words.flatMap((word) => foldedParts(word)))
    for (const [at, words] of folded.entries()) {
      for (const word of words) {
        const entry = this.#entries.get(word) ?? { same: new Set(), other: new Map() }
        for (const one of words) if (one !== word) entry.same.add(one)
        for (const [column, others] of folded.entries()) {
          if (column !== at) addTranslations(entry, word, others, COLUMNS[column])
        }
        this.#entries.set(word, entry)
      }
    }
  }

  /**
   * Returns what stands for a word: by its forms, and else by its stem or by the parts of a compound.
   * `language` is the language of the question; `written` are those of the site, which bound the
   * translations: the German `Studio` is not an English one.
   */
  find(
    forms: readonly string[],
    language: Language | undefined,
    written: ReadonlySet<Language>,
  ): SynonymSet {
    const [folded = ''] = forms
    const exact = forms.filter((form) => this.#entries.has(form))
    const keys = exact.length > 0 ? exact : this.#inexact(folded, language)
    const behind = this.#base?.find(forms, language, written)
    const same = new Set(behind?.same)
    const other = new Set(behind?.other)
    const wanted = [...written].reduce((bits, own) => bits | bitOf(own), ANY_LANGUAGE)
    for (const key of keys) {
      const entry = this.#entries.get(key)
      // An inexact key stands for the word itself.
      if (exact.length === 0) same.add(key)
      for (const word of entry?.same ?? []) same.add(word)
      for (const [word, languages] of entry?.other ?? []) {
        if ((languages & wanted) !== 0) other.add(word)
      }
    }
    return { same: [...same], other: [...other] }
  }

  #inexact(folded: string, language: Language | undefined): string[] {
    if (language === 'ar') return this.#arabic(folded)
    if (language === 'de') return this.#compound(folded)
    if (language === 'en') return this.#english(folded)
    const shortest = Math.max(MIN_PART, folded.length - MAX_ENDING)
    for (let length = folded.length - 1; length >= shortest; length -= 1) {
      const stem = folded.slice(0, length)
      if (this.#entries.has(stem)) return [stem]
    }
    return []
  }

  /** The two known words of a German compound: `Türkischkurs` is about both. */
  partsOf(folded: string): readonly string[] {
    if (this.isKnown(folded)) return []
    for (let cut = folded.length - MIN_COMPOUND_PART; cut >= MIN_COMPOUND_PART; cut -= 1) {
      const [start, end] = [folded.slice(0, cut), folded.slice(cut)]
      const first = [start, start.replace(LINKING_LETTER, '')].find((word) => this.isKnown(word))
      if (first !== undefined && this.isKnown(end)) return [first, end]
    }
    return []
  }

  /** Whether a folded word stands in a group. */
  isKnown(word: string): boolean {
    return this.#entries.has(word) || this.#base?.isKnown(word) === true
  }

  #english(folded: string): string[] {
    const bare = folded.replace(/(?:ies|e?s|e?d|ing)$/, '')
    const forms = [folded.replace(/s$/, ''), bare, `${bare}e`, `${bare}y`]
    const found = forms.find((form) => form.length >= MIN_STEM && this.#entries.has(form))
    return found === undefined ? [] : [found]
  }

  #compound(folded: string): string[] {
    const found: string[] = []
    for (let cut = folded.length - 1; cut >= MIN_PART; cut -= 1) {
      const start = folded.slice(0, cut)
      if (!this.#entries.has(start)) continue
      found.push(start)
      break
    }
    for (let cut = 2; cut <= folded.length - MIN_PART; cut += 1) {
      const end = folded.slice(cut)
      if (!this.#entries.has(end)) continue
      found.push(end)
      break
    }
    return found
  }

  #arabic(folded: string): string[] {
    const bare = folded.replace(ARABIC_PREFIX, '')
    const short = bare.replace(ARABIC_SUFFIX, '')
    const ending = folded.replace(ARABIC_SUFFIX, '')
    return [bare, `${bare}ه`, short, `${short}ه`, ending].filter(
      (form) => form.length > 1 && this.#entries.has(form),
    )
  }
}

function addTranslations(
  { other }: Entry,
  word: string,
  translations: readonly string[],
  language: Language | undefined,
): void {
  const bit = bitOf(language)
  for (const one of translations) {
    if (one !== word) other.set(one, (other.get(one) ?? 0) | bit)
  }
}

function foldedParts(word: string): string[] {
  return word.split(/[\s'’-]+/).flatMap((part) => (part === '' ? [] : [fold(part)]))
}

const readTable = (table: string): string[][][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((part) => part.trim().split(/\s+/)))

function readShipped(): string[][][] {
  const software = SOFTWARE_WORDS.trim().split('\n')
  const trades = [TRADE_WORDS, PLACE_WORDS, SERVICE_WORDS, LEISURE_WORDS, HOUSEHOLD_WORDS]
  return [...software.map((line) => [line.split(' ')]), ...trades.flatMap(readTable)]
}

/** Small words that any text of a few sentences has some of, folded. */
const SMALL_WORDS: Readonly<Record<Language, readonly string[]>> = {
  tr: ['ve', 'bir', 'ile', 'icin', 'bu', 'da', 'de'],
  en: ['the', 'and', 'for', 'with', 'of', 'to', 'you'],
  de: ['und', 'der', 'die', 'das', 'ist', 'mit', 'sie'],
  ar: ['في', 'من', 'علي', 'الي', 'عن', 'مع'],
}
const MIN_SMALL_WORDS = 3

/** The languages in which a site with these words is written; all where none shows. */
export function languagesWritten(has: (word: string) => boolean): ReadonlySet<Language> {
  const written = LANGUAGES.filter(
    (language) => SMALL_WORDS[language].filter(has).length >= MIN_SMALL_WORDS,
  )
  return new Set(written.length === 0 ? LANGUAGES : written)
}

/** The reviewed synonyms and translations of `lexicon/`, for large documentation. */
const SHIPPED_SYNONYMS = new Synonyms(readShipped())
/** With those of everyday life, which mean other things in documentation: `call`, `wait`, `slide`. */
const EVERYDAY_SYNONYMS = new Synonyms(readTable(EVERYDAY_WORDS), SHIPPED_SYNONYMS)

/** The shipped synonyms for a site, by whether it is large documentation. */
export const shippedSynonyms = (isDocumentation: boolean): Synonyms =>
  isDocumentation ? SHIPPED_SYNONYMS : EVERYDAY_SYNONYMS

const PLACES = new Set(foldedParts(PLACE_WORDS.replaceAll('|', ' ')))
for (const word of foldedParts(WORDS_FOR_ABROAD)) PLACES.delete(word)

/** Whether a folded word, without its ending, names a country or a city that the lexicon knows. */
export const isPlaceName = (folded: string): boolean => PLACES.has(folded)
