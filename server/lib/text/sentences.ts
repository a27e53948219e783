const ENDS = /[.!?…](?:["'”’)\]*_]{0,3})(?=\s)/g
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|mr|mrs|dr|st|vb|örn|bkz|yy|prof|sn|tel|\p{L}|\d{1,3})\.$/iu

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
    const isOrdinal = ORDINAL.test(paragraph.slice(match.index - 1, end + 2))
    if (isShort || isOrdinal || (end - start < 1_000 && isInCode(paragraph.slice(start, end))))
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
