import { fold } from '../../../lib/text/fold.ts'
import type { Language } from '../../../lib/text/language.ts'

/** Words and endings that deny, folded, by language of the documents. */
const DENIALS: Readonly<Partial<Record<Language, RegExp>>> = {
  tr: /(?:\bdegil|\byok(?:tur)?\b|\bkapali|\byalnizca\b|\belde\b|\w{2}m[ae]z(?:l[ae]r|siniz|siniz)?\b|\w{2}m[ae]yiz\b|\w{2}m[iu]yor|\w{2}m[ae](?:m[ae](?:kt|l[iu])|m[iu]st[iu])|\w{2}m[ae]y[iu]n(?:iz)?\b|\bharic|\buzak durun|\byasak)/,
  en: /(?:\bnot\b|n['’]t\b|\bno\b|\bnobody\b|\bnone\b|\bnothing\b|\bnever\b|\bcannot\b|(?<!\b(?:an?|the) )\bclosed\b|\bonly\b|\bby hand\b|\bout of\b|\bavoid\b|\bwithout a\b|\b(?:forbidden|prohibited|banned)\b)/,
}
/** The second half of a sentence may say the opposite of the first. */
const TURNS =
  /(?:\w{2}m[ae]d[ae]n\b|\bama\b|\bancak\b|\bfakat\b|\bbut\b|\bexcept\b|\bhowever\b|\bunless\b|;)/
/** A way of doing without something, in Turkish: `öğle arası vermeden`. */
const DOING_WITHOUT = /\w{2}m[ae]d[ae]n\b(?! (?:once|evvel)\b)/
/** Some of several, which are neither all nor the one that is asked about. */
const PARTIAL =
  /\b(?:most|some|several) (?!(?:of the|important|likely|popular|recent)\b)[a-z]|\b(?:cogu|bazi)\b/
/** A name and a phrase that deny nothing of what is asked. */
const NO_SHOW = /\bno[- ]shows?\b|\bnothing to do with\b/g
/** Pairs of opposites, folded beginnings of words: asking for one and finding the other is a no. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:ucretli|parali|para a[lm]|ucret a[lm])/, /\b(?:ucretsiz|bedava)/],
  [/\b(?:ucretsiz|bedava)/, /\b(?:ucretli|\d[\d.]* tl)/],
  [/\b(?:acik|calis|gelebil)/, /\bkapali/],
  [/\bkapali/, /\bacik/],
  [
    /\b(?:paid|charge|cost)/,
    /\b(?:free|nothing extra|no extra|no charge|without (?:extra )?charge|stopped charging)\b/,
  ],
  [/\bfree\b/, /\b(?:paid|costs? )/],
  [/\b(?:open|work)\b/, /\bclosed\b/],
  [/\bclosed?\b/, /\bopen\b/],
  [/\b(?:nois[ey]|loud)/, /\b(?:quiet|silent)/],
  [/\b(?:difficult|hard)\b/, /\beas(?:y|ily)\b/],
  [/\bexpensive\b/, /\b(?:cheap|affordable)/],
  [/\b(?:gurultu|sesli)/, /\bsessiz/],
  [/\bzor\b/, /\bkolay/],
  [/\bpahali/, /\b(?:ucuz|uygun fiyat)/],
]
const DENIED_DENIAL =
  /(?:\b(?:not|no longer|never)|n['’]t)(?: \w+){0,2} (?:forbidden|prohibited|banned)\b|\byasak\w*(?: \w+)? degil/
/** That nothing is charged denies no more than a price, folded. */
const DENIES_CHARGE =
  /\b(?:vade farki|faiz|ucret|bedel|komisyon|masraf)\w*(?: \w+)? (?:yok|alinm|almiy|almay|uygulanm|istem|odenm|odemez|kesilm|talep e[dt][a-z]*m)|\b(?:no|without(?: an?y?)?) (?:extra |additional |further )?(?:charge|fee|cost|interest|surcharge)|\b(?:do not|don['’]t|never) charge/
/** Questions for whether something is free, folded, to which no charge is a yes. */
const ASKS_FOR_FREE = /\bfree\b(?!-)|\b(?:ucretsiz|bedava)/
/** A charge is left out for some people, days or hours only. */
const FOR_SOME =
  /\b(?:members?|children|kids|first|before|until|after|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|uye\w*|cocuk\w*|ilk|once\w*|kadar|gunu|gunler\w*|hafta\w*)\b/
/** A price beside it may be that of what was asked for. */
const SUM = /[₺€$£]|\d ?(?:tl|lira|euro)\b/
const SUBSTANCE =
  '(lead|nut|peanut|gluten|wheat|lactose|milk|dairy|egg|soy|sugar|alcohol|perfume|fragrance|latex|nickel|bpa|paraben|palm oil)'
/** A substance that something has none of, in English: “free of lead”. */
const FREE_OF = new RegExp(String.raw`\bfree (?:of|from) (?:any |all )?${SUBSTANCE}`)
/** The same of one of several things, perhaps: “from a nut-free bakery”. */
const FREE_THING = new RegExp(String.raw`\b${SUBSTANCE}[- ]free\b`)
const ON_REQUEST = /\b(?:on request|if you ask|can be made)\b/
/** People who cannot do something, in English: `a chair for anyone who cannot walk`. */
const FOR_WHOM =
  /\b(?:who|(?:if|when) (?:you|they)) (?:can ?not|can['’]t|do(?:es)? not|do(?:es)?n['’]t|are not|aren['’]t)\b/
/** An exception, or a doctor to be asked first: neither a yes nor a no. */
const EXCEPTING =
  /\b(?:unless|apart from|other than|except(?:ing)?)\b|\b(?:haric|disinda) (?:her|tum|butun)\b|\bdoktor\w* (?:\w+ )?(?:danis|sor)\w*/
/** Warnings to leave something undone, in Turkish: `ihmal edilmemelidir`. */
const NEGLECT =
  /\b(?:ihmal|aksat|cekin|unut|gecikti|ertele|kacir|vazgec)\w*(?: \w+)?m[ae]m[ae]l[iu]/
/** Questions for whether something has to be done beforehand, in English, which “by appointment only” affirms. */
const ASKS_FOR_MUST = /\b(?:have to|need to|must)\b/
/** Questions for what is charged, folded. */
const ASKS_FOR_CHARGE =
  /\b(?:ucret|para(?:si|yi|li)?\b|bedel|fark[i]?\b|faiz|komisyon|masraf)|\b(?:charge|fees?\b|cost|(?:have to|need to|must|do (?:i|we)) pay|pay (?:extra|for|more|a|any)\b|interest|free\b(?!-)|money)/
const ASKS_FOR_NEED = /gerek|\blazim|\bsart\b|zorun/
/** One may come, or do it, without something, in Turkish: `randevusuz gelebilirsiniz`, `randevu almadan …`. */
const WITHOUT = /\b(\w{3,40}?)(?:s[iu]z| \w+m[ae]d[ae]n) (?:\w+ )?\w*[ae]bilir/
/** Letters by which a word is known again with another ending. */
const ROOT_LENGTH = 5
/** A restriction, such as “on the aft deck only”. */
const ONLY = /\b(?:yalnizca|yalniz|sadece|only)\b/
/** Questions for whether there is something. */
const ASKS_FOR_ANY =
  /\bvar m[iı]\b|\b(?:do (?:you|u) (?:have|sell|offer|stock)|is there|are there)\b/
/** Whether something has to be done or brought, and sentences that say so by telling to do it. */
const ASKS_FOR_DUTY =
  /gerek|\blazim|\bsart\b|zorun|m[ae]l[iı]|\b(?:have to|need to|must|should|required|necessary)\b/
const REQUESTS =
  /(?:[a-z]{2}(?<!s)[iu]n(?:[iu]z)?[.!]*$(?<!\b(?:gun|butun|kadin|yakin|altin|uzun)[.!]*))|^(?:please |just )?(?:book|order|reserve|ring|register|sign up|apply|pay|tell|bring|come|call|phone|contact|email|write|text|send|ask|use|keep|leave|wear|visit|see|check|look|try|fill|choose|let us know)\b/
/** Turkish questions for whether there is something, and what says that there is none; folded. */
const EXISTS = /\bvar m[iı]\b/
const LACKS = /\byok(?:tur)?\b|bulunm[au]|\bdegil|\bkapali/
/** Consequences of a case, such as `içilmesi halinde`, and extras: neither a permission nor a lack. */
const IN_CASE = /\b(?:halinde|durumunda|takdirde)\b/
const NOT_INCLUDED = /\bdahil degil/
/** A clause that says the same of something else: “We don't ship abroad, and that includes Ireland”. */
const GOES_FOR = /\b(?:that|this|which|the same) (?:includes|applies to|goes for)\b/
/** A choice of two, in Turkish: `dizel mi benzinli mi`. */
const CHOICE = /\b\w+ m[iu] (?:(?:yoksa|ya da) )?\w+ m[iu]\b/
const PLAIN_DENIAL = /\b(?:kapali|closed)/

/**
 * Whether a sentence says yes or no to a yes-or-no question; `undefined` where it says both, or says it
 * of something else. `share` is how much of the question the sentence covers.
 */
export function judgePolarity(
  question: string,
  sentence: string,
  { language, share }: { language: Language | undefined; share: number },
): boolean | undefined {
  const denial = language === undefined ? undefined : DENIALS[language]
  if (denial === undefined || share < MIN_SHARE) return undefined
  const asked = fold(question).replaceAll(NO_SHOW, 'absence')
  const said = fold(sentence).replaceAll(NO_SHOW, 'absence')
  if (INCLUDED.test(asked) && INCLUDED.test(said) && EXCLUDED.test(said))
    return isIncluded(asked, said)
  if ([FOR_WHOM, EXCEPTING, NEGLECT].some((pattern) => pattern.test(said))) return undefined
  if (DENIES_CHARGE.test(said) && ASKS_FOR_FREE.test(asked))
    return SUM.test(said) || FOR_SOME.test(said) ? undefined : true
  const lacking = FREE_OF.exec(said)?.[1]
  if (lacking !== undefined && !ASKS_FOR_FREE.test(asked) && asked.includes(lacking))
    return denial.test(said) || ON_REQUEST.test(said) ? undefined : false
  const thing = FREE_THING.exec(said)?.[1]
  if (thing !== undefined && !ASKS_FOR_FREE.test(asked) && asked.includes(thing)) return undefined
  if (language === 'en' && ONLY.test(said) && ASKS_FOR_MUST.test(asked)) return undefined
  if (PARTIAL.test(said) && !ASKS_FOR_ANY.test(asked)) return undefined
  if ((TURNS.test(said) && denial.test(said)) || DENIED_DENIAL.test(said)) return undefined
  if (DENIES_CHARGE.test(said) && !ASKS_FOR_CHARGE.test(asked)) return undefined
  if (ASKS_FOR_NEED.test(asked) && goesWithout(asked, said)) return false
  if (language === 'tr' && DOING_WITHOUT.test(said)) return undefined
  if (ONLY.test(said) && (ASKS_FOR_ANY.test(asked) || share >= WHOLE_SHARE)) return undefined
  if (REQUESTS.test(said) && !ASKS_FOR_DUTY.test(asked) && !isAskedFor(asked, said))
    return undefined
  const opposite = OPPOSITES.find(([one, other]) => one.test(asked) && other.test(said))
  if (opposite !== undefined)
    return PLAIN_DENIAL.test(said) || !opposite[0].test(said) ? false : undefined
  if (language === 'tr' && (IN_CASE.test(said) || CHOICE.test(asked))) return undefined
  if (EXISTS.test(asked) && NOT_INCLUDED.test(said)) return undefined
  if (language === 'tr' && EXISTS.test(asked) && denial.test(said) && !LACKS.test(said)) {
    // What is there may still lack something.
    if (!denial.test(clauseAbout(asked, said))) return undefined
  }
  const clause = clauseAbout(asked, said)
  // A sentence often forbids one thing beside another that it allows.
  // Before and after a colon it may say two things, and both of what is asked.
  if (clause === said && isMixed(said.split(': '), denial)) return undefined
  const isOwnClause = language === 'en' || /\byasak|: /.test(said)
  const heard = isOwnClause && !GOES_FOR.test(clause) ? clause : said
  const isDenied = denial.test(heard)
  if (isDenied && language === 'en' && deniesPart(asked, heard)) return undefined
  // Another clause may say that there is none: “We keep no dogs, and visitors' pets stay outside”.
  if (!isDenied && ASKS_FOR_ANY.test(asked) && denial.test(said)) return undefined
  const whole = asked.replace(/\byok mu\b/g, '')
  const asksDenied = denial.test(questionOf(whole))
  // A condition that denies may be what the sentence is about: `if i don't have a ticket`.
  if (!asksDenied && denial.test(whole)) return undefined
  return isDenied === asksDenied
}

/** Words for what is in a price and what is not, folded. */
const INCLUDED = /\bdahil|\binclud|\binklusive|\benthalten/
const EXCLUDED =
  /\bharic|\bdahil degil|\bexclud|\bnot includ|\bexklusive|\bnicht (?:inklusive|enthalten)/

/** Whether what is asked for is in a price of which a sentence says what is in it and what is not; `undefined` for neither. */
function isIncluded(asked: string, said: string): boolean | undefined {
  const about = (asked.match(/[\p{L}]{3,}/gu) ?? []).filter(
    (word) => !INCLUDED.test(word) && !/^(?:fiyat|ucret|price|preis)/.test(word),
  )
  const clauses = said.split(/[,;]| ve | and | but | und /)
  const own = clauses.filter((clause) => about.some((word) => clause.includes(word)))
  const told = own.map((clause) => (EXCLUDED.test(clause) ? false : INCLUDED.test(clause)))
  return told.length === 1 ? told[0] : undefined
}

/** Whether some parts of a sentence deny, and others do not. */
function isMixed(parts: readonly string[], denial: RegExp): boolean {
  const denied = parts.filter((part) => denial.test(part)).length
  return denied > 0 && denied < parts.length
}

/** Whether a question asks if one may do what a sentence tells to do: `can i book by phone`, “Book …”. */
function isAskedFor(asked: string, said: string): boolean {
  const verb = /\b(?:can|could|may) (?:i|we) (\w+)/.exec(asked)?.[1]
  return verb !== undefined && said.startsWith(`${verb} `)
}

/** Where, when or with what something is denied, in English. */
const PART =
  /\b(?:not?|never|nobody|cannot|n['’]t)\b.{0,60}? (?:in|on|at|with|into|during|after|before|between|over|under|inside|outside) (?:the |an? |our |your |their )?([a-z]{3,})/

/** Whether an English sentence denies something only for a place, a time or a case that the question does not name. */
function deniesPart(asked: string, said: string): boolean {
  const part = PART.exec(said)?.[1]
  return part !== undefined && !asked.includes(part.slice(0, TOPIC_LENGTH))
}

/** Whether a sentence allows to go without what the question asks for. */
function goesWithout(asked: string, said: string): boolean {
  const root = WITHOUT.exec(said)?.[1]?.slice(0, ROOT_LENGTH)
  return root !== undefined && asked.includes(root)
}

/** The beginning of an English question, and what follows it under a condition. */
const INVERSION =
  /^[^]*(\b(?:can|could|do|does|did|is|are|will|would|may|should|must)(?:n['’]t)? (?:i|you|u|we|they|it|there|this|that)\b.*)/
const CONDITION = /\b(?:if|when|because|since|unless|in case)\b.*/

/** The main clause of a folded English question: `can i send it back` of “… if i don't like it”. */
function questionOf(asked: string): string {
  return (INVERSION.exec(asked)?.[1] ?? asked).replace(CONDITION, '')
}

/** Whether a folded sentence denies, in a language that is known. */
export const denies = (folded: string): boolean =>
  Object.values(DENIALS).some((denial) => denial.test(folded))

/** What headings of exceptions say beside plain denials, folded. */
const EXCEPTIONS =
  /\b(?:exclu(?:ded|sions?)|exceptions?|unsuitable|haric|istisna\w*|ausnahmen|ausgeschlossen|nicht|kein\w*)\b|\bkapsam disi|\w{2}m[ae](?:ya[nc]\w*|di(?:g|k)\w*)|(?:^|\s)(?:لا|غير|استثناء\w*)(?=\s|$)/

/** Whether a row or an item stands under a heading of what is not so, such as `What we don't host`. */
export function isTakenBack(
  hit: { passage: { heading: string } } | undefined,
  { kind }: { kind: string },
): boolean {
  const heading = fold(hit?.passage.heading.split(' › ').at(-1) ?? '')
  return (kind === 'row' || kind === 'item') && (denies(heading) || EXCEPTIONS.test(heading))
}

/** Numbers in words, folded; `one` and `bir` are articles too, so a question does not ask for them. */
const NUMBER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:one|single|bir|tek|eine?[nrms]?)\b|واحده?/g, '1'],
  [/\b(?:two|both|double|iki|cift|zwei|doppel)\b|اثن(?:ان|ين)|شخصين/g, '2'],
  [/\b(?:three|uc|drei)\b|ثلاثه?/g, '3'],
  [/\b(?:four|dort|vier)\b|اربعه?/g, '4'],
  [/\b(?:five|bes|funf)\b|خمسه?/g, '5'],
]
/** Prices, shares and times of the day, which are numbers of something else than what is counted. */
const AMOUNTS =
  /[₺$€£] ?\d[\d.,]*|(?<![\d.,])\d[\d.,]{0,20} ?(?:tl|try|lira|euro?s?\b|usd|dollars?|[₺€£$%]|ليره|يورو|ريال)|(?:%|yuzde) ?\d+|\b\d{1,2}[:.]\d{2}\b/g

function numbersOf(text: string): string[] {
  const said = NUMBER_WORDS.reduce((so, [word, digit]) => so.replace(word, digit), text)
  return said.match(/\d+/g) ?? []
}

/**
 * Whether a question names a number and the sentence only other ones, so that it says neither yes nor no.
 * Prices, shares and times count only for a question that has one itself.
 */
export function hasOtherNumber(question: string, sentence: string): boolean {
  const [asked, said] = [fold(question), fold(sentence)]
  const counted = asked.search(AMOUNTS) < 0 ? said.replace(AMOUNTS, ' ') : said
  const wanted = numbersOf(asked).filter((number) => number !== '1')
  const found = numbersOf(counted)
  return found.length > 0 && wanted.some((number) => !found.includes(number))
}

const MIN_SHARE = 0.55
/** From this share on, the sentence is on all that is asked: what it restricts is that. */
const WHOLE_SHARE = 0.9

/** Words of the question that tell its topic, by their beginnings. */
const TOPIC_LENGTH = 4

/** Of a sentence of several clauses, the one that alone has most of the question's words. */
function clauseAbout(asked: string, said: string): string {
  const topics = (asked.match(/[a-z]{4,}/g) ?? []).map((word) => word.slice(0, TOPIC_LENGTH))
  const clauses = said.split(/[,;]|: | and /)
  const counts = clauses.map((clause) => topics.filter((topic) => clause.includes(topic)).length)
  const max = Math.max(...counts)
  const isAlone = counts.filter((count) => count === max).length === 1
  return isAlone ? (clauses[counts.indexOf(max)] ?? said) : said
}
