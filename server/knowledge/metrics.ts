import type { Context } from '../context.ts'
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
