import { anyOf } from './any-of.ts'
import { fold } from './fold.ts'
import type { Language } from './language.ts'

/** A pattern, and the words of documents for its meaning. */
type Idiom = readonly [RegExp, string]

/** A pattern of whole words of a folded text. */
const words = (pattern: string): RegExp => new RegExp(String.raw`\b(?:${pattern})(?!\w)`, 'g')

/**
 * Idioms that visitors of any business use and few documents have, matched against the folded text. The meaning
 * is added instead of put in their place, since some documents do have the visitor's words.
 */
const REQUESTS: Readonly<Partial<Record<Language, readonly Idiom[]>>> = {
  tr: [
    // Owner and founding
    [
      words(
        String.raw`(?:(?:burayi|orayi|dukkani|magazayi|firmayi|sirketi|isletmeyi|atolyeyi|klinigi|oteli|salonu|kursu|okulu) kim(?:ler)? (?:kurdu|kurmus|acti|acmis|yonetiyor|isletiyor)|kim(?:ler)? (?:kurdu|kurmus|acti|acmis|yonetiyor|isletiyor) (?:burayi|orayi|bu \w+yi)|(?:buranin |dukkanin |magazanin )?basinda kim(?:ler)?(?: var| duruyor)?|(?:patron\w*|mudur(?:un)?(?:uz)?(?:un)?)(?= (?:kim|adi|ismi)\b))`,
      ),
      'kurucu sahibi müdürü',
    ],
    [
      words(
        String.raw`ne zaman(?:dan beri|dir) (?:vars|buradas)\w*|ilk ne ?zaman act\w*|yeni misiniz`,
      ),
      'ne zaman kuruldu',
    ],
    // Payment
    [
      words(
        String.raw`(?:hepsini|tamamini) (?:birden |pesin )?(?:ver|ode)(?:e|ye)?me(?:m|yiz|yecegim)|parca parca (?:ode|ver)\w*|(?:odemeyi|ucreti|tutari|karta) bol\w*|bol(?:ebil|er m)\w*(?= m\w* karta)`,
      ),
      'taksit',
    ],
    [
      words(
        String.raw`elden ode\w*|elden ver\w* (?:parayi|ucreti)|(?:parayi|ucreti|odemeyi|tutari|bedeli|kalani) elden ver\w*|(?<=^(?:pesin |nakit )?)elden ver\w+`,
      ),
      'nakit ödeme',
    ],
    [
      words(
        String.raw`(?:euro|avro|dolar|sterlin)(?:yla|la)? (?:versem|versek|odesem|odesek|ode(?:yebil|yece|me)\w*|geciyor|gecer)`,
      ),
      'döviz yabancı para ödeme',
    ],
    [
      words(
        String.raw`son ne olur|(?:biraz|azicik) (?:in|kirin|indirin)|bir guzellik (?:yap|olur)\w*|kiyak (?:yap\w*|var)`,
      ),
      'indirim',
    ],
    [
      words(String.raw`(?:onden|bastan|baslarken) (?:para|ucret|odeme) (?:ist|al|ver)\w*`),
      'ön ödeme kapora',
    ],
    // Appointments
    [
      words(
        String.raw`(?<!\d |kac |hangi |bir |iki |uc |dort |bes |yarim |tam |butun |her |izin )gun al(?:mak|mam|mali|sam|abil)\w*|sira al(?:mak|mam|sam|abil)\w*`,
      ),
      'randevu',
    ],
    [
      words(
        String.raw`haber vermeden (?:gelsem|gelsek|ugrasam|gelebil\w*)|pat diye gel\w*|cat kapi|kapidan gir(?:sem|sek|ip)`,
      ),
      'randevusuz',
    ],
    [words(String.raw`haber vermem(?:iz)? (?:lazim|gerek|sart)`), 'randevu'],
    [words(String.raw`(?:yemek|ogle|oglen) (?:mola(?:niz|si)|tatili)\w*`), 'öğle arası'],
    // A hurry
    [
      words(
        String.raw`(?:onume|sirami(?:zi)? one|araya) (?:al|sikistir)\w*|(?:yarina|bugune|hemen) (?:lazim(?! degil)|yetis(?!kin)\w*)|cabuk yap\w*`,
      ),
      'acil ekspres',
    ],
    // Goods that came broken, or were left behind
    [
      words(
        String.raw`(?:parcalanmis|kirik|catlak)(?: halde| bir halde)? (?:geldi|cikti|ulasti|gelmis|cikmis)|(?:bozuk|eksik) (?:gelmis|yollamis\w*|gondermis\w*)`,
      ),
      'hasarlı',
    ],
    [
      words(
        String.raw`\w+[iu]m (?:sizde|orda|orada|dukkanda|magazada|salonda) kalmis(?! m[iu])|(?:sizde|orda|orada|dukkanda|magazada|salonda) (?:unut(?:mus|tu)|dusur(?:mus|du))\w*|(?:unut(?:mus|tu)|dusur(?:mus|du))\w* (?:sizde|orda|orada)`,
      ),
      'kayıp unutulan eşya',
    ],
    [words(String.raw`(?:kargo|paket|gonderi)\w* (?:yolda )?kayb(?:ed|olur|olsa)\w*`), 'sigorta'],
    [
      words(String.raw`geri (?:gonder|yolla)(?:me|menin)\w* (?:para|ucret|bedel|masraf)\w*`),
      'iade kargo ücreti',
    ],
    // Complaints and privacy
    [
      words(
        String.raw`(?:memnun (?:kalmad|degil)\w*|rezil\w*|derdimi|sikayetimi)(?=.{0,60}(?:kim|nere|kac gun))`,
      ),
      'şikayet',
    ],
    [
      words(
        String.raw`(?:bilgilerim|verilerim|numarami|dosyam)(?=.{0,60}(?:baskasi|gizli|paylas|satiy))`,
      ),
      'kişisel veriler',
    ],
    // Work, branches, parking, taxes
    [words(String.raw`eleman (?:lazim|ariyor)\w*|ise girmek ist\w*`), 'iş başvurusu'],
    [
      words(
        String.raw`(?:araba|arac)(?:mi|yi|miz\w*)? nereye (?:koy|birak|park)\w*|(?:araba|arac)(?:mi|yi)? koy\w+ yer\w*`,
      ),
      'otopark',
    ],
    [
      words(String.raw`baska (?:subeniz|dukkaniniz|magazaniz)|baska yeriniz(?= (?:var|yok|nere))`),
      'şubeniz',
    ],
    [
      words(
        String.raw`(?<!park |ecek |acak )(?:bos )?yer(?:iniz|leriniz)? (?:var|kaldi|acil\w*) m[iu]\w*`,
      ),
      'kontenjan boş müsait',
    ],
    [
      words(String.raw`(?<=^(?:\w+ )?)kart(?:la|imla|im)? (?:gec|cek)(?:iyor|ebil|iri)\w*`),
      'kredi kartı',
    ],
    [words(String.raw`(?:eve|evlere) (?:servis|siparis)\w*`), 'paket servis'],
    [words(String.raw`check[- ]?in`), 'giriş'],
    [words(String.raw`check[- ]?out`), 'çıkış'],
    [words(String.raw`ustune vergi(?:si)? (?:bin|eklen|gel)\w*`), 'KDV dahil'],
    // A pause, and goods that are kept
    [
      words(
        String.raw`bu ay (?:\w+ )?(?:gelmesin|gondermeyin)|(?:uyelig|abonelig)\w*.{0,30} ara ver\w*`,
      ),
      'dondurma duraklatma',
    ],
    [words(String.raw`kenara (?:koysan|ayirsan|koyar m|ayirir m)\w*`), 'ürün ayırtma'],
  ],
  en: [
    [
      words(
        String.raw`who(?: is|['’]s|s)? (?:really )?(?:in charge|the boss|the owner|the manager)(?! of)|who(?: is|['’]s|s)? (?:runs|running|owns) (?:it|this|the (?:shop|place|business|company|hotel|clinic|school|show))`,
      ),
      'owner manager',
    ],
    [
      words(
        String.raw`how long have you (?:lot|guys|all) been \w+(?: in business)?(?=\W*$)|when did you(?: guys| lot)? (?:start|open|begin|set)(?: up)?(?=\W*$)|since when (?:does|has|is) your (?:company|shop|business|firm)|(?:what|which) year did you(?: guys| lot)? (?:open|start|begin|set up)|how old is (?:the|your) (?:shop|business|company|firm)(?=\W*$)`,
      ),
      'when founded started',
    ],
    [
      words(
        String.raw`knock (?:a bit|something|anything|some) off|wiggle room|your best price(?! guarant)|do me a deal|haggl(?:e|ing)|come down on (?:the )?price`,
      ),
      'negotiable discount',
    ],
    [words(String.raw`any(?:thing)? off(?= for|\W*$)`), 'discount'],
    [
      words(
        String.raw`pay (?:it )?(?:off )?bit by bit|spread(?:ing)? (?:out )?the (?:cost|payments?|bill)|split the payments?|buy now,? pay later|pay (?:it )?off (?:monthly|over time|in bits)`,
      ),
      'instalments',
    ],
    [words(String.raw`take plastic|tap (?:with )?my (?:phone|card|watch)`), 'card contactless'],
    [words(String.raw`readies|notes and coins`), 'cash'],
    [words(String.raw`(?:bit|piece) of paper(?= when i (?:pay|buy))`), 'receipt'],
    [
      words(
        String.raw`rush job|speed (?:it|things) up|(?:need|want) it (?:back )?by (?:tomorrow|today|tonight|the weekend|\w+day)`,
      ),
      'urgent same-day',
    ],
    [
      words(
        String.raw`money up ?front|how much do i (?:have to |need to )?put down(?! (?:on|as|in))`,
      ),
      'deposit',
    ],
    [words(String.raw`tell(?:ing)? me (?:what is|whats|what['’]s) wrong with it`), 'estimate'],
    [
      words(
        String.raw`(?:can|could|may) (?:i|we) (?:just )?(?:rock up|turn up|swing by|show up)(?! (?:the|a|an|my|his|her|in|for)\b)`,
      ),
      'without an appointment',
    ],
    [words(String.raw`(?:ring|call) ahead(?! to order)`), 'appointment'],
    [words(String.raw`bring(?:ing)? (?:\w+ ){0,3}?back(?! to (?:me|us)\b)`), 'return'],
    [words(String.raw`money back`), 'refund'],
    [
      words(
        String.raw`stuck in traffic|(?:i am|i['’]?m|we are|we['’]?re) (?:running (?:behind|late)|held up)`,
      ),
      'arrive late',
    ],
    [
      words(
        String.raw`(?:can ?not|can['’]?t) make it(?=\W*$| (?:on|to|today|tomorrow|tonight|for|because|anymore|that)\b)`,
      ),
      'cancel',
    ],
    [
      words(String.raw`(?:packs? up|conks? out|goes wrong) again|conk(?:s|ed) out`),
      'guarantee broken',
    ],
    [
      words(
        String.raw`(?:came|arrived|turned up) in (?:a million )?(?:bits|pieces|smithereens)|(?:came|arrived) (?:smashed|cracked)`,
      ),
      'arrived broken',
    ],
    [
      words(
        String.raw`(?:left|forgot|lost) my (?:umbrella|phone|glasses|coat|jacket|bag|keys?|wallet|purse|scarf|hat|gloves?|charger|book|bottle) (?:at yours|at your place|there|behind)|handed in an? \w+`,
      ),
      'lost property left behind',
    ],
    [
      words(
        String.raw`have a (?:mooch|gander|nosey|look) (?:about|around|round)(?=\W*$| (?:first|before|without)| the (?:shop|store|showroom))|just looking(?=\W*$)|obliged to buy`,
      ),
      'browse',
    ],
    [words(String.raw`go for a wee|spend a penny|a jacks|use the (?:bog|loo)`), 'toilet'],
    [
      words(
        String.raw`(?:he|she|mum|mom|dad|wife|husband|son|daughter|mate|friend)(?: is|['’]?s) in a chair|can(?: ?not|['’]?t) (?:do|manage|climb) (?:the )?(?:steps|stairs)`,
      ),
      'wheelchair step-free',
    ],
    [words(String.raw`get online(?=\W*$| (?:in|at|from|here|with|while)\b)`), 'wi-fi'],
    [words(String.raw`how dear (?:is|are)`), 'how much is'],
    [words(String.raw`p ?& ?p`), 'postage'],
    [words(String.raw`(?:break|breaks|broke|broken|breaking) down`), 'breakdown assistance'],
    // Verbs of two words, of which the second is a small word
    [
      words(
        String.raw`(?<!(?:at|before|after|on|upon|online) )check(?:ing|ed)?[- ]in(?! (?:on|your|the|my|with)\b)`,
      ),
      'arrival',
    ],
    [
      words(
        String.raw`(?<!(?:at|before|after|on|upon) )check(?:ing|ed)?[- ]out(?=\W*$| (?:at|by|later?|time|until|on|from|is)\b)`,
      ),
      'departure',
    ],
    [
      words(
        String.raw`pick (?:me|us|him|her|them) up from (?:the )?(?:airport|station|hotel|bus|train)|airport pick[- ]?up`,
      ),
      'transfer shuttle',
    ],
    [
      words(
        String.raw`pick (?:it|my order|the order) up(?! (?:from|at) (?:my|our|the airport|home)\b)`,
      ),
      'collection',
    ],
    [
      words(
        String.raw`(?<!you )pick(?:s|ing)? (?:him|her|(?:my|our) (?:son|daughter|child|kids?|children|little \w+)) up(?! from (?:the )?(?:airport|station|hotel|bus|train))`,
      ),
      'collect collection',
    ],
    [words(String.raw`(?:sign|signing) (?:\w+ )?up(?= for|\W*$)`), 'register enrol'],
    [
      words(String.raw`take[- ]away|(?:coffee|food|orders?|drinks?|pizza|meals?) to go`),
      'takeaway',
    ],
    [
      words(
        String.raw`walk[- ]ins?(?! (?:shower|wardrobe|closet|bath|fridge|robe|tub|centre|center|clinic))`,
      ),
      'without an appointment',
    ],
    [
      words(String.raw`(?:chuck|tipp|buck|piss)ing (?:it )?down|raining cats and dogs`),
      'rain weather',
    ],
    [
      words(
        String.raw`(?:sell|share|pass on) my (?:details|data|address|number|phone number|email|info)`,
      ),
      'personal data',
    ],
  ],
}

/** Idioms whose words do not stand in the documents for what is meant, in written words. */
const IDIOMS: Readonly<Partial<Record<Language, readonly Idiom[]>>> = {
  tr: [
    [/(?<!\p{L})kaç para(?!\p{L})/giu, 'ne kadar'],
    [/(?<=(?<!\p{L})fatura\p{L}{0,4} )kes(?:iyo|er|ebil|il)\p{L}*/giu, 'veriyor'],
    [
      /(?<!\p{L})[vw]h?at?s?[ae]pp?(?:\p{L}{0,4})(?!\p{L})|(?<!\p{L})wp(?:den|ye|yle)(?!\p{L})/giu,
      'whatsapp',
    ],
    [/(?<=ka[cç] y[iı]l[iı]nda )(?:a[cç][iı]ld|a[cç]t[iı]|ba[sş]lad)\p{L}*/giu, 'kuruldu'],
    [
      /(?<=^\W*(?:(?:bura|d[uü]kkan|ma[gğ]aza|firma|[sş]irket|i[sş]letme)\p{L}* )?)(?:sahibi|patronu?)(?= kim(?!\p{L}))/giu,
      'kurucu sahibi',
    ],
    [/(?<!\p{L})para(?= (?:ver|öde|öd[iü]|al[ıi]y|al[ıi]n))/giu, 'ücret'],
    // Documents name the bearer of a cost beside the cost.
    [
      /(?<!\p{L})(?:(?:ücret|masraf)\p{L}* )?kim(?:e ait|in üzerine| karşılar| karşılıyor)(?!\p{L})/giu,
      'ne kadar',
    ],
    [/(?<!\p{L})kim [öo]d(?:er|[üu]yo|eyecek)\p{L}*/giu, 'ne kadar'],
    [
      /(?<!\p{L})(?:kaç (?:sene|y[ıi]l)d[ıi]r|ne zamandan beri) (?:vars[ıi]n\p{L}*|bu i[sş]\p{L}*(?: \p{L}+)?|hizmet \p{L}+|faal\p{L}*)(?: siz| acaba)?(?=\W*$)/giu,
      'ne zaman kuruldu',
    ],
    [/(?<!\p{L})(?:bana|bize|size|alıcıya|müşteriye) mı ait(?!\p{L})/giu, 'ne kadar'],
    [/(?<!\p{L})(?:sizin )?(?:şirket|firma)(?:nız|niz|ınız|iniz)?[dt]an(?!\p{L})/giu, 'sizden'],
  ],
  en: [
    [/\bhow long['’]?s\b/giu, 'how long is'],
    [
      /\b(?:1(?:-2-| 2 )1s?(?![\w/-])|(?:121|1(?:-to-| to |:|-)1)(?= (?:lesson|session|class|coach|train|tuition|support|yoga|pilates|swim|tutor)))/giu,
      'private one to one',
    ],
    [/\bid(?= (?:like|love|prefer|rather|be|want|also|really)\b)/gu, 'i would'],
    [
      /\b(?:send|sending|sent|ship|give|take|mail|post)((?: (?!to\b|by\b|me\b|us\b)\w+){0,3}?) back\b(?! to (?:me|us)\b)/giu,
      'return$1',
    ],
    [
      /\bwho (?:has to |will |should |is going to )?(?:pays?|bears?|covers?(?! for \w+ (?:on|when|while)))(?: for)?\b(?! (?:by|with|on)\b)/giu,
      'how much',
    ],
    // A policy on returns is what is said of returns.
    [/(?<=\w) polic(?:y|ies)\b/giu, ''],
    [/\byour (?:company|firm|organi[sz]ation)\b/giu, 'you'],
    [/\bhow old(?= (?:do|does|must|should|to)\b)/giu, 'what age'],
    [
      /\bhow long have you (?:been (?:around|going|open|in business|doing this)|existed)(?=\W*$)/giu,
      'when founded',
    ],
    [
      /(?:\b(?:is|would) it (?:be )?|^)(?:ok|okay|alright|fine)(?: with you)? (?:if i|if we|to|for me to)\b/giu,
      'can i',
    ],
    [/(?<=\b(?:any|some|get) )money off\b(?! my\b)/giu, 'discount'],
  ],
  de: [
    [/\bwer (?:muss |soll )?(?:be)?(?:zahlt|zahlen|trägt|übernimmt)\b/giu, 'wie viel'],
    [/\b(?:ihrer|eurer|ihre|eure) firma\b/giu, 'ihnen'],
  ],
}

/** Writes the idioms of a text in the words of documents. */
export function writeOutIdioms(text: string, language: Language): string {
  const idioms = IDIOMS[language] ?? []
  const written = idioms.reduce((left, [idiom, meaning]) => left.replace(idiom, meaning), text)
  return withMeanings(written, language)
}

/** An expression for any of the requests of a language: most texts have none of them. */
const REQUESTED: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(REQUESTS).map(([language, requests]) => {
    const { source } = anyOf(requests.map(([request]) => request))
    // With its flag for all matches, a test would go on from the one before.
    return [language, new RegExp(source)]
  }),
)

/** Adds the meaning behind each match. Folding keeps the position of each letter. */
function withMeanings(text: string, language: Language): string {
  let folded = fold(text)
  let written = folded.length === text.length ? text : folded
  if (REQUESTED.get(language)?.test(folded) !== true) return written
  for (const [request, meaning] of REQUESTS[language] ?? []) {
    if (folded.search(request) < 0) continue
    const ends = [...folded.matchAll(request)].map(({ 0: found, index }) => index + found.length)
    for (const end of ends.toReversed())
      written = `${written.slice(0, end)} ${meaning}${written.slice(end)}`
    folded = fold(written)
  }
  return written
}
