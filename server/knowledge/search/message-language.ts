import { fold, splitWords } from '../../lib/text/fold.ts'
import { detectLanguage, type Language } from '../../lib/text/language.ts'
import { shippedSynonyms } from './shipped-synonyms.ts'

/** Languages of the same letters. */
const LATIN = ['tr', 'en', 'de'] as const satisfies readonly Language[]
type Latin = (typeof LATIN)[number]

const GRAM_LENGTH = 3
/** Numbers of a UTF-16 unit. */
const LETTERS = 65_536
/** Added to each count, so that a rare sequence of letters excludes no language. */
const SMOOTHING = 0.5
/** How much likelier a language is than the next one, as a difference of logarithms. */
const MIN_LEAD = 2
const CLEAR_LEAD = 8
/** A message of so many words is no name of goods, such as `power bank`. */
const MANY_WORDS = 4
const MIN_OWN_WORDS = 2
const NUMBER = /\d/

/** The words of the lexicon, and how likely the sequences of their letters are in each language. */
interface LetterModel {
  /** The languages of a folded word, a bit each. */
  words: ReadonlyMap<string, number>
  /** The logarithms of a sequence's likelihood, in the order of `LATIN`, by its number. */
  grams: ReadonlyMap<number, Float64Array>
}

/** The numbers of the sequences of a word's letters, with its ends. */
function gramsOf(word: string): number[] {
  const bounded = ` ${word} `
  const grams: number[] = []
  for (let at = 0; at + GRAM_LENGTH <= bounded.length; at += 1) {
    let gram = 0
    for (let next = at; next < at + GRAM_LENGTH; next += 1)
      gram = gram * LETTERS + bounded.charCodeAt(next)
    grams.push(gram)
  }
  return grams
}

function buildLetterModel(): LetterModel {
  const words = new Map<string, number>()
  const counts = new Map<number, Float64Array>()
  const totals = LATIN.map(() => 0)
  for (const [at, language] of LATIN.entries()) {
    for (const word of new Set(shippedSynonyms(false).wordsOf(language))) {
      words.set(word, (words.get(word) ?? 0) | (1 << at))
      for (const gram of gramsOf(word)) {
        const count = counts.get(gram) ?? new Float64Array(LATIN.length)
        count[at] = (count[at] ?? 0) + 1
        counts.set(gram, count)
        totals[at] = (totals[at] ?? 0) + 1
      }
    }
  }
  for (const count of counts.values())
    for (const [at, own] of count.entries())
      count[at] = Math.log((own + SMOOTHING) / ((totals[at] ?? 0) + SMOOTHING * counts.size))
  return { words, grams: counts }
}

let model: LetterModel | undefined

/** Guesses the language of a few words from their letters: naive Bayes over sequences of three. */
function guessLanguage(text: string): Latin | undefined {
  model ??= buildLetterModel()
  const { words, grams } = model
  const folded = splitWords(text)
    .map((word) => fold(word))
    .filter((word) => !NUMBER.test(word))
  const sums = LATIN.map(() => 0)
  for (const gram of folded.flatMap(gramsOf)) {
    for (const [at, likelihood] of (grams.get(gram) ?? []).entries())
      sums[at] = (sums[at] ?? 0) + likelihood
  }
  const [best = 0, next = 0] = sums.toSorted((a, b) => b - a)
  const guessed = LATIN[sums.indexOf(best)]
  if (guessed === undefined || best - next < MIN_LEAD) return undefined
  const own = folded.filter((word) => words.get(word) === 1 << LATIN.indexOf(guessed)).length
  const isPlain =
    folded.length >= MANY_WORDS ||
    own >= MIN_OWN_WORDS ||
    own === folded.length ||
    (own > 0 && best - next >= CLEAR_LEAD)
  return isPlain ? guessed : undefined
}

/**
 * The language of what a visitor writes: by its small words and endings, and where these tell nothing, as in
 * `phone number pls`, by the letters of its words. `undefined` for names and for what may be any language.
 */
export const messageLanguage = (text: string): Language | undefined =>
  detectLanguage(text) ?? guessLanguage(text)
