import type { CitedPassage } from '../../../knowledge/search/hit.ts'
import { messageLanguage } from '../../../knowledge/search/message-language.ts'
import { writtenForm } from '../../../lib/text/colloquial.ts'
import { fold, splitWords } from '../../../lib/text/fold.ts'
import { languageOfLocale, type Language } from '../../../lib/text/language.ts'
import { isGeneralWord, isMeasureWord, isStopWord } from '../../../lib/text/stop-words.ts'
import { isFiniteVerb } from '../../../lib/text/turkish-verbs.ts'
import type { Detail } from '../../../lib/text/detail.ts'
import type { Talk } from '../lexicon/talk.ts'
import { isOwnDetail, KIND_OF_DETAIL, readDetail } from './details.ts'
import { type AskedFor, kindHints, type QuestionKind, readKind } from './question-kind.ts'
import { splitQuestions } from './several-questions.ts'
import { readSmallTalk } from './small-talk.ts'
import { isNarrative, isUpset, readFocus } from './narrative.ts'
import { readOffTopic } from './off-topic.ts'
import { dangerIn, isEmergency } from './danger.ts'
import type { Danger } from './danger.ts'
import { isDelicate, isOfHealthOrLaw } from './sensitive.ts'
import { isOrderNumber, type Wish, readLanguageWish, readWish, wantsCallBack } from './wishes.ts'

/** What the search is asked: the question, and words that help without being asked for. */
export interface SearchText {
  question: string
  /** The story around the question, or the question before a follow-up. */
  context: string
  /** The question before, where this one does not plainly go on with it. */
  earlier?: string
  /** Words of a passage that answers this kind of question. */
  hints: readonly string[]
  /** The detail of the business that the question asks for, where it names nothing beside it. */
  detail?: Detail | undefined
  /** Whether it asks for a price, and goes on with no other question. */
  asksPrice?: boolean
  /** Citations of the reply before, the quoted passage first. */
  cited?: readonly CitedPassage[]
}

/** A visitor's message as the answerer understands it. */
export interface MessageReading extends AskedFor {
  /** Of the reply: the message's language, else the panel's. */
  language: Language
  /** The language of the words, where it shows. */
  detected: Language | undefined
  talk: Talk | undefined
  wish: Wish | undefined
  /** It asks to be called or written to, and nothing else. */
  wantsCallBack: boolean
  /** It tells of a worry or of an annoyance beside what it asks. */
  isUpset: boolean
  /** Nothing but small talk. */
  isTalkOnly: boolean
  isFollowUp: boolean
  /** It goes on with the question before by its words, such as `peki`, and not only by how short it is. */
  refersBack: boolean
  /** The danger of which one of the two messages before told. */
  after: Danger | undefined
  /** It asks for something that no site is asked about, such as the weather. */
  isOffTopic: boolean
  /** The same, less surely. */
  mayBeOffTopic: boolean
  search: SearchText
  /** Its questions one by one, where it asks several. */
  further: readonly { question: string; reading: MessageReading }[]
}

/** What was said before, for what a message leaves out. */
export interface Earlier {
  /** The panel's locale. */
  locale: string
  /** The visitor's previous question. */
  question?: string | undefined
  /** The one before it, which counts where the previous question went on with it. */
  before?: string | undefined
  /** Citations of the last reply that has any, the quoted passage first. */
  cited?: readonly CitedPassage[] | undefined
}

/** Beginnings of a question that goes on with the one before, folded. */
const GOES_ON =
  /^(?:(?:ok|okay|tamam|peki|evet|yes|ja|نعم|طيب)[\s,]+)*(?:peki\b|ya\b|peki ya\b|ve\b|and\b|und\b|what about\b|how about\b|was ist mit\b|wie sieht es\b|ayrica\b|bir de\b|or\b|oder\b|yoksa\b|ama\b|but\b|aber\b|even\b|hatta\b|auch wenn\b|selbst wenn\b|حتي\b|also\b|then\b|so\b|وماذا\b|ماذا عن\b|و(?=[\u0621-\u064A]{3}))/
const EXCEPTION = /^(?:even\b|hatta\b|auch wenn\b|selbst wenn\b|حتي)/
/** Words that stand for something said before, folded. */
const REFERS_BACK =
  /(?:^|\s)(?:it|its|that|those|they|them|this one|(?<!\b(?:is|are|was|were|isnt|isn't|arent|aren't) )there|onun|onu|ona|bunun|bunu|buna|orasi|orada|oraya|o zaman|es|das|dort|davon)(?=$|[\s?.,!])/
/** Endings of such a question, folded. */
const GOES_ON_AT_END =
  /(?:^|\s)(?:d[ae] mi|d[ae] mu|bile mi|ama|peki|dahil mi|included|inklusive|too|as well|either|then|though|auch|ايضا)[\s?.!]*$/
const MAX_FOLLOW_UP_WORDS = 9
/** The same where its first word says so. */
const MAX_MARKED_WORDS = 14
/** A follow-up without a mark has at most so many words that tell its topic. */
const MAX_OPEN_TOPICS = 1

/** A greeting by the time of the day before a question, which asks for none. */
const GREETING =
  /^\W*(?:(?:hi|hello|hey|hallo)[\s,]+)?(?:good (?:morning|afternoon|evening|day)|guten (?:morgen|tag|abend)|(?:morning|afternoon|evening)(?=\s*[,!]))(?: (?:all|everyone|team|there|guys))?[\s,.!]+(?=\S)/iu

/** Understands a message: its language, small talk around it, and what it asks the documents. */
export function readMessage(text: string, earlier: Earlier): MessageReading {
  const { locale, question, before } = earlier
  const wanted = question === undefined ? undefined : readLanguageWish(fold(text).trim())
  if (question === undefined || wanted === undefined) return readQuestions(text, earlier)
  // The same question again, answered in the language that is asked for.
  const again = readOwnMessage(question, { locale, question: before })
  return { ...again, language: wanted, detected: wanted }
}

/** Reads a message, and each of its questions; the second one may go on with the first. */
function readQuestions(text: string, earlier: Earlier): MessageReading {
  const whole = readOwnMessage(text, earlier)
  if (whole.isTalkOnly) return whole
  const questions = splitQuestions(text)
  const further = questions.map((question, at) => {
    const said = at === 0 ? earlier : { locale: earlier.locale, question: questions[at - 1] }
    const { language, detected } = whole
    return { question, reading: { ...readOwnMessage(question, said), language, detected } }
  })
  return { ...whole, further: further.filter(({ reading }) => !reading.isTalkOnly) }
}

function readOwnMessage(text: string, said: Earlier): MessageReading {
  const detected = messageLanguage(text)
  const language = detected ?? languageBefore(said) ?? languageOfLocale(said.locale)
  const earlier = withoutTalk(said, language)
  const written = writtenForm(text, language)
  const isFirst = said.question === undefined
  const small = readSmallTalk(text, { preferred: language, written, isFirst })
  const folded = fold(written)
  const wish = readWishAfter(folded.trim(), said)
  const base = {
    talk: small?.talk,
    wish,
    wantsCallBack: wantsCallBack(folded.trim()),
    isUpset: isUpset(folded),
    after: dangerBefore(said),
    isTalkOnly:
      small?.isWhole === true && wish === undefined && !asksOn(written, small.talk, earlier),
  }
  if (base.isTalkOnly) {
    const search = { question: '', context: '', hints: [] }
    const spoken = small?.language ?? language
    return {
      ...base,
      language: spoken,
      detected: small?.language ?? detected,
      kind: undefined,
      isPolar: false,
      isFollowUp: false,
      refersBack: false,
      isOffTopic: false,
      mayBeOffTopic: false,
      search,
      further: [],
    }
  }
  const asking = written.replace(GREETING, '')
  const focus = isNarrative(asking)
    ? readFocus(asking, language)
    : { question: asking, context: '' }
  const foldedQuestion = fold(focus.question)
  const read = readOwnKind(foldedQuestion)
  // An exception to what was said asks for nothing else: `even if the box is open`.
  const isException = earlier.question !== undefined && EXCEPTION.test(foldedQuestion.trim())
  const asked = isException ? { kind: undefined, isPolar: read.isPolar } : read
  const isGrave = base.after !== undefined || isEmergency(folded) || isDelicate(folded)
  const mayGoOn = earlier.question !== undefined && !isGrave && goesOn(focus.question, language)
  const detail = readOwnDetail(foldedQuestion.trim(), language, mayGoOn)
  const isFollowUp = mayGoOn && detail === undefined
  // That something is expensive is asked of its price, and a list of prices is the prices.
  const isDear = small?.talk === 'expensive' && !small.isWhole
  const asksPrices = isDear || PRICE_LIST.test(foldedQuestion.trim())
  const before = isFollowUp ? writtenForm(previousQuestion(earlier, language), language) : ''
  const kindBefore = isFollowUp ? readKind(fold(before)) : undefined
  const hasOwnKind = asked.kind !== undefined && asked.kind !== 'polar'
  const inheritedKind = hasOwnKind || kindBefore?.kind === 'polar' ? undefined : kindBefore?.kind
  const ownKind = detail === undefined ? (inheritedKind ?? asked.kind) : KIND_OF_DETAIL[detail]
  const kind = asksPrices ? 'price' : ownKind
  const hasOwnSubject = isFollowUp || detail !== undefined || wish === 'order' || asksPrices
  const mayLean = !hasOwnSubject && !isGrave && !isOfHealthOrLaw(folded)
  const leansOn = earlier.question !== undefined && mayLean
  const words = wish === 'order' ? ORDER_WORDS : asksPrices ? PRICE_WORDS : undefined
  return {
    ...base,
    language,
    detected,
    kind,
    isPolar:
      !asksPrices &&
      (asked.isPolar || (isFollowUp && asked.kind === undefined && kindBefore?.isPolar === true)),
    isFollowUp,
    refersBack: isFollowUp && refersBack(focus.question),
    ...readOffTopic(isFollowUp ? `${before} ${focus.question}` : focus.question),
    search: {
      question: words === undefined ? focus.question : words[language],
      context: `${words === undefined ? '' : focus.question} ${focus.context} ${before}`.trim(),
      hints: kindHints(isFollowUp ? asked.kind : kind),
      detail,
      ...(kind === 'price' && !isFollowUp && { asksPrice: true }),
      ...(said.cited !== undefined && { cited: said.cited }),
      ...(leansOn && { earlier: writtenForm(earlier.question ?? '', language) }),
    },
    further: [],
  }
}

/** The danger of which a message before told. */
const dangerBefore = ({ question = '', before = '' }: Earlier): Danger | undefined =>
  dangerIn(fold(question)) ?? dangerIn(fold(before))

/** The kinds of questions that ask for a detail of the business. */
const DETAIL_KINDS: ReadonlySet<QuestionKind | undefined> = new Set(Object.values(KIND_OF_DETAIL))
const DETAIL_WORDS = /\b(?:adres|address|telefon|phone|mail|posta|numara|number|nummer)/

/** The kind of a question, which is none of the business's address where it is the visitor's own. */
function readOwnKind(folded: string): AskedFor {
  const read = readKind(folded)
  const isOwn = DETAIL_WORDS.test(folded) && isOwnDetail(folded)
  return isOwn && DETAIL_KINDS.has(read.kind) ? { ...read, kind: undefined } : read
}

const OF_BUSINESS: ReadonlySet<Detail> = new Set<Detail>(['phone', 'whatsapp', 'email'])

/** The detail that a message asks for; after a question, hours and places are those of what it was about. */
function readOwnDetail(folded: string, language: Language, mayGoOn: boolean): Detail | undefined {
  const detail = readDetail(folded, language)
  const isOfBusiness = detail !== undefined && OF_BUSINESS.has(detail)
  return mayGoOn && !isOfBusiness ? undefined : detail
}

/** The wish of a folded message; the number of an order alone is one, too. */
function readWishAfter(folded: string, { question = '', before = '' }: Earlier): Wish | undefined {
  const isNumber = isOrderNumber(folded, fold(`${before} ${question}`))
  return isNumber ? 'order' : readWish(folded)
}

/** What was asked before: a greeting or thanks in between is none that a message goes on with. */
function withoutTalk({ locale, question, before }: Earlier, language: Language): Earlier {
  const isTalk = (text: string): boolean =>
    readSmallTalk(text, { preferred: language, written: writtenForm(text, language) })?.isWhole ===
    true
  if (question === undefined || !isTalk(question)) return { locale, question, before }
  return { locale, question: before === undefined || isTalk(before) ? undefined : before }
}

/** The language of what the visitor wrote before; `ok` and `bye` show none. */
function languageBefore({ question, before }: Earlier): Language | undefined {
  return (
    (question === undefined ? undefined : messageLanguage(question)) ??
    (before === undefined ? undefined : messageLanguage(before))
  )
}

/** The previous question, with the one that it went on with. */
function previousQuestion({ question = '', before }: Earlier, language: Language): string {
  return before !== undefined && goesOn(question, language) ? `${before} ${question}` : question
}

/** A message that asks for a list of prices and nothing else, folded. */
const PRICE_LIST =
  /^(?:(?:hi|hello|hey|do|you|have|can|could|may|i|we|send|me|us|get|see|is|are|there|any|where|please|a|an|the|your)[\s,]+)*price ?lists?(?:[\s,]+(?:please|pls|available|online))*[\s?.!]*$|^(?:(?:merhaba|selam|slm|guncel|bir|sizin|bana|acaba)[\s,]+)*(?:fiyat|ucret) liste\w*(?:[\s,]+(?:var|m[iu]\w*|alabilir|gonder\w*|atar|paylas\w*|nerede|nedir|ne|lutfen|istiyorum|ogrenebilir))*[\s?.!]*$|^(?:(?:haben|hast|gibt|sie|ihr|du|es|eine|kann|ich|bitte)\s+)*preisliste[\s?.!]*$/

/** What documents call the whereabouts of an order. */
const ORDER_WORDS: Readonly<Record<Language, string>> = {
  tr: 'kargo takip numarası',
  en: 'order tracking number',
  de: 'sendungsverfolgung bestellung',
  ar: 'تتبع طلب',
}

/** A question for prices in the words of documents. */
const PRICE_WORDS: Readonly<Record<Language, string>> = {
  tr: 'fiyatlar ne kadar',
  en: 'how much are the prices',
  de: 'was kosten die preise',
  ar: 'كم الاسعار',
}

/** Kinds that a follow-up may name alone, after a question: `kaç para peki`. */
const OPEN_KINDS: ReadonlySet<QuestionKind | undefined> = new Set([
  'price',
  'hours',
  'duration',
  'place',
])

/** Whether a message asks on, as `kaç para peki` does; that something is expensive is a remark. */
function asksOn(written: string, talk: Talk, { question }: Earlier): boolean {
  const { kind, isPolar } = readKind(fold(written))
  return question !== undefined && OPEN_KINDS.has(kind) && (isPolar || talk !== 'expensive')
}

/** Whether a message goes on with the one before by its words. */
function refersBack(question: string): boolean {
  const folded = fold(question).trim()
  return [GOES_ON, GOES_ON_AT_END, REFERS_BACK].some((mark) => mark.test(folded))
}

function goesOn(question: string, language: Language): boolean {
  const folded = fold(question).trim()
  const words = splitWords(folded)
  if (GOES_ON.test(folded)) return words.length <= MAX_MARKED_WORDS
  if (words.length > MAX_FOLLOW_UP_WORDS) return false
  if (refersBack(question)) return true
  const topics = words.filter((word) => {
    const isVerb = language === 'tr' && isFiniteVerb(word)
    const isTopic = !isVerb && !isStopWord(word, language) && !isGeneralWord(word)
    return isTopic && !isMeasureWord(word)
  })
  return words.length <= 4 && topics.length <= MAX_OPEN_TOPICS
}
