import { editDistance } from '../../lib/text/edit-distance.ts'
import { STEPS_PER_YIELD } from './term-counter.ts'

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

/** Cost of an edit distance, in terms scanned. */
const EDIT_DISTANCE_COST = 20

/** Terms that the corrections of one query may still scan. Spent by `near`. */
export interface FuzzyBudget {
  remaining: number
}

/** The terms of an index, numbered in alphabetical order. */
export class Vocabulary {
  readonly terms: readonly string[]
  private readonly ids = new Map<string, number>()
  private readonly masks: Int32Array
  private readonly lengths: Uint8Array

  /** Takes distinct terms, sorted by code unit; `build` fills the lookup tables. */
  private constructor(sorted: readonly string[]) {
    this.terms = sorted
    this.masks = new Int32Array(sorted.length)
    this.lengths = new Uint8Array(sorted.length)
  }

  /** Builds a vocabulary of distinct terms, sorted by code unit. */
  static of(sorted: readonly string[]): Vocabulary {
    const steps = Vocabulary.build(sorted)
    let step = steps.next()
    while (!step.done) step = steps.next()
    return step.value
  }

  /** Does the same, and yields regularly. */
  static *build(sorted: readonly string[]): Generator<undefined, Vocabulary> {
    const vocabulary = new Vocabulary(sorted)
    for (const [id, term] of sorted.entries()) {
      vocabulary.ids.set(term, id)
      vocabulary.masks[id] = letterMask(term)
      vocabulary.lengths[id] = Math.min(term.length, 255)
      if (id % STEPS_PER_YIELD === 0) yield undefined
    }
    return vocabulary
  }

  find(term: string): number | undefined {
    return this.ids.get(term)
  }

  /** Returns the range of ids of terms with a prefix: the first, and one past the last. */
  startingWith(prefix: string): [first: number, end: number] {
    const first = this.lowerBound(prefix)
    return [first, this.lowerBound(`${prefix}\uFFFF`)]
  }

  /** Returns the nearest terms at most `max` edits away that begin alike, as far as the budget goes. */
  near(
    word: string,
    max: 1 | 2,
    budget: FuzzyBudget = { remaining: Number.POSITIVE_INFINITY },
  ): { ids: number[]; distance: number } {
    const nearest = { ids: [], distance: max }
    if (word.length < 2 || word.length > MAX_FUZZY_LENGTH) return nearest
    this.scan(word, word.charAt(0), nearest, budget)
    if (word.charAt(1) !== word.charAt(0)) this.scan(word, word.charAt(1), nearest, budget)
    return nearest
  }

  /** Looks through the terms with one first letter, which stand together. */
  private scan(
    word: string,
    letter: string,
    nearest: { ids: number[]; distance: number },
    budget: FuzzyBudget,
  ): void {
    const mask = letterMask(word)
    const [first, end] = this.startingWith(letter)
    for (let id = first; id < end && budget.remaining > 0; id += 1) {
      budget.remaining -= 1
      const max = nearest.distance
      if (Math.abs((this.lengths[id] ?? 0) - word.length) > max) continue
      if (countBits((this.masks[id] ?? 0) ^ mask) > max * 2) continue
      const term = this.terms[id] ?? ''
      if (!sharesPrefix(word, term, max)) continue
      budget.remaining -= EDIT_DISTANCE_COST
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
