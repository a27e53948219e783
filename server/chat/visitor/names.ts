import { shippedSynonyms } from '../../knowledge/search/shipped-synonyms.ts'
import { fold } from '../../lib/text/fold.ts'
import { LANGUAGES } from '../../lib/text/language.ts'
import { isStopWord } from '../../lib/text/stop-words.ts'

const MAX_NAME_WORDS = 4
const MAX_NAME_LENGTH = 100

const NAME_WORD = /^\p{Lu}[\p{L}'’.-]*$/u
const ANY_WORD = /^[\p{L}'’.-]{1,40}$/u
/** Words that look like a name and are not. */
const NO_NAME = new Set(
  (
    'adım adim ne nedir mi mı kim var yok ve ile bu şu o bir için telefon telefonum tel numaram numara cep ' +
    'mail mailim e-posta eposta email adres adresim iyi günler gün merhaba merhabalar selam selamlar ' +
    'teşekkürler teşekkür ederim evet hayır tamam olur lütfen randevu kargo sipariş fiyat bilgi ' +
    'beni arayın ulaşın hello hi hey thanks thank you yes no ok okay please phone number call me my ' +
    'the a an not here looking interested from it is and good morning evening afternoon best regards'
  ).split(' '),
)
/** Names that are also words of everyday life, folded. */
const GIVEN_NAMES = new Set(
  (
    'deniz gul gunes cicek nehir irmak toprak bulut yagmur demir aslan kartal su ada bahar inci ipek can ' +
    'volkan ceylan sahin yildiz veli ramazan frank rose mark jack summer april june bill faith max nick ' +
    'miles violet ivy olive pearl penny sandy eve dawn mason hunter ray cliff rusty grant wolf rosa art may hope chip'
  ).split(' '),
)
/** What people are or feel where the lexicon lacks it, folded. */
const DESCRIPTIONS = new Set(
  (
    'welsh bangladeshi nepali filipino malaysian kenyan latvian lithuanian estonian kazakh uzbek colombian ' +
    'chilean peruvian cuban catholic sikh protestant orthodox pescatarian engineer veteran soldier stuck ' +
    'important confused sorry happy sure great good perfect worried angry unhappy irakli ozbek diyabetli ' +
    'asker muhendis gazi sehit yeni mutlu uzgun esnaf turkin moslem'
  ).split(' '),
)
/** “I am” at the end of a Turkish word: `Almanım`, `öğrenciyim`. */
const TURKISH_BE = /y?[iu]m$/
/** Words behind `adım` or `my name is` that tell something about the name, folded. */
const TOLD_OF_NAME =
  /^(?:yanlis|hatali|eksik|dogru|farkli|ayni|kayitli|gizli|uzun|zor|degil|neden|nicin|niye|nasil|nerede|once|simdi|hala|gorun\w+|yazil\w*|yaz[mi]\w+|cik(?:m|t|iy|ar)\w*|gec(?:m|iy|ti)\w*|degis\w*|karis\w+|soylen\w+|silin\w*|mis\w+|wrong\w*|incorrect\w*|spel(?:t|led|ling)|written|printed|listed|recorded|registered|changed|removed|deleted|already|still|being|too|also|different|common|shown|displayed|visible|required|needed|what|on|in|under|at|for|to|there|attached|below|above)$/
/** Words before which the place stands where a name is missing: `adım listede yok`. */
const MISSING = /^(?:yok|var|degil|gorun\w+|gecm\w+|cikm\w+|yazm\w+|mi|mu)$/
const IN_PLACE = /[dt][ae]$/

/** The name at the beginning of what follows an introduction, in any case. */
export function nameAfterIntroduction(text: string): string | undefined {
  const words = text.trim().split(/\s+/)
  const end = words.findIndex((word) => !isNamePart(word))
  const name = end === -1 ? words : words.slice(0, end)
  const [last = ''] = name.slice(-1)
  const isPlace = isLowerCase(last) && IN_PLACE.test(fold(last))
  return isPlace && MISSING.test(fold(words[end] ?? '')) ? undefined : nameOf(name)
}

/** A name where a description could stand too: `I'm Ann`, and no `I'm Vegan`. */
export function namePresented(text: string): string | undefined {
  const words = text.split(/\s+/)
  return words.some(isDescription) ? undefined : nameOf(words)
}

/** A line of two to four capitalized words only. */
export function nameInLines(text: string): string | undefined {
  for (const part of text.split(/[\n,;:|/–—()]+|\s-(?:\s|$)/)) {
    const words = part.trim().split(/\s+/)
    const isName = words.every((word) => NAME_WORD.test(word) && !isNoName(word))
    if (words.length > 1 && isName) return nameOf(words)
  }
  return undefined
}

function nameOf(words: readonly string[]): string | undefined {
  if (words.length === 0 || words.length > MAX_NAME_WORDS || words.some(isNoName)) return undefined
  const name = words.join(' ').replace(/[.'’-]+$/, '')
  return name.length > 1 && name.length <= MAX_NAME_LENGTH ? name : undefined
}

function isNamePart(word: string): boolean {
  const isTold = isLowerCase(word) && TOLD_OF_NAME.test(fold(word))
  return ANY_WORD.test(word) && !isNoName(word) && !isTold
}

function isNoName(word: string): boolean {
  return NO_NAME.has(word.toLocaleLowerCase('tr')) || NO_NAME.has(word.toLowerCase())
}

function isLowerCase(word: string): boolean {
  return word === word.toLocaleLowerCase('tr')
}

/** Whether a word says what somebody is: a nationality, a faith, a trade, a state. */
function isDescription(word: string): boolean {
  const folded = fold(word)
  if (GIVEN_NAMES.has(folded)) return false
  const isKnown = LANGUAGES.some(
    (language) => isStopWord(folded, language) || shippedSynonyms(false).isKnown(folded, language),
  )
  const forms = [folded, folded.replace(TURKISH_BE, '')]
  return isKnown || forms.some((form) => DESCRIPTIONS.has(form) || isNationality(form))
}

function isNationality(form: string): boolean {
  return form.length > 3 && shippedSynonyms(false).isKnown(form, 'tr')
}
