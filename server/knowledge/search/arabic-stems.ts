/** Least letters of a stem. */
const MIN_LETTERS = 3
/** Beginnings that are written as one with an Arabic word: conjunctions, prepositions and articles, and the persons of verbs. */
const ARABIC_PREFIXES =
  ' ال وال بال كال فال لل عال هال و ف ب ل ك س ا ت ي ن بت بي بن با هت هي هن حت حي حن ست سي سن وت وي ون وب لي لت لن يت تت نت بيت بتت مت'.split(
    ' ',
  )
const ARTICLES = new Set(['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'عال'])
const ARABIC_SUFFIXES =
  ' ا ه ي ك ت و ات ين ون ان وا ها هم هن نا كم كن ني يه ته تي تك تو لي لو له لك وه وك وها وهم وني ونه ونها ناها ليه تها تني هاش وش ش'.split(
    ' ',
  )

/** Returns an Arabic word without its prefixes and endings, by the number of letters that are cut off, the fewest first. */
export function arabicStems(folded: string): string[][] {
  const stems: string[][] = []
  for (const prefix of ARABIC_PREFIXES) {
    if (!folded.startsWith(prefix)) continue
    for (const suffix of ARABIC_SUFFIXES) {
      const cut = prefix.length + suffix.length
      const stem = folded.slice(prefix.length, folded.length - suffix.length)
      const least = ARTICLES.has(prefix) && suffix === '' ? 2 : MIN_LETTERS
      if (cut === 0 || stem.length < least || !folded.endsWith(suffix)) continue
      ;(stems[cut] ??= []).push(stem)
    }
  }
  return stems.filter((each) => each !== undefined)
}
