import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { DAY_MS, SECOND_MS } from '../lib/durations.ts'
import { randomText } from '../lib/ids.ts'
import { dialectOf } from '../storage/dialect.ts'
import { startLeaseHeartbeat } from './heartbeat.ts'

/** A process that runs a job without a heartbeat for longer is presumed dead. */
const JOB_LEASE_MS = 15 * SECOND_MS
const HEARTBEAT_INTERVAL_MS = JOB_LEASE_MS / 3
const TOKEN_LENGTH = 22
/**
 * A lease that ends later, or a period after the next one, was claimed while the clock of the database was
 * wrong, and counts for nothing.
 */
const MAX_LEASE_MS = 2 * JOB_LEASE_MS

/**
 * Runs jobs once in each period over all processes, and never a job twice at once. A process claims the
 * period in the database, by the clock of the database, and keeps a lease while the job runs. The
 * embedded database has a single process, which claims nothing.
 */
export class JobPeriods {
  readonly #ctx: Context
  readonly #isSingleProcess: boolean
  /** The jobs that this process runs now. */
  readonly #running = new Set<string>()
  /** The embedded database only: when each job last succeeded. */
  readonly #succeeded = new Map<string, number>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#isSingleProcess = dialectOf(ctx.db) === 'sqlite'
  }

  /**
   * Runs a job for the period that starts at a time, unless a process has claimed this period or a later
   * one, or still runs the job. Rejects when the job or its claim fails.
   */
  async run(
    name: string,
    period: number,
    work: () => Promise<void>,
    nextPeriod = period + DAY_MS,
  ): Promise<void> {
    if (this.#running.has(name)) return
    this.#running.add(name)
    try {
      if (this.#isSingleProcess) await this.#runAlone(name, work)
      else await this.#runClaimed(name, { period, nextPeriod }, work)
    } finally {
      this.#running.delete(name)
    }
  }

  async #runAlone(name: string, work: () => Promise<void>): Promise<void> {
    await work()
    this.#succeeded.set(name, this.#ctx.now())
  }

  async #runClaimed(
    name: string,
    periods: { period: number; nextPeriod: number },
    work: () => Promise<void>,
  ): Promise<void> {
    const token = randomText(TOKEN_LENGTH)
    if (!(await this.#claim(name, periods, token))) return
    const stopHeartbeat = this.#startHeartbeat(name, token)
    let succeededAt: number | undefined
    try {
      await work()
      succeededAt = this.#ctx.now()
    } finally {
      stopHeartbeat()
      await this.#release(name, token, succeededAt)
    }
  }

  /** Returns when each job last succeeded, in any process. */
  async lastSuccesses(): Promise<ReadonlyMap<string, number>> {
    if (this.#isSingleProcess) return this.#succeeded
    const rows = await this.#ctx.db
      .selectFrom('scheduled_jobs')
      .select(['name', 'succeeded_at'])
      .execute()
    return new Map(
      rows.flatMap(({ name, succeeded_at: at }): [string, number][] =>
        at === null ? [] : [[name, at]],
      ),
    )
  }

  async #claim(
    name: string,
    { period, nextPeriod }: { period: number; nextPeriod: number },
    token: string,
  ): Promise<boolean> {
    const now = this.#ctx.now()
    const isOpen = sql`(jobs.period < ${period} or jobs.period > ${nextPeriod})
      and (jobs.lease_until is null or jobs.lease_until <= ${now}
        or jobs.lease_until > ${now + MAX_LEASE_MS})`
    // The condition before the insert keeps processes that come too late from writing anything.
    const { rows } = await sql`
      insert into scheduled_jobs as jobs (name, period, lease_token, lease_until)
      select cast(${name} as text), cast(${period} as bigint), cast(${token} as text),
        cast(${now + JOB_LEASE_MS} as bigint)
      where not exists (select 1 from scheduled_jobs as jobs where name = ${name} and not (${isOpen}))
      on conflict (name) do update set period = excluded.period,
        lease_token = excluded.lease_token, lease_until = excluded.lease_until
      where ${isOpen}
      returning name`.execute(this.#ctx.db)
    return rows.length > 0
  }

  #startHeartbeat(name: string, token: string): () => void {
    const { clock, db, log, now } = this.#ctx
    return startLeaseHeartbeat({
      clock,
      intervalMs: HEARTBEAT_INTERVAL_MS,
      renew: async () => {
        const { numUpdatedRows } = await db
          .updateTable('scheduled_jobs')
          .set({ lease_until: now() + JOB_LEASE_MS })
          .where('name', '=', name)
          .where('lease_token', '=', token)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      },
      onFailure: (error) =>
        log.warn(
          { event: 'schedule.heartbeat_failed', job: name, err: error },
          'lease renewal of a scheduled job failed',
        ),
    })
  }

  async #release(name: string, token: string, succeededAt: number | undefined): Promise<void> {
    await this.#ctx.db
      .updateTable('scheduled_jobs')
      .set({
        lease_token: null,
        lease_until: null,
        ...(succeededAt === undefined ? {} : { succeeded_at: succeededAt }),
      })
      .where('name', '=', name)
      .where('lease_token', '=', token)
      .execute()
  }
}
