const MAX_HEAD_BYTES = 16 * 1024
const MAX_RESPONSE_BYTES = 16 * 1024
const PREVIEW_BYTES = 1024
const MAX_CHUNK_LINE = 256
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?\r\n/
const SWITCHING_PROTOCOLS = 101
const BODILESS = new Set([204, 304])
const HEAD_END = '\r\n\r\n'

/** The state of a response: unfinished, complete, cut at the size limit, or invalid HTTP. */
export type ParseProgress = 'incomplete' | 'complete' | 'truncated' | 'malformed'

/**
 * Parses one HTTP/1.1 response incrementally: skips interim responses, then reads the final status
 * and at most 16 KiB of the body, which is never decompressed. A response that is irregular but
 * readable is accepted, and its connection is not reused.
 */
export class ResponseParser {
  /** The final status, once its head is parsed. */
  status: number | null = null
  retryAfter: string | undefined
  /** The receiver's `Keep-Alive` timeout, in milliseconds. */
  keepAliveMs: number | undefined
  /** Whether the connection can carry another request after a complete response. */
  isReusable = true
  #head = ''
  #body: 'none' | 'length' | 'chunked' | 'until-close' = 'none'
  /** Bytes that remain of the body, or of the chunk. */
  #remaining = 0
  #chunkState: 'size' | 'data' | 'data-end' | 'trailer' = 'size'
  #line = ''
  #bytes = 0
  readonly #preview: Buffer[] = []

  /** Returns the first 1 KiB of the body. */
  preview(): Buffer {
    return Buffer.concat(this.#preview)
  }

  push(bytes: Buffer): ParseProgress {
    if (this.status !== null) return this.#parseBody(bytes)
    // `latin1` keeps one character per byte, so that offsets are the same in both.
    const text = this.#head + bytes.toString('latin1')
    let from = 0
    for (;;) {
      const end = text.indexOf(HEAD_END, from)
      if (end === -1) return this.#waitForHead(text.slice(from))
      const progress = this.#parseHead(text.slice(from, end + 2))
      from = end + HEAD_END.length
      if (progress === 'malformed') return progress
      if (this.status === null) continue
      const rest = bytes.subarray(bytes.length - (text.length - from))
      this.#head = ''
      return this.#parseBody(rest)
    }
  }

  /** Handles the end of the stream: the end of some responses, too early for others. */
  end(): ParseProgress {
    if (this.status === null) return 'malformed'
    this.isReusable = false
    return 'complete'
  }

  #waitForHead(head: string): ParseProgress {
    this.#head = head
    const isHttp = 'HTTP/1.'.startsWith(head.slice(0, 'HTTP/1.'.length))
    return isHttp && head.length <= MAX_HEAD_BYTES ? 'incomplete' : 'malformed'
  }

  #parseHead(head: string): ParseProgress {
    const [line, minor, code] = STATUS_LINE.exec(head) ?? []
    const status = Number(code)
    if (line === undefined || status === SWITCHING_PROTOCOLS) return 'malformed'
    if (head.length > MAX_HEAD_BYTES) return 'malformed'
    if (status < 200) return 'incomplete'
    this.status = status
    this.isReusable = minor === '1'
    this.#parseHeaders(head.slice(line.length), BODILESS.has(status))
    return 'incomplete'
  }

  #parseHeaders(text: string, isBodiless: boolean): void {
    let length: string | undefined
    let coding: string | undefined
    for (let at = 0; at < text.length;) {
      const end = text.indexOf('\r\n', at)
      const colon = text.indexOf(':', at)
      if (colon === -1 || colon > end) this.isReusable = false
      else {
        const name = text.slice(at, colon).toLowerCase()
        const value = text.slice(colon + 1, end).trim()
        if (name === 'content-length') {
          if (length !== undefined && length !== value) this.isReusable = false
          length = value
        } else if (name === 'transfer-encoding') coding = value.toLowerCase()
        else if (name === 'retry-after') this.retryAfter ??= value
        else if (name === 'connection') {
          if (value.toLowerCase() !== 'keep-alive') this.isReusable = false
        } else if (name === 'keep-alive') {
          const seconds = /timeout=(\d{1,6})/i.exec(value)?.[1]
          if (seconds !== undefined) this.keepAliveMs = Number(seconds) * 1000
        }
      }
      at = end + 2
    }
    if (!isBodiless) this.#expectBody(length, coding)
  }

  #expectBody(length: string | undefined, coding: string | undefined): void {
    if (coding !== undefined) {
      if (length !== undefined) this.isReusable = false
      this.#body = coding === 'chunked' ? 'chunked' : 'until-close'
    } else if (length !== undefined && /^\d{1,15}$/.test(length)) {
      this.#body = 'length'
      this.#remaining = Number(length)
    } else this.#body = 'until-close'
    if (this.#body === 'until-close') this.isReusable = false
  }

  #parseBody(bytes: Buffer): ParseProgress {
    if (this.#body === 'until-close') return this.#appendPreview(bytes) ? 'incomplete' : 'truncated'
    if (this.#body === 'chunked') return this.#parseChunks(bytes)
    const own = bytes.subarray(0, this.#remaining)
    this.#remaining -= own.length
    // Surplus bytes must not be parsed as the next response.
    if (bytes.length > own.length) this.isReusable = false
    if (!this.#appendPreview(own)) return 'truncated'
    return this.#remaining === 0 ? 'complete' : 'incomplete'
  }

  #parseChunks(bytes: Buffer): ParseProgress {
    let at = 0
    while (at < bytes.length) {
      if (this.#chunkState === 'data') {
        const own = bytes.subarray(at, at + this.#remaining)
        this.#remaining -= own.length
        at += own.length
        if (!this.#appendPreview(own)) return 'truncated'
        if (this.#remaining === 0) this.#chunkState = 'data-end'
        continue
      }
      const end = bytes.indexOf(10, at)
      this.#line += bytes.toString('latin1', at, end === -1 ? bytes.length : end)
      if (this.#line.length > MAX_CHUNK_LINE) return 'malformed'
      if (end === -1) return 'incomplete'
      at = end + 1
      const line = this.#line.trimEnd()
      this.#line = ''
      if (!this.#parseChunkLine(line)) return 'malformed'
      if (this.#chunkState === 'trailer' && line === '') {
        if (at < bytes.length) this.isReusable = false
        return 'complete'
      }
    }
    return 'incomplete'
  }

  /** Returns false for a line that is invalid in this state. */
  #parseChunkLine(line: string): boolean {
    if (this.#chunkState === 'trailer') return true
    if (this.#chunkState === 'data-end') {
      this.#chunkState = 'size'
      return line === ''
    }
    const size = /^([0-9a-f]{1,8})(?:\s*;.*)?$/i.exec(line)?.[1]
    if (size === undefined) return false
    this.#remaining = Number.parseInt(size, 16)
    this.#chunkState = this.#remaining === 0 ? 'trailer' : 'data'
    return true
  }

  /** Appends to the preview; returns false at the size limit. */
  #appendPreview(bytes: Buffer): boolean {
    const room = PREVIEW_BYTES - Math.min(this.#bytes, PREVIEW_BYTES)
    // A copy, because a slice would retain the larger buffer of the read.
    if (room > 0 && bytes.length > 0) this.#preview.push(Buffer.from(bytes.subarray(0, room)))
    this.#bytes += bytes.length
    return this.#bytes <= MAX_RESPONSE_BYTES
  }
}
