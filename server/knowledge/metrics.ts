import type { Context } from '../context.ts'
import { type QueueDepthTable, exposeQueue } from '../storage/queue-depth.ts'

export const KNOWLEDGE_QUEUE: QueueDepthTable = {
  name: 'knowledge_job',
  rows: 'documents to parse and pages to sync',
  table: 'knowledge_jobs',
  dueAt: 'due_at',
}

/** Registers the depth and age of the knowledge queue as metrics. */
export function exposeKnowledgeQueue(ctx: Context): void {
  exposeQueue(ctx, KNOWLEDGE_QUEUE)
}
