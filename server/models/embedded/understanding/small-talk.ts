import { fold } from '../../../lib/text/fold.ts'
import { LANGUAGES, type Language } from '../../../lib/text/language.ts'
import { TALKS, type Talk } from '../lexicon/talk.ts'
import { type PhraseTable, stemOf, TABLES, talkOf } from './phrase-table.ts'

const MAX_LENGTH = 160
const MAX_PHRASE_WORDS = 8
const MAX_OUTBURST_PHRASE = 4
/** Longest message that one rude or angry word decides. */
const MAX_OUTBURST_WORDS = 14
const MIN_OUTBURST_STEM = 4
const OUTBURSTS = ['insult', 'complaint'] as const satisfies readonly Talk[]
/** Words of anger that also stand in an ordinary question. */
const MILD = new Set(
  'mal sus lan yeter joke bad worst shame rude dick damn trash garbage suck fraud mist klappe sauer still schlecht spinner خطا نصب'.split(
    ' ',
  ),
)
/** Angry words and phrases that a question may name: `is the wifi too slow for video calls`. */
const ASKED_ABOUT = new Set(
  'scam,too slow,so slow,too bad,rip off,ripoff,cok yavas,skandal,zu langsam,schlecht,betrug,abzocke,mies,peinlich'.split(
    ',',
  ),
)
/** The beginning or the end of a question for something, folded. */
const ASKS_FOR_THING =
  /^(?:(?:hi|hello|hey|ok|and|so|hallo|und) )*(?:is|are|was|do|does|can|could|have|has|will|how|where|when|which|haben|habt|hast|hat|gibt|ist|sind|kann|konnen|was|wo|wann|wie)\b|\bm[iu](?:dir|y[iu]m|y[iu]z|s[iu]n[iu]z)?$|\b(?:ne kadar|ne zaman|kac|nerede)\b|(?:^|\s)هل\s/
/**
 * Questions among the words around small talk, whose phrases are `#`: `is there a #`, `# ne kadar`.
 * `Bu ne #` and `ne kadar #` exclaim.
 */
const ASKS: Readonly<Record<Language, RegExp>> = {
  tr: /\bne zaman\b|\bne kadar$|\bm[iu](?:s[iu]n(?:[iu]z)?)?\b/,
  en: /^(?:(?:and|so|well|but|then|ok|please|#) )*(?:is|are|was|were|do|have) |\bhow (?:much|is|are|do|have)\b|\bwhat (?:is|are|was|do)\b/,
  de: /^(?:(?:und|aber|ja|na|dann|#) )*(?:ist|sind|bist|war|hat|habe) |\bwas (?:ist|sind|war|hat)\b/,
  ar: /$^/,
}
/** Questions that exclaim where they are about praise or anger. */
const HOW: Readonly<Record<Language, RegExp>> = {
  tr: /^ne kadar #/,
  en: /^how #/,
  de: /$^/,
  ar: /$^/,
}
/** `How expensive is it` asks. */
const HOW_MUCH = /^how # (?:is|are)\b/
/** Words for a price only; `tuzlu` is salted too. */
const DEAR = /pahali|fiyat|expensive|price|teuer|preise|غالي|سعر|اسعار/
const EXCLAIMED: ReadonlySet<Talk> = new Set(['praise', 'complaint', 'expensive', 'insult'])
/** Asks whether that is a joke. */
const IS_THIS = /^(?:is (?:this|that|it)|are you(?: guys)?) (?:a |an |all )?(?:really )?#$/
/** Single words that ask with a question mark: `expensive?`, `test?`. */
const ASKS_ALONE: ReadonlySet<Talk> = new Set(['expensive', 'sorry', 'wait'])
/** Times of the day, which greet and say goodbye as the first words of a message only. */
const TIMES = new Set(['morning', 'evening', 'later', 'tag', 'morgen'])
/** Forms of address beside such a greeting. */
const GREETED = new Set(
  'all everyone guys team sir madam mate man friend bro dude alle there'.split(' '),
)
/** Goodbyes that are greetings at the beginning of a conversation. */
const GREETS_TOO = new Set(
  'iyi gunler,iyi gunler dilerim,kolay gelsin,iyi haftalar,hayirli gunler,سلام عليكم,يوم سعيد,نهارك سعيد'.split(
    ',',
  ),
)
/** Praise of a thing in Turkish, folded: `dolaplarınız çok şık`. */
const PRAISES =
  /^(?:[a-z]+ ){0,2}[a-z]{3,}(?:in|un)[iu]z (?:gercekten |cok |gayet )+(?:sik|guzel|hos|iyi|harika|basarili|kaliteli)(?: olmus)?$/

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

/** A message read as a row of phrases and of the small words between them. */
interface PhraseRow {
  found: readonly { talk: Talk; run: string }[]
  /** The message with `#` for each phrase. */
  around: string
}

/** Reads a message as a row of phrases; `undefined` when a word is left over. */
function readRow(words: readonly string[], table: PhraseTable): PhraseRow | undefined {
  const found: { talk: Talk; run: string }[] = []
  const around: string[] = []
  for (let at = 0; at < words.length;) {
    const isOpening = table.openings.has(words[at] ?? '')
    let length = isOpening ? Math.min(MAX_PHRASE_WORDS, words.length - at) : 1
    let talk: Talk | 'filler' | undefined
    let run = ''
    for (; length > 0; length -= 1) {
      run = words.slice(at, at + length).join(' ')
      talk = talkOf(run, length === 1, table)
      if (talk !== undefined) break
    }
    if (talk === undefined) return undefined
    around.push(talk === 'filler' ? run : '#')
    if (talk !== 'filler') found.push({ talk, run })
    at += length
  }
  return { found, around: around.join(' ') }
}

/** Which of the talks in a row the reply is to. */
function chooseTalk({ found }: PhraseRow, isFirst: boolean): Talk | undefined {
  const talks = new Set(found.map(({ talk }) => talk))
  const byes = found.filter(({ talk }) => talk === 'bye')
  const greets = byes.every(({ run }) => GREETS_TOO.has(run))
  const isBeginning = isFirst || talks.has('hello')
  if (talks.has('bye') && greets && isBeginning && !talks.has('thanks')) {
    talks.delete('bye')
    talks.add('hello')
  }
  // Who says thank you and goodbye wants to hear goodbye.
  if (talks.has('thanks') && talks.has('bye')) talks.delete('thanks')
  return TALKS.find((talk) => talks.has(talk))
}

/** Whether a row asks something, so that the phrases in it are no small talk. */
function isAsking(row: PhraseRow, talk: Talk, language: Language, isMarked: boolean): boolean {
  const { found, around } = row
  const [only] = found
  if (isMarked && around === '#' && ASKS_ALONE.has(talk) && only?.run.includes(' ') === false)
    return true
  if (HOW[language].test(around)) {
    const isHowMuch = talk === 'expensive' && (isMarked || HOW_MUCH.test(around))
    return !EXCLAIMED.has(talk) || isHowMuch
  }
  if (!ASKS[language].test(around)) return false
  if (talk === 'complaint') return !IS_THIS.test(around)
  if (talk !== 'insult') return true
  return found.every(({ run }) => MILD.has(run)) || /\bne (?:kadar|zaman)$/.test(around)
}

/** Whether a word for a time is said as a greeting, and does not ask: `und morgen?`. */
function isTime({ found, around }: PhraseRow, isFirst: boolean, isMarked: boolean): boolean {
  if (!found.some(({ run }) => TIMES.has(run))) return false
  const rest = around.split(' ')
  const isAddressed = rest.every((word) => word === '#' || GREETED.has(word))
  const isAlone = found.every(({ run }) => TIMES.has(run))
  return !isAddressed || (isAlone && (isMarked || (!isFirst && found[0]?.talk === 'hello')))
}

/** An angry or rude word in a short message. */
function readOutburst(words: readonly string[], table: PhraseTable): Talk | undefined {
  if (words.length > MAX_OUTBURST_WORDS) return undefined
  const asks = ASKS_FOR_THING.test(words.join(' '))
  const found = new Set<Talk>()
  for (const [at, word] of words.entries()) {
    const longest = table.openings.has(word) ? Math.min(MAX_OUTBURST_PHRASE, words.length - at) : 1
    let run = ''
    for (let length = 1; length <= longest; length += 1) {
      run = length === 1 ? word : `${run} ${words[at + length - 1]}`
      const stem = length === 1 ? rudeStem(run, table) : undefined
      const isOrdinary = asks && ASKED_ABOUT.has(stem?.start ?? run)
      if (MILD.has(run) || isOrdinary) continue
      const talk = table.phrases.get(run) ?? stem?.talk
      if (talk !== undefined && talk !== 'filler') found.add(talk)
    }
  }
  return OUTBURSTS.find((talk) => found.has(talk))
}

function rudeStem(word: string, table: PhraseTable): ReturnType<typeof stemOf> {
  const stem = stemOf(word, table)
  return stem && stem.start.length >= MIN_OUTBURST_STEM && !MILD.has(stem.start) ? stem : undefined
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
 * angry or rude word; and `expensive` in a question for prices, which is not whole. `preferred` is
 * tried first. `isFirst` says that the message begins the conversation.
 */
export function readSmallTalk(
  text: string,
  { preferred, written, isFirst = false }: SmallTalkOptions,
): SmallTalk | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const words = spokenWords(written)
  if (words.length === 0) {
    const talk = BAD_EMOJI.test(text) ? 'complaint' : GOOD_EMOJI.test(text) ? 'praise' : 'help'
    return { talk, language: undefined, isWhole: true }
  }
  const isMarked = /[?؟]/.test(text)
  const order = [preferred, ...LANGUAGES.filter((language) => language !== preferred)]
  for (const language of order) {
    const row = readRow(words, TABLES[language])
    const talk = row && chooseTalk(row, isFirst)
    if (row === undefined || talk === undefined) continue
    if (isTime(row, isFirst, isMarked)) return undefined
    if (!isAsking(row, talk, language, isMarked)) return { talk, language, isWhole: true }
    const asksPrices = talk === 'expensive' && row.found.some(({ run }) => DEAR.test(run))
    return asksPrices ? { talk, language, isWhole: false } : undefined
  }
  if (preferred === 'tr' && PRAISES.test(words.join(' ')))
    return { talk: 'praise', language: preferred, isWhole: true }
  const outburst = readOutburst(words, TABLES[preferred])
  return outburst && { talk: outburst, language: preferred, isWhole: false }
}

interface SmallTalkOptions {
  preferred: Language
  written: string
  isFirst?: boolean
}
