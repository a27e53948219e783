import { fold, splitWords } from './fold.ts'

/** The languages in which the service speaks itself. */
export type Language = 'tr' | 'en' | 'de' | 'ar'

export const LANGUAGES = ['tr', 'en', 'de', 'ar'] as const satisfies readonly Language[]

/** Returns the language of a locale such as `de-AT`; English for one that is not spoken. */
export function languageOfLocale(locale: string): Language {
  const wanted = locale.slice(0, 2).toLowerCase()
  return LANGUAGES.find((language) => language === wanted) ?? 'en'
}

const SAMPLE = 2_000
const ARABIC_LETTERS = /[\u0620-\u064A]/g
/** Turkish letters that German lacks; the umlauts are in both. */
const TURKISH_LETTERS = /[çğışÇĞİŞ]/g
const UMLAUTS = /[öüÖÜ]/g
const GERMAN_LETTERS = /[äßÄ]/g
const TURKISH_WORDS = new Set(
  `ve ile bir bu su o da de ki mi mu icin gibi kadar ama veya ya daha cok ne nedir neden nicin niye
  nasil hangi hangisi kim kac nerede nereden nereye zaman olan olarak olur olmaz olacak var yok ben
  sen biz siz onlar bana beni benim sana sizin bizim her hic sey gerek gerekir gerekiyor lazim lutfen
  acaba peki merhaba selam yani ise degil eger diye yapilir yaparim ederim edilir demek musunuz
  misiniz miyim muyum mudur midir isterim istiyorum bugun yarin hava ise yarar kullanilir kaca kacta
  nerde nerden nerdesiniz napicam naparim nasil kargo kargom iade fiyat ucret ucreti fiyati randevu
  siparis siparisim param saat gun tamam tesekkurler sagol oldu neyse sonra aksam sabah konum adres odeme kayit
  saatleri basvuru basvurusu telefon fiyatlar varmi yokmu olurmu mumkunmu`.split(/\s+/),
)
const ENGLISH_WORDS = new Set(
  `a an the of to on at by for with from as is are were be been do does did have has had i you
  he she it we they me my your his her its our their this that these those there what which who when
  where why how can could should would will may might must and or but not no if then than so about
  into please hello hi thanks don doesn isn whats u ur im dont cant order return price cost shipping
  delivery book buy get much many long need want open close`.split(/\s+/),
)
const GERMAN_WORDS = new Set(
  `der die das den dem des ein eine einen einem einer und oder aber nicht kein keine ist sind war
  wird werden wurde haben hat habe hatte ich du er sie es wir ihr mich mir dich dir uns euch ihnen
  mein meine meinen meiner ihre ihren ihrem unser was wer wie wo wann warum welche welcher welches
  wieviel viel kann konnen koennen muss darf darfst gibt gibts geht auf aus bei mit nach von zu zum
  zur fur fuer uber ueber unter vor bitte danke hallo guten auch noch schon mehr sehr ja nein man
  kostet kosten lange oft im am vom beim wo wohin womit versand ruckgabe offnungszeiten geoffnet
  ihnen termin meins eure euer kam kommt angekommen kaputt zimmer fruhstuck schlussel verloren teuer billig gunstig`.split(
    /\s+/,
  ),
)
/** English words that Turkish has too: `konum at`, `iş saatleri`. */
const SHARED_WORDS = new Set(['at', 'is', 'on', 'an', 'do', 'her'])
const SHARED_WEIGHT = 0.5
/** Below this weight of a single sign a text has no language. */
const MIN_WEIGHT = 0.75
/** A time of the day in English: German has `am` too. */
const ENGLISH_TIME = /\d ?[ap]m(?!\p{L})/iu
const ENGLISH_TIMES = new RegExp(ENGLISH_TIME, 'giu')
/** Letters of a German word with an umlaut that never follow each other in Turkish. */
const GERMAN_UMLAUTS = /[öü]\p{L}{0,20}(?:ck|ch|tz|pf)|(?:ch|ck|pf|tz)\p{L}{0,20}[öü]/giu
/** Endings that English and German words hardly ever have. */
const TURKISH_ENDING =
  /(?:[aeiou]yor(?:um|sun|uz|lar|du)?|l[ae]r(?:i|in|im|imi|ini|ina|ine|da|de|dan|den)?|m[ae]l[iı]y?i?[mz]?|[ae]c[ae][kg](?:im|iz)?|[dt]ir|n[iu]z|siniz|[iu]mu|[iu]mi|s[iu]n[iu]|[ae]bilir(?:im|iz)?|lik|mek|mak|madan|meden|[iu]nc[ae]|erek|arak|m[iu][sş]t[iu][mk]?|[ae]m[ae]d[iu][mk]|(?:madi|medi)[mk]|m[iu]y[iu][mz]|[iu]yo(?:m|z|nuz|lar)?|[aeiou]yo(?:m|z|nuz|lar))$/
/** Endings that no other of the languages has, for words that are not long either. */
const TURKISH_VERB = /(?:[ae]rm[iu]s[iu]n[iu]z|[iu]yo(?:r|rum|ruz|rsun|rsunuz|rlar|nuz|sunuz|z)?)$/
const ENGLISH_ENDING = /(?:tion|ing|ity|ment|ness|able|ous)s?$/
const GERMAN_ENDING =
  /(?:ungen|(?<!^sams)ung|heit|keit|lich|liche|lichen|schaft|ieren|zeiten|kosten)$/

/** Whether a word of a short text is as well a Turkish one; `is` at the beginning of three asks in English. */
function isShared(folded: string, at: number, count: number): boolean {
  return SHARED_WORDS.has(folded) && (count <= 2 || (count === 3 && at > 0))
}

/**
 * Returns the language of a text, with and without diacritics; undefined when nothing speaks for one
 * of the four, or as much for another.
 */
export function detectLanguage(text: string): Language | undefined {
  const sample = text.length > SAMPLE ? text.slice(0, SAMPLE) : text
  if ((sample.match(ARABIC_LETTERS)?.length ?? 0) * 3 > sample.length) return 'ar'
  const umlautCount = sample.match(UMLAUTS)?.length ?? 0
  const umlauts = umlautCount * 0.75
  let turkish = (sample.match(TURKISH_LETTERS)?.length ?? 0) * 1.5 + umlauts * 1.2
  const germanSigns =
    (sample.match(GERMAN_LETTERS)?.length ?? 0) +
    (umlautCount > 0 ? (sample.match(GERMAN_UMLAUTS)?.length ?? 0) : 0)
  let german = germanSigns * 1.5 + umlauts
  const isTimed = ENGLISH_TIME.test(sample)
  let english = isTimed ? 2 : 0
  const words = splitWords(isTimed ? sample.replace(ENGLISH_TIMES, ' ') : sample)
  for (const [at, word] of words.entries()) {
    const folded = fold(word)
    if (TURKISH_WORDS.has(folded)) turkish += 2
    if (ENGLISH_WORDS.has(folded)) english += isShared(folded, at, words.length) ? SHARED_WEIGHT : 2
    if (GERMAN_WORDS.has(folded)) german += 2
    if (folded.length > 5) {
      if (TURKISH_ENDING.test(folded)) turkish += TURKISH_VERB.test(folded) ? 2 : 1
      if (ENGLISH_ENDING.test(folded)) english += 1
      if (GERMAN_ENDING.test(folded)) german += 1
    }
    if (/^[wqx]|[^aeiou]w|w[^aeiou]/.test(folded)) english += MIN_WEIGHT
  }
  const max = Math.max(turkish, english, german)
  if (max < MIN_WEIGHT) return undefined
  if (turkish === max) return english === max || german === max ? undefined : 'tr'
  if (english === max) return german === max ? undefined : 'en'
  return 'de'
}
