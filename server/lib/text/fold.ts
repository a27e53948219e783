/** Longest word that is looked at, in UTF-16 units; the rest of a longer one is noise. */
export const MAX_WORD_LENGTH = 48

const WORD = /[\p{L}\p{N}\p{M}_$]+(?:['’‘´ʼ]\p{L}+)?/gu
const APOSTROPHE = /['’‘´ʼ]/
const OTHER_SPELLINGS = /[ßةىـ٠-٩۰-۹]/
const ARABIC_DIGIT = /[٠-٩۰-۹]/g
/** Latin to its Extended-B, Arabic, and the punctuation of books with the signs of currencies: from, and to before. */
const BLOCKS = [
  [0, 0x250],
  [0x600, 0x700],
  [0x2000, 0x20d0],
] as const
const HAS_DIGIT = /\d/
const MARKS = /\p{M}+/gu
const CASE_STEP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_+/u

/** Lower-cases the Turkish way: İ becomes i and I becomes ı, one letter for one letter. */
export function lowerTr(text: string): string {
  return text.replaceAll('İ', 'i').replaceAll('I', 'ı').toLowerCase().replaceAll('i̇', 'i')
}

/**
 * One spelling for every case and accent: `İÇİN`, `için` and `icin` are all `icin`, `Größe` is
 * `grosse`, an Arabic word has neither vowel marks nor the letters that are confused in writing, and `٢٥` is 25.
 */
export function fold(text: string): string {
  let folded = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const plain = LETTERS[text.charCodeAt(at)]
    if (plain === null) continue
    if (plain === undefined) return foldAny(text)
    folded += text.slice(from, at) + plain
    from = at + 1
  }
  return from === 0 ? text : folded + text.slice(from)
}

/** The folded letters of the blocks, by code, `null` where it is the letter itself; none depends on its neighbours. */
const LETTERS: readonly (string | null | undefined)[] = Array.from(
  { length: BLOCKS[2][1] },
  (_, code) => {
    if (!BLOCKS.some(([from, end]) => code >= from && code < end)) return undefined
    const letter = String.fromCharCode(code)
    const folded = foldAny(letter)
    return folded === letter ? null : folded
  },
)

function foldAny(text: string): string {
  const lower = text.replace(/[ıİI]/g, 'i').toLowerCase()
  const plain = lower.normalize('NFD').replace(MARKS, '').toLowerCase()
  return OTHER_SPELLINGS.test(plain)
    ? plain
        .replaceAll('ß', 'ss')
        .replaceAll('ة', 'ه')
        .replaceAll('ى', 'ي')
        .replaceAll('ـ', '')
        .replace(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 15))
    : plain
}

/**
 * A number with its unit, which are written with and without a space: `10kWh`, `75m²`. Not `9am` and `5G`:
 * `am` is a German word, and single letters are mostly names.
 */
const MEASURED =
  /^(\d+)(kwh|kwp|kw|kg|gr|cm|mm|km|m2|m²|ml|lt|gb|tb|mb|hp|tl|eur|usd|yrs?|hrs?|mins?|dk|cc|mt|v|w)$/i

/**
 * The words of a text in reading order, in their own case. What follows an apostrophe is dropped,
 * because in Turkish it is a suffix on a name (`Hook'umu`) and in English a contraction.
 */
export function splitWords(text: string): string[] {
  const found = text.match(WORD) ?? []
  const hasApostrophe = APOSTROPHE.test(text)
  for (let at = 0; at < found.length; at += 1) {
    const word = found[at] ?? ''
    const end = hasApostrophe ? word.search(APOSTROPHE) : -1
    if (end > 0) found[at] = word.slice(0, Math.min(end, MAX_WORD_LENGTH))
    else if (word.length > MAX_WORD_LENGTH) found[at] = word.slice(0, MAX_WORD_LENGTH)
  }
  return HAS_DIGIT.test(text) && found.some((word) => MEASURED.test(word))
    ? found.flatMap((word) => MEASURED.exec(word)?.slice(1) ?? word)
    : found
}

/** Two words with a hyphen, which visitors write as one: `e-bike`, `wi-fi`, `check-in`. */
const COMPOUND = /(?<![\p{L}\p{N}-])\p{L}{1,10}-\p{L}{1,10}(?![\p{L}\p{N}-])/gu

/** The words with a hyphen of a text, folded and written as one. */
export function hyphenated(text: string): string[] {
  if (!text.includes('-')) return []
  return (text.match(COMPOUND) ?? []).map((compound) => fold(compound.replace('-', '')))
}

/**
 * The parts of a name in code: `trustProxy` → trust, Proxy. Nothing for a plain word, nor for a name
 * with a capital first: JavaScript is not about Java.
 */
export function nameParts(word: string): string[] {
  if (/^\p{Lu}/u.test(word) && !word.includes('_')) return []
  const parts = word.split(CASE_STEP).filter((part) => part.length > 1)
  return parts.length > 1 ? parts : []
}
