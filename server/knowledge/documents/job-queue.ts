import { type Selectable, sql } from 'kysely'
import { LeaseQueue } from '../../jobs/lease-queue.ts'
import type { Db, Tables } from '../../storage/database.ts'

/** A document to be parsed or synced. */
export type Job = Selectable<Tables['knowledge_jobs']>
export type JobKind = Job['lane']

/** Bounds the share of a workspace with many documents in the worker's concurrency. */
const MAX_LEASES_PER_WORKSPACE = 2

/** The queue of documents to be parsed now or synced at their next due time. */
export const knowledgeJobs = new LeaseQueue<Job>({
  name: 'knowledge_jobs',
  columns: { id: 'document_id', dueAt: 'due_at', attempts: 'attempt' },
  idOf: ({ document_id }) => document_id,
  attemptsOf: ({ attempt }) => attempt,
  kind: 'lane',
  groupCap: { column: 'workspace_id', max: MAX_LEASES_PER_WORKSPACE },
})

/** Enqueues a document; an existing job of the document keeps the earlier due time. Idempotent. */
export async function enqueue(
  db: Db,
  job: { documentId: string; workspaceId: string; kind: JobKind; at: number },
): Promise<void> {
  await sql`
    insert into knowledge_jobs (document_id, workspace_id, lane, due_at, attempt)
    values (${job.documentId}, ${job.workspaceId}, ${job.kind}, ${job.at}, 0)
    on conflict (document_id) do update set due_at = excluded.due_at, attempt = 0
    where knowledge_jobs.due_at > excluded.due_at`.execute(db)
}
