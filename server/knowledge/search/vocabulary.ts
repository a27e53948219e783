import { editDistance } from './edit-distance.ts'

const MAX_FUZZY_LENGTH = 24

/** Letter set of a term as a bit mask: terms whose masks differ in many bits are many edits apart. */
function letterMask(term: string): number {
  let mask = 0
  for (let at = 0; at < term.length; at += 1) mask |= 1 << (term.charCodeAt(at) & 31)
  return mask
}

function countBits(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/**
 * The first letter is rarely mistyped, and short words are dense: the first letter must agree, or be
 * transposed with the second. With two edits allowed, the second letter must agree too.
 */
function sharesPrefix(word: string, term: string, edits: number): boolean {
  const isSame = word.charCodeAt(0) === term.charCodeAt(0)
  const isSwapped =
    word.charCodeAt(0) === term.charCodeAt(1) && word.charCodeAt(1) === term.charCodeAt(0)
  if (edits === 1 || isSwapped) return isSame || isSwapped
  const second = word.charCodeAt(1)
  return isSame && (second === term.charCodeAt(1) || second === term.charCodeAt(2))
}

/** Ten times what real sites have to a letter; a flood of invented words must not stop everyone. */
const MAX_SCANNED = 50_000

/** The terms of an index, numbered in alphabetical order. */
export class Vocabulary {
  readonly terms: readonly string[]
  private readonly ids = new Map<string, number>()
  private readonly masks: Int32Array
  private readonly lengths: Uint8Array

  /** Takes distinct terms, sorted by code unit. */
  constructor(sorted: readonly string[]) {
    this.terms = sorted
    this.masks = new Int32Array(sorted.length)
    this.lengths = new Uint8Array(sorted.length)
    for (const [id, term] of sorted.entries()) {
      this.ids.set(term, id)
      this.masks[id] = letterMask(term)
      this.lengths[id] = Math.min(term.length, 255)
    }
  }

  find(term: string): number | undefined {
    return this.ids.get(term)
  }

  /** Returns the range of ids of terms with a prefix: the first, and one past the last. */
  startingWith(prefix: string): [first: number, end: number] {
    const first = this.lowerBound(prefix)
    return [first, this.lowerBound(`${prefix}\uFFFF`)]
  }

  /** Terms at most `most` edits away that begin alike, those of the least distance only. */
  near(word: string, max: 1 | 2): { ids: number[]; distance: number } {
    const nearest = { ids: [], distance: max }
    if (word.length < 2 || word.length > MAX_FUZZY_LENGTH) return nearest
    this.scan(word, word.charAt(0), nearest)
    if (word.charAt(1) !== word.charAt(0)) this.scan(word, word.charAt(1), nearest)
    return nearest
  }

  /** Looks through the terms with one first letter, which stand together. */
  private scan(word: string, letter: string, nearest: { ids: number[]; distance: number }): void {
    const mask = letterMask(word)
    const [first, last] = this.startingWith(letter)
    const end = Math.min(last, first + MAX_SCANNED)
    for (let id = first; id < end; id += 1) {
      const max = nearest.distance
      if (Math.abs((this.lengths[id] ?? 0) - word.length) > max) continue
      if (countBits((this.masks[id] ?? 0) ^ mask) > max * 2) continue
      const term = this.terms[id] ?? ''
      if (!sharesPrefix(word, term, max)) continue
      const distance = editDistance(word, term, max)
      if (distance > max) continue
      if (distance < max) nearest.ids.length = 0
      nearest.distance = distance
      nearest.ids.push(id)
    }
  }

  private lowerBound(text: string): number {
    let low = 0
    let high = this.terms.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.terms[middle] ?? '') < text) low = middle + 1
      else high = middle
    }
    return low
  }
}
