import { type Selectable, sql } from 'kysely'
import { LeaseQueue } from '../../jobs/lease-queue.ts'
import type { Db, Tables } from '../../storage/database.ts'

/** A document to be read. */
export type Job = Selectable<Tables['knowledge_jobs']>
export type JobKind = Job['lane']

/** Bounds the share of a workspace with many documents, so that others have a turn. */
const MAX_LEASES_PER_WORKSPACE = 2

/** The documents to be read, now or at their next sync. */
export const knowledgeJobs = new LeaseQueue<Job>({
  name: 'knowledge_jobs',
  columns: { id: 'document_id', dueAt: 'due_at', attempts: 'attempt' },
  idOf: ({ document_id }) => document_id,
  attemptsOf: ({ attempt }) => attempt,
  kind: 'lane',
  groupCap: { column: 'workspace_id', max: MAX_LEASES_PER_WORKSPACE },
})

/** Has a document read at a time, or earlier if it was to be read before. */
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
