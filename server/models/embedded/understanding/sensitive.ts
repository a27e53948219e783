import { anyOf } from '../../../lib/text/any-of.ts'
import { sentences } from '../../../lib/text/sentences.ts'

/** Danger to somebody's life: by who writes, or any other. */
export type Danger = 'self_harm' | 'emergency'

/** Messages of who may take their own life, folded. */
const SELF_HARM = anyOf([
  /\b(?:i (?:just )?wanna die|wish i (?:was|were) dead|thinking (?:about|of) (?:suicide|ending (?:my life|it all)|killing myself)|want to hurt myself|is suicidal)\b|\b(?:wants|tried|trying|threatens|threatening) to (?:die|kill (?:himself|herself|themselves))\b|\bintihar(?:i dusun\w+| edic\w+)|\bkendimi asmak\b|\bolmek istiyom\b|\bich mochte (?:nicht mehr leben|sterben)\b|\bsuizidgedanken\b|ساقتل نفسي|لا اريد العيش/,
  /\b(?:yuzunden|hayatta) yasamak istemiyorum\b|\bnasilsa ol[eu]c\w+|\bol[eu]cem zaten\b|\boley[iy]m (?:mi\b|ip)|\b(?:ilacla|iple|haplarla) mi oley\w*|\bkendimi as(?:ac|ic)\w+|\bbileklerimi kes\w+|\bhayatima son ver\w+/,
  /\bjump(?:ing)? off (?:a|the) (?:bridge|roof|building|cliff)\b(?=.*\b(?:myself|over|everything|owe|life)\b|$)|\bi (?:really |just )?can['’]?t go on (?:like this|any ?more|living)\b|\b(?:everything|nothing left|no hope|hopeless|my life)\b[^.?!]{0,40}\bi can['’]?t go on\s*[.!]*$|\bmakes? me want to (?:end it|kill myself)\b|\bhang myself\b|\bcut(?:ting)? my wrists?\b|\bbetter off dead\b|\bno reason to live\b|\bnicht mehr weiterleben\b|\bmich (?:aufhangen|erhangen)\b/,
  /\bkendimi oldur\w*|\bcanima kiy\w*|\bintihar (?:et|edece|ederim)\w*|\bolmek istiyorum\b|(?:^|\bartik |\bhic )yasamak istemi\w+(?! (?:bu|su|o|burada|orada)\b)(?!.*\b(?:ulke|sehir|semt|mahalle)\w*)/,
  /\bkill(?:ing)? myself\b|\bend (?:my life|it all)\b|\bi (?:just )?want to die\b|\b(?:i am|i['’]?m|feel|feeling) suicidal\b|\bi (?:don['’]?t|dont) (?:want to|wanna) (?:live|be alive|be here)\b(?! (?:with|on|in|at|near|there|here|alone|too|far|next|so|by|for|during|when))/,
  /\bmich umbringen\b|\bbringe? mich um\b|\bich will (?:nur noch )?sterben\b|\bich will nicht mehr leben\b|(?:^|\s)اقتل (?:حالي|نفسي)|(?:سا?نتحر|ا?نتحر|انتحار|للانتحار)(?=\s|$)|(?:اريد ان|بدي|ابي|ابغي|عايز|عاوز) اموت(?! من)|بدي موت(?=\s|$)(?! من)|ما بدي (?:عيش|اعيش)/,
])

/** Heavy bleeding, in English, and what else bleeds. */
const BLEEDS =
  /^(?!.*\b(?:radiators?|valves?|brakes?|boilers?|heating|ink|dyes?|colou?rs?|paint|prints?|gums?|period)\b).*(?:\bbleeding (?:heavily|badly|a lot|to death)\b|\b(?:won['’]?t|doesn['’]?t|will not|does not|can['’]?t) stop (?:the )?bleeding\b)/s

/** Messages of danger to somebody's life as it happens, folded: few pages have the answer to them. */
const EMERGENCIES = anyOf([
  /^\W*(?:fire|yangin|es brennt|feuer)\W*$|^[\s!.]*حريق[\s!.]*$|\bthere(?:['’]s| is) a fire\b(?! (?:pit|place|door|exit|alarm|extinguisher|blanket|drill))|\b(?:room|house|flat|hotel|building)(?:['’]s| is) on fire\b|\byangin var\b(?! (?:merdiven|tup|alarm|kapi|m[iu]))|\b(?:odam|evim|ev|otel) yaniyor\b|\bfeuer (?:im|in der) (?:zimmer|kuche|haus|hotel)\b|يحترق/,
  /\bnefes alami?yo?m?\b|\b(?:has|have) (?:\w+ )?chest pains?\b|^\W*chest pains?\W*$|\bheart attack\b(?=.*\bhelp\b)|\bstruggling to breathe\b|\bkriege? keine luft\b|\bhat einen (?:schlaganfall|herzinfarkt)\b|ما ا?قدر اتنفس|عنده جلط|فقد الوعي|\bit smells like gas\b|\briecht es (?:hier )?nach gas\b|\bhier riecht es\b.*\bgas\b|\bgasgeruch\b|\bco alarm is\b|\bkarbonmonoksit alarm\w* (?:cal|ot)\w*|\b(?:we['’]ve got|there['’]s|there is) a gas leak\b|^\W*gas leak\W*$|\b(?:need|send) an ambulance\b|\bacil ambulans\b|سياره اسعاف/,
  /\bi took all my pills\b|\bcok fazla hap ictim\b|\bzu viele tabletten\b|\bbleeding won['’]?t stop\b|\bblutet stark\b|نزيف شديد|\b(?:kayak|boat|canoe) has capsized\b|\btekne\w* batiyor\b|\bmy (?:husband|boyfriend|partner|father) (?:hits|beats) me\b|\bkocam beni dov\w+|\bbicaklandi\w*|\b(?:someone|somebody) is trying to break in\b|\bkind ertrinkt\b|\bbogul(?:uyor|du)\b/,
  /\b(?:babam|annem|esim|kocam|karim|oglum|kizim|cocugum|bebegim|bebek|dedem|ninem|teyzem|amcam|dayim|halam|kayin\w+|sevgilim|nisanlim|komsu\w*|arkadas\w*|kardes\w*|biri|adam|kadin|misafir\w*|musteri\w*) (?:birden |aniden |yine |su an |az once |bir anda |bi anda |yere |\w+d[ae] )?(?:bayil(?:di|iyor)\w*(?=\s*(?:[.!?,]|$)| (?:ne|yardim|acil|uyan|nefes|kalk|yer))|yigildi\w*|fenalas(?:ti|iyor)\w*|uyanmiyor\w*)|\b(?:annem|babam|esim|cocugum|oglum|kizim|dedem|ninem) (?:\w+ )?dustu\b.*\b(?:konusmuyor|kalkamiyor|kaniyor|kipirdamiyor|hareket etmiyor)|\b(?:sofben|soba|kombi|gaz|duman)\w*\b.*\bbayil(?:dik|dim)\b|\bfenalastim\b|\b(?:oglum|kizim|cocu[gk]\w*|bebe[gk]\w*|biri|adam|kadin|arkadas\w*|esim|annem|babam) (?:\w+ )?(?:denize|havuza|suya|golete|nehire) dustu\w*|\bambulans (?:cagir|gonder|lazim)\w*|\b112['’]?(?:yi|i) ara\w*|\balerjik sok|\balerji\w* (?:\w+ )?sismeye basla\w*|\b(?:dilim|dili|bogazim|bogazi) sis(?:ti|iyor)\w*(?!.*\brecete)|\b(?:kirec cozucu|camasir suyu|deterjan|tiner|asit|zehir|pil|pili|bulasik tableti)\w* (?:icti|ictim|yuttu|yuttum)\b|^(?!.*(?:dis et|boya|havlu|fircala)).*\bcok (?:kotu|fazla|siddetli) kan(?:iyor|adi)\w*|\bkaniyor\w* durmuyor|\belektrik carp(?:ti|iyor)\w*|\bkapimi zorl\w+|(?<!temizlik icin )\b(?:odama|evime|eve) biri girdi\b|\bduman (?:var|doldu|kapladi)\b(?! m[iu])/,
  /\b(?:father|mother|dad|mum|mom|son|daughter|husband|wife|baby|kid|child|friend|sister|brother|partner|girlfriend|boyfriend|mate|colleague|neighbou?r|aunt|uncle|he|she|someone|somebody|guest|customer|grand\w+|gran|nan|man|woman|girl|boy)(?: has| is| was|['’]s| just|n['’]?t)* (?:collapsed|fainted|passed out|unconscious|unresponsive|choking|drowning|bleeding|(?:not )?(?<=not |n['’]?t )(?:breathing|waking up|responding(?! to)|moving(?! (?:in|out|to|with|house|until)))|had a stroke(?=\s*(?:[.!?]|$)| (?:what now|now|just|help|his|her))|having a (?:seizure|fit(?! about)))\b(?! (?:hearts?|gums?|edge|control|in (?:paper|debt|work|admin|mail)))|\b(?:fell|fallen|fall)\b.*\bbleeding\b|\b(?:won['’]?t|will not) wake up\b(?! (?:before|until|at|early|in time))|\bisn['’]?t breathing\b|\b(?:he|she|baby|lips) (?:is|are|(?:has )?turned|(?:is|are) turning) blue\b|\bdrifting out to sea\b|\b(?:i|we|he|she|son|daughter|child|kid|baby|someone|somebody|friend|man|boy|girl|dad|mum)(?: has| just)* fell (?:in|into) (?:the )?(?:water|sea|pool|river|lake)\b|\bi fell in\s*[.!]*$|\bbreaking in(?:to)? (?:my|our|the) (?:room|house|flat|home|apartment)\b|\bthere(?:['’]s| is) smoke (?:in|coming)\b|\broom is full of smoke\b|\bsmoke (?:is )?coming (?:in |from )?under\b|\blocked in and\b.*\bsmoke\b|\banaphyla\w*|\ballergic shock\b|\b(?:face|tongue|lips|throat) (?:is|are) (?:swelling|closing)|\bswallowed (?:a |an |the |some )?(?:\w+ ){0,3}(?:batter(?:y|ies)|magnets?|detergent|descaler)\b|\bdrank (?:some |the )?(?:\w+ )?(?:descaler|cleaner|antifreeze|thinner|petrol|detergent)\b|\bgave me an electric shock\b|\b(?:i|he|she) got an electric shock\b|\bmy brakes (?:don['’]?t|do not|aren['’]?t|are not|stopped) work\w*(?=.*\b(?:driving|road|motorway|hill|help)\b)/,
  /\b(?:vater|mutter|mann|frau|kind|sohn|tochter|oma|opa|er|sie|jemand|gast|freund\w*|kolleg\w*) (?:ist |gerade |plotzlich )*(?:zusammengebrochen|wacht nicht (?:mehr )?auf)\b|\b(?:rufen|ruf|brauche|brauchen)\b.*\b(?:krankenwagen|notarzt)\b|\bist (?:in )?ohnmacht\w*|(?:اتصل|اتصلوا|اطلب|اطلبوا|بدي|نحتاج) (?:ب|ال)*اسعاف|اغمي علي/,
  /\bnefes (?:alamiyor|almiyor)\w*|\b(?:gogsum|gogus|kalbim)\w* (?:cok |siddetli )?(?:agri|sikisiyor)\w*|\b(?:kalp krizi|felc) geciriyo\w*|\bbilinci (?:kapali|yok|gitti)\b|\bzehirlendi[mk]\b|\b(?:fazla|cok|asiri) (?:doz|ilac) (?:aldi|icti|yuttu)\w*|^(?!.*\b(?:her ?gun|gunde|kedi|kopeg)).*\b(?:\d{2,}|on|yirmi|otuz|kirk|elli|bir kutu) (?:tane |adet )?(?:hap|ilac|tablet|parol|agri kesici)\w* (?:ictim|yuttum|icti|yuttu)\b|\bkanama\w* (?:hic )?durmuyor|\b(?:cok|asiri) kan (?:kaybediyor|kaybetti)\w*|\bgaz (?:kokusu (?:var(?! m[iu])|aliyor|geliyor)\w*|kokuyor|kacagi var(?! m[iu])|sizintisi var(?! m[iu]))|\bimdat\b|^(?:(?:odada|evde|binada|mutfakta|burada|salonda|otelde) )?yangin (?:var|cikti)\b(?!.*\b(?:diyelim|sigorta))|\b(?:oglum|kizim|cocu[gk]u?\w*|bebe[gk]\w*|biri) (?:havuzda |denizde |suda )?(?:bogul(?:du|uyor)|bogul)\w*/,
  /\b(?:having|have|got|my|with) (?:\w+ )?chest pains?\b|\bhaving a (?:heart attack|stroke)\b|\b(?:not|stopped) breathing\b|\bcan(?:['’]?t|not| not) breathe\b|\b(?:is|am|['’]m|['’]s) (?:choking|drowning|unconscious)\b(?! in (?:paper|debt|work|admin|mail|e-?mail|orders|invoices))|\b(?:took|taken) (?:an overdose|too (?:many|much) (?:\w+ )?(?:pills?|tablets?|painkillers?|paracetamol|medicine))\b|\b(?:took|taken|swallowed) (?:\d{2,}|ten|twenty|thirty|forty|fifty|sixty|all (?:the|his|her)|(?:a|\d+) (?:whole )?(?:box|packet|pack|bottle)(?:e?s)? of) (?:\w+ )?(?:pills?|tablets?|painkillers?|paracetamols?|ibuprofens?|aspirins?|tylenols?)\b(?! (?:off|back|in|to|for)\b)|\b(?:i|he|she|they)(?: have| has|['’]ve|['’]s)? overdosed\b|\b(?:swallowed|drank) (?:some )?(?:bleach|poison)\b|\bsmell(?:s|ing)? (?:of )?gas\b|\bsmell of gas\b|\bthere(?:['’]?s| is) a (?:gas leak|fire in)\b|^(?:help )?fire in (?:my|our|the) (?:room|house|kitchen|building|flat|hotel)\b|\b(?:house|room|kitchen|building|flat|hotel|car|boiler|oven|clothes) (?:is|are) on fire\b|\bhad a stroke (?:just )?now\b|\bmonoxide alarm (?:is|went off|beeping|going)\b|\bcan['’]?t feel my (?:legs?|arms?)\b|\bcall (?:an ambulance|911|999|112)\b/,
  /\b(?:habe|starke) (?:\w+ )?brustschmerz\w*|\beinen herzinfarkt\b(?!.*\bnach\b)|\batmet nicht\b|\bbekomm\w* keine luft\b|\b(?:er|sie|kind|baby) erstickt\b|\bist bewusstlos\b|\briecht (?:hier )?nach gas\b|\bes brennt(?: (?:im|in|bei) \w+| hier)(?<! (?:mund|kamin|ofen|in den))|\bist (?:am )?ertr(?:inken|unken)\b|(?:الم|وجع) (?:في |ب)(?:ال)?صدر|نوبه قلبيه|(?:لا|ما|مش|مو)(?: عم)? (?:[يت]تنفس|قادره? (?:اتنفس|يتنفس)|بقدر اتنفس|قدر اتنفس|استطيع (?:ان اتنفس|التنفس))|[يت]ختنق|فاقده? (?:ال)?وعي|(?:وقع|وقعت|ما عم) .{0,20}(?:عم )?(?:ت|ي)تحرك|(?:^|\s)غرقت? (?:بال|في ال)(?:مسبح|بحر|ماء|مي|بركه|حوض)|(?:^|\s)(?:صار|صارت) مع[هو]+ا? جلط|بلع[ت]? (?:دوا|بطاري|سم)|(?:اكل|اكلت|شرب|شربت) سم(?=\s|$)|(?:رايحه|ريحه|تسرب) (?:ال)?غاز|(?:ال)?غاز عم (?:يتسرب|يطلع)|حريق (?:في |بال)|(?:ال)?بيت عم يحترق/,
])

/** What was, and what might be, folded: nobody is in danger now. */
const NOT_NOW =
  /\b(?:last (?:year|month|week|time|summer|winter)|(?:years?|months?|weeks?) ago|gecen (?:hafta|ay|yil|sene)|letztes (?:jahr|mal)|(?:in|since|seit|hatte) (?:19|20)\d\d)\b|^(?:what (?:do|would) you do|what (?:happens|stops)|who pays|are (?:your |the )?(?:staff|teachers|lifeguards|instructors|carers)|do you (?:call|have|treat|check|repair|fix|stock|keep|know what)|is there (?:a |any )?(?:smoke|fire)|(?:^|\s)هل\s|كم سعر)|\b(?:bulunduruyor|kontrol ediyor|gelirse|olursa|cikarsa|duserse)\w*/

/** Messages on groups of people, sex, crime and secrets, folded: a passage that is only near them insults or misleads. */
const DELICATE = anyOf([
  /\b(?:touched|groped|molested|harass\w*|assault\w*) (?:me|my|her|him|us)\b|\b(?:hit|hits|beat|beats|slapped) (?:my (?:son|daughter|child|kid|boy|girl)|her|him)\b|\b(?:cocuguma|ogluma|kizima|bana) (?:vurdu|dokundu|vuruyor)\b|\btaciz\w*|\btecavuz\w*|\bbelastigt\b|\bangefasst\b/,
  /\b(?:for|only) white(?:s| people)\b|\bno (?:blacks|jews|muslims|arabs|gays)\b|\bwhites only\b|\b(?:kurtlere|suriyelilere|araplara|zencilere)\b|\bsuriyeli (?:cocuk|ogrenci|musteri)\w*|\bhiv\b(?! tests?\b| testi\b)|\bunderage (?:girl|boy|sex)\w*|\b(?:corpse|dead body)\b|\bstore a body\b|\b(?:fake|counterfeit) money\b|\bbypass\b.*\bsafety\b|\bsahte para\b/,
  /\b(?:allow|accept|serve|hire|let|welcome|treat)\w*\b.*\b(?:gays?|lesbian\w*|lgbt\w*|queers?|transgender\w*|trans people|homosexuals?|black people|blacks|jews|muslims?|christians?|arabs|kurds?|gyps(?:y|ies))\b/,
  /\bare (?:gays?|lesbians?|queers?|trans people|black people|blacks|jews|muslims|christians|arabs|kurds|gypsies)\b|\b(?:prostitut\w*|whores?|sluts?)\b/,
  /\b(?:escinsel(?:ler)?|lezbiyen(?:ler)?|travesti(?:ler)?|zenci(?:ler)?|siyahi(?:ler)?|yahudi(?:ler)?|musluman(?:lar)?|hristiyan(?:lar)?|ermeni(?:ler)?|kurt(?:ler)|alevi(?:ler)?|suriyeli(?:ler)?|arap(?:lar)|cingene(?:ler)?)(?:[iaey]\w{0,2})? (?:\w+ )?(?:al[iı]|kabul|gir|izin|hizmet|gelebil)\w*|\b(?:fahise|eskort)\w*/,
  /\b(?:schwule\w*|lesben|juden|muslime\w*)\b.*\b(?:erlaubt|willkommen|nehm|bedien|einlass|rein)\w*|\bprostituiert\w*|مثليين|يهود/,
  /\b(?:sex|porn\w*|naked|nudes|horny|seks\w*|ciplak|porno\w*|nackt|sexy)\b|(?:^|\s)(?:ال)?جنس(?:\s|$)/,
  /\b(?:cocaine|heroin|cannabis|marijuana|launder money|evade tax\w*|smuggl\w*|firearms?|weapons?|esrar|kokain\w*|eroin\w*|kara para\w*|silah\w*|schwarzgeld)\b|\b(?:bring|carry|sell|buy) (?:a |my )?guns?\b|مخدرات|(?:^|\s)(?:ال)?سلاح(?:\s|$)/,
  /\b(?:your|me (?:the|an?)) (?:api[- ]?keys?|system prompt|prompt)\b|\byour instructions\b|\badmin (?:password|panel)\b|\byonetici sifre\w*|\bsistem (?:mesaj|komut)\w*/,
  /\b(?:fake|forged) (?:ids?|passports?|licen[cs]es?|degrees?|diplomas?|certificates?|documents?|papers|visas?|invoices?|receipts?|doctor['’]?s notes?|sick notes?)\b|\bbrib(?:e|es|ed|ing|ery)\b/,
  /\bsahte (?:kimlik|pasaport|ehliyet|diploma|belge|evrak|fatura|rapor|vize)\w*|\brusvet\w*|\bgefalschte?\w* (?:ausweis|pass|fuhrerschein|zeugnis|rechnung|attest)\w*|\bschmiergeld\w*|\bbestech(?:en|ung|e|t)\b|مزور|رشوه/,
  /\bis (?:the |your )?(?:owner|manager|boss|receptionist|teacher|doctor) (?:married|single|gay)\b|\bhow much (?:does|do) (?:the |your )?\w+ earn\b|\b(?:children|babies|kids|girls|women) (?:are )?for sale\b/,
])

/** Messages of somebody who is missed, or mourned, folded: no pages on lost coats help. */
const MISSING_PERSON =
  /\b(?:lost|can['’]?t find|cannot find) (?:my|our) (?:\w+ )?(?:son|daughter|child|children|kids?|baby|boy|girl|husband|wife|mother|father|mum|mom|dad|gran\w*)\b(?!['’])|\bmy (?:\w+ )?(?:son|daughter|child|kid|boy|girl|mother|father|mum|mom|dad) (?:is|has gone|went|got) (?:missing|lost)\b|\b(?:oglum|kizim|cocugum|esim|annem|babam)(?:[iu]|[iu] [a-z]+)? (?:kaybett\w*|kaybold\w*|bulam\w*|kayip)\b|\b(?:kind|sohn|tochter|mutter|vater) (?:verloren|verschwunden|ist weg|nicht (?:mehr )?finden)\b|(?:ضاع|ضاعت|ضيعت|تاه|تاهت|فقدت) (?:ابني|بنتي|ابنتي|طفلي|طفلتي|ولدي|امي|ابي)/

/** Words of health and of the law, folded: a passage that is only near may harm who acts on it. */
const HEALTH_OR_LAW = anyOf([
  /\b(?:ambulan\w*|bleed\w*|blood\w*|faint\w*|fevers?|rash(?:es)?|sick(?:ness)?|ill(?:ness)?|pain\w*|hurts?|injur\w*|dizzy|pills?|tablets?|medicines?|medications?|drugs?|overdos\w*|allerg\w*|vaccin\w*|hospitals?|depress\w*|my life)\b/,
  /\b(?:kaniyor\w*|kanama\w*|bayil\w*|ates(?:im|i|li)\w*|agri\w*|hasta(?:yim|landi\w*|neye|ne)?|yarala\w*|haplar?\w{0,3}|ilac\w*|uyusturucu\w*|alerj\w*|asi|korkuyorum)\b/,
  /\b(?:krankenwagen|blut\w*|fieber|ohnmacht\w*|schmerz\w*|krank\w*|verletz\w*|tabletten?|medikament\w*|drogen|impf\w*|angst)\b|نزيف|اسعاف|حراره|دوخه|مريض|حساسيه|دواء|حبوب|خايف/,
  /\b(?:entitled|compensation|sue|lawsuits?|lawyers?|police|tazminat\w*|dava\w*|avukat\w*|polis\w*|anwalt\w*|polizei|klage)\b|محامي|شرطه/,
])

/** Somebody of whom a message tells, folded. */
const SOMEBODY =
  /\b(?:my|our) (?:\w+ )?(?:son|daughter|child|kid|baby|boy|girl|husband|wife|mother|father|mum|mom|dad|friend|nan|gran\w*)\b|\b(?:someone|somebody|he|she|biri|birisi)\b|\b(?:oglum|kizim|cocu[gk]um|esim|kocam|karim|annem|babam|arkadasim|bebegim)\w*|\b(?:mein|meine|unser|unsere)[mnr]? (?:sohn|tochter|kind|mann|frau|mutter|vater)\b/

/**
 * Whether a message or one of its sentences matches: what excludes a match may be in another sentence. `except` tells
 * which of them match nothing.
 */
function matchesAnywhere(patterns: readonly RegExp[], folded: string, except?: RegExp): boolean {
  const matches = (text: string): boolean =>
    except?.test(text) !== true && patterns.some((pattern) => pattern.test(text))
  if (matches(folded)) return true
  const parts = folded.split('\n').flatMap((line) => sentences(line))
  return parts.length > 1 && parts.some(matches)
}

/** Whether a folded message misses or mourns somebody. */
export const missesPerson = (folded: string): boolean => matchesAnywhere([MISSING_PERSON], folded)

/** Whether a folded message is on health or on the law. */
export const isOfHealthOrLaw = (folded: string): boolean => HEALTH_OR_LAW.test(folded)

/** Whether a folded message tells that its writer may take their own life. */
export const isSelfHarm = (folded: string): boolean => matchesAnywhere([SELF_HARM], folded)

/** Whether a folded message tells of danger to somebody's life. */
export const isEmergency = (folded: string): boolean =>
  isSelfHarm(folded) || matchesAnywhere([BLEEDS, EMERGENCIES], folded, NOT_NOW)

/** The danger to somebody's life of which a folded message tells; `undefined` for a message of anything else. */
export const dangerIn = (folded: string): Danger | undefined =>
  isSelfHarm(folded) ? 'self_harm' : isEmergency(folded) ? 'emergency' : undefined

/** Whether a folded message is one to which nothing but a plain answer may be given, though nobody is in danger. */
export const isDelicate = (folded: string): boolean => matchesAnywhere([DELICATE], folded)

/** Whether a folded message tells of somebody: a passage that is only near it may miss what happened. */
export const tellsOfSomebody = (folded: string): boolean => SOMEBODY.test(folded)
