/** Endings that make a Turkish verb a question's verb, folded, longest first: `güncellerim`. */
const ENDINGS =
  /(?:[ae]bilir|[ae]mi?yor|[iu]?yor|m[ae]z|m[ae]li|[ae]c[ae][gk]|[aeiu]r|r)(?:i?m|i?z|s[iu]n|s[iu]n[iu]z|l[ae]r)?$|m[ae](?:k|m|n|si|miz|niz|yi|ya|ye)?$|[iu]r$|[dt][iu](?:m|k|n|niz|l[ae]r)?$|m[iu]s$|[iu]n(?:iz|uz)?$|y?[iu]p$|y?[ae]r[ae]k$|[dt][iu]g[iu]n?(?:d[ae]|i|e|m)?$|y?[ae]n$|[iu]rk[ae]n$|[iu]nc[ae]$|s[ae](?:m|k|n|n[iu]z|l[ae]r)?$|m[ae]d[ae]n$/
/** What may follow a verb's root in any of its forms, folded. */
const CONTINUATION =
  /^(?:$|m[ae]|[aeiu]?r(?:$|[iuams]|l[ae]r|k)|y?[ae]c[ae]|[dt][iu]|m[iu]s|[iu]n|[iu]l|y?[ae]r[ae]k|y?[iu]p|y?[ae]n$|s[ae]|y?[ae]bil|[iu]?yor|[dt][iu]r|y[iu]n|[iu]?s[iu]|y?[iu]s(?:$|[iu]|l[ae]r))/
/** Passive and causative: `yazılır` asks about `yazmak`. */
const VOICE = /(?:[iu]l|[iu]n|[dt][iu]r|[iu]t)$/
/** The causative after a vowel, `r` or `l`: `yıkatmak` and `çevirtmek` ask about `yıkama` and `çeviri`. */
const CAUSATIVE = /(?<=[a-z]{3}[aeiurl])t$/
/** Stands between a vowel and an ending that begins with one: `ödeyebilir`. */
const BUFFER = /[aeiu]y$/
const MIN_ROOT = 3
const VOWEL = /[aeiu]/

/** The roots a folded word may have if it is an inflected Turkish verb; none when it is not. */
export function verbRoots(folded: string): string[] {
  const roots = new Set<string>()
  let rest = folded
  for (let round = 0; round < 3; round += 1) {
    const found = ENDINGS.exec(rest)
    if (found === null || found.index < MIN_ROOT) {
      // The vowel of a short root stands in the ending: `ödeyeceğim`, `ödicem`, `ödesem`.
      if (found?.index === MIN_ROOT - 1 && VOWEL.test(rest.charAt(found.index))) {
        roots.add(rest.slice(0, MIN_ROOT))
      }
      break
    }
    rest = rest.slice(0, found.index)
    roots.add(rest)
    if (BUFFER.test(rest) && rest.length > MIN_ROOT) roots.add(rest.slice(0, -1))
    const voice = VOICE.exec(rest)
    if (voice !== null && voice.index >= MIN_ROOT) roots.add(rest.slice(0, voice.index))
    if (CAUSATIVE.test(rest)) roots.add(rest.slice(0, -1))
  }
  return [...roots]
}

/**
 * Whether a word that begins with a verb's root may be one of its forms, by what follows the root.
 */
export function beginsLikeVerb(rest: string): boolean {
  return CONTINUATION.test(rest)
}

const FINITE_VERB =
  /(?:[iu]yor(?:um|uz|sun|sun[iu]z|lar|du\w*|sa\w*|mu\w*)?|[ae]c[ae][gk]\w*|[ae]bil\w+|m[ae]z(?:s[ae][mk])?|[ae]m[ae]m|[ae]m[ae]zs[ae][mk]|[aeiur]s[ae][mk]|[dt][iu](?:[mk]|n[iu]z)|[ae]r(?:[iu][mz]|s[iu]n[iu]z)|[iu]r[iu][mz]|m[ae]l[iu]y?[iu]?[mz]?|[ae]y[iu]m|[ae]l[iu]m)$/
const AORISTS = new Set(
  `biter baslar bakar gider gelir kalir cikar girer duser surer yeter gecer kesilir odenir acilir
  kapanir alinir verilir calisir yetisir doner bozulur degisir olurum gerekir`.split(/\s+/),
)
const MIN_FINITE_VERB = 5
/** Endings of participles, gerunds, infinitives and wishes, folded: `verdiğiniz`, `gelince`, `bitirmiş`. */
const NON_FINITE_VERB =
  /(?:[dt][iu]g[iu](?:m|n|m[iu]z|n[iu]z|l[ae]r[iu])?(?:n?[iua]|n?d[ae]n?)?|[iu]nc[ae]|m[ae]d[ae]n|[iu]rk[ae]n|m[iu]s(?:l[ae]r|s[iu]n(?:[iu]z)?|[iu][mz])?|[aeiu]rl[ae]r|m[ae]k(?:t[ae])?|m[ae]y[ae]|s[iu]n(?:l[ae]r)?|y[ae]n)$/
const MIN_NON_FINITE_VERB = 6

/** Whether a folded word is inflected like the verb of a sentence: `gelemezsem`, `oluyoruz`. */
export function isFiniteVerb(folded: string): boolean {
  return folded.length >= MIN_FINITE_VERB && (FINITE_VERB.test(folded) || AORISTS.has(folded))
}

/** Whether a folded word has an ending of verbs; some nouns have one too. */
export function endsLikeVerb(folded: string): boolean {
  const isNonFinite = folded.length >= MIN_NON_FINITE_VERB && NON_FINITE_VERB.test(folded)
  return isNonFinite || isFiniteVerb(folded)
}
