import { type Clock, systemClock } from '../../server/lib/clock.ts'

/** A clock that stands still until a test moves it. */
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

  /** Jumps, forwards or back, and calls each timer that is due then, once and in order. */
  move(ms: number): void {
    this.#now += ms
    const due = [...this.#timers].filter((timer) => timer.at <= this.#now)
    for (const timer of due.toSorted((a, b) => a.at - b.at)) {
      if (this.#timers.delete(timer)) timer.call()
    }
  }
}

/** Up to so many milliseconds are a pause before something is tried again. */
const MAX_PAUSE_MS = 500

/** The system's clock, but without the short pauses between tries. */
export const impatientClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, call) => systemClock.after(ms > MAX_PAUSE_MS ? ms : 0, call),
}
