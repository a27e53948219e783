/** What a visitor wants done, instead of told. */
export type Wish = 'appointment' | 'order'

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
  /\b(?:nerede|hala gelmedi|gelmedi|ne durumda|nerede kaldi)\b.{0,20}\b(?:kargo|siparis|paket)[iu]?(?:m|muz|miz)\b/,
  /\bwhere (?:is|s|are)\b.{0,12}\b(?:order|parcel|package|delivery|shipment|stuff|item|items|cups)\b/,
  /\b(?:order|parcel|package|delivery|shipment)\b.{0,25}\b(?:not arrived|has ?n[o']?t (?:arrived|come)|never (?:arrived|came)|still not|not here|late|delayed|lost|missing)\b/,
  /\b(?:order|parcel) status\b|\bstatus of my (?:order|parcel|delivery)\b|\bhave ?n[o']?t received my (?:order|parcel|package)\b/,
  /\bwo (?:ist|bleibt)\b.{0,15}\b(?:bestellung|paket|sendung|lieferung)\b/,
  /\b(?:paket|bestellung|lieferung)\b.{0,25}\b(?:nicht angekommen|noch nicht da|fehlt)\b/,
  /اين (?:طلبي|طلبيتي|شحنتي|الطلب|طردي)|لم (?:يصل|تصل).{0,12}(?:طلب|شحن|طرد)/,
  /^#?\d{4,6}$/,
]

/** Reads what a folded message in its written form wants done. */
export function readWish(folded: string): Wish | undefined {
  if (ORDERS.some((pattern) => pattern.test(folded))) return 'order'
  if (folded.length > MAX_LENGTH || ABOUT_APPOINTMENTS.test(folded)) return undefined
  return APPOINTMENTS.some((pattern) => pattern.test(folded)) ? 'appointment' : undefined
}
