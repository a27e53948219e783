import { type RawBuilder, sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Context } from '../context.ts'
import { type Counts, sharedCount } from './shared-counts.ts'

type Measured = Pick<Context, 'db' | 'log' | 'metrics' | 'now' | 'outage'>

/** A table that is worked off by the time in one of its columns. */
export interface QueueDepthTable {
  /**
   * Names the metrics: `sohbet_<name>_queue_depth` and `sohbet_<name>_queue_oldest_age_seconds`.
   */
  name: string
  /** The plural noun for the rows, for the help texts. */
  rows: string
  table: string
  /** The column with the time in milliseconds from which a row is due. */
  dueAt: string
  /** Which rows wait; all, when absent. As the table's index on `dueAt` says it. */
  where?: RawBuilder<boolean>
}

/**
 * Exposes how many rows of a queue are due and scheduled, and how long the oldest one is due. Every
 * process with a worker shows the same: the queue is in the database.
 */
export function exposeQueue(ctx: Measured, queue: QueueDepthTable): void {
  const counts = sharedCount(ctx, queue.name, () => countQueue(ctx, queue))
  const depth = new Gauge({
    name: `sohbet_${queue.name}_queue_depth`,
    help: `Queued ${queue.rows}, by state: due, or scheduled for later`,
    labelNames: ['state'],
    registers: [ctx.metrics],
    async collect() {
      const found = await counts()
      depth.set({ state: 'due' }, found?.due ?? Number.NaN)
      depth.set({ state: 'scheduled' }, found?.scheduled ?? Number.NaN)
    },
  })
  exposeOldestAge(ctx, queue.name, queue.rows, counts)
}

/** Exposes the age of the oldest row that is due, as one of the two metrics of a queue. */
export function exposeOldestAge(
  ctx: Measured,
  name: string,
  rows: string,
  counts: () => Promise<Counts | undefined>,
): void {
  const oldest = new Gauge({
    name: `sohbet_${name}_queue_oldest_age_seconds`,
    help: `Time since the oldest of the queued ${rows} was due; 0 when none is due`,
    registers: [ctx.metrics],
    async collect() {
      const found = await counts()
      if (!found) oldest.set(Number.NaN)
      else oldest.set(Math.max(0, ctx.now() - (found.oldest ?? ctx.now())) / 1000)
    },
  })
}

/** Counts the rows of a queue that are due and scheduled; `oldest` is null when none is due. */
export async function countQueue(
  ctx: Pick<Context, 'db' | 'now'>,
  { table, dueAt, where = sql<boolean>`1 = 1` }: QueueDepthTable,
): Promise<{ due: number; scheduled: number; oldest: number | null }> {
  const now = ctx.now()
  const from = sql.table(table)
  const column = sql.ref(dueAt)
  const { rows } = await sql<{ due: number; scheduled: number; oldest: number | null }>`
    select (select count(*) from ${from} where ${where} and ${column} <= ${now}) as due,
      (select count(*) from ${from} where ${where} and ${column} > ${now}) as scheduled,
      (select min(${column}) from ${from} where ${where} and ${column} <= ${now}) as oldest
    `.execute(ctx.db)
  return rows[0] ?? { due: 0, scheduled: 0, oldest: null }
}
