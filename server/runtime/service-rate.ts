const WINDOW_MS = 100
/** The rate is that of so many windows, one second. */
const WINDOWS = 10
/** Fewer windows say too little: turns are answered in batches. */
const MIN_WINDOWS = 3
/** A window that took longer was a blocked event loop, which says little about what follows. */
const MAX_WINDOW_MS = 5 * WINDOW_MS
/** With fewer requests in flight the callers, not the process, decide how many are answered. */
const MIN_BUSY = 48
/** Requests that are admitted at any rate. */
const MIN_ADMITTED = 64
/** A process whose database was gone has answered nobody; from 0 its rate would not grow. */
const MIN_PER_SECOND = 32
/** While the process has room, a rate that was measured once doubles in this time. */
const DOUBLING_MS = 1_000

interface Window {
  ms: number
  answered: number
}

/**
 * How many requests a process answers a second while it has more than it can answer. By Little's law, the
 * rate times a waiting time is the number in flight at which a request waits that long. Only a
 * saturated process shows its rate: requests that wait for something else, such as slow readers, are
 * answered slowly by an idle one. A rate grows while the process is not saturated, since what slowed
 * it may have ended, and is unlimited before the first measurement.
 */
export class ServiceRate {
  readonly #now: () => number
  readonly #isSaturated: () => boolean
  #windows: Window[] = []
  #openedAt: number
  #answered = 0
  #isBusy = false
  #perSecond = Infinity

  /**
   * @param now a monotonic clock, in milliseconds
   * @param isSaturated whether the process was at its limits since the last call
   */
  constructor(now: () => number, isSaturated: () => boolean) {
    this.#now = now
    this.#isSaturated = isSaturated
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
      this.#close({ ms, answered: this.#answered }, this.#isSaturated())
      this.#openedAt = now
      this.#answered = 0
      this.#isBusy = true
    }
    if (inFlight < MIN_BUSY) this.#isBusy = false
  }

  #close(window: Window, isSaturated: boolean): void {
    if (!this.#isBusy || !isSaturated) {
      // A rate of separate bursts is none of the process: only windows that follow each other count.
      this.#windows = []
      this.#perSecond *= 2 ** (window.ms / DOUBLING_MS)
      return
    }
    const isBlocked = window.ms > MAX_WINDOW_MS
    if (isBlocked && this.#perSecond < Infinity) return
    this.#windows = [...this.#windows, window].slice(-WINDOWS)
    if (this.#windows.length < MIN_WINDOWS) return
    const ms = this.#windows.reduce((sum, each) => sum + each.ms, 0)
    const answered = this.#windows.reduce((sum, each) => sum + each.answered, 0)
    this.#perSecond = Math.max(MIN_PER_SECOND, (answered * 1_000) / ms)
  }
}
