/** Where time comes from. Tests replace it; nothing else reads the system's clock. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Calls back once after `ms`; the returned function cancels. Never keeps the process alive. */
  after(ms: number, call: () => void): () => void
}

const MAX_TIMER_MS = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(Math.max(ms, 0), MAX_TIMER_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
