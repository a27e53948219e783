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
/** Letters by which stems and words are looked up. */
const STEM_KEY_LENGTH = 3
const TYPO_KEY_LENGTH = 2
const MAX_OUTBURST_PHRASE = 4
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

interface Stem {
  start: string
  talk: Talk
}

interface Word {
  word: string
  talk: Talk
  /** Of two words that are as near, the first one counts. */
  at: number
}

/** The phrases of a language. Every message is read, so that nothing is compared with all of them. */
interface PhraseTable {
  phrases: ReadonlyMap<string, Talk | 'filler'>
  /** First words of the phrases of several words. */
  openings: ReadonlySet<string>
  /** Beginnings of words, from `*`, by their first letters. */
  stems: ReadonlyMap<string, readonly Stem[]>
  /** Single words that may be misspelt, by their first and by their last letters: a typo spares either. */
  words: ReadonlyMap<string, readonly Word[]>
}

function beginningOf(text: string): string {
  return text.slice(0, STEM_KEY_LENGTH)
}

function typoKeys(word: string): [first: string, last: string] {
  return [`${word.slice(0, TYPO_KEY_LENGTH)}-`, `-${word.slice(-TYPO_KEY_LENGTH)}`]
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}

function buildTable(language: TalkPhrases): PhraseTable {
  const phrases = new Map<string, Talk | 'filler'>()
  const openings = new Set<string>()
  const found: Stem[] = []
  const words = new Map<string, Word[]>()
  for (const talk of ['filler', ...TALKS.toReversed()] as const) {
    for (const written of language[talk].split(',')) {
      const phrase = fold(written.trim())
      const isOpen = phrase.endsWith('*')
      const plain = phrase.replaceAll('*', '')
      const [opening = '', ...rest] = plain.split(' ')
      phrases.set(plain, talk)
      if (rest.length > 0) openings.add(opening)
      if (talk === 'filler') continue
      if (isOpen && plain.length >= STEM_KEY_LENGTH) found.push({ start: plain, talk })
      if (rest.length > 0 || plain.length < MIN_TYPO_LENGTH) continue
      for (const key of typoKeys(plain)) addTo(words, key, { word: plain, talk, at: phrases.size })
    }
  }
  const stems = new Map<string, Stem[]>()
  for (const stem of found.toReversed()) addTo(stems, beginningOf(stem.start), stem)
  return { phrases, openings, stems, words }
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
  const stem = table.stems.get(beginningOf(run))?.find(({ start }) => {
    // The open end of a phrase belongs to its last word.
    return run.startsWith(start) && !run.slice(start.length).includes(' ')
  })
  if (stem !== undefined) return stem.talk
  return isSingle && run.length >= MIN_TYPO_LENGTH ? misspeltTalk(run, table) : undefined
}

function misspeltTalk(run: string, { words }: PhraseTable): Talk | undefined {
  let nearest: Word | undefined
  for (const key of typoKeys(run)) {
    for (const each of words.get(key) ?? []) {
      const isFirst = nearest === undefined || each.at < nearest.at
      if (isFirst && editDistance(each.word, run, 1) <= 1) nearest = each
    }
  }
  return nearest?.talk
}

/** Reads a message as a row of phrases; `undefined` when a word is left over. */
function readPhrases(words: readonly string[], table: PhraseTable): Talk | undefined {
  const found = new Set<Talk>()
  for (let at = 0; at < words.length;) {
    const isOpening = table.openings.has(words[at] ?? '')
    let length = isOpening ? Math.min(MAX_PHRASE_WORDS, words.length - at) : 1
    let talk: Talk | 'filler' | undefined
    for (; length > 0; length -= 1) {
      talk = talkOf(words.slice(at, at + length).join(' '), length === 1, table)
      if (talk !== undefined) break
    }
    if (talk === undefined) return undefined
    if (talk !== 'filler') found.add(talk)
    at += length
  }
  // Who says thank you and goodbye wants to hear goodbye.
  if (found.has('thanks') && found.has('bye')) found.delete('thanks')
  return TALKS.find((talk) => found.has(talk))
}

function rudeStem(word: string, { stems }: PhraseTable): Stem | undefined {
  return stems
    .get(beginningOf(word))
    ?.find(
      ({ start }) => start.length > STEM_KEY_LENGTH && !MILD.has(start) && word.startsWith(start),
    )
}

/** An angry or rude word in a short message. */
function readOutburst(words: readonly string[], table: PhraseTable): Talk | undefined {
  if (words.length > MAX_OUTBURST_WORDS) return undefined
  const found = new Set<Talk>()
  for (const [at, word] of words.entries()) {
    const longest = table.openings.has(word) ? Math.min(MAX_OUTBURST_PHRASE, words.length - at) : 1
    for (let length = 1; length <= longest; length += 1) {
      const run = words.slice(at, at + length).join(' ')
      if (MILD.has(run)) continue
      const exact = table.phrases.get(run)
      const talk = exact ?? (length === 1 ? rudeStem(run, table)?.talk : undefined)
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
