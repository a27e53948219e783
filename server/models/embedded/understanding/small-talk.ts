import { editDistance } from '../../../lib/text/edit-distance.ts'
import { fold } from '../../../lib/text/fold.ts'
import { LANGUAGES, type Language } from '../../../lib/text/language.ts'
import { TALKS, type Talk, type TalkPhrases } from '../lexicon/talk.ts'
import { ar } from '../lexicon/talk.ar.ts'
import { de } from '../lexicon/talk.de.ts'
import { en } from '../lexicon/talk.en.ts'
import { tr } from '../lexicon/talk.tr.ts'

const MAX_LENGTH = 160
const MAX_PHRASE_WORDS = 8
/** Shortest word that may have a typo. */
const MIN_TYPO_LENGTH = 6
/** Longest message that one rude or angry word decides. */
const MAX_OUTBURST_WORDS = 14
const OUTBURSTS = ['insult', 'complaint'] as const satisfies readonly Talk[]
/** Words of anger that also stand in an ordinary question. */
const MILD = new Set(
  'mal sus lan yeter joke bad worst shame rude dick damn trash garbage suck mist klappe sauer still schlecht خطا'.split(
    ' ',
  ),
)

const GOOD_EMOJI =
  /[\u{1F44D}\u{1F44C}\u{1F64F}\u{1F44F}\u{1F60A}-\u{1F60D}\u{1F600}-\u{1F606}\u{1F642}\u{1F917}\u{1F389}\u{1F970}\u{1F929}\u{1F618}\u{1F495}-\u{1F49F}\u2764\u2665\u{1F607}\u{1F609}\u{1F44B}]/u
const BAD_EMOJI =
  /[\u{1F620}-\u{1F622}\u{1F624}\u{1F62D}\u{1F62B}\u{1F629}\u{1F641}\u2639\u{1F44E}\u{1F92C}\u{1F61E}\u{1F614}\u{1F612}\u{1F926}\u{1F494}]/u

/** What was recognised, and in which language; a message of pictures has none. */
export interface SmallTalk {
  talk: Talk
  language: Language | undefined
  /** Nothing else was said. */
  isWhole: boolean
}

interface PhraseTable {
  /** Whole phrases and their first words, which a longer phrase may begin with. */
  phrases: ReadonlyMap<string, Talk | 'filler'>
  /** Beginnings of words, from `*`. */
  stems: readonly { start: string; talk: Talk }[]
  /** Single words that may be misspelt. */
  words: readonly { word: string; talk: Talk }[]
}

function buildTable(language: TalkPhrases): PhraseTable {
  const phrases = new Map<string, Talk | 'filler'>()
  const stems: { start: string; talk: Talk }[] = []
  const words: { word: string; talk: Talk }[] = []
  for (const talk of ['filler', ...TALKS.toReversed()] as const) {
    for (const written of language[talk].split(',')) {
      const phrase = fold(written.trim())
      const isOpen = phrase.endsWith('*')
      const plain = phrase.replaceAll('*', '')
      phrases.set(plain, talk)
      if (talk === 'filler') continue
      if (isOpen) stems.push({ start: plain, talk })
      if (!plain.includes(' ') && plain.length >= MIN_TYPO_LENGTH) words.push({ word: plain, talk })
    }
  }
  return { phrases, stems: stems.toReversed(), words }
}

const TABLES: Readonly<Record<Language, PhraseTable>> = {
  tr: buildTable(tr),
  en: buildTable(en),
  de: buildTable(de),
  ar: buildTable(ar),
}

/** The talk that a run of words is, or `undefined`. */
function talkOf(run: string, isSingle: boolean, table: PhraseTable): Talk | 'filler' | undefined {
  const whole = table.phrases.get(run)
  if (whole !== undefined) return whole
  const stem = table.stems.find(({ start }) => {
    if (!run.startsWith(start)) return false
    // The open end of a phrase belongs to its last word.
    return !run.slice(start.length).includes(' ') && start.length > 2
  })
  if (stem !== undefined) return stem.talk
  if (!isSingle || run.length < MIN_TYPO_LENGTH) return undefined
  return table.words.find(({ word }) => editDistance(word, run, 1) <= 1)?.talk
}

/** Reads a message as a row of phrases; `undefined` when a word is left over. */
function readPhrases(words: readonly string[], table: PhraseTable): Talk | undefined {
  const found = new Set<Talk>()
  for (let at = 0; at < words.length;) {
    let length = Math.min(MAX_PHRASE_WORDS, words.length - at)
    let talk: Talk | 'filler' | undefined
    for (; length > 0; length -= 1) {
      talk = talkOf(words.slice(at, at + length).join(' '), length === 1, table)
      if (talk !== undefined) break
    }
    if (talk === undefined) return undefined
    if (talk !== 'filler') found.add(talk)
    at += length
  }
  return TALKS.find((talk) => found.has(talk))
}

/** An angry or rude word in a short message. */
function readOutburst(words: readonly string[], table: PhraseTable): Talk | undefined {
  if (words.length > MAX_OUTBURST_WORDS) return undefined
  const found = new Set<Talk>()
  for (let at = 0; at < words.length; at += 1) {
    for (let length = 1; length <= 4 && at + length <= words.length; length += 1) {
      const run = words.slice(at, at + length).join(' ')
      if (MILD.has(run)) continue
      const exact = table.phrases.get(run)
      const stem = table.stems.find(
        ({ start }) => start.length > 3 && !MILD.has(start) && run.startsWith(start),
      )
      const talk = exact ?? (length === 1 ? stem?.talk : undefined)
      if (talk !== undefined && talk !== 'filler') found.add(talk)
    }
  }
  return OUTBURSTS.find((talk) => found.has(talk))
}

/** Splits a message into folded words without marks and pictures; apostrophes are dropped. */
function spokenWords(text: string): string[] {
  const plain = fold(text)
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/what['’]s\b/g, 'what is')
    .replace(/(\w)['’](?:m|re|ve|ll|d|s)\b/g, (contraction: string, letter: string) =>
      expandContraction(contraction, letter),
    )
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

function expandContraction(contraction: string, letter: string): string {
  const ending = contraction.slice(2)
  const full = { m: 'am', re: 'are', ve: 'have', ll: 'will', d: 'would', s: 'is' }[ending]
  return full === undefined ? contraction : `${letter} ${full}`
}

/**
 * Recognises what is said around questions: a message of nothing but its phrases, or one with an
 * angry or rude word. `preferred` is tried first.
 */
export function readSmallTalk(
  text: string,
  { preferred, written }: { preferred: Language; written: string },
): SmallTalk | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const words = spokenWords(written)
  if (words.length === 0) {
    const talk = BAD_EMOJI.test(text) ? 'complaint' : GOOD_EMOJI.test(text) ? 'praise' : 'help'
    return { talk, language: undefined, isWhole: true }
  }
  const order = [preferred, ...LANGUAGES.filter((language) => language !== preferred)]
  for (const language of order) {
    const talk = readPhrases(words, TABLES[language])
    if (talk !== undefined) return { talk, language, isWhole: true }
  }
  const outburst = readOutburst(words, TABLES[preferred])
  return outburst && { talk: outburst, language: preferred, isWhole: false }
}
