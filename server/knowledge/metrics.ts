import type { Context } from '../context.ts'
import { exposeQueue } from '../storage/queue-depth.ts'

/** Registers the depth and age of the knowledge queue as metrics. */
export function exposeKnowledgeQueue(ctx: Context): void {
  exposeQueue(ctx, {
    name: 'knowledge_job',
    rows: 'documents to parse and pages to sync',
    table: 'knowledge_jobs',
    dueAt: 'due_at',
  })
  exposeQueue(ctx, {
    name: 'embedding_job',
    rows: 'tenants whose passages wait for vectors',
    table: 'embedding_jobs',
    dueAt: 'due_at',
  })
}
