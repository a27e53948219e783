import { fold, splitWords } from '../../../lib/text/fold.ts'
import type { Language } from '../../../lib/text/language.ts'
import { isOutsideTime } from '../../../lib/text/quantity.ts'
import { namesDay } from '../understanding/details.ts'
import type { MessageReading } from '../understanding/message.ts'
import type { AnswerQuote } from './choice.ts'
import { KNOWN_WORD, NAMED_WORD } from './confidence.ts'
import { denies, hasOtherNumber, isTakenBack, judgePolarity } from './polarity.ts'
import { type ChosenQuotes, MAX_DENIAL_WORDS } from './quotes.ts'
import type { AnswerHit } from './sources.ts'
import { ANSWER_STRINGS } from './strings.ts'

/** Words for all of several, folded: what one of them has, not all have. */
const ALL: Readonly<Record<Language, RegExp>> = {
  tr: /\b(?:her|butun|tum|tumu\w*|hepsi\w*)\b/,
  en: /\b(?:all(?! (?:right|of us|day))(?<!\b(?:at|we|is it|for) all)|every(?!one|body)\w*|each|both|always(?= \w+$))\b/,
  de: /\b(?:alle[nrs]?|jede[nrsm]?|immer|beide[nrs]?)\b/,
  ar: /(?:كل|جميع|دايما)/,
}
/** General words that are what is asked: an old house is not just a house. */
const QUALITY = /^(?:old|new|big|small|long|short|easy|quick|yeni|eski|kolay|basit|lange?|kurz)$/
/** Pairs of opposite events whose names are nearly the same, folded. */
const COUNTERPARTS: readonly RegExp[] = [
  /\bcheck-? ?ins?\b/,
  /\bcheck-? ?outs?\b/,
  /\bgiris/,
  /\bcikis/,
]
/** A sentence on all the others than those that the sentence before it allows or forbids something, folded. */
const OTHERS =
  /^(?:(?:all |any |the )?others?\b|everyone else|everybody else|diger(?:leri)?\b|obur|bunlarin disinda|bunun disinda|(?:alle )?anderen?\b|sonst\b|اما (?:باقي|غير)|باقي)/
/** A Turkish word with the ending of a condition, folded: `boşsa`. */
const CONDITION = /\b(\w{3,40}?)s[ae](?:n[iu]z)?\b/g
/** A sentence that answers the question above it, folded. */
const OWN_ANSWER = /^(?:evet|hayir|yes|no|ja|nein|نعم|لا)(?=[\s,.!:;–—-])/

/**
 * Whether a sentence with its heading has every word that was asked for: it says neither yes nor no to
 * another one, nor of a country to which another one is near.
 */
export function hasAllAsked(hit: AnswerHit | undefined, lead: AnswerQuote): boolean {
  const said = lead.matched | (hit?.headingMatched ?? 0)
  const terms = hit?.terms.map(
    ({ folded, isAsked, isGeneral, isPlace, isGoods, closeness }, at) => {
      if (!isAsked || isGoods || (isGeneral && !QUALITY.test(folded))) return true
      return (said & (1 << at)) !== 0 && closeness >= (isPlace ? NAMED_WORD : KNOWN_WORD)
    },
  )
  return terms?.every(Boolean) ?? false
}

/** Limits of a yes-or-no question, and the words by which an answer speaks of them, folded: one thing only, and by oneself. */
const LIMITS: readonly (readonly [asked: RegExp, said: RegExp])[] = [
  [
    /\b(?:only|just|yalniz(?:ca)?|sadece|nur)\b|فقط/,
    /\b(?:only|just|alone|(?:its|their) own|separate(?:ly)?|without|yalniz\w*|sadece|tek basina|ayri(?:ca)?|nur|allein|einzeln|separat|ohne)\b|فقط|منفصل|وحد/,
  ],
  [
    /\b(?:kendi(?:m|miz)|myself|ourselves|by our own|(?:mich|mir|uns)? ?(?:selbst|selber))\b|بنفسي/,
    /\bkendi\w*|\b(?:your?sel(?:f|ves)|your own|diy|selbst\w*|selber)\b|بنفس/,
  ],
]

/** A question for something without its usual part, and what speaks of a part that is missing or not needed; both folded. */
const WITHOUT =
  /\b(?!ucretsiz|sessiz|hirsiz|kablosuz|suresiz|telsiz)\w{3,}s[iu]z\b|\bolmadan\b|\bwithout\b|\bohne\b|بدون/
const LACKING =
  /\b\w{3,}s[iu]z\b|\bolmadan\b|\byok|\bgerek|\bsart degil|icerme|\bwithout\b|\bno\b|\bnot\b|n['’]t\b|\bneedn|\bfree\b|\boptional\b|\bohne\b|\bkein|\bnicht\b|بدون|لا |ليس|غير/

/** Whether a question is limited in a way that an answer does not speak of; both folded. */
const lacksLimit = (asked: string, said: string): boolean =>
  LIMITS.some(([limit, spoken]) => limit.test(asked) && !spoken.test(said))

/**
 * Whether a yes or a no of the site's own is one to another question than the visitor's: that it sells watches
 * is no yes to watch winders, and that filters are changed none to changing them oneself.
 */
export function answersOther(
  { isPolar, search }: MessageReading,
  hit: AnswerHit | undefined,
  chosen: ChosenQuotes | undefined,
): boolean {
  if (!isPolar || chosen === undefined) return false
  const said = chosen.quotes.map(({ folded }) => folded)
  if (lacksLimit(fold(search.question), said.join(' '))) return true
  return OWN_ANSWER.test(said[0] ?? '') && !hasAllAsked(hit, chosen.lead)
}

/** Whether a sentence names the days that were asked for: hours from Monday to Friday are no yes for Sunday. */
function saysDays(hit: AnswerHit | undefined, lead: AnswerQuote): boolean {
  const isSaid = (at: number): boolean => (lead.matched & (1 << at)) !== 0
  const days = hit?.terms.map(
    ({ folded, isAsked }, at) => !isAsked || !namesDay(folded) || isSaid(at),
  )
  return days?.every(Boolean) ?? false
}

/** Whether a sentence is on some of what is asked for, on another time or on its counterpart; all folded. */
function isBeside(asked: string, said: string, language: Language): boolean {
  if (lacksLimit(asked, said)) return true
  if (ALL[language].test(asked) && !ALL[language].test(said)) return true
  if (isOutsideTime(asked, said)) return true
  const named = COUNTERPARTS.filter((name) => name.test(asked))
  if (named.length > 0 && !named.some((name) => name.test(said)))
    return COUNTERPARTS.some((name) => name.test(said))
  return language === 'tr' && isConditionOf(asked, said)
}

/** Whether a Turkish sentence has a word of the question as its condition: `boşsa`. */
function isConditionOf(asked: string, said: string): boolean {
  const words = splitWords(asked)
  return [...said.matchAll(CONDITION)].some(([, stem = '']) => words.includes(stem))
}

/** A sentence on people of an age, and a question that tells one; folded. */
const OF_AGE =
  /\d+ yas\w* (?:kucuk|buyuk|alti|ustu|gun)|\b(?:under|over|below|above) (?:the age of )?\d+s?\b|\d+ (?:and|or) (?:under|over)\b|\bunter \d+(?: jahre)?|\bab \d+ jahre/
const TELLS_AGE =
  /\d|\byas|\bage|\bkid|\bchild|\bbab|\btoddler|\bson\b|\bdaughter|cocu[kg]|bebe[kg]|\boglum|\bkizim|kind|طفل|ابن|بنت|اطفال/

/** Whether a question names one thing, and a sentence says much else. */
function isNarrower(hit: AnswerHit | undefined, lead: AnswerQuote): boolean {
  const asked = hit?.terms.filter(({ isAsked, isGeneral }) => isAsked && !isGeneral) ?? []
  return asked.length <= 1 && splitWords(lead.folded).length > MAX_DENIAL_WORDS
}

/** The yes or no before a quote, with a space; empty where the quote says neither. */
export function yesOrNo(
  hit: AnswerHit | undefined,
  { lead, quotes, source }: ChosenQuotes,
  reading: MessageReading,
  language: Language,
): string {
  if (!reading.isPolar || reading.isFollowUp || quotes[0] !== lead) return ''
  if (reading.search.detail === 'hours' && !saysDays(hit, lead)) return ''
  // Of several rows one may say yes and the next one no.
  if (quotes.filter(({ kind }) => kind === 'row').length > 1) return ''
  // A sentence on all products is neither a yes nor a no for a product that it does not name.
  if (hit?.terms.some(({ isGoods }, at) => isGoods && (lead.matched & (1 << at)) === 0)) return ''
  if (OWN_ANSWER.test(lead.folded) || isTakenBack(hit, lead)) return ''
  // The question may be about one of the others.
  if (OTHERS.test(source.quotes[lead.at + 1]?.folded ?? '')) return ''
  if (isBeside(fold(reading.search.question), lead.folded, language)) return ''
  if (OF_AGE.test(lead.folded) && !TELLS_AGE.test(fold(reading.search.question))) return ''
  if (quotes.some(({ text }) => hasOtherNumber(reading.search.question, text))) return ''
  // A denial of some of them does not answer for all.
  if (denies(lead.folded) && isNarrower(hit, lead)) return ''
  const isYes = judgePolarity(reading.search.question, lead.text, { language, share: lead.score })
  if (isYes === undefined) return ''
  // A sentence on a thing with its usual part is not a yes to a question for it without that.
  if (isYes && WITHOUT.test(fold(reading.search.question)) && !LACKING.test(lead.folded)) return ''
  const { yesPrefix, noPrefix } = ANSWER_STRINGS[language]
  return `${isYes ? yesPrefix : noPrefix} `
}
