import { type Context, transaction } from '../context.ts'
import { keepPage, readPage, type Tools } from './pages.ts'
import type { Job } from './queue.ts'
import { planNext } from './schedule.ts'
import { type JobDocument, lockKnowledge } from './store.ts'

/** Reads one page that a person named. */
export async function syncPage(
  ctx: Context,
  job: Job,
  row: JobDocument,
  tools: Tools,
): Promise<void> {
  const outcome = await readPage(tools, row)
  await transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, row.workspace_id, row.tenant_id)
    // The result of a worker that lost its lease is dropped.
    if (await planNext(tx, job, row, outcome.kind === 'later')) await keepPage(tx, row, outcome)
  })
}
