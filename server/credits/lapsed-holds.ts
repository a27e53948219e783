import { type Context, type Transaction, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { type Hold, releaseHold, releaseLapsed } from './ledger.ts'
import { type HoldRow, listAllHolds, listLapsedHolds } from './store.holds.ts'

const MAX_AT_ONCE = 500

/** Gives back the holds of runs that died. */
export async function releaseLapsedHolds(ctx: Context): Promise<void> {
  await releaseEach(ctx, await listLapsedHolds(ctx.db, ctx.now(), MAX_AT_ONCE), releaseLapsed)
}

/** At the start of the only process: whatever is held was held by one that is gone. */
export async function releaseEveryHold(ctx: Context): Promise<void> {
  await releaseEach(ctx, await listAllHolds(ctx.db), releaseHold)
}

/** Announces those that were still there: a run that settled in the meantime has not lapsed. */
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
