import { anyOf } from '../../../lib/text/any-of.ts'

/**
 * Requests that hardly any site answers, folded: weather, sports, the time of day, arithmetic, rates of
 * exchange, poems and jokes, recipes, general knowledge, and the assistant's own life. Their words stand
 * in documents by chance only (“keep it in an airtight container” has nothing about the weather).
 */
const REQUESTS = anyOf([
  // Weather
  /^(?!.*(?:\b(?:iptal|tur|ucus|ders|etkinlik|gezi|kotu|olursa|yagarsa)|ars[ae]k?\b))(?:.*\b)?(?:hava(?:lar)? (?:\w+ )?(?:nasil|durumu|kac|sicak|soguk|yagis)|(?:bugun|yarin) hava\b|yagmur yag|kar yag|deprem ol)/,
  /^(?!.*\b(?:bad|wet|poor|rough|cancel\w*|if|policy|happens|depend\w*|ride|trip|tour|flights?|lessons?|class|fly|sail)\b).*\bweather\b|\b(?:going to|will it|is it) (?:rain|snow)\w*(?!.*\b(?:cancel|ride|trip|tour|flight|lesson|class)\w*)(?=\W*$| (?:today|tomorrow|tonight|on|in|this|later|at|now|here)\b)|\bwetter\b|\bregnet\b|طقس|الجو (?:اليوم|غدا)|درجه الحراره/,
  // Sports
  /\bmac(?:i|in|lar|lari)? (?:\w+ )?(?:kac|kim|sonuc|ne zaman|saat)|\bmaci kim|\bfutbol\w*|\b(?:galatasaray|fenerbahce|besiktas|trabzonspor)\w*\b|\b(?:hangi |kimin )takimi? tut/,
  /\bwho won\b|\bworld cup\b|\bchampions league\b|\bfootball (?:match|game|score)\b|\bwer hat\b.*\bgewonnen\b|\bbundesliga\b|من فاز|المباراه|افضل لاعب/,
  // The time and the date
  /^(?:\W|su an|simdi|acaba|pardon|bi|bir|lutfen|merhaba|selam)*saat kac(?:tir)?(?: (?:su an|simdi|oldu|acaba|su anda))*\s*[?.!]*$|\bgunlerden ne\b|\bayin kaci\b/,
  /\bwhat time is it(?=\W*$| (?:now|there|right now|in\b))|\bwhat(?: is|s|'s|’s) the time(?=\W*$| (?:now|there|please|in\b))|\bwhat (?:day|date) is (?:it|today)(?=\W*$| (?:today|tomorrow|now)\b)|\bwie spat (?:ist|haben wir) es\b|\bwie viel uhr ist es\b|كم الساعه(?=[\s?؟!.]*$| (?:الان|الحين|هلق|دلوقتي))/,
  // Arithmetic, rates of exchange
  /^(?:(?:(?:what|how much)(?: is|s|['’]s) |was ist |wie ?viel ist |كم )\d+(?: ?[+*×÷] ?\d+)+(?: ?=| is)*|\d+(?: ?[+*×÷] ?\d+)+(?: ?=| is| kac eder| eder)+|\d{2,}(?: ?[+*×÷] ?\d+)+|\d+(?: ?[+*×÷] ?[02-9]\d*)+ kac|[2-9](?: ?\+ ?[02-9])+|\d+(?: ?[*×÷] ?\d+)+)[\s?]*$/,
  /^\W*(?:(?:what|how much)(?: is|s|['’]s) |was ist |wie ?viel ist )?\d+ (?:times|plus|minus|divided by|kere|carpi|arti|eksi|bolu|mal|geteilt durch) \d+(?: (?:is|equals|kac|eder|ne))*\W*$/,
  /\b(?:dolar|euro|sterlin|bitcoin|borsa|(?:gram |ceyrek |cumhuriyet |yarim )?altin)\w* (?:(?:su|bugun|simdi|an|fiyati) )*(?:kuru|kac (?:tl|lira)|ne kadar|ne oldu|kac oldu)|\bexchange rate\b|\b(?:bitcoin|dollar|euro)s?\b.*\b(?:worth|rate)\b|\bgold (?:price|rate)s?\b|\b(?:price|rate) of gold\b|\bwechselkurs\b|سعر (?:الذهب|الدولار|اليورو|الصرف)/,
  /\b\d+ ?(?:%|percent|prozent) (?:of|von) \d+|\bsolve for [a-z]\b|\b(?:square root of|wurzel aus|karekoku) ?\d*|\b(?:dolar|euro|sterlin|altin)\w* .{0,40}\b(?:kac (?:lira|tl) olur|duser mi|cikar mi|yukselir mi)/,
  // What is to be written, told or sung
  /\b(?:siir|fikra|hikaye|masal(?!ar)|sarki|saka(?![lrt])|bilmece|odev|kompozisyon)(?:[iu]?m?[iu]?|y[iu]|s[iu]|n[iu]|ler|lar)? (?:\w+ ){0,2}?(?:yaz(?:ar|sana|ip|abil|in)?|anlat|soyle(?!me)|oku(?:r|sana|yun)?|yap(?:ar m|sana|abil)|ver(?:ir m|sene))\w*|\bkomik bir sey\b/,
  /\b(?:write|tell|sing|compose)\b.*\b(?:poem|joke|story(?! of)|song|essay|love letter|riddle|haiku|lyrics)\b|\bwrite\b.*\b(?:code|program)\b|\bwrite\b.*\b(?:my|me an?|an?) (?:cover letter|resume|cv)\b|(?<!\b(?:i|we|you|they) )\bplay (?:me )?(?:some |a )?(?:music|song)\b|\bsing (?:me|for me|to me)\b|\b(?:do|help (?:me )?with|solve|finish) (?:my|me with my|his|her) homework\b/,
  /\b(?:gedicht|witz|geschichte(?! (?:des|der|von|ihres|eures)\b)|lied|marchen|aufsatz|hausaufgabe)\w*\b(?=.*\b(?:schreib|erzahl|sing|vor))|\b(?:schreib|erzahl|sing)\w*\b.*\b(?:gedicht|witz|geschichte(?! (?:des|der|von|ihres|eures)\b)|lied|marchen|aufsatz)/,
  /(?:اكتب|احك|قل لي|غن|ارو).*(?:قصيده|شعر|نكته|قصه|اغنيه|رساله حب)/,
  /\btranslate\b.*\b(?:to|into)\b|\bubersetze?\b.*\bins\b|\b(?:ingilizce|almanca|fransizca)(?:ye|ya) cevir|ترجم/,
  // Cooking
  /(?<!\b(?:yol|adres|konum|showroom|magaza|dukkan) )\btarif(?:i|ini|leri)\b(?!.*\b(?:yol|adres|konum))|\b(?:corba|makarna|kek|pilav|ekmek|pizza|borek|kofte)\w* nasil (?:yap|pis)/,
  /\brecipe\b|\bhow (?:do|can|to|should)(?: i| you| we)? (?:cook|bake|fry|grill)\b|\bwhat (?:should|can) i cook\b|\bwie (?:koche|backe|brate) ich\b|\bwas soll ich (?:heute )?kochen\b|كيف (?:اطبخ|اخبز|اطهو)/,
  // General knowledge
  /\bbaskenti\b|\b(?:cumhurbaskani|basbakan)\w*\b|\bkim (?:icat et|kesfet)|\bdunyanin en\b|\bsecim\w* kim kazan|\bhayatin anlami\b|\bgezegen\w*\b|\b(?:ay|gunes|mars)(?:in|la| ile)? dunya(?:ya|dan)\b.*\b(?:uzak|kac)|\bnufusu (?:kac|ne)|\ben iyi (?:film|dizi|telefon|sarki|universite|futbolcu|oyuncu)/,
  /\bcapital (?:city )?of\b|\b(?:president|king|queen) of\b|\bprime minister\b|\bwho (?:invented|discovered|painted)\b|\bpopulation of\b|\bhow many (?:people live|planets)\b|\bmeaning of life\b|\bhow (?:tall|high|far|old)(?: away)? is (?:mount|the (?:moon|earth|sun)\b(?! \w))|\b(?:best|good) (?:movie|film|song|series|university)\b|\brichest\b|\b(?:fast|tall|bigg|larg|small|old|long|deep|hott|high)est \w+ (?:in|on) (?:the world|earth)\b|\bwho (?:will|is going to) win the\b/,
  /\bhauptstadt\b|\b(?:bundes)?kanzler(?:in)?\b|\bprasident\b|\beinwohner\b|\bwie (?:hoch|alt|weit) ist (?:der|die|das)\b.*\b(?:mount|mond|erde|sonne)\b|عاصمه|رييس (?:الجمهوريه|الوزراء|فرنسا|امريكا|تركيا|مصر)|عدد سكان|معني الحياه|عمر الارض|من اخترع|اكبر دوله/,
  // Remedies
  /^(?!.*(?:\bagri|masaj|terapi)).*\b(?:ne|neler) iyi gelir\b|\bwhat helps (?:with|against) (?:a |my )?(?:toothache|headache|cold|cough|fever)|\bhome remed\w+|\bwas hilft gegen\b/,
  // The assistant itself
  /\bkac yasindasin\b|\bkac kilosun\b|\bevli misin\b|\bsevgili\w* bul|\bhow old are you(?! (?:supposed|allowed|meant|required|expected) to)|\bare you (?:married|single)\b|\bwie alt (?:bist du|sind sie)\b|كم عمرك/,
])

/** Whether a folded question asks for something that no site is asked about. */
export function isOffTopic(folded: string): boolean {
  return REQUESTS.test(folded)
}

/** Whether a folded word is one for translating, which is a trade of its own. */
export const isOfTranslating = (folded: string): boolean =>
  /^(?:translat|ubersetz|cevir|tercum)|ترجم/.test(folded)

/** Questions for work there, folded. */
const JOB_REQUESTS = anyOf([
  /\bis (?:ilan|basvuru|firsat)\w*|\b(?:(?:eleman|personel|isci) (?:ariyor|alim|aliyor)\w*|(?<!\d )(?:eleman|personel|isci) lazim m[iı]\w*)|\bis ariyorum\b|\b(?:acik )?pozisyon(?:lar)?(?:unuz|iniz)\b/,
  /\b(?:are|r) (?:you|u|they) hiring\b|\bjob (?:openings?|vacanc\w+|offers?|application)\b|\bjob vacanc(?:y|ies)\b|\bvacanc(?:y|ies)\b(?! (?:for|on|at|in|of|tonight|this|next|between)\b)(?=.*\b(?:job|work|staff|team|apply|position)|\W*$)|\bapply for a job\b|\bwork (?:for (?:you|your (?:company|team))|at your (?:company|shop|store|place|cafe|restaurant|clinic|office|studio))\b|\bopen positions?\b/,
  /\bstellenangebot\w*|\boffene stellen\b|\bstell(?:t ihr|en sie) (?:leute |jemand )?ein\b|\bbewerb(?:en|ung)\b|وظايف|توظيف|فرص عمل/,
])
const JOB_WORDS =
  /\b(?:is (?:ilan|basvuru)|basvuru|basvur|kariyer|ozgecmis|cv|eleman|personel|ise al|staj|hiring|jobs?|careers?|vacanc|recruit|(?:to|how|please|can) apply|apply (?:for|by|with|online|here|now)|resume|stellen|bewerb|einstell|karriere)|وظايف|توظيف|سيره ذاتيه/

/** Whether a folded question asks for work; a text about its business without such words says nothing of it. */
export const asksForJob = (folded: string): boolean => JOB_REQUESTS.test(folded)

/** Whether a folded text speaks of jobs. */
export const speaksOfJobs = (folded: string): boolean => JOB_WORDS.test(folded)
