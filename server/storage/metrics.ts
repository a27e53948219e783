import { Gauge, type Registry } from 'prom-client'
import { type CacheCounts, HistogramFamily, HistogramSeries } from '../lib/instruments.ts'
import type { StatementMeter } from './statement-meter.ts'

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
