import { fold, splitWords } from './fold.ts'

export type Language = 'tr' | 'en'

const TURKISH_LETTERS = /[çğışöüÇĞİŞÖÜ]/g
const TURKISH_WORDS = new Set(
  `ve ile bir bu su o da de ki mi mu icin gibi kadar ama veya ya daha cok ne nedir neden nicin niye
  nasil hangi hangisi kim kac nerede nereden nereye zaman olan olarak olur olmaz olacak var yok ben
  sen biz siz onlar bana beni benim sana sizin bizim her hic sey gerek gerekir gerekiyor lazim lutfen
  acaba peki merhaba selam yani ise degil eger diye yapilir yaparim ederim edilir demek musunuz
  misiniz miyim muyum mudur midir isterim istiyorum bugun yarin hava ise yarar kullanilir`.split(
    /\s+/,
  ),
)
const ENGLISH_WORDS = new Set(
  `a an the of to in on at by for with from as is are was were be been do does did have has had i you
  he she it we they me my your his her its our their this that these those there what which who when
  where why how can could should would will may might must and or but not no if then than so about
  into please hello hi thanks don doesn isn`.split(/\s+/),
)
/** Endings that English words hardly ever have. */
const TURKISH_ENDING =
  /(?:[aeiou]yor(?:um|sun|uz|lar|du)?|l[ae]r(?:i|in|im|imi|ini|ina|ine|da|de|dan|den)?|m[ae]l[iı]y?i?[mz]?|[ae]c[ae][kg](?:im|iz)?|[dt]ir|n[iu]z|siniz|[iu]mu|[iu]mi|s[iu]n[iu]|[ae]bilir(?:im|iz)?|lik|mek|mak|madan|meden|[iu]nc[ae]|erek|arak)$/

/**
 * Tells Turkish from English, also without diacritics; undefined when nothing speaks for either.
 */
export function detectLanguage(text: string): Language | undefined {
  let turkish = (text.slice(0, 2_000).match(TURKISH_LETTERS)?.length ?? 0) * 1.5
  let english = 0
  for (const word of splitWords(text.slice(0, 2_000))) {
    const folded = fold(word)
    if (TURKISH_WORDS.has(folded)) turkish += 2
    if (ENGLISH_WORDS.has(folded)) english += 2
    if (folded.length > 5 && TURKISH_ENDING.test(folded)) turkish += 1
    if (folded.length > 5 && /(?:tion|ing|ity|ment|ness|able|ous)s?$/.test(folded)) english += 1
    if (/^[wqx]|[^aeiou]w|w[^aeiou]/.test(folded)) english += 0.5
  }
  if (turkish === english) return undefined
  return turkish > english ? 'tr' : 'en'
}
