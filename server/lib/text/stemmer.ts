import snowball from 'snowball-stemmers'
import { fold, lowerTr } from './fold.ts'

const MAX_STEMMED_LENGTH = 32
/** Small words, folded, whose stem is another word: `bile` (even) is no form of `bil` (know). */
const UNSTEMMED = new Set(['bile'])
/**
 * A unit with a Turkish ending, folded: `gecelik` is the price of a `gece`, `kiloluk` tells the `kilo`, and `günde`
 * is of so few letters that no stemmer finds the `gün`.
 */
const OF_UNIT =
  /^(gece|gun|hafta|ay|yil|saat|dakika|kisi|kilo|metre|litre|seans|ders)(?:l[iu][kg].*|[dt][ae]n?|ler(?:de|den|i)?|lar(?:da|dan|i)?)$/
const DEFAULT_CACHE_SIZE = 30_000

/** Gives a word's index forms. Keeps what it has computed, up to a bound. */
export interface Stemmer {
  /** Folded, then folded Turkish stem, then folded English stem; each form once, folded first. */
  forms(word: string): readonly string[]
  /** The same without the Turkish stem, for words of an English text: a fifth of the work. */
  englishForms(word: string): readonly string[]
}

/** Remembers a function of words: two generations of `size` words, the older is dropped whole. */
function remember(
  size: number,
  compute: (word: string) => readonly string[],
): (word: string) => readonly string[] {
  let young = new Map<string, readonly string[]>()
  let old = new Map<string, readonly string[]>()
  return (word) => {
    if (word.length > MAX_STEMMED_LENGTH) return compute(word)
    const known = young.get(word)
    if (known !== undefined) return known
    const found = old.get(word) ?? compute(word)
    if (young.size >= size) {
      old = young
      young = new Map()
    }
    young.set(word, found)
    return found
  }
}

/**
 * Makes a stemmer with its own cache of `cacheSize` words. Snowball takes 10 µs a word for English
 * and 40 for Turkish, so share one where many texts are read.
 */
export function createStemmer(cacheSize: number = DEFAULT_CACHE_SIZE): Stemmer {
  const turkish = snowball.newStemmer('turkish')
  const english = snowball.newStemmer('english')

  function compute(word: string, stems: () => string[]): readonly string[] {
    const folded = fold(word)
    if (UNSTEMMED.has(folded)) return [folded]
    if (word.length > MAX_STEMMED_LENGTH || word.length < 3 || !/^[\p{L}\p{M}]+$/u.test(word)) {
      return [folded]
    }
    const unit = OF_UNIT.exec(folded)?.[1] ?? ''
    return [...new Set([folded, ...stems().map(fold), unit])].filter((form) => form !== '')
  }
  const stemEn = (word: string): string => english.stem(word.toLowerCase())
  const stemTr = (word: string): string => turkish.stem(lowerTr(word))

  return {
    forms: remember(cacheSize, (word) => compute(word, () => [stemTr(word), stemEn(word)])),
    englishForms: remember(cacheSize, (word) => compute(word, () => [stemEn(word)])),
  }
}
