const WINDOW_MS = 100
/** The rate is that of so many windows, one second. */
const WINDOWS = 10
/** Fewer windows say too little: turns are answered in batches. */
const MIN_WINDOWS = 3
/** With fewer requests in flight the callers, not the process, decide how many are answered. */
const MIN_BUSY = 48
/** Requests that are admitted at any rate. */
const MIN_ADMITTED = 64

interface Window {
  ms: number
  answered: number
}

/**
 * How many requests a process answers a second while it has more than it can answer. By Little's law, the
 * rate times a waiting time is the number in flight at which a request waits that long. Without a
 * measurement, and while the process is not busy, the last rate holds.
 */
export class ServiceRate {
  readonly #now: () => number
  #windows: Window[] = []
  #openedAt: number
  #answered = 0
  #isBusy = false
  #perSecond = Infinity

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now
    this.#openedAt = now()
  }

  /** Counts an answer; `left` requests are still in flight. */
  answered(left: number): void {
    this.#observe(left)
    this.#answered += 1
  }

  /** Returns the requests in flight at which a further one would wait for longer than `waitMs`. */
  capacity(inFlight: number, waitMs: number): number {
    this.#observe(inFlight)
    return Math.max(MIN_ADMITTED, (this.#perSecond * waitMs) / 1_000)
  }

  #observe(inFlight: number): void {
    const now = this.#now()
    const ms = now - this.#openedAt
    if (ms >= WINDOW_MS) {
      // A rate of separate bursts is none of the process: only windows that follow each other count.
      this.#windows = this.#isBusy ? [...this.#windows, { ms, answered: this.#answered }] : []
      this.#windows.splice(0, this.#windows.length - WINDOWS)
      this.#measure()
      this.#openedAt = now
      this.#answered = 0
      this.#isBusy = true
    }
    if (inFlight < MIN_BUSY) this.#isBusy = false
  }

  #measure(): void {
    if (this.#windows.length < MIN_WINDOWS) return
    const ms = this.#windows.reduce((sum, window) => sum + window.ms, 0)
    const answered = this.#windows.reduce((sum, window) => sum + window.answered, 0)
    this.#perSecond = (answered * 1_000) / ms
  }
}
