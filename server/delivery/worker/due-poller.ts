import type { Context } from '../../context.ts'
import { findDueEndpoints, findDueRetries, findNextRetry } from '../queue/claim.ts'
import type { FairScheduler } from './fair-scheduler.ts'

/** Interval of sweeps, which list all due endpoints and find the expired leases of dead workers. */
const SWEEP_INTERVAL_MS = 4_000
/** Overlap of two polls, because a commit may come later than its `next_at`. */
const POLL_OVERLAP_MS = 2_000

/** Polls the table for due endpoints and adds them to the scheduler. */
export class DuePoller {
  readonly #ctx: Context
  readonly #scheduler: FairScheduler
  readonly #onDue: () => void
  /** The scope of the next poll: endpoints that became due, or a sweep over all. */
  #requested: 'nothing' | 'new' | 'sweep' = 'sweep'
  #polledAt = 0
  #sweptAt = 0
  #nextAt = Infinity
  #cancelNext: () => void = () => undefined
  #isClosed = false

  /** `onDue` is called when a poll is requested. */
  constructor(ctx: Context, scheduler: FairScheduler, onDue: () => void) {
    this.#ctx = ctx
    this.#scheduler = scheduler
    this.#onDue = onDue
  }

  get isRequested(): boolean {
    return this.#requested !== 'nothing'
  }

  /** Requests a poll. */
  wake(): void {
    if (this.#requested === 'nothing') this.#requested = 'new'
    this.#onDue()
  }

  /** Requests a poll, and at its interval a sweep. */
  tick(): void {
    // The absolute distance, so that a clock that jumped back postpones no sweep.
    if (Math.abs(this.#ctx.now() - this.#sweptAt) >= SWEEP_INTERVAL_MS) this.#requested = 'sweep'
    this.wake()
  }

  async pollNow(): Promise<void> {
    const requested = this.#requested
    if (requested === 'nothing') return
    this.#requested = 'nothing'
    const { db } = this.#ctx
    const now = this.#ctx.now()
    const since = Math.min(this.#polledAt, now) - POLL_OVERLAP_MS
    try {
      const [first, retries] = await Promise.all([
        findDueEndpoints(db, 0, now),
        requested === 'sweep' ? findDueEndpoints(db, 1, now) : findDueRetries(db, since, now),
      ])
      for (const endpointId of first) this.#scheduler.add(endpointId, 0)
      for (const endpointId of retries) this.#scheduler.add(endpointId, 1)
      this.#polledAt = now
      if (requested === 'sweep') this.#sweptAt = now
      this.#wakeAt(await findNextRetry(db, now))
    } catch (error) {
      this.#requested = requested
      throw error
    }
  }

  /** Plans a poll for a scheduled retry. */
  scheduleAt(at: number): void {
    if (at < this.#nextAt) this.#wakeAt(at)
  }

  close(): void {
    this.#isClosed = true
    this.#cancelNext()
  }

  #wakeAt(at: number | undefined): void {
    this.#cancelNext()
    this.#nextAt = at ?? Infinity
    if (at === undefined || this.#isClosed) return
    this.#cancelNext = this.#ctx.clock.after(at - this.#ctx.now(), () => {
      this.#nextAt = Infinity
      this.wake()
    })
  }
}
