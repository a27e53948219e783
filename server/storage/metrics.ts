import { Gauge, type Registry } from 'prom-client'
import {
  type CacheCounts,
  CounterFamily,
  CounterSeries,
  HistogramFamily,
  HistogramSeries,
} from '../lib/instruments.ts'

/** Upper bounds in seconds: from a free writer to a transaction that held it too long. */
const WAIT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The connections of a pool, and the callers that wait for one. */
export interface PoolCounts {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  /** Whether the server refuses further connections. */
  readonly isShort: boolean
  /** Of those that wait, the ones that a larger pool would serve: not for their own workspace's part. */
  readonly crowdedCount: number
}

/** A database's own measurements, which start before the registry exists. */
export interface StorageMeters {
  statements: StatementMeter
  /** SQLite: how long transactions and single writes waited for the writer. */
  writerWait?: HistogramSeries
  /** SQLite: the cache of small reads. */
  readCache?: CacheCounts
  /** Postgres. */
  pool?: PoolCounts
}

export function writerWaitSeries(): HistogramSeries {
  return new HistogramSeries(WAIT_BUCKETS)
}

/** Exposes what the open database measures. */
export function exposeStorage(
  registry: Registry,
  { statements, writerWait, readCache, pool }: StorageMeters,
): void {
  statements.expose(registry)
  readCache?.expose(registry, 'read')
  if (writerWait) {
    new HistogramFamily(registry, {
      name: 'sohbet_db_writer_wait_seconds',
      help: 'Time that transactions and writes waited for the writer of the embedded database',
      buckets: WAIT_BUCKETS,
    }).attach({}, writerWait)
  }
  if (pool) exposePool(registry, pool)
}

function exposePool(registry: Registry, pool: PoolCounts): void {
  const connections = new Gauge({
    name: 'sohbet_db_pool_connections',
    help: 'Connections of the Postgres pool, by state: in use or idle',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount)
      connections.set({ state: 'idle' }, pool.idleCount)
    },
  })
  const waiting = new Gauge({
    name: 'sohbet_db_pool_waiting',
    help: "Callers that wait for a connection of the Postgres pool, or of their workspace's part of it",
    registers: [registry],
    collect() {
      waiting.set(pool.waitingCount)
    },
  })
}

/** Upper bounds in seconds: from a small read of the embedded database to the longest allowed. */
const STATEMENT_BUCKETS = [0.00005, 0.00025, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30]
/** Codes of Postgres, of SQLite and of the system; whatever else a driver calls a code is `other`. */
const CODE = /^(?:[0-9A-Z]{5}|SQLITE_[A-Z_]+|E[A-Z]+)$/
const OTHER = 'other'
/** Counted from the start, so that their first occurrence is an increase. */
const EXPECTED_CODES = {
  postgres: ['40001', '40P01', '53100', '53300', '55P03', '57014', '57P01', 'ECONNREFUSED', OTHER],
  sqlite: ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', OTHER],
} as const

/** Measures the time of statements and counts their failures, from before the registry exists. */
export class StatementMeter {
  readonly durations = new HistogramSeries(STATEMENT_BUCKETS)
  readonly #errors = new Map<string, CounterSeries>()
  #attach: (code: string, series: CounterSeries) => void = () => undefined

  constructor(dialect: keyof typeof EXPECTED_CODES) {
    for (const code of EXPECTED_CODES[dialect]) this.#errors.set(code, new CounterSeries())
  }

  /** Counts a failed statement, or an attempt to connect, by the code of its error. */
  failed(error: unknown): void {
    const code = codeOf(error)
    const known = this.#errors.get(code)
    const series = known ?? new CounterSeries()
    if (!known) {
      this.#errors.set(code, series)
      this.#attach(code, series)
    }
    series.add()
  }

  expose(registry: Registry): void {
    new HistogramFamily(registry, {
      name: 'sohbet_db_query_duration_seconds',
      help: 'Time from sending a statement to the database to its result; without waits for a connection or the writer',
      buckets: STATEMENT_BUCKETS,
    }).attach({}, this.durations)
    const errors = new CounterFamily(registry, {
      name: 'sohbet_db_errors_total',
      help: 'Failed statements and connections, by the code of Postgres, SQLite or the system',
      labels: ['code'],
    })
    this.#attach = (code, series) => errors.attach({ code }, series)
    for (const [code, series] of this.#errors) this.#attach(code, series)
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && CODE.test(code) ? code : OTHER
}
