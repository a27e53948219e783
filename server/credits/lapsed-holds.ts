import { type Context, type Transaction, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { type Hold, releaseHold, releaseLapsed } from './ledger.ts'
import { type HoldRow, listAllHolds, listLapsedHolds } from './store.holds.ts'

const BATCH_SIZE = 500

/** Releases the holds whose lease has expired, because their run died. Idempotent. */
export async function releaseLapsedHolds(ctx: Context): Promise<void> {
  await releaseEach(ctx, await listLapsedHolds(ctx.db, ctx.now(), BATCH_SIZE), releaseLapsed)
}

/** Releases every hold at the start of the only process: its runs ended with the process before. */
export async function releaseEveryHold(ctx: Context): Promise<void> {
  await releaseEach(ctx, await listAllHolds(ctx.db), releaseHold)
}

/** Emits `hold.lapsed` for each released hold; a hold that was settled first has not lapsed. */
async function releaseEach(
  ctx: Context,
  holds: readonly HoldRow[],
  release: (tx: Transaction, hold: Hold) => Promise<boolean>,
): Promise<void> {
  for (const { id, workspace_id: workspaceId, amount } of holds) {
    await transaction(ctx, async (tx) => {
      if (!(await release(tx, { id, workspaceId, amount }))) return
      await emit(tx, 'hold.lapsed', { workspaceId, data: { run_id: id } })
    })
  }
}
