import { type Context, transaction } from '../../context.ts'
import { savePage, fetchPage, type CrawlDeps } from './page.ts'
import type { Job } from '../documents/job-queue.ts'
import { scheduleNextSync } from './schedule.ts'
import { type JobDocument, lockKnowledge } from '../documents/store.ts'

/** Reads one page that a person named. */
export async function syncPage(
  ctx: Context,
  job: Job,
  row: JobDocument,
  tools: CrawlDeps,
): Promise<void> {
  const outcome = await fetchPage(tools, row)
  await transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, row.workspace_id, row.tenant_id)
    // The result of a worker that lost its lease is dropped.
    if (await scheduleNextSync(tx, job, row, outcome.kind === 'later'))
      await savePage(tx, row, outcome)
  })
}
