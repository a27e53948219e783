import { type Context, transaction } from '../context.ts'
import { monthOf } from '../lib/months.ts'
import { rolloverIfDue } from './month-rollover.ts'
import { findBalance, listEndedMonths } from './store.ts'

const AT_ONCE = 500

/** Begins the month of a workspace, so that what is read after it adds up to the credits of now. */
export async function startMonth(ctx: Context, workspaceId: string): Promise<void> {
  const balance = await findBalance(ctx.db, workspaceId)
  if (!balance || balance.month >= monthOf(ctx.now())) return
  await transaction(ctx, (tx) => rolloverIfDue(tx, workspaceId))
}

/**
 * Begins the month of every workspace that nobody has asked since the last one ended: its plan is
 * renewed on time without traffic. One that fails is tried again by the next round.
 */
export async function startDueMonths(ctx: Context): Promise<void> {
  const month = monthOf(ctx.now())
  let after = ''
  for (;;) {
    const ended = await listEndedMonths(ctx.db, month, { after, limit: AT_ONCE })
    for (const workspaceId of ended) {
      try {
        await transaction(ctx, (tx) => rolloverIfDue(tx, workspaceId))
      } catch (error) {
        ctx.log.error({ err: error, workspace: workspaceId }, 'a month could not begin')
      }
    }
    const last = ended.at(-1)
    if (last === undefined || ended.length < AT_ONCE) return
    after = last
  }
}
