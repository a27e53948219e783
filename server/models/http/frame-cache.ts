/** Templates to try per stream: the frames of a stream may have nothing in common. */
const MAX_TEMPLATES = 3

/**
 * Extracts the text of JSON frames that differ from an earlier frame in one text only, as most deltas
 * of a stream do, without parsing them. Parsing is most of the cost of reading a stream.
 */
export class DeltaFrameCache {
  readonly #key: RegExp
  #lessons = 0
  #head: string | undefined
  #tail = ''

  /** `key` matches the name of the text's field, up to the text. */
  constructor(key: RegExp) {
    this.#key = key
  }

  /** The text of a frame that otherwise equals the learnt one; undefined for another frame. */
  textOf(frame: string): string | undefined {
    const head = this.#head
    const tail = this.#tail
    const end = frame.length - tail.length
    // Slices compare faster than `startsWith` and `endsWith`.
    if (head === undefined || end < head.length || frame.slice(0, head.length) !== head) {
      return undefined
    }
    return frame.slice(end) === tail ? unescaped(frame.slice(head.length, end)) : undefined
  }

  /**
   * Records a frame as the template, if the `text` that `read` finds is its only variable part. A second
   * read with another text in the same position verifies the position.
   */
  learn(frame: string, text: string, read: (frame: string) => string | undefined): void {
    if (this.#lessons >= MAX_TEMPLATES) return
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

/** Unescapes the inside of a JSON string; undefined for anything but one string. */
function unescaped(text: string): string | undefined {
  if (!text.includes('"') && !text.includes('\\')) return text
  try {
    const value: unknown = JSON.parse(`"${text}"`)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
