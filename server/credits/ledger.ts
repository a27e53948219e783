import type { Context, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Milli, toCredits } from '../lib/money.ts'
import { monthOf } from '../lib/months.ts'
import { freshBalance, rollMonth, rolled } from './months.ts'
import type { Credits } from './schema.ts'
import { showCredits } from './shown.ts'
import {
  type BalanceRow,
  appendLedger,
  deleteHold,
  extendHold,
  findBalance,
  insertHold,
  takeHold,
  takeSettlement,
} from './store.ts'
import { tellThresholds } from './thresholds.ts'
import { type Usage, countUsage } from './usage.ts'

/** A run that shows no sign of life for so long has died, and its hold goes back. */
export const HOLD_LEASE_MS = 90_000
const HELD_RETRY_SECONDS = 2

/** What a run has reserved, until it settles or releases it. */
export interface Hold {
  /** The run's id. */
  id: string
  workspaceId: string
  /** What was taken, at least the least that was asked for. */
  amount: Milli
}

/** What a hold is for. */
export interface HoldFor {
  /** The id of the run where its caller has given it one, `run_…`; a new one otherwise. */
  runId?: string
  sessionId?: string
  /** The smallest amount that is of use; less than `amount` where a run can shrink to what is left. */
  least?: Milli
}

/**
 * Reserves the greatest possible cost of a run, or what is left of the credits where that is less
 * and still `least`. Throws 402 `credits_exhausted`, or `credits_held` where only other runs' open
 * holds are in the way; `required` is then the least amount.
 */
export async function holdCredits(
  tx: Transaction,
  workspaceId: string,
  amount: Milli,
  about: HoldFor = {},
): Promise<Hold> {
  const least = about.least ?? amount
  const wanted = { workspaceId, month: monthOf(tx.now()), amount, least }
  const taken = (await takeHold(tx.db, wanted)) ?? (await takeLocked(tx, wanted))
  const hold = { id: about.runId ?? newId('run'), workspaceId, amount: taken.last_held }
  const free = Math.max(0, taken.monthly - (taken.held - hold.amount))
  const fromMonth = Math.min(hold.amount, free)
  await insertHold(tx.db, {
    id: hold.id,
    workspace_id: workspaceId,
    amount: hold.amount,
    from_month: fromMonth,
    session_id: about.sessionId ?? null,
    created_at: tx.now(),
    lease_until: tx.now() + HOLD_LEASE_MS,
  })
  await appendLedger(
    tx.db,
    taken,
    [
      { type: 'hold', amount: -fromMonth, source: 'monthly' },
      { type: 'hold', amount: fromMonth - hold.amount, source: 'addon' },
    ],
    { runId: hold.id, sessionId: about.sessionId, at: tx.now() },
  )
  return hold
}

/**
 * Tries again in this month, with the balance locked: what is refused now is refused for what the
 * balance says at this moment, and not for what it said a moment ago.
 */
async function takeLocked(
  tx: Transaction,
  wanted: { workspaceId: string; month: number; amount: Milli; least: Milli },
): Promise<BalanceRow> {
  const balance = await freshBalance(tx, wanted.workspaceId)
  const taken = await takeHold(tx.db, wanted)
  if (!taken) throw lacking(balance, wanted.least, tx.now())
  return taken
}

/** Keeps the hold of a run that takes long; false when it is gone. */
export function keepHold(ctx: Context, { id, workspaceId }: Hold): Promise<boolean> {
  return extendHold(ctx.db, { id, workspaceId, leaseUntil: ctx.now() + HOLD_LEASE_MS })
}

/**
 * Ends a hold at what the run really cost, never more than was held, counts it as used, and tells
 * when credits run low. Answers the credits that remain, in thousandths. Throws when the hold is
 * gone already.
 */
export async function settleHold(
  tx: Transaction,
  hold: Hold,
  cost: Milli,
  usage: Usage = { inputTokens: 0, outputTokens: 0 },
): Promise<Milli> {
  const row = await deleteHold(tx.db, hold.workspaceId, hold.id)
  if (!row) throw new Error(`The hold ${hold.id} was settled or released before.`)
  const used = Math.min(cost, row.amount)
  const after = await endHold(tx, hold.workspaceId, { held: row.amount, used })
  await appendLedger(
    tx.db,
    after,
    [
      { type: 'release', amount: row.from_month, source: 'monthly' },
      { type: 'release', amount: row.amount - row.from_month, source: 'addon' },
      { type: 'settle', amount: -after.last_from_month, source: 'monthly' },
      { type: 'settle', amount: after.last_from_month - used, source: 'addon' },
    ],
    { runId: hold.id, sessionId: row.session_id ?? undefined, at: tx.now() },
  )
  await countUsage(tx, after, used, usage)
  await tellThresholds(tx, after)
  return after.monthly + after.addons - after.held
}

/** Gives a hold back; nothing when it was settled or released before. */
export async function releaseHold(tx: Transaction, hold: Hold): Promise<void> {
  const row = await deleteHold(tx.db, hold.workspaceId, hold.id)
  if (!row) return
  const after = await endHold(tx, hold.workspaceId, { held: row.amount, used: 0 })
  await appendLedger(
    tx.db,
    after,
    [
      { type: 'release', amount: row.from_month, source: 'monthly' },
      { type: 'release', amount: row.amount - row.from_month, source: 'addon' },
    ],
    { runId: hold.id, sessionId: row.session_id ?? undefined, at: tx.now() },
  )
}

/** Takes what was used from the month in which the run ends. */
async function endHold(
  tx: Transaction,
  workspaceId: string,
  amounts: { held: Milli; used: Milli },
): Promise<BalanceRow> {
  const settlement = { workspaceId, month: monthOf(tx.now()), ...amounts }
  const after = await takeSettlement(tx.db, settlement)
  if (after) return after
  await rollMonth(tx, workspaceId)
  const rolledAfter = await takeSettlement(tx.db, settlement)
  if (!rolledAfter) throw new Error(`Workspace ${workspaceId} has no balance.`)
  return rolledAfter
}

/** Credits as they are now, for showing. Throws when the workspace has no balance. */
export async function readCredits(
  ctx: Context | Transaction,
  workspaceId: string,
): Promise<Credits & { held: number }> {
  const row = await findBalance(ctx.db, workspaceId)
  if (!row) throw new Error(`Workspace ${workspaceId} has no balance.`)
  return showCredits(rolled(row, monthOf(ctx.now())), ctx.now())
}

function lacking(row: BalanceRow, amount: Milli, now: number): AppError {
  const { remaining, reset_at } = showCredits(row, now)
  const more = { required: toCredits(amount), remaining, reset_at }
  if (row.monthly + row.addons >= amount) {
    return new AppError('credits_held', 'Other runs hold the credits that are left. Try again.', {
      more,
      headers: { 'retry-after': String(HELD_RETRY_SECONDS) },
    })
  }
  return new AppError(
    'credits_exhausted',
    `This needs ${more.required} credits and ${remaining} are left. Add credits or wait for the reset.`,
    { more },
  )
}
