import { type Context, type Transaction, transaction } from '../../context.ts'
import { type Job, knowledgeJobs } from '../documents/job-queue.ts'
import { type JobDocument, lockKnowledge, updateDocument } from '../documents/store.ts'

const HOUR = 3_600_000
/** After a sync that may work another time; then it waits for its next turn. */
const RETRY_SCHEDULE_MS = [10 * 60_000, HOUR, 6 * HOUR]

/** Ends a sync and says when the next one is; false when the lease is lost. */
export function scheduleNextSync(
  tx: Transaction,
  job: Job,
  row: JobDocument,
  isFailed: boolean,
): Promise<boolean> {
  const retry = isFailed ? RETRY_SCHEDULE_MS[job.attempt - 1] : undefined
  const regular = row.sync_hours === null ? undefined : row.sync_hours * HOUR
  const wait = retry === undefined ? regular : Math.min(retry, regular ?? retry)
  if (wait === undefined) return knowledgeJobs.complete(tx.db, job, tx.now())
  const attempts = retry === undefined ? 0 : job.attempt
  const set = { started_at: null }
  return knowledgeJobs.reschedule(tx.db, job, { at: tx.now() + wait, attempts, set })
}

/** Lets a sync wait for its next regular time. */
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
