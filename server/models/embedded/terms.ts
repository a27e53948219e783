import { fold, words } from '../../lib/fold.ts'
import { type Stemmer, createStemmer } from '../../lib/stemmer.ts'
import { isGeneralWord, isStopWord } from '../../lib/stop-words.ts'

const MIN_TERM_LENGTH = 3
/** Enough for any text that a prompt takes. */
const CACHE_SIZE = 10_000

/** A word that says something, and what stands for all its forms. */
export interface Term {
  word: string
  stem: string
}

/** Finds the words of one text that carry its topic. */
export class Terms {
  readonly #stemmer: Stemmer = createStemmer(CACHE_SIZE)

  /** In reading order. Undefined keeps the place of a word that says nothing. */
  read(text: string): (Term | undefined)[] {
    return words(text).map((word) => {
      const folded = fold(word)
      const isEmpty = folded.length < MIN_TERM_LENGTH || /^\d+$/.test(folded)
      if (isEmpty || isStopWord(folded) || isGeneralWord(folded)) return undefined
      const [form = folded, ...stems] = this.#stemmer.forms(word)
      return { word, stem: stems[0] ?? form }
    })
  }
}
