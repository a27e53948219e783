import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from './language.ts'

/**
 * Words that say nothing about the topic, folded: the small words and those that make a question.
 */
const STOP_WORDS = new Set(
  `a an the of to in on at by for with from as is are was were be been being am do does did doing done us ours yours theirs them
  have has had having i you he she it we they me my mine your yours his her its our their this that
  these those there here what whats which who whom whose when where why how can could should would
  will shall may might must and or but not no nor if then than so such too very just also about into
  any some all up there s t re ve ll d m don doesn didn isn aren wasn won wouldn couldn shouldn im let
  please hello hi hey thanks thank tell me explain mean means meaning
  much myself yourself yourselves ourselves hope well would could question wondering ask tell got going want like need know
  ve ile bir bu su o da de ki mi mu icin gibi kadar ama fakat veya ya daha en cok ne nedir neden nicin
  niye nasil hangi hangisi hangileri kim kimin kimsin kimsiniz kac nerede neredesin neredesiniz nereye nereden neresi zaman olan olarak
  olur oluyor olmali olsun var yok ben sen biz siz onlar bana beni benim sana seni senin sizin bizim
  bunu bunun buna sunu onu onun ona her hic hep sey seyi seyler lutfen acaba peki merhaba selam yani ise
  degil eger diye midir mudur misin musun miyim muyum miyiz misiniz musunuz nelerdir neler demek denir
  hakkinda dair ise yarar yariyor soyle anlat anlatir acikla bilgi ver verir eder ederim edilir
  ediyor edebilirim ederiz yapar yaparim yapilir yapabilirim yapariz yapmaliyim yapiyor olurum
  etmek etmem etsem etmeli ettim ettik edeyim edelim edecegim edecek edebilir edebilirmiyim
  kendim kendiniz kacta kaca kacinci olcak olucak gelsem gelince versem edecegim miyiz yoksa tane tl bilmek ogrenmek alabilir veriyor veriyorsunuz olabilir
  ediyorsunuz yapiyorsunuz oluyor neler nedir naber soru sorum sormak hocam abi kardes yardimci olur
  olmak almak istiyorum istiyoruz isterim isterdim istemiyorum mumkun miydi gunaydin gunler aksamlar geceler tesekkur tesekkurler sagol sagolun nasilsin nasilsiniz`.split(
    /\s+/,
  ),
)

/** Small words of German and Arabic questions, folded; they count in a question of that language. */
const GERMAN_STOP_WORDS = new Set(
  `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war
  wird werden wurde haben hat habe hatte hatten ich du er sie es wir ihr mich mir dich dir uns euch
  ihnen mein meine meinen meiner ihre ihr ihrem ihren unser unsere sein seine was wer wie wo wann warum
  welche welcher welches wieviel viel kann konnen konnte koennen muss musse mussen darf durfen soll gibt
  geht auf aus bei mit nach von zu zum zur fur fuer uber ueber unter vor bitte danke hallo guten tag
  auch noch schon mehr sehr ja nein man im am vom beim in an um ob dass wenn als so da hier dort etwas
  mal denn doch nur gerne gern mochte hatte wurde machen macht bieten anbieten wohl eigentlich frage
  wissen lang kam kamen kommt gekommen angekommen`.split(/\s+/),
)
/** Small Turkish words that mean something in another language, folded. */
const TURKISH_STOP_WORDS = new Set(
  `size sizi sizde sizden bize bizi bizde bende sende hem bile boyle`.split(/\s+/),
)
const ARABIC_STOP_WORDS = new Set(
  `من في علي عن الي هل ما ماذا متي اين كم كيف هو هي هذا هذه ذلك انا انت نحن هم لي لك لكم لدي لديكم عندكم
  افعل وصل وصلت وصلني يوجد توجد يمكن يمكنني ممكن اريد ان او و لا نعم مع كان يكون يقع تقع لو سمحت مرحبا شكرا
  يمكنك امكن طبعا تماما اصلا مباشره فعلا بالضبط ابدا لاجل كلما ياليت بينما نقدر بيقدر تقدر بتقدر كيفك خبروني خبرني تسلم
  تكرم بالنسبه ابي ابغي ابغا تبي تبغي عايز عايزه عاوز عاوزه بدي بدنا بدو بدها فيني فيي فينا فيكم تعالي سيدي`.split(
    /\s+/,
  ),
)

/**
 * General words: they help to rank, but that a document lacks them says little about its topic.
 * English ones whole, Turkish ones by how they begin, because they are inflected.
 */
const GENERAL_ENGLISH = new Set(
  `bring bringing use used using uses make makes made making need needs needed know want wants way ways work works
  working thing things get gets got getting give gives put take difference example examples
  best better good right correct correctly properly like happen happens happened possible possibly
  something anything everything someone one two first last new old many much more most other another
  two three four five six seven eight nine ten
  zwei drei vier funf each every actually really ever exactly instead only own same while during between without within
  now already yet still always never often usually because look looks see show say ask find learn understand purpose point
  turn set put keep let useful reason kind sort stuff try able allowed support supported recommended recommend there
  long short big small enough simple easy easiest simply quick quickly basic
  anytime whenever wherever anywhere everybody everyone somebody
  hundred thousand
  lange dauert dauern brauche brauchen bekomme bekommen`.split(/\s+/),
)
const GENERAL_TURKISH =
  /^(?:iki$|uc$|dort$|bes$|alti$|yedi$|sekiz$|dokuz$|on$|bin$|neyse$|sikinti$|kizar|gec(?:er(?:$|li$)|iyor)|ver(?:iyor|ir(?:$|si|m))|bak(?:iyor|ar(?:$|si|m))|al(?:ac[ae][gk]|abil|iyor|ir(?:$|im$|iz$)|inir$|iniyor|ayim$|alim$)|birden$|yap(?:[aimt](?!la|s|mi?$))|kullan|gerek|iste[rmdny]|istiyor|lazim|calis[iıtm]|bil[imn]|ihtiyac|sagla|anlam|ogren(?!c)|ornek|sekil|sekl|fark|yol[u]?$|yolu|tek$|once|sonra|simdi|yeni|eski|iyi|kotu|dogru|yanlis|olmaz|olmuyor|olabil|olmas|oldug|olus|mantik|amac|tam$|hangi|zorunda|mecbur|yarar|saglar|baska|farkli|ayni|kisaca|basit|kolay|nere|birsey|biri|bazi|tum|butun|sadece|yalniz|kabul$|sabah(?:lari|tan|leyin)?$|oglen)/

/** Everyday words: any text may lack one and still answer, as `hide` where it says `redact`. */
const EVERYDAY_ENGLISH = new Set(
  `policy policies hide show send open close start stop change run call add remove delete read write
  build create handle deal manage provide access define declare reach cause fix solve avoid prevent
  force enable disable check test compare convert switch choose pick decide wait finish complete break
  fail continue repeat reuse share pass hold store save load fetch receive accept move copy clean clear
  fill count measure improve increase reduce limit modify update edit replace insert attach register
  configure setup install connect detect catch throw print display render return wrap extend customize
  specify generate produce perform execute trigger respond reply ask require happen appear connect
  app application project program code page website site part place number name word line text value
  data information detail details step guide tutorial documentation docs problem issue error bug
  own inside outside before after instance multiple several single whole entire certain specific
  world different common special custom available safe safely slow fast faster`.split(/\s+/),
)
const EVERYDAY_TURKISH =
  /^(?:goster|gizle|ekle|sil[eimndr]|cikar|cikart|degistir|degis|olustur|yarat|yaz[aiıdm]|oku[nmry]|gonder|ac[aim]|kapat|basla|durdur|ayarla|sec[eimt]|bul[aumn]|ara[mnr]|coz[eum]|duzelt|onle|engelle|uygulama|proje(?!ks)|kod[ulm]?|sayfa|site|ekran|veri|deger|isim|ismi|sayi|hata|sorun|problem|parca|bolum|adim|kaldir|guncelle|tanimla|belirt|cagir|dondur|kontrol|dikkat|davran|calistir|goruntu|gorun|birden|fazla|icin|zaman|neler|hale|haline|listele|yerlestir|koy[aumd]|tasi|tut[aul]|don[eu]|geci[rs]|gecir|aktar|kur[aium]|yukle)/

/** Words for what is asked of anything, folded: prices, times, places, buying and selling. */
const MEASURE_ENGLISH = new Set(
  `price prices cost costs fee fees charge time times hour hours day days week weeks month months year
  years morning afternoon evening night today tomorrow sell selling buy offer offers have open close list number people city country
  kg km metres meters pieces lowest highest cheapest smallest biggest largest least
  kosten kostet preis uhr stunden tage woche verkaufen`.split(/\s+/),
)
const MEASURE_TURKISH =
  /^(?:fiyat|ucret|para[sm]?$|parasi|lira|tutar|saat|basi(?:na)?$|gun(?:u|de|den|e|ler|lerde|lerden)?$|hafta|bugun|yarin|dakika|ay(?:da|lik)?$|yil(?:da|lik)?$|sure|sati[sy]|satil|satin|sat[ai]r|liste|kisi|kilo(?:luk|su|yum)?$|kg$|km$|metre(?:lik|si)?$|(?:gece|gun|haft|dakika)l[iu][gk]|dusuk$|yuksek$|ucuz$|pahali$|adet$|tane(?:si)?$|yas(?:i|in|inda(?:sin|ki|yim)?)?$)/

function readWords(language: Language): ReadonlySet<string> {
  const file = join(import.meta.dirname, 'spoken', `${language}.txt`)
  return new Set(readFileSync(file, 'utf8').split(/\s+/))
}

/**
 * Words of spoken language that go with any topic, folded: fillers and forms of address, judgements, vague
 * amounts and times, and verbs without an object of their own.
 */
const SPOKEN: Readonly<Record<Language, ReadonlySet<string>>> = {
  tr: readWords('tr'),
  en: readWords('en'),
  de: readWords('de'),
  ar: readWords('ar'),
}

export function isMeasureWord(folded: string): boolean {
  return MEASURE_ENGLISH.has(folded) || MEASURE_TURKISH.test(folded)
}

/** All stop words, for spelling correction. */
export function listStopWords(): string[] {
  return [...STOP_WORDS]
}

/** Whether a folded word of a question may be missing from the text that answers it. */
export function isEverydayWord(folded: string, language?: Language): boolean {
  return (
    EVERYDAY_ENGLISH.has(folded) ||
    EVERYDAY_TURKISH.test(folded) ||
    (language !== undefined && SPOKEN[language].has(folded))
  )
}

/** Whether a folded word says nothing about the topic of a text or of a question in a language. */
export function isStopWord(folded: string, language?: Language): boolean {
  if (language === 'de' && GERMAN_STOP_WORDS.has(folded)) return true
  if (language === 'tr' && TURKISH_STOP_WORDS.has(folded)) return true
  if (language === 'ar' && ARABIC_STOP_WORDS.has(folded)) return true
  return STOP_WORDS.has(folded)
}

export function isGeneralWord(folded: string): boolean {
  return GENERAL_ENGLISH.has(folded) || GENERAL_TURKISH.test(folded)
}
