import { anyOf } from '../../../lib/text/any-of.ts'
import type { Language } from '../../../lib/text/language.ts'

/** What a visitor wants done, instead of told. */
export type Wish = 'appointment' | 'order' | 'change'

const MAX_LENGTH = 120
/** Changes of an existing appointment, and its price, which the documents tell. */
const OF_APPOINTMENTS =
  /\b(?:iptal|ertele|degistir|gec kal|ucret|cancel|move|reschedule|late|cost|fee|absagen|verschieben|stornieren|was kostet)|الغاء|تاجيل|كم/
/** Other questions about an appointment are for the documents, unless one is wished for as well. */
const ABOUT_APPOINTMENTS = anyOf([
  /\b(?:nasil|ne zaman|nerede|nereye|how|when|where|bring|(?<!\b(?:mr|mrs|ms|dr) )park(?! (?:street|road|lane|clinic|office))|without|walk|randevusuz|wie\b|wo\b|ohne|mitbring)|كيف|اين|بدون/,
  // Whether one is needed
  /\b(?:gerek\w*|lazim|sart|zorunlu|mecburi)(?: var)? m[iu]\b|\bzorunda m[iu]\w*/,
  /\bdo (?:i|we|you) (?:need|have to|make|book|get|first)\b|\b(?:would|will) (?:i|we|you) (?:need|have to)\b|\b(?:must|should|shall) (?:i|we)\b|\bif (?:i|we) (?:need|have to|book|make|get)\b|\b(?:necessary|required|needed)\b/,
  /(?:^|[.,;:!?]\s*|\b(?:und|oder|hallo|hi|warum|wozu|wofur|wann) )(?:brauche?n?|benotigen?|muss|mussen) (?:ich|wir|man)\b|\b(?:brauche?n?|benotigen?|muss|mussen) (?:ich|wir|man)\b[^.,;!?]*\?|\bob (?:ich|wir|man) .{0,25}\b(?:brauche|benotige|muss)|\b(?:notig|erforderlich|notwendig)\b/,
  /(?:^|\s)هل (?:احتاج|نحتاج|يجب|يلزم|لازم|علي|من الضروري)/,
  // That there is one
  /\brandevu\w* (?:\w+ )?(?:almadan|olmadan|al(?:dim|dik|mistim|mistik)|ald[iu]g\w+)\b|\brandevu(?:m|muz)\b/,
  /(?<!\b(?:can|could|may|might|if|that) )\b(?:i|we)(?: already)?(?: have|['’]ve|ve)(?: already)?(?: got)? (?:an|my|our) (?:\w+ )?appointment\b|\b(?:i|we) (?:have )?(?:booked|made|had) an appointment\b|\bmy appointment\b/,
  /\bich (?:habe|hab) (?:\w+ ){0,3}(?:einen|schon|bereits|meinen) (?:\w+ )?termin\b(?! (?:\w+ )?(?:bekomm|gemacht werden))/,
  /(?:عندي|لدي|لدينا) موعد/,
])
/** Says outright that an appointment is wished for, whatever else is asked. */
const WISHES_APPOINTMENT = anyOf([
  /\brandevu(?:su|yu)? (?:\w+ )?(?:(?:almak|olusturmak|ayarlamak) )?isti(?:yor|yom)/,
  /\b(?:yeni|yeniden|tekrar|baska) (?:bir )?randevu al(?:abil|ayim|alim|sam|mam)/,
  /(?<!\b(?:do|does|did|would|will|should|must|if|whether|that|when|where|how|why) )\b(?:i|we)(?:['’]d| would)? (?:\w+ )?(?:want|need|like|love)(?: to (?:book|make|get|have|schedule|arrange|set up))? (?:an?|another|some|the next) (?:\w+ ){0,2}appointment\b/,
  /(?<!\b(?:wenn|falls|ob) )\bich (?:brauche|benotige|hatte|mochte|will|wurde) (?:(?!wissen|fragen|ob)\w+ ){0,3}?(?:einen|den nachsten) (?:\w+ )?termin\b/,
  /\b(?:morgen|heute|dringend|leider|unbedingt|bald|jetzt|deshalb|daher) (?:brauche|benotige|hatte|mochte|muss) ich (?:\w+ ){0,3}termin\b(?![^.,;!?]*\?)/,
  /(?:اريد|ارغب في|اود|ابغي) (?:حجز |اخذ |تحديد )?موعد/,
])
const APPOINTMENTS = anyOf([
  /\brandevu\w*\s+(?:\w+\s+)?(?:al|istiyo|ist[ie]|olustur|ayarla|rica|verir|lazim|yap|kaydi)/,
  /\brandevu\s*(?:lutfen)?[.!?]*$/,
  /\b(?:book|make|schedule|get|have|arrange|need|want|set up|like)\b.{0,25}\bappointment\b/,
  /^appointment(?: please)?[.!?]*$/,
  /\bappointment\b.{0,20}\b(?:tomorrow|today|monday|tuesday|wednesday|thursday|friday|saturday|next week)\b/,
  /\btermin\b.{0,25}\b(?:vereinbar|buch|mach|ausmach|bekomm|haben|reservier)/,
  /\b(?:hatte|mochte|brauche|will|wurde|buche)\b.{0,25}\btermin\b/,
  /^termin(?: bitte)?[.!?]*$/,
  /(?:حجز|احجز|اريد|تحديد|اخذ).{0,15}موعد/,
])
/** Questions about orders in general: who pays for a lost one, and what happens to it. */
const ABOUT_ORDERS =
  /\b(?:insur\w*|who pays|how much(?! longer)|what happens (?:if|when)|sigorta\w*|kim (?:oder|karsilar)|\w+[rzys]s[ae](?:m|n|k|niz|lar|ler)? ne olur|versicher\w*|wer zahlt|was passiert,? (?:wenn|falls))\b|\bif (?:it|my|our|the|an?|lost|late|missing|delayed)\b/
const LATE = '(?:late|delayed|lost|missing)'
const ORDERS = anyOf([
  /\b(?:kargo|siparis|paket|urun)[iu]?(?:m|muz|miz)\b.{0,25}\b(?:nerede|gelmedi|ulasmadi|ne durumda|durumu|gecikti|cikti mi|yola cikti|kayboldu|\w+[dt][ae] kaldi\b|hala (?:kargoya )?(?:yok|yolda|kargoda|depoda|hazirlan|bekli|elime|teslim|cikmadi|gonderilmedi|verilmedi))/,
  /\b(?:kargo|siparis)[iu]?(?:m|muz|miz)\b.{0,25}\bhala\b(?!.{0,25}\b(?:m[iu]|iptal|iade|degis\w*|gecerli|garanti\w*)\b)|\bsiparis[iu]m[iu]n durumu/,
  /\b(?:kargo|siparis|paket|urun)[iu]? (?:\w+ ){0,2}(?:elime )?(?:gelmedi|ulasmadi|gecmedi)\b/,
  /\b(?:nerede|gelmedi|ne durumda)\b.{0,20}\b(?:kargo|siparis|paket)[iu]?(?:m|muz|miz)\b/,
  /\bwhere(?: is|['’]?s| are) (?:my|our|the|this) (?:\w+ ){0,2}?(?:order|parcel|package|delivery|shipment)\b(?! (?:entrance|area|point|address|desk|page|form|button|bay|door|office|note|made|from)\b)/,
  /\bwhere(?: is|['’]?s| are) (?:my|our) (?:\w+ )?(?:stuff|goods|things|items?|purchases?|products?|cups)\b|\bwhere (?:is|are) (?:the |my )?(?:\w+ ){1,2}(?:that |which )?(?:i|we) ordered\b(?!.*\b(?:made|from)\b)|\bwhere(?: is|['’]?s) order (?:no\.? |number )?#?\d/,
  // With what is in it as well: `my parcel with the cups is late`
  new RegExp(
    String.raw`\b(?:my|our|the|this) (?:\w+ ){0,2}?(?:order|parcel|package|delivery|shipment)\b(?:(?: with| for| from| of)(?: \S+){1,4}? (?:is|was))?(?: (?!includ|with|and|or)\S+){0,4}? ${LATE}\b(?!-| (?:check|at night|in the (?:morning|afternoon|evening)|possible))`,
  ),
  new RegExp(
    String.raw`^(?:order|parcel|package|delivery|shipment)(?: (?:is|was))?(?: (?:still|so|very))? ${LATE}(?: (?:again|today|now))?[.!?]*$|\b(?:order|parcel) (?:no\.? |number )?#?\d{3,}\b.{0,15}\b${LATE}\b`,
  ),
  /(?<!\b(?:can|could|to|i|we|you|will|would|should|they) )\b(?:order|parcel|package|delivery|shipment)\b.{0,25}\b(?:not arrived|has ?n[o']?t (?:arrived|come)|never (?:arrived|came)|still not|not here)\b/,
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
  /^(?:(?:and|my|the|it|its|die|meine) )*(?:(?:order|siparis|bestell)[\s-]?(?:(?:no|nr|number|numara(?:m|si)?|nummer)\b)?|(?:no|nr|number|numara(?:m|si)?|nummer)\b(?!\D*\d{9})|(?=#))[\s.:]*(?:is |ist |lautet )?#?\d{4,12}[.!]*$/,
])
/** A number alone, which is one of an order where orders were spoken of. */
const BARE_NUMBER = /^\d{4,12}[.!]*$/
const SPEAKS_OF_ORDER =
  /\b(?:siparis|kargo|paketi?m|order|parcel|shipment|bestell|sendung|paket\b)|طلب|شحن/

/** An order is to be cancelled or changed, which the team does where no page says how. */
const CHANGES = anyOf([
  /\bsiparis\w*\b.{0,25}\b(?:iptal|degistir|vazgec|geri al)|\biptal\b.{0,20}\bsiparis/,
  /\b(?:cancel|change|modify|edit|amend)\b.{0,20}(?<!\bin )\border\b|\border\b.{0,20}\bcancel/,
  // `andere` is another one, `ändern` to change one.
  /\bbestellung\b.{0,25}\b(?:stornier|abbestell|(?:ver)?andern\b|geandert\b|anderung|widerruf)|\bstornier\w*\b.{0,20}\bbestellung/,
  /(?:الغاء|الغي|تعديل|تغيير).{0,12}طلب/,
  // The address that it goes to
  /\badres(?:im)?i?\b(?!.*\bnasil\b).{0,20}\b(?:yanlis|hatali|degistir(?!me(?:nin)?\b)|duzelt)|\badres(?:im)?i?\b.{0,20}\b(?:yanlis|hatali) (?:ver|yaz|gir|sec|soyle|gonder)|\byanlis adres(?:e|i)? (?:ver|yaz|gir|sec|soyle|gonder)/,
  /\bwrong (?:shipping|delivery) address\b|^wrong address[.!]*$|\border\b.{0,20}\bwrong address\b|\bwrong address\b.{0,20}\border\b|\b(?:went|shipped|delivered|gave|given|entered|typed|put|used|wrote|sent|chose|selected|provided|made)\b.{0,20}\bwrong address\b/,
  /\b(?:change|correct|fix|update)\b.{0,12}\b(?:shipping |delivery )address\b|^(?!.*\bhow\b).*\b(?:change|correct|fix|update) my address\b/,
  /\bfalsche (?:liefer)?adresse\b|\b(?:liefer)?adresse\b.{0,20}\b(?:falsch|andern\b|geandert\b|anderung)/,
  /عنوان\S* (?:خطا|غلط|خاطي)|(?:خطا|غلط) في (?:ال)?عنوان|(?:تغيير|تعديل|تصحيح) (?:ال)?عنوان/,
])
/** Words of a text that tells the whereabouts of an order, folded. */
const TRACKING =
  /\btakip (?:no|numara|kod|link|baglant)|kargo takib|gonderi takib|siparis (?:takib|durum)|\bnerede\?|nerede oldugun|hangi asama|\btrack(?:ing|ed)?\b|order status|where(?:'s|’s| is) (?:my|your) |current (?:position|status)|sendungsverfolg|sendungsnummer|lieferstatus|تتبع/

/** Whether a folded text tells where an order is. */
export const speaksOfTracking = (folded: string): boolean => TRACKING.test(folded)

/** Whether a folded text speaks of cancelling or changing. */
export const speaksOfChange = (folded: string): boolean =>
  /\b(?:iptal|vazgec|degistir|cancel|change|stornier|widerruf|ander[nt])|الغاء|تعديل/.test(folded)

/** The team is to call or to write, and nothing is asked. */
const CALL_BACKS = anyOf([
  /^(?:(?:lutfen|merhaba|siz|bir)[\s,]+)*(?:(?:beni|bizi) (?:(?:geri|telefonla) )?ara\w*|(?:bana|bize) (?:geri )?(?:ulas|don)\w*)(?: (?:misiniz|musunuz|misin|lutfen|bi|bir zahmet|isterim|istiyorum))*[.!?]*$/,
  /^(?:(?:please|hi|hello|ok|can|could|will|would|someone|somebody|you|u|have|i want you to|i would like you to)[\s,]+)*(?:call|phone|ring|contact) me(?: back)?(?: (?:please|later|today|tomorrow|asap|soon))*[.!?]*$/,
  /^(?:(?:bitte|konnen|konnten|sie|hallo)[\s,]+)*(?:ruf\w* (?:sie )?mich (?:bitte )?(?:an|zuruck)|mich (?:bitte )?(?:anrufen|zuruckrufen)|melden sie sich (?:bitte )?(?:bei mir)?)(?: bitte)?[.!?]*$/,
  /^(?:(?:من فضلك|لو سمحت|ممكن|ارجو ان|هل يمكنكم)[\s،]*)*(?:ا?تصلوا?|تتصل|تتصلوا|تتصلون|الاتصال|تواصلوا?) (?:بي|معي|علي)(?: من فضلك| لو سمحت)*[.!؟]*$/,
])

/** Whether a folded message in its written form wants to be called or written to. */
export function wantsCallBack(folded: string): boolean {
  return folded.length <= MAX_LENGTH && CALL_BACKS.test(folded)
}

/** Reads what a folded message in its written form wants done. */
export function readWish(folded: string): Wish | undefined {
  if (ORDERS.test(folded) && !ABOUT_ORDERS.test(folded)) return 'order'
  if (folded.length > MAX_LENGTH) return undefined
  if (CHANGES.test(folded)) return 'change'
  if (OF_APPOINTMENTS.test(folded)) return undefined
  if (WISHES_APPOINTMENT.test(folded)) return 'appointment'
  if (ABOUT_APPOINTMENTS.test(folded)) return undefined
  return APPOINTMENTS.test(folded) ? 'appointment' : undefined
}

/** Whether a folded message is the number of the order that the folded question before it was about. */
export function isOrderNumber(folded: string, before: string): boolean {
  return BARE_NUMBER.test(folded) && (SPEAKS_OF_ORDER.test(before) || ORDERS.test(before.trim()))
}

/** The names of the languages in each other, folded. */
const LANGUAGE_NAMES: readonly (readonly [Language, RegExp])[] = [
  ['tr', /turkish|turkce|turkisch|تركي/],
  ['en', /english|ingilizce|englisch|انجليزي|انكليزي/],
  ['de', /german|almanca|deutsch|الماني/],
  ['ar', /arabic|arapca|arabisch|عربي/],
]
/** A message of nothing but the wish for another language: `and in English please`. */
const IN_LANGUAGE = anyOf([
  /^(?:(?:and|ok|please|can|could|you|i|have|get|say|write|tell|give|answer|repeat|me|that|it|this|the same|again|und|bitte|das|auch|nochmal|kannst|konnen|du|sie|mir)[\s,]+)*(?:in|auf) (?:english|turkish|german|arabic|englisch|turkisch|deutsch|arabisch)(?:[\s,]+(?:please|bitte|too|again|instead|auch|nochmal|antworten|schreiben|sagen))*[\s.?!]*$/,
  /^(?:(?:ve|peki|lutfen|bir de|bunu|bunun|tamam|simdi|ayni seyi)[\s,]+)*(?:turkce|ingilizce|almanca|arapca)(?:si|sini)?(?:[\s,]+(?:olarak|lutfen|da|de|yaz\w*|soyle\w*|anlat\w*|cevap\w*|ver\w*|ne|nedir|alabilir|miyim|misin|misiniz|musun|musunuz))*[\s.?!]*$/,
  /^(?:(?:و|من فضلك|لو سمحت|ممكن|اكتب|قل|اجب)[\s،]*)*ب?ال(?:انجليزيه?|انكليزيه?|تركيه?|المانيه?|عربيه?)(?:[\s،]+(?:من فضلك|لو سمحت))*[\s.؟!]*$/,
])

/** The language in which a folded message wants the answer before, where it says nothing else. */
export function readLanguageWish(folded: string): Language | undefined {
  if (folded.length > MAX_LENGTH || !IN_LANGUAGE.test(folded)) {
    return undefined
  }
  return LANGUAGE_NAMES.find(([, name]) => name.test(folded))?.[0]
}
