/** A JSON text without escapes, which stands for itself. */
const PLAIN = /^"[^"\\\p{Cc}]*"$/u
/** A stream whose frames are never alike is not looked at more often than this. */
const MOST_LESSONS = 3

/**
 * Reads frames of JSON that are like an earlier one but for a single text, as most of a stream are,
 * without parsing the rest of them again: that is most of what reading a stream costs.
 */
export class RepeatedFrame {
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
    if (head === undefined || frame.length < head.length + this.#tail.length) return undefined
    if (!frame.startsWith(head) || !frame.endsWith(this.#tail)) return undefined
    return literal(frame.slice(head.length, frame.length - this.#tail.length))
  }

  /**
   * Learns a frame that had `text` where `read` finds it and told nothing else that was new. Whether
   * that is the text in question is seen by reading the frame with another in its place.
   */
  learn(frame: string, text: string, read: (frame: string) => string | undefined): void {
    if (this.#lessons >= MOST_LESSONS) return
    this.#lessons += 1
    const found = this.#key.exec(frame)
    if (!found) return
    const start = found.index + found[0].length
    const written = JSON.stringify(text)
    if (!frame.startsWith(written, start)) return
    const head = frame.slice(0, start)
    const tail = frame.slice(start + written.length)
    const other = `${text}?`
    if (read(head + JSON.stringify(other) + tail) !== other) return
    this.#head = head
    this.#tail = tail
  }
}

function literal(text: string): string | undefined {
  if (PLAIN.test(text)) return text.slice(1, -1)
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
