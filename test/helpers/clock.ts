import { type Clock, systemClock } from '../../server/lib/clock.ts'

/** A clock that moves only when a test advances it. */
export class TestClock implements Clock {
  #now: number
  readonly #timers = new Set<{ at: number; call: () => void }>()

  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + ms, call }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Moves the time, forwards or back, and calls each timer that is due, once and in order. */
  move(ms: number): void {
    this.#now += ms
    const due = [...this.#timers].filter((timer) => timer.at <= this.#now)
    for (const timer of due.toSorted((a, b) => a.at - b.at)) {
      if (this.#timers.delete(timer)) timer.call()
    }
  }
}

/** Timers up to this length in milliseconds are backoffs. */
const MAX_PAUSE_MS = 500

/** The system's clock without the short backoffs. */
export const impatientClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, call) => systemClock.after(ms > MAX_PAUSE_MS ? ms : 0, call),
}
