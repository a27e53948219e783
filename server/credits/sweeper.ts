import { type Context, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { releaseHold } from './ledger.ts'
import { listAllHolds, listLapsedHolds } from './store.ts'

const MOST_AT_ONCE = 500

/** Gives back the holds of runs that died. */
export async function releaseLapsedHolds(ctx: Context): Promise<void> {
  await releaseEach(ctx, await listLapsedHolds(ctx.db, ctx.now(), MOST_AT_ONCE))
}

/** At the start of the only process: whatever is held was held by one that is gone. */
export async function releaseEveryHold(ctx: Context): Promise<void> {
  await releaseEach(ctx, await listAllHolds(ctx.db))
}

async function releaseEach(
  ctx: Context,
  holds: readonly { id: string; workspace_id: string; amount: number }[],
): Promise<void> {
  for (const { id, workspace_id, amount } of holds) {
    await transaction(ctx, async (tx) => {
      await releaseHold(tx, { id, workspaceId: workspace_id, amount })
      await emit(tx, 'hold.lapsed', { workspaceId: workspace_id, data: { run_id: id } })
    })
  }
}
