import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { dialectOf } from '../../storage/dialect.ts'
import type { EndpointSources } from '../endpoints.ts'
import { type Outcome, writeOutcomes } from './outcomes.ts'

/** Smaller on Postgres, where a plan may compare each outcome with each row. */
const MAX_PER_BATCH = { sqlite: 1_024, postgres: 256 }
/** Collection window of a batch; writing has no latency requirement. */
const COLLECT_MS = 8
const RETRY_MS = 200

/**
 * Writes the outcomes of attempts, one batch at a time; outcomes that arrive while a batch is written,
 * or within the collection window, form the next one. A failed batch is retried until its leases
 * expire.
 */
export class OutcomeWriter {
  readonly #ctx: Context
  readonly #endpoints: EndpointSources
  readonly #onWritten: (batch: readonly Outcome[]) => void
  readonly #onEmpty: () => void
  #pending: Outcome[] = []
  #isWriting = false
  /** After a close the database may be closed: later outcomes are dropped, and their leases expire. */
  #isClosed = false

  constructor(
    ctx: Context,
    endpoints: EndpointSources,
    on: { written: (batch: readonly Outcome[]) => void; empty: () => void },
  ) {
    this.#ctx = ctx
    this.#endpoints = endpoints
    this.#onWritten = on.written
    this.#onEmpty = on.empty
  }

  get isEmpty(): boolean {
    return !this.#isWriting && this.#pending.length === 0
  }

  add(outcome: Outcome): void {
    if (this.#isClosed) return
    this.#pending.push(outcome)
    if (this.#isWriting) return
    this.#isWriting = true
    void this.#write()
  }

  close(): void {
    this.#isClosed = true
  }

  async #write(): Promise<void> {
    const max = MAX_PER_BATCH[dialectOf(this.#ctx.db)]
    while (this.#pending.length > 0 && !this.#isClosed) {
      if (this.#pending.length < max) await sleep(COLLECT_MS)
      if (this.#isClosed) break
      const batch = this.#pending.splice(0, max)
      try {
        const written = await writeOutcomes(this.#ctx, this.#endpoints, batch)
        if (written < batch.length) {
          const deliveries = batch.length - written
          this.#ctx.log.warn(
            { event: 'delivery.lease_lost', deliveries },
            'delivery outcomes dropped after their leases expired',
          )
        }
        this.#onWritten(batch)
      } catch (error) {
        if (!this.#ctx.outage.note(error)) {
          this.#ctx.log.error(
            { event: 'delivery.outcome_write_failed', err: error },
            'delivery outcomes write failed',
          )
        }
        const leased = batch.filter(({ delivery }) => this.#ctx.now() < delivery.lease_until)
        this.#pending = [...leased, ...this.#pending]
        await sleep(RETRY_MS)
      }
    }
    this.#isWriting = false
    this.#onEmpty()
  }
}
