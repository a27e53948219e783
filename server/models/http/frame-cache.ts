/** A stream whose frames are never alike is not looked at more often than this. */
const MAX_LESSONS = 3

/**
 * Reads frames of JSON that are like an earlier one but for a single text, as most of a stream are,
 * without parsing the rest of them again: that is most of what reading a stream costs.
 */
export class DeltaFrameCache {
  readonly #key: RegExp
  #lessons = 0
  #head: string | undefined
  #tail = ''

  /** `key` finds the name of the field that has the text, up to the text. */
  constructor(key: RegExp) {
    this.#key = key
  }

  /** The text of a frame that is otherwise like the one that was learnt; else undefined. */
  textOf(frame: string): string | undefined {
    const head = this.#head
    const tail = this.#tail
    const end = frame.length - tail.length
    // Cut and compared whole: quicker than `startsWith` and `endsWith`.
    if (head === undefined || end < head.length || frame.slice(0, head.length) !== head) {
      return undefined
    }
    return frame.slice(end) === tail ? unescaped(frame.slice(head.length, end)) : undefined
  }

  /**
   * Learns a frame that had `text` where `read` finds it and told nothing else that was new. Whether
   * that is the text in question is seen by reading the frame with another in its place.
   */
  learn(frame: string, text: string, read: (frame: string) => string | undefined): void {
    if (this.#lessons >= MAX_LESSONS) return
    this.#lessons += 1
    const found = this.#key.exec(frame)
    if (!found) return
    const start = found.index + found[0].length
    const written = JSON.stringify(text)
    if (!frame.startsWith(written, start)) return
    // With the quotation marks, so that what is between them is the text.
    const head = frame.slice(0, start + 1)
    const tail = frame.slice(start + written.length - 1)
    const other = text === '?' ? '!' : '?'
    if (read(head + other + tail) !== other) return
    this.#head = head
    this.#tail = tail
  }
}

/** What is between the quotation marks of a JSON text; undefined where that is no single text. */
function unescaped(text: string): string | undefined {
  if (!text.includes('"') && !text.includes('\\')) return text
  try {
    const value: unknown = JSON.parse(`"${text}"`)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
