import type { ServerResponse } from 'node:http'

/** Maximum bytes buffered for a client; the rest is read again once the client has read them. */
const MAX_BUFFERED_BYTES = 64 * 1_024
/**
 * A client that reads nothing for this long is disconnected. This buffer lies behind megabytes in
 * the buffers of the system, so that a short break of the network does not count; a disconnected
 * client resumes at its position.
 */
const STALL_TIMEOUT_MS = 5_000
/** A client that does not read the last event in time is disconnected. */
const LAST_EVENT_TIMEOUT_MS = 500
const HEARTBEAT_INTERVAL_MS = 15_000
const HEARTBEAT = ': still here\n\n'

/** One client's open connection, and the position of the last event sent to it. */
export class LiveStream {
  /** Position of the last event that was sent, or that was not for this client. */
  last: number
  /** During a catch-up, new events only mark the stream as behind. */
  isReading = true
  isBehind = false
  readonly #raw: ServerResponse
  #wroteAt: number
  /** Time of the client's last read, while its buffer is not empty. */
  #stalledAt: number | undefined
  #waiting = 0

  constructor(raw: ServerResponse, last: number, now: number) {
    this.#raw = raw
    this.last = last
    this.#wroteAt = now
  }

  get isOver(): boolean {
    return this.#raw.destroyed || this.#raw.writableEnded
  }

  /** Whether the buffer is full, so that further events must be read later. */
  get isFull(): boolean {
    return this.#raw.writableLength >= MAX_BUFFERED_BYTES
  }

  write(text: string | Buffer, now: number): void {
    if (this.isOver) return
    this.#wroteAt = now
    this.#raw.write(text)
  }

  /** Resolves when the client has read the buffer, or has disconnected. */
  async drained(): Promise<void> {
    if (this.isOver || !this.#raw.writableNeedDrain) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#raw.once('drain', resolve).once('close', resolve)
    await promise
    this.#raw.off('drain', resolve).off('close', resolve)
  }

  /**
   * Runs about once a second: sends the heartbeat after silence, and disconnects a stalled client.
   */
  tick(now: number): void {
    const waiting = this.#raw.writableLength
    if (waiting === 0) this.#stalledAt = undefined
    else if (this.#stalledAt === undefined || waiting < this.#waiting) this.#stalledAt = now
    else if (now - this.#stalledAt >= STALL_TIMEOUT_MS) return this.cut()
    this.#waiting = waiting
    if (now - this.#wroteAt >= HEARTBEAT_INTERVAL_MS) this.write(HEARTBEAT, now)
  }

  /** Ends the stream with a last event; a client that does not read it in time is disconnected. */
  end(last: string): void {
    if (this.isOver) return
    const timeout = setTimeout(() => this.cut(), LAST_EVENT_TIMEOUT_MS)
    this.#raw.once('close', () => clearTimeout(timeout)).end(last)
  }

  cut(): void {
    this.#raw.destroy()
  }
}
