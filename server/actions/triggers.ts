import { writtenForm } from '../lib/text/colloquial.ts'
import { editDistance } from '../lib/text/edit-distance.ts'
import { fold, splitWords } from '../lib/text/fold.ts'
import { LANGUAGES, type Language } from '../lib/text/language.ts'
import type { Stemmer } from '../lib/text/stemmer.ts'
import { isStopWord } from '../lib/text/stop-words.ts'
import type { LoadedAction } from './definition.ts'

/** A longer message tells more than a wish: the answerer takes it. */
const MAX_MESSAGE_LENGTH = 300
const MAX_MESSAGE_WORDS = 30
/** A trigger of one word counts in a message of so few words only. */
const MAX_WORDS_AROUND_ONE = 4
/** Shortest words that may have another ending, or a typo. */
const MIN_STEM_LENGTH = 4
const MAX_ENDING_LENGTH = 3
const MIN_TYPO_LENGTH = 6
/** Letters that Arabic writes in front of a word: and, then, the, for the. */
const ARABIC_PREFIX = /^[وف]?(?:ال|لل)(?=[\u0621-\u064A]{3})/

interface Word {
  folded: string
  forms: readonly string[]
}

/** An action that a message asks for, and the language of the phrase that told. */
export interface TriggeredAction {
  action: LoadedAction
  language: Language
}

/** Finds the action whose phrase a message holds; of several, the one with the longest phrase. */
export function findTriggered(
  text: string,
  actions: readonly LoadedAction[],
  stemmer: Stemmer,
): TriggeredAction | undefined {
  if (text.length > MAX_MESSAGE_LENGTH) return undefined
  let best: (TriggeredAction & { score: number }) | undefined
  for (const language of LANGUAGES) {
    const said = wordsOf(writtenForm(text, language), stemmer)
    if (said.length === 0 || said.length > MAX_MESSAGE_WORDS) continue
    for (const action of actions) {
      for (const phrase of action.definition.triggers[language] ?? []) {
        const score = scoreOf(wordsOf(phrase, stemmer), said, language)
        if (score > (best?.score ?? 0)) best = { action, language, score }
      }
    }
  }
  return best && { action: best.action, language: best.language }
}

function wordsOf(text: string, stemmer: Stemmer): Word[] {
  return splitWords(text).map((word) => ({ folded: fold(word), forms: stemmer.forms(word) }))
}

/** Returns how much of a phrase was said; 0 where a word that tells its topic is missing. */
function scoreOf(phrase: readonly Word[], said: readonly Word[], language: Language): number {
  if (phrase.length === 0) return 0
  const topics = phrase.filter(({ folded }) => !isStopWord(folded, language))
  const small = phrase.filter((word) => !topics.includes(word))
  if (!topics.every((word) => said.some((other) => isSame(word, other)))) return 0
  const common = small.filter(({ folded }) => said.some((other) => other.folded === folded)).length
  if (topics.length < 2 && common < Math.ceil(small.length / 2)) return 0
  if (phrase.length === 1 && said.length > MAX_WORDS_AROUND_ONE) return 0
  return 2 * topics.length + common
}

function isSame(one: Word, other: Word): boolean {
  if (one.forms.some((form) => other.forms.includes(form))) return true
  const [a, b] = [bare(one.folded), bare(other.folded)]
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < MIN_STEM_LENGTH) return false
  if (long.startsWith(short) && long.length - short.length <= MAX_ENDING_LENGTH) return true
  return short.length >= MIN_TYPO_LENGTH && editDistance(a, b, 1) <= 1
}

function bare(folded: string): string {
  return folded.replace(ARABIC_PREFIX, '')
}
