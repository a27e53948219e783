import { type Context, type Transaction, transaction } from '../context.ts'
import type { Milli } from '../lib/money.ts'
import { monthOf } from '../lib/months.ts'
import {
  type BalanceRow,
  appendLedger,
  findBalance,
  insertBalance,
  listEndedMonths,
  lockBalance,
  writeBalance,
} from './store.ts'
import { LIMIT_WITHOUT_PLAN, hasEnded, renewPlan } from './plan-changes.ts'

const LOW_SHARE = 0.1
const ROLLOVER_BATCH_SIZE = 500

/** Inserts the balance of a new workspace and grants its first month. */
export async function createBalance(
  tx: Transaction,
  workspaceId: string,
  limit: Milli,
): Promise<void> {
  const balance: BalanceRow = {
    workspace_id: workspaceId,
    month: monthOf(tx.now()),
    monthly_limit: limit,
    monthly: limit,
    used: 0,
    addons: 0,
    held: 0,
    entries: 1,
    low_since: null,
    quota_month: null,
    day: '',
    day_from: 0,
    day_until: 0,
    ends_at: null,
    warning: null,
    warned_at: null,
  }
  await insertBalance(tx.db, balance)
  await appendLedger(tx.db, balance, [
    { type: 'grant', amount: limit, source: 'monthly', at: tx.now() },
  ])
}

/** Rolls a balance over if its month has ended. Idempotent; runs on access, without a scheduler. */
export async function rolloverIfDue(tx: Transaction, workspaceId: string): Promise<void> {
  const current = await findBalance(tx.db, workspaceId)
  if (current && current.month < monthOf(tx.now())) await lockCurrentBalance(tx, workspaceId)
}

/**
 * Locks the balance until the transaction ends and returns it in the current month. Throws without
 * one.
 */
export async function lockCurrentBalance(
  tx: Transaction,
  workspaceId: string,
): Promise<BalanceRow> {
  const row = await lockBalance(tx.db, workspaceId)
  if (!row) throw new Error(`Workspace ${workspaceId} has no balance.`)
  return projectToMonth(tx, row)
}

/**
 * Returns a locked balance in the current month. If the month has ended, unused monthly credits
 * lapse and the limit is granted again.
 */
export async function projectToMonth(tx: Transaction, before: BalanceRow): Promise<BalanceRow> {
  const month = monthOf(tx.now())
  if (before.month >= month) return before
  const after = { ...rolledBalance(before, month), entries: before.entries + 3 }
  await writeBalance(tx.db, after)
  // Credits that open holds rely on lapse after the grant: a ledger row may not fall below zero.
  const needed = heldOfMonth(before)
  await appendLedger(tx.db, after, [
    { type: 'expire', amount: needed - before.monthly, source: 'monthly', at: month },
    { type: 'grant', amount: after.monthly, source: 'monthly', at: month },
    { type: 'expire', amount: -needed, source: 'monthly', at: month },
  ])
  await renewPlan(tx, before, month)
  return after
}

/** Returns the monthly credits that open holds rely on. */
function heldOfMonth({ held, addons }: BalanceRow): Milli {
  return Math.max(0, held - addons)
}

/** Returns the balance as of a month, with at least the credits that open holds rely on. */
export function rolledBalance(balance: BalanceRow, month: number): BalanceRow {
  if (balance.month >= month) return balance
  const limit = hasEnded(balance, month) ? LIMIT_WITHOUT_PLAN : balance.monthly_limit
  const monthly = Math.max(limit, heldOfMonth(balance))
  const ends_at = hasEnded(balance, month) ? null : balance.ends_at
  return clearLowIfRecovered({ ...balance, month, monthly, monthly_limit: limit, ends_at, used: 0 })
}

/** Returns the balance after a grant; above a low mark, its warning may be sent again. */
export function clearLowIfRecovered(balance: BalanceRow): BalanceRow {
  return {
    ...balance,
    low_since: isLow(balance) ? balance.low_since : null,
    warned_at: isBelowWarning(balance) ? balance.warned_at : null,
  }
}

/** Whether less is left than the workspace's own low mark. */
export function isBelowWarning({ monthly, addons, warning }: BalanceRow): boolean {
  return warning !== null && monthly + addons < warning
}

/** Whether less than a tenth of the monthly limit is left; open holds do not count as used. */
export function isLow({ monthly, addons, monthly_limit }: BalanceRow): boolean {
  return monthly + addons < monthly_limit * LOW_SHARE
}

/**
 * Rolls a workspace's balance over to the current month in a transaction of its own, so that later
 * reads agree with each other. Idempotent.
 */
export async function startMonth(ctx: Context, workspaceId: string): Promise<void> {
  const balance = await findBalance(ctx.db, workspaceId)
  if (!balance || balance.month >= monthOf(ctx.now())) return
  await transaction(ctx, (tx) => rolloverIfDue(tx, workspaceId))
}

/**
 * Rolls over every balance whose month has ended, so that plans renew on time without traffic. A
 * failed rollover is logged and repeated by the next run of the job. Idempotent.
 */
export async function startDueMonths(ctx: Context): Promise<void> {
  const month = monthOf(ctx.now())
  let after = ''
  for (;;) {
    const ended = await listEndedMonths(ctx.db, month, { after, limit: ROLLOVER_BATCH_SIZE })
    for (const workspaceId of ended) {
      try {
        await transaction(ctx, (tx) => rolloverIfDue(tx, workspaceId))
      } catch (error) {
        ctx.log.error(
          { event: 'credits.month_rollover_failed', err: error, workspaceId },
          'month rollover failed',
        )
      }
    }
    const last = ended.at(-1)
    if (last === undefined || ended.length < ROLLOVER_BATCH_SIZE) return
    after = last
  }
}
