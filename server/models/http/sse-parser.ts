/** Upper bound of one event, so that an endless line cannot fill the memory. */
const MAX_EVENT_LENGTH = 8_000_000
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Extracts the data of an event stream that arrives in chunks (WHATWG HTML, 9.2.6: lines end with
 * LF, CR LF or CR; the `data` lines of one event belong together; a line that begins with a colon is
 * a comment). The names of events are left out, because providers repeat them in the data.
 */
export class SseParser {
  #rest = ''
  /** The length of `#rest` that was searched for a line end. */
  #searched = 0
  #data: string | undefined
  #isFirst = true

  /** The data of the events that this chunk completes. Throws RangeError for an endless event. */
  push(text: string): string[] {
    let all = this.#rest + text
    if (this.#isFirst && all !== '') {
      this.#isFirst = false
      if (all.startsWith(BYTE_ORDER_MARK)) all = all.slice(1)
    }
    if (all.includes('\r', this.#searched)) {
      // A CR at the end may be the first half of a CR LF.
      const isHalf = all.endsWith('\r')
      const settled = (isHalf ? all.slice(0, -1) : all).replaceAll(/\r\n?/g, '\n')
      return this.#lines(settled, isHalf ? '\r' : '')
    }
    return this.#lines(all, '')
  }

  /** The last event at the end of the stream, even without its blank line. */
  end(): string[] {
    const events = this.#lines(`${this.#rest.replaceAll('\r', '\n')}\n\n`, '')
    this.#rest = ''
    return events
  }

  #lines(text: string, half: string): string[] {
    const events: string[] = []
    let start = 0
    for (;;) {
      const end = text.indexOf('\n', Math.max(start, start === 0 ? this.#searched : start))
      if (end === -1) break
      this.#line(text, start, end, events)
      start = end + 1
    }
    const rest = start === 0 ? text : text.slice(start)
    this.#rest = rest + half
    this.#searched = rest.length
    if (rest.length + (this.#data?.length ?? 0) > MAX_EVENT_LENGTH) {
      throw new RangeError('The event has no end.')
    }
    return events
  }

  #line(text: string, start: number, end: number, events: string[]): void {
    if (start === end) {
      if (this.#data !== undefined) events.push(this.#data)
      this.#data = undefined
      return
    }
    if (!text.startsWith('data', start)) return
    let from = start + 4
    if (from !== end) {
      if (text[from] !== ':') return
      from += text[from + 1] === ' ' ? 2 : 1
    }
    const value = text.slice(from, end)
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
  }
}
