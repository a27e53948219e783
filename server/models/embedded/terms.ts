import { fold, splitWords } from '../../lib/text/fold.ts'
import { type Stemmer, createStemmer } from '../../lib/text/stemmer.ts'
import { isGeneralWord, isStopWord } from '../../lib/text/stop-words.ts'

const MIN_TERM_LENGTH = 3
/** Sufficient for any text that a prompt accepts. */
const CACHE_SIZE = 10_000

/** A meaningful word and the stem of all its forms. */
export interface Term {
  word: string
  stem: string
}

/** Extracts the topical words of one text. */
export class Terms {
  readonly #stemmer: Stemmer = createStemmer(CACHE_SIZE)

  /** Terms in reading order; undefined in place of a stop word. */
  read(text: string): (Term | undefined)[] {
    return splitWords(text).map((word) => {
      const folded = fold(word)
      const isEmpty = folded.length < MIN_TERM_LENGTH || /^\d+$/.test(folded)
      if (isEmpty || isStopWord(folded) || isGeneralWord(folded)) return undefined
      const [form = folded, ...stems] = this.#stemmer.forms(word)
      return { word, stem: stems[0] ?? form }
    })
  }
}
