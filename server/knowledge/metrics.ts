import type { Context } from '../context.ts'
import { CounterFamily, type CounterSeries, metricsOf } from '../lib/instruments.ts'
import { type QueueDepthTable, exposeQueue } from '../storage/queue-depth.ts'

export const KNOWLEDGE_QUEUE: QueueDepthTable = {
  name: 'knowledge_job',
  rows: 'documents to parse and pages to sync',
  table: 'knowledge_jobs',
  dueAt: 'due_at',
}

/** The queue of tenants whose passages wait for vectors. */
export const EMBEDDING_QUEUE: QueueDepthTable = {
  name: 'embedding_job',
  rows: 'tenants whose passages wait for vectors',
  table: 'embedding_jobs',
  dueAt: 'due_at',
}

/** Registers the depth and age of the knowledge queues as metrics. */
export function exposeKnowledgeQueue(ctx: Context): void {
  exposeQueue(ctx, KNOWLEDGE_QUEUE)
  exposeQueue(ctx, EMBEDDING_QUEUE)
}

/** How an attempt to load or to store a snapshot of a search index ends. */
export type SnapshotResult = 'loaded' | 'missing' | 'rejected' | 'stored' | 'outdated' | 'failed'

interface SearchMetrics {
  builds: CounterSeries
  snapshots: Readonly<Record<SnapshotResult, CounterSeries>>
}

/** Counts of the search indexes that this process built and loaded. */
export const searchMetrics = metricsOf((registry): SearchMetrics => {
  const builds = new CounterFamily(registry, {
    name: 'sohbet_search_index_builds_total',
    help: 'Search indexes that this process built from their passages',
  })
  const snapshots = new CounterFamily(registry, {
    name: 'sohbet_search_snapshots_total',
    help: 'Attempts to load or to store snapshots of search indexes, by result',
    labels: ['result'],
  })
  const of = (result: SnapshotResult) => snapshots.series({ result })
  return {
    builds: builds.series({}),
    snapshots: {
      loaded: of('loaded'),
      missing: of('missing'),
      rejected: of('rejected'),
      stored: of('stored'),
      outdated: of('outdated'),
      failed: of('failed'),
    },
  }
})
