import { type Context, type Transaction, transaction } from '../../context.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import { type Job, knowledgeJobs } from '../documents/job-queue.ts'
import { type JobDocument, lockKnowledge, updateDocument } from '../documents/store.ts'

/** Delays after transient failures; a further failure waits for the next regular sync. */
const RETRY_SCHEDULE_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]

/** Completes or reschedules the job of a sync; false when the lease is lost. */
export function scheduleNextSync(
  tx: Transaction,
  job: Job,
  row: JobDocument,
  isFailed: boolean,
): Promise<boolean> {
  const retry = isFailed ? RETRY_SCHEDULE_MS[job.attempt - 1] : undefined
  const regular = row.sync_hours === null ? undefined : row.sync_hours * HOUR_MS
  const wait = retry === undefined ? regular : Math.min(retry, regular ?? retry)
  if (wait === undefined) return knowledgeJobs.complete(tx.db, job, tx.now())
  const attempts = retry === undefined ? 0 : job.attempt
  const set = { started_at: null }
  return knowledgeJobs.reschedule(tx.db, job, { at: tx.now() + wait, attempts, set })
}

/** Fails the document and reschedules its job for the next regular sync. */
export async function abandonSync(
  ctx: Context,
  job: Job,
  row: JobDocument,
  problem: string,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, row.workspace_id, row.tenant_id)
    if (!(await scheduleNextSync(tx, job, row, false))) return
    const id = { id: row.id, workspaceId: row.workspace_id }
    await updateDocument(tx.db, id, { state: 'failed', error: problem, synced_at: tx.now() })
  })
}
