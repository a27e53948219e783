import type { Context, Transaction } from '../context.ts'
import { emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pages.ts'
import { newId } from '../lib/ids.ts'
import { type Milli, toCredits } from '../lib/money.ts'
import { monthOf, nextMonth } from '../lib/months.ts'
import type { Credits } from './schema.ts'
import {
  type About,
  type BalanceRow,
  appendLedger,
  deleteHold,
  extendHold,
  findBalance,
  insertBalance,
  insertHold,
  lockBalance,
  takeHold,
  takeSettlement,
  writeBalance,
} from './store.ts'

/** A run that shows no sign of life for so long has died, and its hold goes back. */
export const HOLD_LEASE_MS = 90_000
const HELD_RETRY_SECONDS = 2
const LOW_SHARE = 0.1
const QUOTA_SHARE = 0.8

/** What a run has reserved, until it settles or releases it. */
export interface Hold {
  id: string
  workspaceId: string
  amount: Milli
}

/** Gives a new workspace its first month. */
export async function openBalance(
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
    last_from_month: 0,
    entries: 1,
    low_since: null,
    quota_month: null,
  }
  await insertBalance(tx.db, balance)
  await appendLedger(tx.db, balance, [{ type: 'grant', amount: limit, source: 'monthly' }], {
    at: tx.now(),
  })
}

/**
 * Reserves the greatest possible cost of a run. Throws 402 `credits_exhausted`, or `credits_held`
 * where only other runs' open holds are in the way.
 */
export async function holdCredits(
  tx: Transaction,
  workspaceId: string,
  amount: Milli,
  about: { sessionId?: string } = {},
): Promise<Hold> {
  const month = monthOf(tx.now())
  const taken =
    (await takeHold(tx.db, { workspaceId, month, amount })) ??
    ((await rollMonth(tx, workspaceId))
      ? await takeHold(tx.db, { workspaceId, month, amount })
      : undefined)
  if (!taken) throw await lacking(tx, workspaceId, amount)
  const hold = { id: newId('run'), workspaceId, amount }
  const free = Math.max(0, taken.monthly - (taken.held - amount))
  const fromMonth = Math.min(amount, free)
  await insertHold(tx.db, {
    id: hold.id,
    workspace_id: workspaceId,
    amount,
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
      { type: 'hold', amount: fromMonth - amount, source: 'addon' },
    ],
    { runId: hold.id, sessionId: about.sessionId, at: tx.now() },
  )
  return hold
}

/** Keeps the hold of a run that takes long; false when it is gone. */
export function keepHold(ctx: Context, { id, workspaceId }: Hold): Promise<boolean> {
  return extendHold(ctx.db, { id, workspaceId, leaseUntil: ctx.now() + HOLD_LEASE_MS })
}

/**
 * Ends a hold at what the run really cost, never more than was held, and tells when credits run
 * low. Answers the credits that remain, in thousandths. Throws when the hold is gone already.
 */
export async function settleHold(tx: Transaction, hold: Hold, cost: Milli): Promise<Milli> {
  const row = await deleteHold(tx.db, hold.workspaceId, hold.id)
  if (!row) throw new Error(`The hold ${hold.id} was settled or released before.`)
  const used = Math.min(cost, row.amount)
  const after = await endHold(tx, hold.workspaceId, { held: row.amount, used })
  const about: About = { runId: hold.id, sessionId: row.session_id ?? undefined, at: tx.now() }
  await appendLedger(
    tx.db,
    after,
    [
      { type: 'release', amount: row.from_month, source: 'monthly' },
      { type: 'release', amount: row.amount - row.from_month, source: 'addon' },
      { type: 'settle', amount: -after.last_from_month, source: 'monthly' },
      { type: 'settle', amount: after.last_from_month - used, source: 'addon' },
    ],
    about,
  )
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

/**
 * Begins a new month if one has begun: what is left of the old one lapses, the limit is granted.
 * Answers whether anything changed. Computed on access, so no scheduler has to run.
 */
export async function rollMonth(tx: Transaction, workspaceId: string): Promise<boolean> {
  const month = monthOf(tx.now())
  const current = await findBalance(tx.db, workspaceId)
  if (!current || current.month >= month) return false
  const before = await lockBalance(tx.db, workspaceId)
  if (!before || before.month >= month) return true
  const after = rolled(before, month)
  await writeBalance(tx.db, { ...after, entries: before.entries + 2 })
  // The grant comes first: open holds rely on it, and no row of the ledger may show less than zero.
  const monthly = before.monthly + after.monthly
  await appendLedger(
    tx.db,
    { ...after, monthly, entries: before.entries + 1 },
    [{ type: 'grant', amount: after.monthly, source: 'monthly' }],
    { at: month },
  )
  await appendLedger(
    tx.db,
    { ...after, entries: before.entries + 2 },
    [{ type: 'expire', amount: -before.monthly, source: 'monthly' }],
    { at: month },
  )
  return true
}

/** The balance as it is in a month; credits that open holds rely on are granted in any case. */
function rolled(balance: BalanceRow, month: number): BalanceRow {
  if (balance.month >= month) return balance
  const needed = Math.max(0, balance.held - balance.addons)
  const monthly = Math.max(balance.monthly_limit, needed)
  return stillLow({ ...balance, month, monthly, used: 0 })
}

/** The balance after credits were added: who is above the line again can be told of the next fall. */
export function stillLow(balance: BalanceRow): BalanceRow {
  return isLow(balance) ? balance : { ...balance, low_since: null }
}

function isLow({ monthly, addons, monthly_limit }: BalanceRow): boolean {
  return monthly + addons < monthly_limit * LOW_SHARE
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

function showCredits(balance: BalanceRow, now: number): Credits & { held: number } {
  return {
    remaining: toCredits(balance.monthly + balance.addons - balance.held),
    monthly_limit: toCredits(balance.monthly_limit),
    reset_at: isoTime(nextMonth(now)),
    addons: toCredits(balance.addons),
    held: toCredits(balance.held),
  }
}

async function lacking(tx: Transaction, workspaceId: string, amount: Milli): Promise<AppError> {
  const row = await findBalance(tx.db, workspaceId)
  if (!row) throw new Error(`Workspace ${workspaceId} has no balance.`)
  const { remaining, reset_at } = showCredits(row, tx.now())
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

async function tellThresholds(tx: Transaction, balance: BalanceRow): Promise<void> {
  const { workspace_id: workspaceId, monthly_limit: limit, month } = balance
  const isQuota = limit > 0 && balance.used >= limit * QUOTA_SHARE
  const tellsLow = isLow(balance) && balance.low_since === null
  const tellsQuota = isQuota && balance.quota_month !== month
  if (!tellsLow && !tellsQuota) return
  await writeBalance(tx.db, {
    ...balance,
    low_since: tellsLow ? tx.now() : balance.low_since,
    quota_month: isQuota ? month : balance.quota_month,
  })
  const { remaining, monthly_limit, addons, reset_at } = showCredits(balance, tx.now())
  if (tellsLow) {
    await emit(tx, 'credits.low', {
      workspaceId,
      data: { remaining, monthly_limit, addons, reset_at },
    })
  }
  if (tellsQuota) {
    await emit(tx, 'quota.threshold_reached', {
      workspaceId,
      data: {
        threshold: QUOTA_SHARE,
        used: toCredits(balance.used),
        monthly_limit,
        reset_at,
      },
    })
  }
}
