import { anyOf } from '../../../lib/text/any-of.ts'
import { sentences } from '../../../lib/text/sentences.ts'

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

/** Whether a message or one of its sentences matches: what excludes a match may be in another sentence. */
function matchesAnywhere(patterns: readonly RegExp[], folded: string): boolean {
  const matches = (text: string): boolean => patterns.some((pattern) => pattern.test(text))
  if (matches(folded)) return true
  const parts = folded.split('\n').flatMap((line) => sentences(line))
  return parts.length > 1 && parts.some(matches)
}

/** Whether a folded message misses or mourns somebody. */
export const missesPerson = (folded: string): boolean => matchesAnywhere([MISSING_PERSON], folded)

/** Whether a folded message is on health or on the law. */
export const isOfHealthOrLaw = (folded: string): boolean => HEALTH_OR_LAW.test(folded)

/** Whether a folded message is one to which nothing but a plain answer may be given, though nobody is in danger. */
export const isDelicate = (folded: string): boolean => matchesAnywhere([DELICATE], folded)

/** Whether a folded message tells of somebody: a passage that is only near it may miss what happened. */
export const tellsOfSomebody = (folded: string): boolean => SOMEBODY.test(folded)
