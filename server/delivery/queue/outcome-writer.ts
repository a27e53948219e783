import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { dialectOf } from '../../storage/dialect.ts'
import type { EndpointSources } from '../endpoints.ts'
import { type Outcome, writeOutcomes } from './outcomes.ts'

/** On Postgres fewer: a plan may compare each result with each row that it finds. */
const MAX_PER_BATCH = { sqlite: 1_024, postgres: 256 }
/** What ends so soon after each other is written together: nobody waits for it. */
const COLLECT_MS = 8
const RETRY_MS = 200

/**
 * Writes down what came of deliveries, one batch after the other; what ends meanwhile, and within a
 * moment after, makes the next. A batch that cannot be written is tried again while its leases last.
 */
export class OutcomeWriter {
  readonly #ctx: Context
  readonly #endpoints: EndpointSources
  readonly #onWritten: (batch: readonly Outcome[]) => void
  readonly #onEmpty: () => void
  #waiting: Outcome[] = []
  #isWriting = false
  /** The database may be closed: results that come now are given up, and their leases run out. */
  #isClosed = false

  constructor(
    ctx: Context,
    endpoints: EndpointSources,
    tell: { written: (batch: readonly Outcome[]) => void; empty: () => void },
  ) {
    this.#ctx = ctx
    this.#endpoints = endpoints
    this.#onWritten = tell.written
    this.#onEmpty = tell.empty
  }

  get isEmpty(): boolean {
    return !this.#isWriting && this.#waiting.length === 0
  }

  add(outcome: Outcome): void {
    if (this.#isClosed) return
    this.#waiting.push(outcome)
    if (this.#isWriting) return
    this.#isWriting = true
    void this.#write()
  }

  close(): void {
    this.#isClosed = true
  }

  async #write(): Promise<void> {
    const max = MAX_PER_BATCH[dialectOf(this.#ctx.db)]
    while (this.#waiting.length > 0 && !this.#isClosed) {
      if (this.#waiting.length < max) await sleep(COLLECT_MS)
      if (this.#isClosed) break
      const batch = this.#waiting.splice(0, max)
      try {
        const written = await writeOutcomes(this.#ctx, this.#endpoints, batch)
        if (written < batch.length) {
          const late = batch.length - written
          this.#ctx.log.warn({ deliveries: late }, 'results came after their lease had ended')
        }
        this.#onWritten(batch)
      } catch (error) {
        this.#ctx.log.error({ err: error }, 'delivery results could not be written')
        const ours = batch.filter(({ delivery }) => this.#ctx.now() < delivery.lease_until)
        this.#waiting = [...ours, ...this.#waiting]
        await sleep(RETRY_MS)
      }
    }
    this.#isWriting = false
    this.#onEmpty()
  }
}
