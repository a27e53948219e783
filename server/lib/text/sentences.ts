const ENDS = /[.!?…](?:["'”’)\]*_]{0,3})(?=\s)/g
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|mr|mrs|ms|dr|st|ltd|vb|örn|bkz|yy|prof|doç|uzm|op|dt|av|sn|tel|t\.c|tic|mah|cad|cd|sok|sk|blv|apt|z\.b|d\.h|bzw|ca|nr|inkl|ggf|evtl|\p{L}|\d{1,3})\.$/iu
/** Letters with full stops, such as `p.m.`, which end a sentence only before a capital. */
const LETTERS = /(?:^|[\s(\d])\p{L}(?:\.\p{L})+\.$/u

/** A number with a full stop before a small letter. */
const ORDINAL = /^\d\.\s\p{Ll}/u

/**
 * The sentences of one paragraph, in order; joined with spaces they are the paragraph again.
 * A full stop after an abbreviation, a single letter, a list number or an ordinal (`28–34. haftalar`) ends nothing.
 */
export function sentences(paragraph: string): string[] {
  const found: string[] = []
  let start = 0
  for (const end of sentenceEnds(paragraph)) {
    found.push(paragraph.slice(start, end).trim())
    start = end
  }
  const rest = paragraph.slice(start).trim()
  if (rest !== '') found.push(rest)
  return found
}

/** The positions behind the sentences of a paragraph that something follows. */
export function sentenceEnds(paragraph: string): number[] {
  const found: number[] = []
  let start = 0
  for (const match of paragraph.matchAll(ENDS)) {
    const end = match.index + match[0].length
    const isShort = ABBREVIATION.test(paragraph.slice(Math.max(start, end - 12), end))
    const isLetters =
      LETTERS.test(paragraph.slice(Math.max(start, end - 12), end)) &&
      /^\s+[\p{Ll}\d]/u.test(paragraph.slice(end, end + 4))
    const isOrdinal = ORDINAL.test(paragraph.slice(match.index - 1, end + 2))
    if (
      isShort ||
      isLetters ||
      isOrdinal ||
      (end - start < 1_000 && isInCode(paragraph.slice(start, end)))
    )
      continue
    found.push(end)
    start = end
  }
  return found
}

/** Whether a text ends inside a span of code. */
function isInCode(text: string): boolean {
  return (text.split('`').length - 1) % 2 === 1
}
