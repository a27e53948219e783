const MARK = /[ \t]*\[(\?|\d{1,2}(?:[ \t]*,[ \t]*\d{1,2})*)\]/g
/** A partial citation mark at the end of the text, with the spaces before it. */
const BEGUN = /[ \t]*\[[\d,? \t]{0,24}$|[ \t]+$/

/**
 * Removes citation marks from a streamed text: `[1]` or `[1, 3]` after a statement from a passage,
 * `[?]` where the passages hold no answer. A number without a passage stays in the text.
 */
export class CitationStripper {
  /** Number of passages; marks count from 1. A search raises it. */
  count: number
  readonly #used = new Set<number>()
  #buffered = ''
  isUnknown = false

  constructor(count: number) {
    this.count = count
  }

  /** Indexes of the cited passages, from 0, in the order of the text. */
  get used(): number[] {
    return [...this.#used]
  }

  /** Returns the text that is safe to show. */
  push(text: string): string {
    const all = (this.#buffered + text).replaceAll(MARK, (mark: string, inside: string) =>
      this.#take(inside) ? '' : mark,
    )
    const begun = BEGUN.exec(all)
    this.#buffered = begun ? all.slice(begun.index) : ''
    return begun ? all.slice(0, begun.index) : all
  }

  /** Returns the text that was buffered for a mark that never completed. */
  end(): string {
    const rest = this.#buffered.trimEnd()
    this.#buffered = ''
    return rest
  }

  #take(inside: string): boolean {
    if (inside === '?') {
      this.isUnknown = true
      return true
    }
    const numbers = inside.split(',').map(Number)
    if (!numbers.every((number) => number >= 1 && number <= this.count)) return false
    for (const number of numbers) this.#used.add(number - 1)
    return true
  }
}
