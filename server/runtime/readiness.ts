import { Gauge } from 'prom-client'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { SECOND_MS } from '../lib/durations.ts'
import { randomText } from '../lib/ids.ts'
import { rejectAfter } from '../lib/timeout.ts'
import type { Storage, StorageState } from '../storage/database.ts'
import { migrations } from '../storage/migration-list.ts'
import { DatabaseClock } from './database-clock.ts'

const READY_TIMEOUT_MS = 3_000
/** A problem is logged within this time, whether or not anybody asks for the readiness. */
const WATCH_INTERVAL_MS = 10 * SECOND_MS
/** A clock that is off by more is a defect of the machine; from the second bound on it does harm. */
const WARN_SKEW_MS = 2_000
const MAX_SKEW_MS = 10_000
/** Longer than the free room of a page, as far as an index takes it: the probe needs room on the disk. */
const PROBE_NAME_LENGTH = { sqlite: 100_000, postgres: 1_000 }
const TOO_MANY_CONNECTIONS = '53300'

/** The problem that makes a process unready, and warnings that only need an operator. */
export interface ReadyState {
  problem: string | undefined
  /** The problem, if it is one of the database and not of this machine. */
  outage: string | undefined
  warnings: { code: string; detail: string }[]
}

/** Judges whether this process can do its work: concurrent callers share one judgement. */
export class Readiness {
  readonly #ctx: Context
  readonly #storage: Storage
  #judging: Promise<ReadyState> | undefined
  #wasSkewed = false
  #cancel: () => void = () => undefined

  constructor(ctx: Context, storage: Storage) {
    this.#ctx = ctx
    this.#storage = storage
    ctx.outage.judgeBy(async () => (await this.judge()).outage === undefined)
    if (storage.dialect === 'sqlite') return
    const skew: Gauge = new Gauge({
      name: 'sohbet_clock_skew_seconds',
      help: 'Postgres only: by how much the clock of this machine is ahead of the clock of the database',
      registers: [ctx.metrics],
      collect: () => skew.set(ctx.clock instanceof DatabaseClock ? ctx.clock.skewMs / 1_000 : 0),
    })
  }

  judge(): Promise<ReadyState> {
    this.#judging ??= this.#judge().finally(() => (this.#judging = undefined))
    return this.#judging
  }

  /** Judges now and at each interval until `stop`, so that problems are logged. */
  watch(): void {
    this.#cancel = this.#ctx.clock.after(WATCH_INTERVAL_MS, () => this.watch())
    void this.judge()
  }

  stop(): void {
    this.#cancel()
  }

  async #judge(): Promise<ReadyState> {
    const warnings: ReadyState['warnings'] = []
    const { problem: outage, cause, state } = await this.#findOutage()
    if (outage !== undefined) this.#ctx.outage.begin(outage, cause)
    const problem = outage ?? (state && this.#clockProblem(state, warnings))
    const shortage = state && this.#connectionsWarning(state)
    if (shortage !== undefined) warnings.push({ code: 'connections', detail: shortage })
    if (this.#ctx.counters.isAlone) {
      const detail = 'Redis does not answer: each process counts its part of the rate limits.'
      warnings.push({ code: 'redis', detail })
    }
    return { problem, outage, warnings }
  }

  /** Returns what is wrong with the database, if anything, and the state that it reports. */
  async #findOutage(): Promise<{
    problem: string | undefined
    cause?: unknown
    state?: StorageState & { isRefused?: boolean }
  }> {
    try {
      const state = await this.#ask()
      const problem =
        (state.isReadOnly ? 'The database is read-only.' : undefined) ??
        schemaProblem(state) ??
        (await this.#writeProblem())
      return { problem, state }
    } catch (cause) {
      return { problem: 'The database does not answer.', cause }
    }
  }

  /** A server that refuses one more connection may still answer on those that exist. */
  async #ask(): Promise<StorageState & { isRefused?: boolean }> {
    const silent = () => new Error('No answer in time.')
    try {
      return await rejectAfter(READY_TIMEOUT_MS, this.#storage.state(), silent)
    } catch (error) {
      if (!isTooMany(error)) throw error
      const { rows } = await rejectAfter(
        READY_TIMEOUT_MS,
        sql<{ name: string }>`select name from migrations`.execute(this.#ctx.db),
        silent,
      )
      const applied = rows.map(({ name }) => name)
      return { now: undefined, isReadOnly: false, migrations: applied, isRefused: true }
    }
  }

  #connectionsWarning({ isRefused = false }: { isRefused?: boolean }): string | undefined {
    const { pool } = this.#storage.meters
    if (!pool) return undefined
    if (isRefused || pool.isShort) return 'The database refuses further connections.'
    if (pool.waitingCount === 0) return undefined
    return `${pool.waitingCount} callers wait for a connection of the database.`
  }

  #clockProblem(state: StorageState, warnings: ReadyState['warnings']): string | undefined {
    if (state.now === undefined) return undefined
    const { clock } = this.#ctx
    const skewMs = clock instanceof DatabaseClock ? clock.skewMs : 0
    const size = Math.abs(skewMs)
    const isSkewed = size >= WARN_SKEW_MS
    const words = `${(size / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'}`
    const detail = `The clock of this machine is ${words} the clock of the database.`
    if (isSkewed && !this.#wasSkewed) {
      this.#ctx.log.warn({ event: 'clock.skewed', skewMs: Math.round(skewMs) }, detail)
    }
    if (!isSkewed && this.#wasSkewed) {
      this.#ctx.log.info({ event: 'clock.corrected' }, 'The clock of this machine is right again.')
    }
    this.#wasSkewed = isSkewed
    if (size >= MAX_SKEW_MS) return detail
    if (isSkewed) warnings.push({ code: 'clock', detail })
    return undefined
  }

  /** After a failed write, tries one that leaves nothing behind, until it works. */
  async #writeProblem(): Promise<string | undefined> {
    const { writeFaults } = this.#storage
    if (writeFaults.code === undefined) return undefined
    try {
      const name = `probe-${randomText(PROBE_NAME_LENGTH[this.#storage.dialect])}`
      const write = this.#ctx.db.transaction().execute(async (tx) => {
        await sql`insert into migrations (name, applied_at) values (${name}, 0)`.execute(tx)
        await sql`delete from migrations where name = ${name}`.execute(tx)
      })
      await rejectAfter(READY_TIMEOUT_MS, write, () => new Error('No write in time.'))
      writeFaults.clear()
      return undefined
    } catch {
      return 'The database takes no writes: it is full or read-only.'
    }
  }
}

function schemaProblem({ migrations: applied }: StorageState): string | undefined {
  const names = new Set(applied)
  return migrations.every(({ name }) => names.has(name))
    ? undefined
    : 'The database is of an older version. Start this process again, which brings it up to date.'
}

function isTooMany(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === TOO_MANY_CONNECTIONS
}
