import type { Context } from '../../context.ts'
import { findDueEndpoints, findDueRetries, findNextRetry } from '../queue/claim.ts'
import type { FairScheduler } from './fair-scheduler.ts'

/**
 * How often everything due is listed, and not only what became due since the last look: that finds
 * what a dead worker had in hand.
 */
const SWEEP_MS = 4_000
/** Retries are looked for so far back, because a commit may come later than its `next_at`. */
const OVERLAP_MS = 2_000

/** Knows when to look into the table, and tells the lanes what is due. */
export class DuePoller {
  readonly #ctx: Context
  readonly #lanes: FairScheduler
  readonly #onDue: () => void
  /** What the next look must find: what became due, or also what was missed before. */
  #wanted: 'nothing' | 'new' | 'everything' = 'everything'
  #lookedAt = 0
  #sweptAt = 0
  #nextAt = Infinity
  #cancelNext: () => void = () => undefined
  #isClosed = false

  /** `onDue` is called when there is something to look for. */
  constructor(ctx: Context, lanes: FairScheduler, onDue: () => void) {
    this.#ctx = ctx
    this.#lanes = lanes
    this.#onDue = onDue
  }

  get isWanted(): boolean {
    return this.#wanted !== 'nothing'
  }

  /** Something became due. */
  wake(): void {
    if (this.#wanted === 'nothing') this.#wanted = 'new'
    this.#onDue()
  }

  /** Time passed: now and then everything is looked through. */
  tick(): void {
    // The distance, so that a clock that jumped back postpones nothing.
    if (Math.abs(this.#ctx.now() - this.#sweptAt) >= SWEEP_MS) this.#wanted = 'everything'
    this.wake()
  }

  async pollNow(): Promise<void> {
    const wanted = this.#wanted
    if (wanted === 'nothing') return
    this.#wanted = 'nothing'
    const { db } = this.#ctx
    const now = this.#ctx.now()
    const since = Math.min(this.#lookedAt, now) - OVERLAP_MS
    try {
      const [first, retries] = await Promise.all([
        findDueEndpoints(db, 0, now),
        wanted === 'everything' ? findDueEndpoints(db, 1, now) : findDueRetries(db, since, now),
      ])
      for (const endpointId of first) this.#lanes.add(endpointId, 0)
      for (const endpointId of retries) this.#lanes.add(endpointId, 1)
      this.#lookedAt = now
      if (wanted === 'everything') this.#sweptAt = now
      this.#wakeAt(await findNextRetry(db, now))
    } catch (error) {
      this.#wanted = wanted
      throw error
    }
  }

  /** A retry was scheduled. */
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
