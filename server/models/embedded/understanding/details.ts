import { splitWords } from '../../../lib/text/fold.ts'
import type { Detail } from '../../../lib/text/detail.ts'
import type { Language } from '../../../lib/text/language.ts'
import { isGeneralWord, isStopWord } from '../../../lib/text/stop-words.ts'
import type { QuestionKind } from './question-kind.ts'

/** The kind of question that asks for a detail. */
export const KIND_OF_DETAIL = {
  phone: 'contact',
  whatsapp: 'contact',
  email: 'email',
  address: 'place',
  hours: 'hours',
} as const satisfies Record<Detail, QuestionKind>

interface Vocabulary {
  /** Words that ask for the detail, folded; a question has at least one of them. */
  asking: RegExp
  /** Words that may stand beside them. */
  beside: RegExp
}

/** Words for the business itself, and for asking politely. */
const SELF =
  /^(?:dukkan|magaza|ofis|isyer|is$|yer(?:in|i)|sube|okul|klinik|otel|salon|atolye|kurs|merkez|firma|sirket|isletme|musteri|hizmet|bilgi|size|sizi?n|shops?$|stores?$|office|place$|company|business|school|clinic|hotel|branch|customer|service|support$|laden|geschaft|buro|filiale|firma|kunden|(?:ال)?(?:محل|مكتب|متجر|شركه|مقر|عياد|فندق|مطعم|صالون)|انتم)|^(?:eure|euer|ihre)$|^(?:pls|plz|please|lutfen|rica|acil|emergency|notfall|notruf|طواري|ver|al[ai]|yaz|atar|paylas|gonder|send|share|hizli$|tam$|olarak|exactly|genau|simdi|now|jetzt|hala|still|acaba|hangi|which|welche)/
const REACH =
  /^(?:iletisim|contact|reach|ulas|erreich|kontakt|تواصل|التواصل|اتصل|اتصال|ara(?:ya|mak|say|ym|r)?|call|ring|anruf)/
const DAYS =
  /^(?:bugun|yarin|pazar|pazartesi|sali|carsamba|persembe|cuma|cumartesi|hafta|sonu$|ici$|gun|gece|aksam|sabah|oglen?|today|tomorrow|tonight|weekdays?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|heute|morgen|abends?|wochenende|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|اليوم|غدا|الجمع|السبت|الاحد|الاثنين|الثلاثاء|الاربعاء|الخميس|ايام|يوم)/

/** Whether a folded word names a day. */
export const namesDay = (folded: string): boolean => DAYS.test(folded)

/** Words of days that mean several of them, or a part of each. */
const SEVERAL_DAYS = /^(?:hafta|sonu$|ici$|gun|gece|aksam|sabah|oglen?|weekdays?$|ايام|يوم)/

/** Whether a folded word names one day, and not several. */
export const namesOneDay = (folded: string): boolean =>
  namesDay(folded) && !SEVERAL_DAYS.test(folded)

/** Those of WhatsApp are the words for a phone, and its name. */
const VOCABULARIES: Readonly<Record<Exclude<Detail, 'whatsapp'>, Vocabulary>> = {
  email: {
    asking: /^(?:e?mail|e?posta(?!ge)|بريد|البريد|ايميل|الايميل)/,
    beside:
      /^(?:e$|adres|address|where$|wohin$|nereye$|at(?:a(?:cag|yim|bil)|sam)|elektronik|الالكتروني|عنوان)/,
  },
  phone: {
    asking:
      /^(?:tel$|telefon|tlf|cep|numara(?:$|n|si|niz|yi|ya|d)|irtibat|phone|number|mobile|handy|nummer|rufnummer|hotline|whats?app|wp$|رقم|هاتف|الهاتف|تلفون|التلفون|جوال|موبايل|الموبايل|واتس|الواتس)|^(?:iletisim|contact|reach|ulas|erreich|kontakt|تواصل|التواصل|اتصل)/,
    beside: /^(?:no$|nosu|hat$|hatt?i|line$|direct|details?$|infos?$)/,
  },
  address: {
    asking:
      /^(?:adres|address|konum|location|located|nerede|nerde|neresi|neredesin|standort|anfahrt|wo$|where|postcode|zipcode|postleitzahl|semt(?:te|iniz)|اين|وين|عنوان|العنوان|موقع|الموقع)/,
    beside:
      /^(?:acik$|tarif|kaliyor|at(?:in$|sana|ar)|satnav$|abouts$|find|get$|there|based|gel|git|gid|ulas|seid|sind|finde|euch|come)/,
  },
  hours: {
    asking:
      /^(?:saat|acik(?!la)|kapali|acil[is]|acar|acar|aciyor|kapan|kapat|mesai|open|opens|opening|clos|hours|varsin|offnungszeit|geoffnet|offen|schliess|shut|kepenk|مواعيد|ساعات|دوام|الدوام|مفتوح|تفتح|تغلق)/,
    beside:
      /^(?:calis|kac|kadar|what|time|times|until|till|late|when|arasi|working|work$|uhr|wann|bis|zeiten|العمل|عمل|متي|كم)/,
  },
}
/** Ways to come, where nothing else is named. */
const WAY =
  /^(?:(?:and|ok|hi|hello|merhaba|peki)[\s,]+)*(?:how (?:do|can) (?:i|we) (?:get|come) (?:there|to you)|how (?:do|can) (?:i|we) find you|(?:size |oraya )?nasil (?:gel|gid|ulas)\w*(?: oraya| size)?|wie komme ich (?:zu (?:euch|ihnen)|hin|dahin))[\s?.!]*$/
/** The postcode, for a navigator or a letter. */
const POSTCODE =
  /^(?:(?:what|whats|is|the|ur|your|please|sizin|ihre|eure|wie|ist)(?:['’]s)? ){0,4}(?:post ?code|zip ?code|posta kod\p{L}*|postleitzahl)(?: (?:for|fur)(?: the| my)? (?:sat ?nav|navi|gps))?(?: (?:ne|nedir|pls|please))*[\s?.!]*$/u
/** Whether one may call, where nothing else is named. */
const CALLS =
  /^(?:(?:and|ok|hi|hello|merhaba|peki)[\s,]+)*(?:(?:can|could|may) (?:i|we) (?:call|ring|phone)(?: (?:you|u|someone|somebody|anyone))?|(?:sizi )?(?:nasil )?(?:ara(?:yabilir|sam|sak)\w*|arar[iı][mz]|araya(?:yim|lim))(?: (?:miyim|miyiz|olur|mu|sizi))*|kann (?:ich|man) (?:euch|sie|jemanden)? ?anrufen)[\s?.!]*$/
/** Until when a day goes, in Turkish: `cuma kaça kadar`. */
const UNTIL =
  /^(?:(?:bugun|yarin|pazar|pazartesi|sali|carsamba|persembe|cuma|cumartesi|hafta (?:ici|sonu))(?: gunu?| gunleri)? )?(?:saat )?kaca kadar(?: (?:acik\w*|varsiniz|ordasiniz))?[\s?.!]*$/
/** Whether a business works on days, in English. */
const WORKS =
  /^(?:(?:hi|hello|and|so)[\s,]+)*(?:do|are) (?:you|u)(?: guys)? (?:ever )?(?:work|working|there)(?: on| at)?(?: the)? (?:weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|bank holidays|evenings|nights)[\s?.!]*$/
/** When a business opens or closes, in German verbs of two parts. */
const OPENS =
  /^(?:\p{L}+[\s,]+)?wann (?:habt|hat|macht|haben|machen) (?:ihr|sie)(?: heute| morgen| am \p{L}+)? (?:wieder )?(?:auf|zu|offen|geoffnet)[\s?.!]*$/u
/** Words that ask after whereabouts; they are small words of any other question. */
const WHERE = /^(?:nerede\w*|nerde\w*|neresi\w*|where|wo|اين|وين)$/

/** The visitor's own details, and what is none. */
const OWN =
  /\b(?:my|mine|benim|meine?[rnm]?|not an?)\b|(?:telefon|adres|mail|posta|numara|konum)[iu]?m(?!\w?z)/

/** Questions whether one may come on a day, which is one of its hours. */
const COMES =
  /^(?:(?:hi|hello|merhaba|selam|mrb)[\s,]+)*(?:(?:can|could|may) (?:i|we) (?:come|visit|pop|drop|stop)(?: (?:in|by|over|round|along|to you|you))*(?: on)?(?: an?| the| this)? (\w+)|(\w+)(?: gun\w*)?(?: da)? (?:gelebilir|gelsem|gelsek|geliyim|geleyim|ugrasam|ugrayabilir)\w*(?: (?:miyim|miyiz|olur|mu|mi))*)[\s?.!]*$/

/** Whether telephones may be used, which asks for none. */
const OF_USE =
  /\b(?:phones?|telefon\w*|mobiles?|handys?)\b.*\b(?:allowed|permitted|banned|serbest|yasak|kullan\w*|erlaubt|verboten)\b|\buse (?:my |our |a )?(?:phone|mobile)/

/** A day on which a business shows itself, which is not one of its hours. */
const OPEN_DAY = /\bopen (?:day|evening|house)s?\b|\btag der offenen\b/

/** Whether a folded message speaks of the visitor's own address, phone or mailbox. */
export const isOwnDetail = (folded: string): boolean => OWN.test(folded)

/** Returns the detail that a folded message asks for and names nothing beside. */
export function readDetail(folded: string, language: Language): Detail | undefined {
  if (WAY.test(folded) || POSTCODE.test(folded)) return 'address'
  if (CALLS.test(folded)) return 'phone'
  if (OPENS.test(folded) || UNTIL.test(folded) || WORKS.test(folded)) return 'hours'
  if (OWN.test(folded) || OPEN_DAY.test(folded) || OF_USE.test(folded)) return undefined
  const [, english, turkish] = COMES.exec(folded) ?? []
  if (namesDay(english ?? turkish ?? '')) return 'hours'
  const words = splitWords(folded).filter((word) => {
    return WHERE.test(word) || !(isStopWord(word, language) || isGeneralWord(word))
  })
  const found = DETAILS.find((detail) => {
    const { asking, beside } = VOCABULARIES[detail]
    return (
      words.some((word) => asking.test(word)) &&
      words.every((word) => {
        const isAlong = SELF.test(word) || (detail === 'phone' && REACH.test(word))
        const isDayOfHours = detail === 'hours' && DAYS.test(word)
        return asking.test(word) || beside.test(word) || isAlong || isDayOfHours
      })
    )
  })
  return found === 'phone' && words.some((word) => WHATSAPP.test(word)) ? 'whatsapp' : found
}

const WHATSAPP = /^(?:whats?app|wp$|(?:ال)?واتس)/
const DETAILS = ['email', 'phone', 'address', 'hours'] as const
