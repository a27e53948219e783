import { fold } from '../../lib/text/fold.ts'

const MAX_NAME_WORDS = 4
const MAX_NAME_LENGTH = 100

const NAME_WORD = /^\p{Lu}[\p{L}'’.-]*$/u
const ANY_WORD = /^[\p{L}'’.-]{1,40}$/u
/** A greeting and an introduction before a name in a line of its own. */
const INTRODUCTION =
  /^(?:(?:merhaba(?:lar)?|selam(?:lar)?|hello|hi|hey)\s+)?(?:ben|i am|i['’]m|this is)\s+/i
/** Words that look like a part of a name and are not. */
const NO_NAME = new Set(
  (
    'adım adim ne nedir mi mı var yok ve ile bu şu o bir için telefon telefonum tel numaram numara cep ' +
    'mail mailim e-posta eposta email adres adresim iyi günler gün merhaba merhabalar selam selamlar ' +
    'teşekkürler teşekkür ederim evet hayır tamam olur lütfen randevu kargo sipariş fiyat bilgi ' +
    'beni arayın ulaşın hello hi hey thanks thank you yes no ok okay please phone number call me my ' +
    'the a an not here looking interested from it is and good morning evening afternoon best regards'
  ).split(' '),
)
/** Nationalities, faiths, diets, trades and states that an introduction may tell instead of a name, folded. */
const DESCRIPTIONS = new Set(
  `american british english scottish welsh irish french german dutch belgian swiss austrian italian spanish
  portuguese greek turkish cypriot maltese danish swedish norwegian finnish icelandic polish czech slovak slovenian
  hungarian romanian bulgarian serbian croatian bosnian albanian macedonian montenegrin ukrainian russian belarusian
  moldovan latvian lithuanian estonian georgian armenian azerbaijani azeri kazakh uzbek turkmen kyrgyz afghan
  iranian persian iraqi syrian lebanese palestinian jordanian israeli saudi emirati qatari kuwaiti yemeni omani
  egyptian libyan tunisian algerian moroccan sudanese ethiopian somali kenyan ugandan nigerian ghanaian african
  indian pakistani bangladeshi nepali tibetan chinese japanese korean taiwanese vietnamese thai filipino
  indonesian malaysian singaporean mongolian australian canadian mexican brazilian argentinian argentine chilean
  peruvian colombian venezuelan ecuadorian bolivian cuban jamaican european asian arab arabic kurdish kurd latino
  muslim moslem jewish catholic protestant orthodox buddhist hindu sikh atheist mormon
  vegan vegetarian pescatarian celiac coeliac halal kosher gluten lactose dairy nut peanut free intolerant
  allergic diabetic asthmatic epileptic autistic dyslexic claustrophobic friendly only test
  student teacher nurse doctor dentist lawyer engineer pensioner retired retiree veteran soldier driver plumber
  journalist photographer accountant architect beginner member guest customer client patient parent tourist
  resident local foreigner freelancer unemployed employed selfemployed
  pregnant disabled deaf blind sick ill injured hurt lost stuck stranded late early new old ready busy tired
  hungry thirsty cold confused sorry happy unhappy sad sure great fine perfect worried anxious nervous scared
  afraid angry upset furious annoyed disappointed curious today tomorrow now single married divorced widowed alone available
  insured uninsured vaccinated homeless overweight underage adult minor smoker gay trans desperate serious urgent important ridiculous unacceptable terrible awful horrible amazing awesome wonderful
  excellent bad wrong right true false fake fraud spam scam nonsense outrageous disgusting shameful absurd
  impossible unbelievable confidential private service news information very so really too quite extremely
  alman alevi amerikali arap arnavut avusturyali azeri azerbaycanli belcikali bosnak brezilyali bulgar cinli
  danimarkali ermeni fransiz gurcu hintli hollandali ingiliz iranli irakli ispanyol isvecli isvicreli italyan
  japon kanadali kazak kibrisli koreli macar misirli norvecli ozbek pakistanli polonyali romen rus
  sirp suriyeli turk turkiyeli turkmen ukraynali yabanci yahudi yunan musluman hristiyan hiristiyan sunni budist
  ateist vejetaryen vejeteryan colyak alerjik astimli otistik sigortali felcli diyabetli hasta hamile gebe engelli yasli emekli
  ogrenci universiteli liseli ogretmen doktor hekim usta hemsire avukat muhendis memur isci esnaf ciftci polis
  asker sehit muhasebeci mimar sofor issiz turist misafir musteri uye yeni mezun evli
  bekar dul bosanmis mutsuz uzgun kizgin sinirli yorgun mesgul hazir acil onemli rezalet`.split(
    /\s+/,
  ),
)
/** “I am” at the end of a Turkish word: `Almanım`, `öğrenciyim`. */
const TURKISH_BE = /y?[iu]m$/
/** Words behind `adım` or `my name is` that tell something about the name, folded. */
const TOLD_OF_NAME =
  /^(?:yanlis|hatali|eksik|farkli|degil|neden|nicin|niye|nasil|nerede|kim|gorun\w+|yazil\w*|yaz(?:iyo|mi[sy]|mam|maz)\w*|cik(?:m|t|iy|ar)\w*|gec(?:m|iy|ti)\w*|degis\w*|karis\w+|soylen\w+|silin\w*|missing|misspel\w*|mistaken|misprinted|wrong\w*|incorrect\w*|spel(?:t|led|ling)|written|printed|listed|recorded|registered|changed|removed|deleted|already|too|also|shown|displayed|visible|required|needed|what|on|in|under|at|for|to|there|attached|below|above)$/
/** The same, where they cannot be a family name because they stand first. */
const TOLD_FIRST =
  /^(?:dogru|ayni|kayitli|gizli|uzun|zor|once|simdi|hala|still|being|different|common)$/
/** Words before which the place stands where a name is missing: `adım listede yok`. */
const MISSING = /^(?:yok|var|mi|mu)$/
const IN_PLACE = /[dt][ae]$/

/** The name at the beginning of what follows an introduction, in any case. */
export function nameAfterIntroduction(text: string): string | undefined {
  const words = text.trim().split(/\s+/)
  const end = words.findIndex((word, at) => !isNamePart(word, at === 0))
  const name = end === -1 ? words : words.slice(0, end)
  const [last = ''] = name.slice(-1)
  const next = fold(words[end] ?? '')
  const isPlace = isLowerCase(last) && IN_PLACE.test(fold(last))
  const isMissing = MISSING.test(next) || TOLD_OF_NAME.test(next)
  return isPlace && isMissing ? undefined : nameOf(name)
}

/** A name where a description could stand too: `I'm Ann`, and not `I'm Vegan`. */
export function namePresented(text: string): string | undefined {
  const words = text.split(/\s+/)
  return words.every(isDescription) ? undefined : nameOf(words)
}

/** A line of two to four capitalized words only, behind an introduction or alone. */
export function nameInLines(text: string): string | undefined {
  for (const part of text.split(/[\n,;:!?|/–—()]+|\s-(?:\s|$)/)) {
    const line = part.trim().replace(INTRODUCTION, '')
    const words = line.split(/\s+/)
    const isName = words.every((word) => NAME_WORD.test(word) && !isNoName(word))
    if (words.length > 1 && isName) return namePresented(line)
  }
  return undefined
}

function nameOf(words: readonly string[]): string | undefined {
  if (words.length === 0 || words.length > MAX_NAME_WORDS || words.some(isNoName)) return undefined
  const name = words.join(' ').replace(/[.'’-]+$/, '')
  return name.length > 1 && name.length <= MAX_NAME_LENGTH ? name : undefined
}

function isNamePart(word: string, isFirst: boolean): boolean {
  const folded = fold(word)
  const isTold = TOLD_OF_NAME.test(folded) || (isFirst && TOLD_FIRST.test(folded))
  return ANY_WORD.test(word) && !isNoName(word) && !(isTold && isLowerCase(word))
}

function isNoName(word: string): boolean {
  return NO_NAME.has(word.toLocaleLowerCase('tr')) || NO_NAME.has(word.toLowerCase())
}

function isLowerCase(word: string): boolean {
  return word === word.toLocaleLowerCase('tr')
}

/** Whether a word says what somebody is: a nationality, a faith, a diet, a trade, a state. */
function isDescription(word: string): boolean {
  const folded = fold(word)
  return DESCRIPTIONS.has(folded) || DESCRIPTIONS.has(folded.replace(TURKISH_BE, ''))
}
