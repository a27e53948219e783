import type { Language } from '../../../lib/text/language.ts'

/** What a visitor wants done, instead of told. */
export type Wish = 'appointment' | 'order' | 'change'

const MAX_LENGTH = 120
/** Questions about an appointment are for the documents, not for the calendar. */
const ABOUT_APPOINTMENTS =
  /\b(?:iptal|ertele|degistir|gec kal|ucret|nasil|ne zaman|cancel|move|reschedule|late|cost|fee|how|when|without|walk|randevusuz|absagen|verschieben|stornieren|was kostet|wie|ohne)|الغاء|تاجيل|كيف|كم/
const APPOINTMENTS: readonly RegExp[] = [
  /\brandevu\w*\s+(?:\w+\s+)?(?:al|istiyo|ist[ie]|olustur|ayarla|rica|verir|lazim|yap|kaydi)/,
  /\brandevu\s*(?:lutfen)?[.!?]*$/,
  /\b(?:book|make|schedule|get|have|arrange|need|want|set up|like)\b.{0,25}\bappointment\b/,
  /^appointment(?: please)?[.!?]*$/,
  /\bappointment\b.{0,20}\b(?:tomorrow|today|monday|tuesday|wednesday|thursday|friday|saturday|next week)\b/,
  /\btermin\b.{0,25}\b(?:vereinbar|buch|mach|ausmach|bekomm|haben|reservier)/,
  /\b(?:hatte|mochte|brauche|will|wurde|buche)\b.{0,25}\btermin\b/,
  /^termin(?: bitte)?[.!?]*$/,
  /(?:حجز|احجز|اريد|تحديد|اخذ).{0,15}موعد/,
]
const ORDERS: readonly RegExp[] = [
  /\b(?:kargo|siparis|paket|urun)[iu]?(?:m|muz|miz)\b.{0,25}\b(?:nerede|gelmedi|ulasmadi|kaldi|ne durumda|durumu|hala|gecikti|cikti mi|yola cikti|kayboldu)/,
  /\b(?:kargo|siparis|paket|urun)[iu]? (?:\w+ ){0,2}(?:elime )?(?:gelmedi|ulasmadi|gecmedi)\b/,
  /\b(?:nerede|hala gelmedi|gelmedi|ne durumda|nerede kaldi)\b.{0,20}\b(?:kargo|siparis|paket)[iu]?(?:m|muz|miz)\b/,
  /\bwhere (?:is|s|are)\b.{0,12}\b(?:order|parcel|package|delivery|shipment|stuff|item|items|cups)\b/,
  /\b(?:order|parcel|package|delivery|shipment)\b.{0,25}\b(?:not arrived|has ?n[o']?t (?:arrived|come)|never (?:arrived|came)|still not|not here|late|delayed|lost|missing)\b/,
  /\b(?:order|parcel) status\b|\bstatus of my (?:order|parcel|delivery)\b|\bhave ?n[o']?t received my (?:order|parcel|package)\b/,
  /\bwo (?:ist|bleibt)\b.{0,15}\b(?:bestellung|paket|sendung|lieferung)\b/,
  /\b(?:paket|bestellung|lieferung)\b.{0,25}\b(?:nicht angekommen|noch nicht da|fehlt)\b/,
  /اين (?:طلبي|طلبيتي|شحنتي|الطلب|طردي)|لم (?:يصل|تصل).{0,12}(?:طلب|شحن|طرد)/,
  // An order told of instead of asked for
  /^(?:\d+ \w+ (?:oldu|gecti),? )?(?:hala|daha|henuz) (?:gelmedi|ulasmadi|elime gecmedi)[.!?]*$/,
  /^(?:(?:\d+|bir|iki|uc) (?:gun|hafta)|dun|gecen hafta) (?:once )?siparis (?:verdim|vermistim|ettim)[.!]*$/,
  /^(?:(?:and|but|it|they|still) )*(?:has|have|did) ?n[o']?t (?:arrived?|come)(?: yet| here)?[.!?]*$/,
  /^i(?: have|'ve)? (?:ordered|bought)\b.{0,20}\b(?:ago|yesterday|last week)[.!]*$/,
  /^ich habe (?:vor .{1,15}|gestern|letzte woche) bestellt[.!]*$|^(?:es |sie )?ist (?:immer )?noch nicht (?:da|angekommen)[.!]*$/,
  // Its number
  /^(?:(?:and|my|the|it|its|order) )*(?:number|no|nr)\.?(?: is|:)? #?\d{4,8}[.!]*$/,
  /^(?:siparis )?(?:no|numara(?:si|m)?|numarasi)[:\s]+#?\d{4,8}[.!]*$|^(?:(?:die|meine) )?(?:bestell)?nummer (?:ist |lautet )?#?\d{4,8}[.!]*$/,
  /^#?\d{4,6}$/,
]

/** An order is to be cancelled or changed, which the team does where no page says how. */
const CHANGES: readonly RegExp[] = [
  /\bsiparis\w*\b.{0,25}\b(?:iptal|degistir|vazgec|geri al)|\biptal\b.{0,20}\bsiparis/,
  /\b(?:cancel|change|modify|edit|amend)\b.{0,20}(?<!\bin )\border\b|\border\b.{0,20}\bcancel/,
  /\bbestellung\b.{0,25}\b(?:stornier|abbestell|ander|widerruf)|\bstornier\w*\b.{0,20}\bbestellung/,
  /(?:الغاء|الغي|تعديل|تغيير).{0,12}طلب/,
  // The address that it goes to
  /\badres(?:im)?i?\b.{0,20}\b(?:yanlis|hatali|degistir|duzelt)|\byanlis adres(?:e|i)? (?:ver|yaz|gir|sec|soyle|gonder)/,
  /\bwrong (?:shipping |delivery )?address\b|\b(?:change|correct|fix|update)\b.{0,12}\b(?:shipping |delivery |my )address\b/,
  /\bfalsche (?:liefer)?adresse\b|\b(?:liefer)?adresse\b.{0,15}\b(?:falsch|ander)/,
  /عنوان\S* (?:خطا|غلط|خاطي)|(?:خطا|غلط) في (?:ال)?عنوان|(?:تغيير|تعديل|تصحيح) (?:ال)?عنوان/,
]
/** Words of a text that tells the whereabouts of an order, folded. */
const TRACKING =
  /\btakip (?:no|numara|kod|link|baglant)|kargo takib|gonderi takib|siparis (?:takib|durum)|\bnerede\?|nerede oldugun|hangi asama|\btrack(?:ing|ed)?\b|order status|where(?:'s|’s| is) (?:my|your) |current (?:position|status)|sendungsverfolg|sendungsnummer|lieferstatus|تتبع/

/** Whether a folded text tells where an order is. */
export const speaksOfTracking = (folded: string): boolean => TRACKING.test(folded)

/** Whether a folded text speaks of cancelling or changing. */
export const speaksOfChange = (folded: string): boolean =>
  /\b(?:iptal|vazgec|degistir|cancel|change|stornier|widerruf|ander[nt])|الغاء|تعديل/.test(folded)

/** The team is to call or to write, and nothing is asked. */
const CALL_BACKS: readonly RegExp[] = [
  /^(?:(?:lutfen|merhaba|siz|bir)[\s,]+)*(?:(?:beni|bizi) (?:(?:geri|telefonla) )?ara\w*|(?:bana|bize) (?:geri )?(?:ulas|don)\w*)(?: (?:misiniz|musunuz|misin|lutfen|bi|bir zahmet|isterim|istiyorum))*[.!?]*$/,
  /^(?:(?:please|hi|hello|ok|can|could|will|would|someone|somebody|you|u|have|i want you to|i would like you to)[\s,]+)*(?:call|phone|ring|contact) me(?: back)?(?: (?:please|later|today|tomorrow|asap|soon))*[.!?]*$/,
  /^(?:(?:bitte|konnen|konnten|sie|hallo)[\s,]+)*(?:ruf\w* (?:sie )?mich (?:bitte )?(?:an|zuruck)|mich (?:bitte )?(?:anrufen|zuruckrufen)|melden sie sich (?:bitte )?(?:bei mir)?)(?: bitte)?[.!?]*$/,
  /^(?:(?:من فضلك|لو سمحت|ممكن|ارجو ان|هل يمكنكم)[\s،]*)*(?:ا?تصلوا?|تتصل|تتصلوا|تتصلون|الاتصال|تواصلوا?) (?:بي|معي|علي)(?: من فضلك| لو سمحت)*[.!؟]*$/,
]

/** Whether a folded message in its written form wants to be called or written to. */
export function wantsCallBack(folded: string): boolean {
  return folded.length <= MAX_LENGTH && CALL_BACKS.some((pattern) => pattern.test(folded))
}

/** Reads what a folded message in its written form wants done. */
export function readWish(folded: string): Wish | undefined {
  if (ORDERS.some((pattern) => pattern.test(folded))) return 'order'
  if (folded.length <= MAX_LENGTH && CHANGES.some((pattern) => pattern.test(folded)))
    return 'change'
  if (folded.length > MAX_LENGTH || ABOUT_APPOINTMENTS.test(folded)) return undefined
  return APPOINTMENTS.some((pattern) => pattern.test(folded)) ? 'appointment' : undefined
}

/** The names of the languages in each other, folded. */
const LANGUAGE_NAMES: readonly (readonly [Language, RegExp])[] = [
  ['tr', /turkish|turkce|turkisch|تركي/],
  ['en', /english|ingilizce|englisch|انجليزي|انكليزي/],
  ['de', /german|almanca|deutsch|الماني/],
  ['ar', /arabic|arapca|arabisch|عربي/],
]
/** A message of nothing but the wish for another language: `and in English please`. */
const IN_LANGUAGE: readonly RegExp[] = [
  /^(?:(?:and|ok|please|can|could|you|i|have|get|say|write|tell|give|answer|repeat|me|that|it|this|the same|again|und|bitte|das|auch|nochmal|kannst|konnen|du|sie|mir)[\s,]+)*(?:in|auf) (?:english|turkish|german|arabic|englisch|turkisch|deutsch|arabisch)(?:[\s,]+(?:please|bitte|too|again|instead|auch|nochmal|antworten|schreiben|sagen))*[\s.?!]*$/,
  /^(?:(?:ve|peki|lutfen|bir de|bunu|bunun|tamam|simdi|ayni seyi)[\s,]+)*(?:turkce|ingilizce|almanca|arapca)(?:si|sini)?(?:[\s,]+(?:olarak|lutfen|da|de|yaz\w*|soyle\w*|anlat\w*|cevap\w*|ver\w*|ne|nedir|alabilir|miyim|misin|misiniz|musun|musunuz))*[\s.?!]*$/,
  /^(?:(?:و|من فضلك|لو سمحت|ممكن|اكتب|قل|اجب)[\s،]*)*ب?ال(?:انجليزيه?|انكليزيه?|تركيه?|المانيه?|عربيه?)(?:[\s،]+(?:من فضلك|لو سمحت))*[\s.؟!]*$/,
]

/** The language in which a folded message wants the answer before, where it says nothing else. */
export function readLanguageWish(folded: string): Language | undefined {
  if (folded.length > MAX_LENGTH || !IN_LANGUAGE.some((pattern) => pattern.test(folded))) {
    return undefined
  }
  return LANGUAGE_NAMES.find(([, name]) => name.test(folded))?.[0]
}
