import { fold } from '../../../lib/text/fold.ts'

/** What a question asks for. */
export type QuestionKind =
  | 'price'
  | 'place'
  | 'transport'
  | 'hours'
  | 'duration'
  | 'contact'
  | 'email'
  | 'polar'
  | 'steps'
  | 'amount'
  | 'list'

/** Openings and words of each kind, folded, first match first. */
const PATTERNS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'list',
    /\bwhat(?:['’]s| is| are|s)? (?:\w+ ){0,3}includ|\bwhat do(?:es)? (?:\w+ ){1,5}include\b|\bneler (?:dahil|var)\b|\bdahil (?:olan )?(?:neler|nedir)|\bwas ist (?:\w+ ){0,5}(?:inklusive|enthalten|inbegriffen|dabei)\b|\blistes?[iı]?n?[iı]?\b|\blist\b|\bnelerdir\b|\bgerekenler\b/,
  ],
  [
    'duration',
    /\bne kadar (?:sur|zaman|bekle|dayan|gid|gecerli|sakl|vakit)|\b(?:kac|ka[cç]) (?:gun|saat(?! ?t)|dakika|hafta|ay|yil|seans|is gunu)(?!l)|\bne zaman\b|\bsure(?:si|sini)?\b|\bhow (?:long|often|soon|quick\w*|fast|many (?:days|hours|weeks|months|years|minutes))\b|(?:^|\b(?:and|but|so|know|tell me) )when\b(?!.*\b(?:open|close)\b)|\bwhen (?:is|are|was|will|would|do|does|did|can|should)\b(?!.*\b(?:open(?! (?:day|evening|house)s?\b)|close)\b)|\bwie (?:lange|oft|schnell)\b|\bhangi (?:gun|ay|tarih)\w*|\b(?:which|what) (?:days?|months?|dates?)\b|\bwelche[mnr]? (?:tage?|monate?)\b|\bwann\b(?!.*\b(?:offnet|geoffnet|schliess|zu|offen)\w*)|\bwie viele (?:tage|wochen|monate|jahre|stunden)\b|(?:^|\s)كم (?:يوم|ساعه|اسبوع|شهر|سنه|مده)|(?:^|\s)(?:متي|امتي|ايمتي|وقتيش)(?=\s|$)(?! ب?[تين](?:فتح|غلق|سكر|قفل))|(?:^|\s)(?:قديش|كام|كم) (?:وقت|يوم|ساعه|بتاخد|بياخد|ياخذ|تاخذ|بدها|بيستغرق)|(?:ي|ت|بي|بت)ستغرق|\bexpire\b|\bvalid\b|\bsikl[iı]kla\b/,
  ],
  [
    'hours',
    /\bsaat(?:leri?|i? ka[cç])|\bkacta\b|\bkaca kadar\b|\bacik m[iı]|\bkapali m[iı]|\bacik\w* (?:olu|m[iı])|\bcalisma saat|\bmesai|\bcalisiyor mu|\bacili[sy]|\bkapan[iı]|\baciliyor|\baciyorsun|\bopening\b|\bopen\b(?! (?:day|evening|house|mic)s?\b)(?! (?:it|them|up|my|your|an?)\b)|\bclos(?:e|ed|ing)\b|\bshuts?\b|\bkepenk|\bhours\b|\bwhat time\b|\bgeoffnet\b|\boffnungszeiten\b|\bhaben sie .*\b(?:offen|auf)\b|\bwie viel uhr\b|\bschliess|(?:^|\s)(?:ال)?ساعات(?! (?:قديم|جديد|يد|حايط|حيطه|سويسري|رجال|نساء|مستعمل))(?=\s|$)(?<!(?:ت|ن)ب?(?:يعو|يع|صلحو|صلحوا|يعوا|شترو|شتروا) ساعات)|(?:^|\s)(?:متي|امتي|ايمتي) ب?[تين](?:فتح|غلق|سكر|قفل)|ساعه ب?[تي](?:فتح|غلق|سكر|قفل)|هل تعملون|مفتوح|فاتحين|دوامكم|الدوام/,
  ],
  [
    'price',
    /\bkac (?:para|lira|tl|euro|dolar)|\bne kadar(?!dir)\b(?! (?:sur|zaman|bekle))|\bucret(?:i|in|ler|leri)?\b(?!\w*siz)|\bfiyat|\bkaca\b(?! kadar)|\bpahali|\bmasraf|\btutar[iı]?\b|\bindirim(?!li)|\ben ucuz|\bcheap(?:er|est)?\b|\bdiscounts?\b|\brabatt|\bhow much\b(?! (?:notice|warning|time|space|room|longer)\b)|\bprice|\bcost|\bfee\b|\bfees\b|(?<!\b(?:one|per|single|full|each|a battery|to|can i|i|where (?:can|do) we|in|of) )\bcharge\b(?! (?:my|the (?:bike|car|battery|phone)|point|port|station|it|them|a (?:phone|car|battery)|an? e)\b)|\bexpensive\b|\bpricing\b|\brates?\b|\bwas kostet\b|\bkost(?:et|en)\b|\bpreis|\bgebuhr|\bwie (?:viel|teuer)\b|(?:^|\s)كم (?:سعر|تكلف|ثمن|يكلف|رسوم|اجره)|سعر|تكلفه|(?:^|\s)و?بكم(?=\s|$)|بكام|قديش|قداش|اديش|بتكلف|حقها|اسعار/,
  ],
  [
    'transport',
    /\bhangi (?:metro|durak|otobus|tramvay|dolmus|vapur)|\b(?:otobus|metro|tramvay|dolmus|minibus|vapur)(?:la|le|yla|dan|den|a|e)\b(?=.*\b(?:nasil|nere|nerde|gel|gid|in[ei]?[cy]?|var))|\b(?:otobus|metro|tramvay|dolmus|vapur) (?:var mi|gec|gidiyor|geliyor)|\bdura[gk]\w* (?:nere|nerde|in)|\b(?:which|what) (?:bus|tram|train|tube|metro)\b|\bby (?:bus|tram|train|tube|metro|subway)(?=\W*$| (?:to|from)\b)|\b(?:nearest|which) (?:bus|train|tram) (?:stop|station)s?\b|\bdo(?:es)? (?:a|any|the) (?:bus|train|tram)\b|\bwelche[rn]? (?:bus|bahn|tram)\b|\bhaltestelle/,
  ],
  [
    'place',
    /\bnerede(?!n)|\bneresi\b|\bnerdesin|\bneredesiniz|(?<!mail |posta )\badres|\bkonum|\bnasil (?:gel|ulas|gid)[ie]\w*|\bhangi semt|\bwhere(?: (?:are|is|s|can i find)\b)(?!.*\b(?:order|parcel|package)\b)|(?<!mail )\baddress\b|\blocat|\bhow (?:do|can) (?:i|we) get (?:to|there)|\bwo (?:ist|sind|finde|liegt|befind)|\badresse\b|\banfahrt|(?:^|\s)و?(?:اين|وين|فين)(?=\s|$)(?! (?:طلب|شحن|اوردر))|عنوان|موقعكم|لوكيشن/,
  ],
  [
    'contact',
    /\btelefon(?!\w* (?:sarj|doldur|tamir|ekran))\w*|\bnumara(?:n[iı]z|s[iı])|\be-?posta|\bmail\b|\bmail adres|\bwhatsapp|(?<!\b(?:charge|plug in) (?:my |our |a |your )?)\bphone\b|\bemail\b|\bhow (?:can|do) i (?:reach|contact)|\bkime ulas|\bkimi ara|\bnereyi ara|\bwho (?:can|do|should) i call|\btelefonnummer|\bkontakt|رقم|هاتف|(?:^|\s)(?:ال)?بريد/,
  ],
  [
    'steps',
    /\bnasil\b|\bne yapmal|\bne yapay|\bne yapacag|\bne yapmam|\bhow (?:do|can|to|should|would|does)\b|\bwhat (?:should|do|can) i do\b|\bwhat happens\b|\bwie (?:kann|funktioniert|mache|geht|gebe|bekomme|lauft)|\bwas (?:soll|muss) ich|(?:^|\s)و?كيف(?=\s|$)|ازاي|شلون|ماذا افعل|شو (?:اعمل|بعمل|لازم)|ايش اسوي|اعمل ايه|\badimlar|\bsteps\b|\bsurec\b/,
  ],
  [
    'list',
    /\bneler\b|\bhangi(?:leri)?\b|\bwhat\b(?!.*\b(?:is|s)\b)|\bwhich\b|\bwelche\b|ما هي|\blistesi?\b|\blist\b|\bnelerdir\b/,
  ],
  ['amount', /\bkac\b|\bhow many\b|\bwie viele\b|(?:^|\s)كم(?=\s|$)/],
]
const POLAR =
  /(?:^|\s)(?:m[iıuü](?:s[iıuü]n(?:[iıuü]z)?|y[iıuü][mz]|yd[iıuü])?|var m[iıuü]|yok mu)(?:$|[\s.,?!])|^(?:(?:hi|hello|hey|ok|and|so|but|also|please)[\s,!]+)*(?:can|could|do|does|did|is|are|was|were|will|would|may|might|must|shall|should|has|have|am)\s(?:i|you|we|u|they|it|the|there|this|that|your|my|a|an|\w+)\b|^(?:und |ja |hallo,? )*(?:kann|konnen|haben|hat|gibt|gibts|ist|sind|darf|muss|nehmen|liefern|bieten|akzeptieren|sprechen|machen|verkaufen|arbeiten)\b|(?:^|\s)هل\s|^(?:(?:مرحبا|السلام عليكم|لو سمحت|اهلا|يعطيكم العافيه)[\s,،!]+)*(?:في(?! (?:اي|كم))|فيه|عندكم|عندكن|عندكو|عندك|ممكن|ينفع|بينفع|فيني|فيي|اقدر|بقدر|نقدر|تقدرون|بتقدروا|مسموح|لازم|يصير|بصير|عادي)\s/
const WH = /^(?:what|where|when|how|which|who|why|was|wo|wann|wie|welche|wer)\b/

/** Words around an open question, folded: `could you tell me what …`. */
const TELL_ME =
  /\b(?:can|could|would|will) (?:you|u)(?: please| kindly)? (?:tell|let|advise|inform)(?: me| us)?(?: know)?(?: please)?,? (?=(?:what|when|where|how|which|who)\b)/

/** A word that a passage that answers a kind of question has; the synonyms find it in any language. */
const HINTS: Readonly<Partial<Record<QuestionKind, string>>> = {
  price: 'ücret',
  place: 'adres',
  transport: 'ulaşım',
  hours: 'saat',
  contact: 'iletişim',
  email: 'iletişim',
}
/** Headings of passages that answer a kind of question, folded. */
const HEADINGS: Readonly<Partial<Record<QuestionKind, RegExp>>> = {
  price: /ucret|fiyat|\bprices?\b|pricing|\bcosts?\b|\bfees?\b|preis|kosten/,
  place: /adres|\baddress|ulasim|\bwhere\b|find us|\bofis|\boffice|konum|anfahrt/,
  transport:
    /ulasim|toplu tas|nasil gel|getting here|directions|by (?:bus|train)|public trans|anfahrt/,
  hours: /saat|\bhours\b|offnungszeiten/,
  duration: /\bsure|\btime\b|period|dauer|frist/,
  contact: /iletisim|contact|ulasin|kontakt/,
  email: /iletisim|contact|ulasin|kontakt/,
  steps: /nasil|\bhow to\b|adim|\bsteps?\b|\balma\b|surec|\bgetting\b|ilerler|ablauf/,
  list: /liste|\blist\b|neler|what we|services|hizmetler|leistungen|gerekenler|yontem|methods/,
}

/** Whether a heading announces what a kind of question asks for. */
export function announces(heading: string, kind: QuestionKind | undefined): boolean {
  const pattern = kind === undefined ? undefined : HEADINGS[kind]
  return pattern?.test(fold(heading)) ?? false
}

/** A question's kinds: what it asks for first, and whether it can be answered with yes or no. */
export interface AskedFor {
  kind: QuestionKind | undefined
  isPolar: boolean
}

/** Reads what a folded question in its written form asks for. */
export function readKind(message: string): AskedFor {
  const folded = message.replace(TELL_ME, '')
  const found = PATTERNS.find(([, pattern]) => pattern.test(folded))
  const isPolar =
    POLAR.test(folded) && !WH.test(folded.replace(/^(?:(?:hi|hello|hey|please)\b[\s,!.]*)+/, ''))
  return { kind: found?.[0] ?? (isPolar ? 'polar' : undefined), isPolar }
}

/** Words that a passage of this kind of answer has; they only help to rank. */
export function kindHints(kind: QuestionKind | undefined): string[] {
  const words = kind === undefined ? undefined : HINTS[kind]
  return words === undefined ? [] : words.split(' ')
}

const PRICE =
  /(?:— (?:[^—:]{1,30}: )?\d[\d.,]*(?= —|$)|\d[\d.,]*\s?(?:tl|lira|euro?s?|usd|dolar|dollars?|₺|€|\$|£|percent)|[₺€$£]\s?\d|yuzde\s?\d|%\s?\d|\d\s?%|ucretsiz|bedava|\bfree\b|kostenlos|\bbiz (?:oder|karsila)|\baittir|\bwe (?:pay|cover)\b|\bpaid by\b|\bwir (?:zahlen|ubernehmen|tragen)|\b(?:zahlen|ubernehmen|tragen) wir\b)/
const PLACE =
  /(?:cadde|sokak|sokag|mahalle|bulvar|meydan)\w{0,16}[^.]{0,25}\d|\bno[:.]? ?\d|\badresi|\d\w? (?:\w+ ){1,3}(?:street|avenue|road|lane|square|boulevard)\b|\b(?:street|avenue|road|square) \d|\bfind us\b|\bwe are (?:at|in|on)\b|\bis (?:at|located)\b|\bkat \d|\b(?:ground|first|second|third|top|\d\w{1,2}) floor\b|strasse|platz|شارع/
const BY_BUS =
  /\b(?:otobus|metro|tramvay|dolmus|minibus|vapur|iskele|dura[gk]|yuruyerek|dakika yur)\w*|\b(?:bus|buses|trams?|trains?|tube|subway|metro|ferry|station|walk|haltestelle|\w*bahn)\b/
const HOURS =
  /\d{1,2}[.:]\d{2}|\d{1,2}\s?(?:[ap]\.?m|uhr)\b|\bnoon\b|kapali|\bclosed\b|\bevery day\b/
const TIME_UNIT =
  /(?:\d|\bbir|\biki|\buc|\bone|\btwo|\bthree|\bhalf)[\s\d–-]*(?:is gun\w*|gun\w*|saat\w*|dakika\w*|hafta\w*|ay(?:a|da|dir)?\b|yil\w*|seans\w*|kez|days?|hours?|minutes?|weeks?|months?|years?|working days|visits?|tage?n?|stunden?|wochen?|monate?n?|jahre?n?)|ayni gun|same day|\baninda\b|\b(?:pazartesi|sali|carsamba|persembe|cuma|cumartesi|pazar)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|once a|\d{1,2}[.:]\d{2}|\d (?:am|pm)\b|\b(?:19|20)\d\d\b|\b(?:most of (?:a|the)|half an?|(?:takes?|takes? about|nearly|almost) (?:an?|the whole)) (?:hour|day|week|month|year|morning|afternoon)s?\b|\b(?:yarim|birkac|bir kac) (?:saat|gun|hafta|ay\b)/
/** A date, folded, which tells when and not how long. */
export const DATE =
  /\b\d{1,2}(?:st|nd|rd|th)\b|\bayin \d|\b\d{1,2}\.? (?:ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik|january|february|march|april|may|june|july|august|september|october|november|december)\b/
const CONTACT = /@|\+?\d[\d\s()]{8,}\d/
const EMAIL = /@\w/

const SATISFIES: Readonly<Partial<Record<QuestionKind, RegExp>>> = {
  price: PRICE,
  place: PLACE,
  transport: BY_BUS,
  hours: HOURS,
  duration: TIME_UNIT,
  contact: CONTACT,
  email: EMAIL,
  amount: /\d/,
}

/** Whether a folded sentence holds what this kind of question asks for; `undefined` for any. */
export function satisfies(kind: QuestionKind | undefined, folded: string): boolean | undefined {
  const pattern = kind === undefined ? undefined : SATISFIES[kind]
  return pattern?.test(folded)
}

const SALE =
  /\bsat(?:iy|il|in|ar|is|may|mi)|\bsell|\bsold|\bbuy\b|\bverkauf|\bkaufen\b|(?:ا|ت|ن)شتري|تبيع/
const SALE_OR_PRICE =
  /\bsat(?:iy|il|in|ar|is|may|mi)|\bsell|\bsold|\bsale|\bbuy\b|\bverkauf|\bkauf|\d ?(?:tl|€|euro)|[$€£₺]\s?\d|تبيع|نبيع/

/** Whether a folded question asks for something that is sold. */
export const asksForSale = (folded: string): boolean => SALE.test(folded)

/** Whether a folded passage sells something or has a price. */
export const speaksOfSale = (folded: string): boolean => SALE_OR_PRICE.test(folded)
