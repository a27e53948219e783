const MARK = /[ \t]*\[(\?|\d{1,2}(?:[ \t]*,[ \t]*\d{1,2})*)\]/g
/** What may still become a mark, with the spaces before it. */
const BEGUN = /[ \t]*\[[\d,? \t]{0,24}$|[ \t]+$/

/**
 * Takes the marks out of a text while it is being written: `[1]` or `[1, 3]` after what rests on a
 * passage, `[?]` where the passages hold no answer. A number that no passage has is left as text.
 */
export class CitationStripper {
  readonly #count: number
  readonly #used = new Set<number>()
  #held = ''
  isUnknown = false

  /** `count` is how many passages there are; they are numbered from 1. */
  constructor(count: number) {
    this.#count = count
  }

  /** Places of the passages that were named, from 0, in the order of the text. */
  get used(): number[] {
    return [...this.#used]
  }

  /** The text that can be shown by now. */
  push(text: string): string {
    const all = (this.#held + text).replaceAll(MARK, (mark: string, inside: string) =>
      this.#take(inside) ? '' : mark,
    )
    const begun = BEGUN.exec(all)
    this.#held = begun ? all.slice(begun.index) : ''
    return begun ? all.slice(0, begun.index) : all
  }

  /** What was held back for a mark that did not come. */
  end(): string {
    const rest = this.#held.trimEnd()
    this.#held = ''
    return rest
  }

  #take(inside: string): boolean {
    if (inside === '?') {
      this.isUnknown = true
      return true
    }
    const numbers = inside.split(',').map(Number)
    if (!numbers.every((number) => number >= 1 && number <= this.#count)) return false
    for (const number of numbers) this.#used.add(number - 1)
    return true
  }
}
