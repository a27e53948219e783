import type { ServerResponse } from 'node:http'

/** So much may wait for a reader; the rest is read again when they have taken it. */
const MAX_WAITING_BYTES = 64 * 1_024
/**
 * After so long without taking anything a reader is cut off. What waits here comes behind megabytes in
 * the buffers of the system, so that a short break of the network is not meant; and whoever is cut off
 * comes back to where they were.
 */
const STALL_TIMEOUT_MS = 5_000
/** A reader who does not take the last event in time is cut off. */
const LAST_EVENT_MS = 500
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ': still here\n\n'

/** One reader's open connection, and the place of the last event that they were sent. */
export class LiveStream {
  /** Of the last event that was sent, or that was not for this reader. */
  last: number
  /** While what was missed is read, new events only say that there is more to read. */
  isReading = true
  isBehind = false
  readonly #raw: ServerResponse
  #wroteAt: number
  /** When the reader last took something, while something waits for them. */
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

  /** Whether so much waits already that more should be read later. */
  get isFull(): boolean {
    return this.#raw.writableLength >= MAX_WAITING_BYTES
  }

  write(text: string | Buffer, now: number): void {
    if (this.isOver) return
    this.#wroteAt = now
    this.#raw.write(text)
  }

  /** Resolves when the reader has taken what waits, or is gone. */
  async drained(): Promise<void> {
    if (this.isOver || !this.#raw.writableNeedDrain) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#raw.once('drain', resolve).once('close', resolve)
    await promise
    this.#raw.off('drain', resolve).off('close', resolve)
  }

  /** To be called about once a second: a sign of life after silence; cuts off who takes nothing. */
  tend(now: number): void {
    const waiting = this.#raw.writableLength
    if (waiting === 0) this.#stalledAt = undefined
    else if (this.#stalledAt === undefined || waiting < this.#waiting) this.#stalledAt = now
    else if (now - this.#stalledAt >= STALL_TIMEOUT_MS) return this.cut()
    this.#waiting = waiting
    if (now - this.#wroteAt >= HEARTBEAT_MS) this.write(HEARTBEAT, now)
  }

  /** Ends with a last event; who does not take it in time is cut off. */
  end(last: string): void {
    if (this.isOver) return
    const late = setTimeout(() => this.cut(), LAST_EVENT_MS)
    this.#raw.once('close', () => clearTimeout(late)).end(last)
  }

  cut(): void {
    this.#raw.destroy()
  }
}
