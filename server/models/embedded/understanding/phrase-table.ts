import { shippedSynonyms } from '../../../knowledge/search/shipped-synonyms.ts'
import { editDistance } from '../../../lib/text/edit-distance.ts'
import { fold } from '../../../lib/text/fold.ts'
import { LANGUAGES, type Language } from '../../../lib/text/language.ts'
import { isStopWord } from '../../../lib/text/stop-words.ts'
import { TALKS, type Talk, type TalkPhrases } from '../lexicon/talk.ts'
import { ar } from '../lexicon/talk.ar.ts'
import { de } from '../lexicon/talk.de.ts'
import { en } from '../lexicon/talk.en.ts'
import { tr } from '../lexicon/talk.tr.ts'

/** Shortest word that may have a typo. */
const MIN_TYPO_LENGTH = 6
/** Letters by which stems and words are looked up. */
const STEM_KEY_LENGTH = 3
const TYPO_KEY_LENGTH = 2
/** Longest ending of an open word. */
const MAX_ENDING = 14
/** Talks whose open words may have an ending, and no other rest: `scampi` is no `scam`. */
const INFLECTED: ReadonlySet<Talk> = new Set([
  'insult',
  'complaint',
  'expensive',
  'praise',
  'wait',
  'sorry',
  'ok',
])
const ENDINGS: Readonly<Record<Language, RegExp>> = {
  tr: /^(?:l[ae]r|l[iu][gk]|l[iu]|s[iu]z|c[aeiu]|s[iu]n|s[iu]n[iu]z|[iu]z|y?d[iu]|t[iu]|d[iu]r|t[iu]r|y?m[iu]s|y?s[ae]|y?[iu]m|n?[iu]n|y?[iu]|y?[ae]|n?[dt][ae]n?|k|m|n|l[ae]|[iu]?yor|[iu]l|[iu]p|m[ae]|[ae]s[iu]|sene|cigim){0,4}$/,
  en: /^(?:'?s|es|ed|d|ing|ly|y|ty|py|ier|er|ers|est|iest|piest|r|st|ic|ful|less|ness|ity|head|heads|ass|asses|med|ming|mer|mers|it|in)?$/,
  de: /^(?:e|er|es|en|em|n|s|r|t|in|innen|isch|ig|heit|st|ste|esten?|ester|este|kopf|kopfe|kerl|kerle|mann|sinn|laden|dreck|verein|firma|bot|service|egal)?$/,
  ar: /^(?:ه|ون|ين|ات|ا|ي|وا?|كم|ك|هم|نا|تي)?$/,
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
export interface PhraseTable {
  phrases: ReadonlyMap<string, Talk | 'filler'>
  /** First words of the phrases of several words. */
  openings: ReadonlySet<string>
  /** Beginnings of words, from `*`, by their first letters. */
  stems: ReadonlyMap<string, readonly Stem[]>
  /** Single words that may be misspelt, by their first and by their last letters: a typo spares either. */
  words: ReadonlyMap<string, readonly Word[]>
  endings: RegExp
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

function buildTable(language: TalkPhrases, endings: RegExp): PhraseTable {
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
  return { phrases, openings, stems, words, endings }
}

export const TABLES: Readonly<Record<Language, PhraseTable>> = {
  tr: buildTable(tr, ENDINGS.tr),
  en: buildTable(en, ENDINGS.en),
  de: buildTable(de, ENDINGS.de),
  ar: buildTable(ar, ENDINGS.ar),
}

/** The talk that a run of words is, or `undefined`. */
export function talkOf(
  run: string,
  isSingle: boolean,
  table: PhraseTable,
): Talk | 'filler' | undefined {
  const whole = table.phrases.get(run)
  if (whole !== undefined) return whole
  const stem = stemOf(run, table)
  if (stem !== undefined) return stem.talk
  return isSingle && mayBeMisspelt(run) ? misspeltTalk(run, table) : undefined
}

/** The open phrase that a run of words begins with. */
export function stemOf(run: string, { stems, endings }: PhraseTable): Stem | undefined {
  return stems.get(beginningOf(run))?.find(({ start, talk }) => {
    const rest = run.slice(start.length)
    // The open end of a phrase belongs to its last word.
    if (!run.startsWith(start) || rest.includes(' ') || rest.length > MAX_ENDING) return false
    return !INFLECTED.has(talk) || endings.test(rest)
  })
}

/** A word that means something of its own is no misspelt one: `garage`, `Spritze`. */
function mayBeMisspelt(word: string): boolean {
  if (word.length < MIN_TYPO_LENGTH) return false
  const synonyms = shippedSynonyms(false)
  return !LANGUAGES.some(
    (language) => isStopWord(word, language) || synonyms.isKnown(word, language),
  )
}

function isAnger(talk: Talk): boolean {
  return talk === 'insult' || talk === 'complaint'
}

function misspeltTalk(run: string, { words }: PhraseTable): Talk | undefined {
  let nearest: Word | undefined
  for (const key of typoKeys(run)) {
    for (const each of words.get(key) ?? []) {
      const isFirst = nearest === undefined || each.at < nearest.at
      if (!isFirst || (isAnger(each.talk) && !run.startsWith(each.word.slice(0, TYPO_KEY_LENGTH))))
        continue
      if (editDistance(each.word, run, 1) <= 1) nearest = each
    }
  }
  return nearest?.talk
}
