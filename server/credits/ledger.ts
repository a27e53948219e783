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
import { type Usage, countUsage, countersOf } from './usage.ts'

/** A run that shows no sign of life for so long has died, and its hold goes back. */
export const HOLD_LEASE_MS = 90_000
const HOLD_RETRY_AFTER_SECONDS = 2

/** What a run has reserved, until it settles or releases it. */
export interface Hold {
  /** The run's id. */
  id: string
  workspaceId: string
  /** What was taken, at least the least that was asked for. */
  amount: Milli
}

/** What a hold is for. */
export interface HoldOptions {
  /** The id of the run where its caller has given it one, `run_…`; a new one otherwise. */
  runId?: string
  sessionId?: string
  /** The site whose credits of a day the hold counts for, where they are limited. */
  tenantDay?: { tenantId: string; day: string }
  /** The smallest amount that is of use; less than `amount` where a run can shrink to what is left. */
  min?: Milli
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
  about: HoldOptions = {},
): Promise<Hold> {
  const [outcome] = await holdMany(tx, workspaceId, [{ ...about, amount }])
  if (!outcome || outcome instanceof AppError) throw outcome
  return outcome
}

/**
 * The same for several runs of a workspace, one after the other; answers what each would get or be
 * refused with. `decided` is told so before it is written.
 */
export async function holdMany(
  tx: Transaction,
  workspaceId: string,
  wanted: readonly (HoldOptions & { amount: Milli })[],
  decided?: (outcomes: readonly (Hold | AppError)[]) => Promise<void>,
): Promise<(Hold | AppError)[]> {
  const now = tx.now()
  const balance = { ...(await lockCurrentBalance(tx, workspaceId)) }
  const holds: HoldRow[] = []
  const outcomes = wanted.map((want) => {
    const { runId = newId('run'), sessionId = null, tenantDay, amount, min = amount } = want
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
  await decided?.(outcomes)
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

/** Keeps the hold of a run that takes long; false when it is gone. */
export function renewHold(ctx: Context, { id, workspaceId }: Hold): Promise<boolean> {
  return extendHold(ctx.db, { id, workspaceId, leaseUntil: ctx.now() + HOLD_LEASE_MS })
}

/** How a run ends: what it really cost, never more than was held, and what that was for. */
export interface Settlement {
  hold: Hold
  cost: Milli
  usage?: Usage
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
  const [remaining] = await settleMany(tx, hold.workspaceId, [{ hold, cost, usage }])
  if (remaining === undefined) throw holdClosedError(hold)
  return remaining
}

/**
 * The same for several runs of a workspace, one after the other; answers what remains after each,
 * and `undefined` for a hold that is gone already.
 */
export async function settleMany(
  tx: Transaction,
  workspaceId: string,
  ends: readonly Settlement[],
): Promise<(Milli | undefined)[]> {
  const taken = await removeHolds(tx.db, { workspaceId, ids: ends.map(({ hold }) => hold.id) })
  return taken ? closeHolds(tx, taken, ends) : ends.map(() => undefined)
}

/** What a run meets whose hold somebody else has ended. */
export function holdClosedError({ id }: Hold): Error {
  return new Error(`The hold ${id} was settled or released before.`)
}

/** Gives a hold back; false when it was settled or released before. */
export function releaseHold(tx: Transaction, hold: Hold): Promise<boolean> {
  return release(tx, hold, undefined)
}

/** Gives a hold back if its run has still shown no sign of life; answers whether it was so. */
export function releaseLapsed(tx: Transaction, hold: Hold): Promise<boolean> {
  return release(tx, hold, tx.now())
}

async function release(
  tx: Transaction,
  hold: Hold,
  lapsedBy: number | undefined,
): Promise<boolean> {
  const { id, workspaceId } = hold
  const taken = await removeHolds(tx.db, { workspaceId, ids: [id], lapsedBy })
  if (!taken || taken.holds.length === 0) return false
  await closeHolds(tx, taken, [{ hold, cost: 0 }])
  return true
}

/**
 * Ends holds in the month that it is now, which may have to begin first: what was used goes from
 * the balance, monthly credits first, with the rows of the ledger and the counters.
 */
async function closeHolds(
  tx: Transaction,
  taken: { balance: BalanceRow; holds: readonly RemovedHold[] },
  ends: readonly Settlement[],
): Promise<(Milli | undefined)[]> {
  const now = tx.now()
  const balance = { ...(await projectToMonth(tx, taken.balance)) }
  const holds = new Map(taken.holds.map((hold) => [hold.id, hold]))
  const changes: LedgerChange[] = []
  const used: (RunUsage & { cost: Milli })[] = []
  const remaining = ends.map(({ hold: { id }, cost: asked, usage }) => {
    const hold = holds.get(id)
    if (!hold) return undefined
    holds.delete(id)
    const { amount, from_month: held, session_id } = hold
    const cost = Math.min(asked, amount)
    const fromMonth = Math.min(balance.monthly, cost)
    balance.held -= amount
    balance.monthly -= fromMonth
    balance.addons -= cost - fromMonth
    balance.used += fromMonth
    const about = { runId: id, sessionId: session_id ?? undefined, at: now }
    changes.push(
      { ...about, type: 'release', amount: held, source: 'monthly' },
      { ...about, type: 'release', amount: amount - held, source: 'addon' },
      { ...about, type: 'settle', amount: -fromMonth, source: 'monthly' },
      { ...about, type: 'settle', amount: fromMonth - cost, source: 'addon' },
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

/** Credits as they are now, for showing. Throws when the workspace has no balance. */
export async function readCredits(
  ctx: Context | Transaction,
  workspaceId: string,
): Promise<Credits & { held: number }> {
  const row = await findBalance(ctx.db, workspaceId)
  if (!row) throw new Error(`Workspace ${workspaceId} has no balance.`)
  return serializeCredits(rolledBalance(row, monthOf(ctx.now())), ctx.now())
}

function insufficientCreditsError(row: BalanceRow, amount: Milli, now: number): AppError {
  const { remaining, reset_at } = serializeCredits(row, now)
  const more = { required: toCredits(amount), remaining, reset_at }
  if (row.monthly + row.addons >= amount) {
    return new AppError('credits_held', 'Other runs hold the credits that are left. Try again.', {
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
