import type { Context } from '../context.ts'
import { settleWithin } from '../lib/timeout.ts'
import { Pump } from '../jobs/poll-loop.ts'
import { type QueueTable, claimDue, delayRow, endLeases, endRow } from './queue.ts'
import type { QueueColumns } from './tables.ts'
import { GivenUp, Later } from './errors.ts'

const SECOND_MS = 1_000
/** The net under wake-ups that got lost or were in another process, and of what is due later. */
const POLL_MS = SECOND_MS
/** A stop waits no longer; what is not done by then is done by the next process. */
const STOP_MS = 5 * SECOND_MS
/** Before each further try. After the last one the row has failed. */
const WAITS_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 60 * 60, 3 * 3_600, 6 * 3_600].map(
  (seconds) => seconds * SECOND_MS,
)
const LONGEST_ERROR = 300

/** A table that is worked off, and how one of its rows is done. */
export interface Queue<Row extends QueueColumns> {
  table: QueueTable
  /** So many rows are in hand at once. */
  most: number
  /** Who has a row in hand for longer has died. */
  leaseMs: number
  /** Ends the row itself, with what it causes; throws to have it tried again. */
  work(row: Row, signal: AbortSignal): Promise<void>
  /** Once a row has failed for good. */
  onFailed?(row: Row): Promise<void>
}

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>
}

/** Works a queue off, in order within each lane, until it is stopped. */
export function startQueue<Row extends QueueColumns>(
  ctx: Context,
  queue: Queue<Row>,
  isAlone: boolean,
): Running {
  const worker = new QueueWorker(ctx, queue)
  worker.start(isAlone)
  return worker
}

class QueueWorker<Row extends QueueColumns> implements Running {
  readonly #ctx: Context
  readonly #queue: Queue<Row>
  readonly #running = new Set<Promise<void>>()
  readonly #stopped = new AbortController()
  readonly #pump: Pump

  constructor(ctx: Context, queue: Queue<Row>) {
    this.#ctx = ctx
    this.#queue = queue
    this.#pump = new Pump({
      clock: ctx.clock,
      wakeups: ctx.wakeups,
      topic: 'channels',
      pollMs: POLL_MS,
      work: () => this.#claim(),
      onFailure: (error) =>
        ctx.log.error({ err: error, queue: queue.table }, 'nothing could be claimed'),
    })
  }

  start(isAlone: boolean): void {
    this.#pump.start()
    const ready = isAlone ? endLeases(this.#ctx.db, this.#queue.table) : Promise.resolve()
    void ready
      .catch((error: unknown) => this.#ctx.log.error({ err: error }, 'no leases were ended'))
      .then(() => this.#pump.wake())
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#pump.stop()
    await settleWithin(STOP_MS, this.#running)
  }

  async #claim(): Promise<void> {
    const { db, now } = this.#ctx
    const most = this.#queue.most - this.#running.size
    if (most <= 0) return
    const claim = { now: now(), until: now() + this.#queue.leaseMs, most }
    for (const row of await claimDue<Row>(db, this.#queue.table, claim)) {
      const run = this.#run(row).finally(() => {
        this.#running.delete(run)
        this.#pump.wake()
      })
      this.#running.add(run)
    }
  }

  async #run(row: Row): Promise<void> {
    try {
      // Somebody died over it as often as it may be tried.
      if (row.attempts > WAITS_MS.length + 1) throw new GivenUp(row.error ?? 'tried too often')
      await this.#queue.work(row, this.#stopped.signal)
    } catch (error) {
      await this.#fail(row, error).catch((cause: unknown) =>
        // Its lease runs out by itself.
        this.#ctx.log.error({ err: cause, row: row.id }, 'a row could not be given back'),
      )
    }
  }

  async #fail(row: Row, error: unknown): Promise<void> {
    const { db, config, log, now } = this.#ctx
    const isKnown = error instanceof Later || error instanceof GivenUp
    // The workspace reads it: what went wrong inside is for the log.
    const reason = isKnown ? error.message.slice(0, LONGEST_ERROR) : 'internal'
    const own = WAITS_MS[row.attempts - 1]
    const { table } = this.#queue
    log[isKnown ? 'warn' : 'error'](
      { ...(isKnown ? { reason } : { err: error }), queue: table, row: row.id },
      'a row was not done',
    )
    if (this.#stopped.signal.aborted && !(error instanceof GivenUp)) {
      await delayRow(db, table, row, { nextAt: now(), error: reason })
      return
    }
    if (error instanceof GivenUp || own === undefined) {
      const end = { state: 'failed', error: reason, now: now() } as const
      if (await endRow(db, table, row, end)) await this.#queue.onFailed?.(row)
      return
    }
    const asked = error instanceof Later ? (error.retryAfterMs ?? 0) : 0
    const wait = Math.max(asked, own * config.deliveryTimeScale)
    await delayRow(db, table, row, { nextAt: now() + wait, error: reason })
  }
}
