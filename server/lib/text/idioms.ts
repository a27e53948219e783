import { fold } from './fold.ts'
import type { Language } from './language.ts'

/** What is found, in the language as it is written, and what documents say for it. */
type Idiom = readonly [RegExp, string]

/** A pattern of whole words of a folded text; `\p{L}` stands for a letter of it. */
const typed = (pattern: string): RegExp =>
  new RegExp(String.raw`\b(?:${pattern.replaceAll(String.raw`\p{L}`, '[a-z]')})\b`, 'g')

/** What visitors of any business ask for in Turkish words that no document has, found in the folded text. */
const REQUESTS: readonly Idiom[] = [
  // Who runs it, and since when
  [
    typed(
      String.raw`(?:kim(?:ler)? (?:kurdu|kurmus|acti|acmis|yonetiyor|isletiyor)|(?:basinda|yoneten|isleten) kim(?:ler)?(?: var| duruyor)?|(?:patron\p{L}*|mudur(?:un)?(?:uz)?(?:un)?)(?= (?:kim|adi|ismi)(?!\p{L})))`,
    ),
    'kurucu sahibi müdürü',
  ],
  [
    typed(
      String.raw`(?:ne zamandan beri (?:vars|acik|buradas)\p{L}*|ilk ne ?zaman act\p{L}*|yeni misiniz|ne zamandir (?:vars|acik|buradas)\p{L}*)`,
    ),
    'ne zaman kuruldu',
  ],
  // Payment
  [
    typed(
      String.raw`(?:(?:hepsini|tamamini) (?:birden |pesin )?(?:ver|ode)(?:e)?me(?:m|yiz|yecegim|yece\p{L}*)|parca parca (?:ode|ver)\p{L}*|(?:karta |parayi |odemeyi |ucreti )?bol(?:ebil|er m|sek|up |erek )\p{L}*(?= (?:m|ode|karta)))`,
    ),
    'taksit',
  ],
  [
    typed(
      String.raw`(?:elden|pesin) (?:ver|ode)(?:sem|sek|yebil|ebil|ece|me)\p{L}*(?: (?:parayi|ucreti))?`,
    ),
    'nakit ödeme',
  ],
  [
    typed(
      String.raw`(?:euro|avro|dolar|sterlin)(?:yla|la)? (?:ver(?:sem|sek)|ode(?:sem|sek|yebil|yece|me)\p{L}*|geciyor|gecer)`,
    ),
    'döviz yabancı para ödeme',
  ],
  [
    typed(
      String.raw`(?:son ne olur|(?:biraz|azicik|ufak) (?:in|kirin|indirin)(?=\W|$)|(?:bir )?guzellik (?:yap\p{L}*|ol\p{L}*|var)|kiyak (?:yap\p{L}*|ol\p{L}*|var)|(?:fiyat\p{L}* )?(?:ufak bir )?indirim yap\p{L}*)`,
    ),
    'indirim var',
  ],
  [
    typed(
      String.raw`(?:onden|bastan|baslarken) (?:para|ucret|odeme)(?: (?:ist|al|ver|oden)\p{L}*)?`,
    ),
    'ön ödeme kapora',
  ],
  // Appointments
  [
    typed(
      String.raw`(?:gun al(?:mak|mam|mali|sam|abil)\p{L}*|yer ayir(?:t|mak|abil|acag)\p{L}*|sira al(?:mak|mam|sam|abil)\p{L}*)`,
    ),
    'randevu rezervasyon almak',
  ],
  [
    typed(
      String.raw`(?:haber vermeden|pat diye|cat kapi|kapidan (?:gir|gel)\p{L}*|aramadan) (?:gel\p{L}*|ugra\p{L}*|sira)`,
    ),
    'randevusuz gelsem',
  ],
  [typed(String.raw`haber vermem(?:iz)? (?:lazim|gerek|sart)`), 'randevu gerekir'],
  [
    typed(String.raw`(?:yemek|ogle|oglen) (?:molaniz|arasi|araniz|tatili)\p{L}*`),
    'öğle arası saatleri',
  ],
  // A hurry
  [
    typed(
      String.raw`(?:(?:onume|one|siramizi one|sirami one|araya) (?:al|sikistir)\p{L}*|(?:yarina|bugune|acil|hemen) (?:lazim|yetis\p{L}*)(?: yetis\p{L}*)?|cabuk yap\p{L}*|(?:dugune|bayrama|hafta sonuna) yetis\p{L}*)`,
    ),
    'acil ekspres öncelik',
  ],
  // Goods that came broken, or were left behind
  [
    typed(
      String.raw`(?:parcalanmis|kirik|bozuk|eksik|catlak|yirtik|islak)(?: halde| bir halde)? (?:geldi|cikti|ulasti|gelmis|cikmis|yolla\p{L}*|gonder\p{L}*)`,
    ),
    'hasarlı eksik geldi',
  ],
  [
    typed(
      String.raw`(?:sizde|orda|orada|dukkanda|magazada|salonda|ofiste)(?: \p{L}+)? (?:unut(?:mus|tu)\p{L}*|kalmis|kaldi|dusurmus\p{L}*)|(?:unut(?:mus|tu)\p{L}*|kalmis|dusur(?:mus|du)\p{L}*) (?:sizde|orda|orada|galiba)`,
    ),
    'kayıp unutulan eşya',
  ],
  [
    typed(String.raw`(?:kargo|paket|yolda)(?:\p{L}*)? (?:\p{L}+ )?kayb(?:ed|ol)\p{L}*`),
    'kargo kayıp sigorta',
  ],
  [
    typed(String.raw`geri (?:gonder|yolla)(?:me|menin)\p{L}* (?:para|ucret|bedel|masraf)\p{L}*`),
    'iade kargo ücreti',
  ],
  // Complaints and privacy
  [
    typed(
      String.raw`(?:memnun (?:kalmad|degil)\p{L}*|rezil\p{L}*|derdimi|sikayetimi)(?=.*(?:kim|nere|kac gun))`,
    ),
    'şikayet',
  ],
  [
    typed(
      String.raw`(?:bilgilerim|verilerim|numarami|numaram|kartim)(?=.*(?:baska|gizli|sakl|kayitl|paylas|satiy))|dosyam(?=.*(?:gizli|baska|paylas))`,
    ),
    'kişisel veriler kişisel bilgiler',
  ],
  [
    typed(String.raw`(?:ustune |ayrica )?vergi(?:si)? (?:bin|eklen|geliyor|dahil)\p{L}*`),
    'KDV dahil',
  ],
  // Work, branches, parking
  [
    typed(String.raw`eleman (?:lazim|ariyor)\p{L}*|ise girmek(?: ist\p{L}*)?`),
    'eleman personel iş başvurusu',
  ],
  [
    typed(
      String.raw`(?:araba|arac)(?:mi|yi|miz\p{L}*)? (?:nereye )?(?:koy|birak|park)\p{L}*(?: yer\p{L}*)?|park yer\p{L}*`,
    ),
    'otopark',
  ],
  [typed(String.raw`baska (?:yeriniz|subeniz|dukkaniniz|magazaniz)`), 'şubeniz'],
  // A pause
  [
    typed(
      String.raw`bu ay (?:\p{L}+ )?(?:gelmesin|gondermeyin|istemiyor\p{L}*)|ara ver(?:ebil|sem|mek)\p{L}*`,
    ),
    'dondurma duraklatma',
  ],
  [typed(String.raw`kenara (?:koy|ayir)\p{L}*`), 'ürün ayırtma'],
]

/** Idioms whose words do not stand in the documents for what is meant, in written words. */
const IDIOMS: Readonly<Partial<Record<Language, readonly Idiom[]>>> = {
  tr: [
    [/(?<!\p{L})kaç para(?!\p{L})/giu, 'ne kadar'],
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
    [/(?<!\p{L})kim [öo]d[eüu]\p{L}*/giu, 'ne kadar'],
    [
      /(?<!\p{L})(?:kaç (?:sene|y[ıi]l)d[ıi]r|ne zamandan beri) (?:vars[ıi]n\p{L}*|bu i[sş]\p{L}*(?: \p{L}+)?|hizmet \p{L}+|faal\p{L}*)(?: siz| acaba)?(?=\W*$)/giu,
      'ne zaman kuruldu',
    ],
    [/(?<!\p{L})(?:bana|bize|size|alıcıya|müşteriye) mı ait(?!\p{L})/giu, 'ne kadar'],
    [/(?<!\p{L})(?:sizin )?(?:şirket|firma)(?:nız|niz|ınız|iniz)?[dt]an(?!\p{L})/giu, 'sizden'],
  ],
  en: [
    [
      /\bwho(?: is|['’]s| ?s)? (?:really )?(?:in charge|the boss|the owner|the manager|running (?:it|this|the \w+)|runs (?:it|this|the \w+)|owns (?:it|this|the \w+))\b/giu,
      'owner manager',
    ],
    [
      /\b(?:how long have you (?:lot|guys|all) been \w+(?: in business)?|when did you(?: guys| lot)? (?:start|open|begin|set)(?: up)?|since when (?:do|does|have|has|are|is) (?:you|your)\b[^?.!]*|(?:what|which) year did you(?: guys| lot)? (?:open|start|begin|set up)|how old is (?:the|your) (?:shop|business|company|firm|place))(?=\W*$)/giu,
      'when founded started',
    ],
    [
      /\b(?:knock (?:a bit|something|anything|a few \w+|some) off|wiggle room|(?:your )?best price|do me a deal|a bit of haggling|haggle|come down (?:a bit|on (?:the )?price))\b/giu,
      'negotiable discount',
    ],
    [/\b(?:anything|something|a bit|summat) off\b(?! the\b)/giu, 'discount'],
    [
      /\b(?:(?:pay )?(?:it )?(?:off )?bit by bit|spread(?:ing)? (?:out )?(?:the )?(?:cost|payments?|bill)|split (?:the |up the )?(?:payment|bill|cost)s?|buy now,? pay later|pay (?:it )?off (?:monthly|over time|in bits))\b/giu,
      'instalments',
    ],
    [/\btake plastic\b|\btap (?:with )?my (?:phone|card|watch)\b/giu, 'take card contactless'],
    [/\breadies\b|\bnotes and coins\b/giu, 'cash'],
    [/\b(?:bit|piece) of paper(?= when i (?:pay|buy))/giu, 'receipt'],
    [
      /\b(?:rush job|speed (?:it|things) up|(?:need|want) it (?:back )?(?:by|for) (?:tomorrow|today|the weekend|\w+day)|in time for)\b/giu,
      'express urgent',
    ],
    [/\bmoney up ?front\b|\b(?:how much|what) do i (?:have to |need to )?put down\b/giu, 'deposit'],
    [/\b(?:just )?tell(?:ing)? me (?:what is|whats|what['’]s) wrong(?: with it)?\b/giu, 'estimate'],
    [
      /\b(?:just )?(?:rock up|turn up|swing by|show up)\b(?: (?:unannounced|without (?:booking|an appointment)))?/giu,
      'come without an appointment',
    ],
    [/\b(?:ring|call|phone) ahead\b/giu, 'make an appointment'],
    [/\b(?:stuck in traffic|running (?:behind|late)|held up)\b/giu, 'late delayed'],
    [/\b(?:can ?not|can['’]t|cant) make it\b/giu, 'cancel'],
    [
      /\b(?:packs? up|conks? out|goes wrong|breaks? down|breaks?) again\b|\b(?:packs?|conks?|conked|packed) (?:up|out)\b/giu,
      'guarantee broken',
    ],
    [
      /\bin (?:a million )?(?:bits|pieces|smithereens)\b|\bcame (?:smashed|cracked|broken)\b/giu,
      'arrived broken',
    ],
    [
      /\b(?:left|forgot|lost) my (\w+)(?: \w+)? (?:at yours|at your place|there|with you|behind)\b|\bhas (?:anyone|anybody|someone) handed in (?:a|an|my) (\w+)\b/giu,
      'lost property left behind',
    ],
    [
      /\b(?:have )?a (?:mooch|gander|nosey|look) (?:about|around|round)\b|\bjust (?:want to |wanna )?look(?:ing)?\b(?! for\b)|\bobliged to buy\b/giu,
      'browse looking',
    ],
    [
      /\b(?:go for a wee|spend a penny|(?:is there )?a jacks|use the (?:bog|loo)|a wee)(?=\W*$| (?:round|in|at|around) )/giu,
      'toilet',
    ],
    [
      /\b(?:(?:is |are |he['’]?s |she['’]?s )?in a chair|can ?not (?:do|manage|climb) (?:the )?(?:steps|stairs)|can['’]?t (?:do|manage|climb) (?:the )?(?:steps|stairs))\b/giu,
      'wheelchair step-free',
    ],
    [/\bget online\b/giu, 'wi-fi'],
    [/\bhow dear (?:is|are)\b/giu, 'how much is'],
    [/\bp ?& ?p\b/giu, 'postage'],
    [/\bhow long['’]?s\b/giu, 'how long is'],
    [
      /\b(?:sell|give|pass|share) my (?:details|data|address|number|phone number|email|info)\b(?: (?:on|out|away))?/giu,
      'share personal data',
    ],
    [
      /\b(?:send|sending|sent|ship|bring|give|take|mail|post)((?: (?!to\b|by\b)\w+){0,3}?) back\b(?! to (?:me|us)\b)/giu,
      'return$1',
    ],
    [/\b(?:my |the )?money back\b/giu, 'refund'],
    [
      /\bwho (?:has to |will |should |is going to )?(?:pays?|bears?|covers?)(?: for)?\b(?! (?:by|with|on)\b)/giu,
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
export function withoutIdioms(text: string, language: Language): string {
  const idioms = IDIOMS[language] ?? []
  const written = idioms.reduce((left, [idiom, meaning]) => left.replace(idiom, meaning), text)
  return language === 'tr' ? withoutRequests(written) : written
}

/** Letters keep their places when they are folded, so what is found there is replaced in the text. */
function withoutRequests(text: string): string {
  let folded = fold(text)
  let written = folded.length === text.length ? text : folded
  for (const [request, meaning] of REQUESTS) {
    if (folded.search(request) < 0) continue
    const ranges = [...folded.matchAll(request)].map(({ 0: found, index }) => [index, found.length])
    for (const [from = 0, length = 0] of ranges.toReversed()) {
      written = `${written.slice(0, from)}${meaning}${written.slice(from + length)}`
    }
    folded = fold(written)
  }
  return written
}
