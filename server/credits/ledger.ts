import type { Context, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Milli, toCredits } from '../lib/money.ts'
import { monthOf } from '../lib/months.ts'
import { settledCredits } from './metrics.ts'
import { lockCurrentBalance, projectToMonth, rolledBalance } from './month-rollover.ts'
import type { Credits } from './schema.ts'
import { serializeCredits } from './serialize.ts'
import {
  type BalanceRow,
  type BilledTokens,
  type LedgerChange,
  appendLedger,
  findBalance,
  writeAmounts,
} from './store.ts'
import {
  type HoldRow,
  type RemovedHold,
  extendHold,
  insertHolds,
  removeHolds,
} from './store.holds.ts'
import type { RunUsage } from './store.usage.ts'
import { emitThresholdEvents } from './thresholds.ts'
import { type UsageCount, countUsage, countersOf } from './usage.ts'

/**
 * Lease length; a run without a heartbeat for longer is presumed dead, and its hold is released.
 */
export const HOLD_LEASE_MS = 90_000
const HOLD_RETRY_AFTER_SECONDS = 2

/** The credits that a run has reserved, until the hold is settled or released. */
export interface Hold {
  /** The run's id. */
  id: string
  workspaceId: string
  /** The reserved amount, at least the requested minimum. */
  amount: Milli
}

/** The purpose of a hold. */
export interface HoldOptions {
  /** The run's id, `run_…`; generated when absent. */
  runId?: string
  sessionId?: string
  /** The site and day of a daily cap that the hold counts towards. */
  tenantDay?: { tenantId: string; day: string }
  /**
   * The smallest useful amount; below `amount` for a run that can shrink to the remaining credits.
   */
  min?: Milli
}

/** A hold that is asked for, with its largest amount. */
export type HoldRequest = HoldOptions & { amount: Milli }

/**
 * Reserves the maximum cost of a run, or the remaining credits where they are less and still reach
 * `min`. Throws 402 `credits_exhausted`, or `credits_held` when only open holds of other runs stand
 * in the way; `required` is the minimum. Locks the balance.
 */
export async function holdCredits(
  tx: Transaction,
  workspaceId: string,
  amount: Milli,
  about: HoldOptions = {},
): Promise<Hold> {
  const [outcome] = await holdMany(tx, workspaceId, [{ ...about, amount }])
  if (!outcome || outcome instanceof AppError) throw outcome
  return outcome
}

/**
 * Reserves credits for several runs of a workspace in order; returns each run's hold or refusal.
 * `onDecided` is called with the results before they are written. Locks the balance.
 */
export async function holdMany(
  tx: Transaction,
  workspaceId: string,
  requests: readonly HoldRequest[],
  onDecided?: (outcomes: readonly (Hold | AppError)[]) => Promise<void>,
): Promise<(Hold | AppError)[]> {
  return holdOn(tx, await lockCurrentBalance(tx, workspaceId), requests, onDecided)
}

/** Like `holdMany`, on a balance that the transaction has locked and not changed since. */
export async function holdOn(
  tx: Transaction,
  locked: BalanceRow,
  requests: readonly HoldRequest[],
  onDecided?: (outcomes: readonly (Hold | AppError)[]) => Promise<void>,
): Promise<(Hold | AppError)[]> {
  const now = tx.now()
  const balance = { ...locked }
  const workspaceId = balance.workspace_id
  const holds: HoldRow[] = []
  const outcomes = requests.map((request) => {
    const { runId = newId('run'), sessionId = null, tenantDay, amount, min = amount } = request
    const left = balance.monthly + balance.addons - balance.held
    if (left < min) return insufficientCreditsError(balance, min, now)
    const held = Math.min(amount, left)
    const fromMonth = Math.min(held, Math.max(0, balance.monthly - balance.held))
    balance.held += held
    holds.push({
      id: runId,
      workspace_id: workspaceId,
      amount: held,
      from_month: fromMonth,
      session_id: sessionId,
      created_at: now,
      lease_until: now + HOLD_LEASE_MS,
      tenant_id: tenantDay?.tenantId ?? null,
      day: tenantDay?.day ?? null,
    })
    return { id: runId, workspaceId, amount: held }
  })
  await onDecided?.(outcomes)
  if (holds.length === 0) return outcomes
  const changes = holds.flatMap(({ id, amount, from_month, session_id }) => {
    const about = { type: 'hold', runId: id, sessionId: session_id ?? undefined, at: now } as const
    return [
      { ...about, amount: -from_month, source: 'monthly' } as const,
      { ...about, amount: from_month - amount, source: 'addon' } as const,
    ]
  })
  balance.entries += changes.length
  await writeAmounts(tx.db, balance)
  await insertHolds(tx.db, holds)
  await appendLedger(tx.db, balance, changes)
  return outcomes
}

/** Renews the lease of a hold; returns false for a closed hold. */
export function renewHold(ctx: Context, { id, workspaceId }: Hold): Promise<boolean> {
  return extendHold(ctx.db, { id, workspaceId, leaseUntil: ctx.now() + HOLD_LEASE_MS })
}

/** The end of a run: its actual cost, bounded by the hold, and its usage. */
export interface Settlement {
  hold: Hold
  cost: Milli
  usage?: UsageCount
  /** The tokens that the hold paid for, where the run used more. */
  billed?: BilledTokens | undefined
}

/**
 * Settles a hold at the actual cost, never above the hold, counts the usage and emits the threshold
 * events. Returns the remaining credits in thousandths. Throws for a hold that is already closed.
 * Locks the balance.
 */
export async function settleHold(
  tx: Transaction,
  hold: Hold,
  cost: Milli,
  usage: UsageCount = { inputTokens: 0, outputTokens: 0 },
): Promise<Milli> {
  const [remaining] = await settleMany(tx, hold.workspaceId, [{ hold, cost, usage }])
  if (remaining === undefined) throw holdClosedError(hold)
  return remaining
}

/**
 * Settles several holds of a workspace in order; returns the remaining credits after each, and
 * `undefined` for a hold that is already closed. Locks the balance.
 */
export async function settleMany(
  tx: Transaction,
  workspaceId: string,
  settlements: readonly Settlement[],
): Promise<(Milli | undefined)[]> {
  const ids = settlements.map(({ hold }) => hold.id)
  const removed = await removeHolds(tx.db, { workspaceId, ids })
  return removed ? closeHolds(tx, removed, settlements) : settlements.map(() => undefined)
}

/** Returns the error of a settlement whose hold is already closed. */
export function holdClosedError({ id }: Hold): Error {
  return new Error(`The hold ${id} was settled or released before.`)
}

/** Releases a hold; returns false for a hold that is already closed. Idempotent. */
export function releaseHold(tx: Transaction, hold: Hold): Promise<boolean> {
  return release(tx, hold, undefined)
}

/** Releases a hold whose lease has expired; returns false for a renewed or closed hold. */
export function releaseLapsed(tx: Transaction, hold: Hold): Promise<boolean> {
  return release(tx, hold, tx.now())
}

async function release(
  tx: Transaction,
  hold: Hold,
  lapsedBy: number | undefined,
): Promise<boolean> {
  const [isReleased = false] = await releaseMany(tx, hold.workspaceId, [hold], lapsedBy)
  return isReleased
}

/**
 * Releases holds of a workspace, with `lapsedBy` only those whose lease has expired by then. Returns for
 * each whether it was still open. Idempotent. Locks the balance.
 */
export async function releaseMany(
  tx: Transaction,
  workspaceId: string,
  holds: readonly Hold[],
  lapsedBy?: number,
): Promise<boolean[]> {
  const ids = holds.map(({ id }) => id)
  const removed = await removeHolds(tx.db, { workspaceId, ids, lapsedBy })
  if (!removed || removed.holds.length === 0) return holds.map(() => false)
  const unpaid = holds.map((hold) => ({ hold, cost: 0 }))
  const remaining = await closeHolds(tx, removed, unpaid)
  return remaining.map((left) => left !== undefined)
}

/**
 * Closes removed holds on the balance of the current month, after a rollover if one is due. Costs
 * are taken from monthly credits first; ledger rows and usage counters are written with them.
 */
async function closeHolds(
  tx: Transaction,
  removed: { balance: BalanceRow; holds: readonly RemovedHold[] },
  settlements: readonly Settlement[],
): Promise<(Milli | undefined)[]> {
  const now = tx.now()
  const balance = { ...(await projectToMonth(tx, removed.balance)) }
  const holds = new Map(removed.holds.map((hold) => [hold.id, hold]))
  const changes: LedgerChange[] = []
  const used: (RunUsage & { cost: Milli })[] = []
  const remaining = settlements.map(({ hold: { id }, cost: charged, usage, billed }) => {
    const hold = holds.get(id)
    if (!hold) return undefined
    holds.delete(id)
    const { amount, from_month: held, session_id } = hold
    const cost = Math.min(charged, amount)
    const fromMonth = Math.min(balance.monthly, cost)
    balance.held -= amount
    balance.monthly -= fromMonth
    balance.addons -= cost - fromMonth
    balance.used += fromMonth
    const about = { runId: id, sessionId: session_id ?? undefined, at: now }
    changes.push(
      { ...about, type: 'release', amount: held, source: 'monthly' },
      { ...about, type: 'release', amount: amount - held, source: 'addon' },
      { ...about, type: 'settle', amount: -fromMonth, source: 'monthly', billed },
      { ...about, type: 'settle', amount: fromMonth - cost, source: 'addon', billed },
    )
    if (usage) used.push({ ...countersOf(usage), cost })
    return balance.monthly + balance.addons - balance.held
  })
  balance.entries += changes.length
  await writeAmounts(tx.db, balance)
  await appendLedger(tx.db, balance, changes)
  await countUsage(tx, balance, used)
  if (used.length > 0) await emitThresholdEvents(tx, balance)
  const cost = used.reduce((sum, { cost: one }) => sum + one, 0)
  if (cost > 0) tx.afterCommit.push(() => settledCredits(tx.metrics).add(toCredits(cost)))
  return remaining
}

/** Returns the current credits for display, without a lock. Throws without a balance. */
export async function readCredits(
  ctx: Context | Transaction,
  workspaceId: string,
): Promise<Credits & { held: number }> {
  const { used: _, ...credits } = await readUsedCredits(ctx, workspaceId)
  return credits
}

/** Like `readCredits`, with the monthly credits that settlements of this month have charged. */
export async function readUsedCredits(
  ctx: Context | Transaction,
  workspaceId: string,
): Promise<Credits & { held: number; used: number }> {
  const row = await findBalance(ctx.db, workspaceId)
  if (!row) throw new Error(`Workspace ${workspaceId} has no balance.`)
  const current = rolledBalance(row, monthOf(ctx.now()))
  return { ...serializeCredits(current, ctx.now()), used: toCredits(current.used) }
}

function insufficientCreditsError(row: BalanceRow, amount: Milli, now: number): AppError {
  const { remaining, reset_at } = serializeCredits(row, now)
  const more = { required: toCredits(amount), remaining, reset_at }
  if (row.monthly + row.addons >= amount) {
    return new AppError('credits_held', 'Other runs hold the remaining credits. Try again.', {
      more,
      headers: { 'retry-after': String(HOLD_RETRY_AFTER_SECONDS) },
    })
  }
  return new AppError(
    'credits_exhausted',
    `Credits needed: ${more.required}; left: ${remaining}. Add credits or wait for the reset.`,
    { more },
  )
}
