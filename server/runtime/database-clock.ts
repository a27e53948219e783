import type { Clock } from '../lib/clock.ts'

const SYNC_INTERVAL_MS = 10_000
/** A smaller difference is the way of the answer rather than the clock; following it would jitter. */
const MIN_CORRECTION_MS = 50

/**
 * The clock of the database, which the processes of an installation share: leases, holds and retries
 * that one process writes are judged by another. Between two measurements the time goes on by this
 * machine's monotonic clock, so that a step of the system's clock moves nothing.
 */
export class DatabaseClock implements Clock {
  readonly #system: Clock
  /** The offset to `performance.now()`; undefined before the first measurement. */
  #origin: number | undefined
  #skewMs = 0
  #cancel: () => void = () => undefined

  constructor(system: Clock) {
    this.#system = system
  }

  now(): number {
    return this.#origin === undefined
      ? this.#system.now()
      : Math.floor(this.#origin + performance.now())
  }

  after(ms: number, call: () => void): () => void {
    return this.#system.after(ms, call)
  }

  /** By how much the system's clock is ahead of the database's, at the last measurement. */
  get skewMs(): number {
    return this.#skewMs
  }

  /** Follows the clock that `read` returns until `stop`. Rejects if the first measurement fails. */
  async follow(read: () => Promise<number>): Promise<void> {
    await this.#measure(read)
    this.#schedule(read)
  }

  stop(): void {
    this.#cancel()
  }

  #schedule(read: () => Promise<number>): void {
    this.#cancel = this.after(SYNC_INTERVAL_MS, () => {
      this.#schedule(read)
      this.#measure(read).catch(() => undefined)
    })
  }

  async #measure(read: () => Promise<number>): Promise<void> {
    const askedAt = performance.now()
    const time = await read()
    const answeredAt = performance.now()
    const halfWay = (askedAt + answeredAt) / 2
    this.#skewMs = this.#system.now() - (time + answeredAt - halfWay)
    const origin = time - halfWay
    const isFar = Math.abs(origin - (this.#origin ?? Infinity)) > MIN_CORRECTION_MS
    // An answer that took long says little about the time at which it was given.
    const isUncertain = this.#origin !== undefined && answeredAt - askedAt > SYNC_INTERVAL_MS / 10
    if (isFar && !isUncertain) this.#origin = origin
  }
}
