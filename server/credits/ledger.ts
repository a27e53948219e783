import type { Context, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Milli, toCredits } from '../lib/money.ts'
import { monthOf } from '../lib/months.ts'
import { freshBalance, rollMonth, rolled } from './months.ts'
import type { Credits } from './schema.ts'
import { showCredits } from './shown.ts'
import { type BalanceRow, findBalance } from './store.ts'
import {
  type EndedHold,
  type HoldEnd,
  type WantedHold,
  endHold,
  extendHold,
  takeHold,
} from './store.holds.ts'
import { tellThresholds } from './thresholds.ts'
import { type Usage, countOnNewDay, countersOf } from './usage.ts'

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
  const now = tx.now()
  const wanted: WantedHold = {
    id: about.runId ?? newId('run'),
    workspaceId,
    sessionId: about.sessionId ?? null,
    amount,
    least: about.least ?? amount,
    month: monthOf(now),
    now,
    leaseUntil: now + HOLD_LEASE_MS,
  }
  const taken = (await takeHold(tx.db, wanted)) ?? (await takeLocked(tx, wanted))
  return { id: wanted.id, workspaceId, amount: taken.last_held }
}

/**
 * Tries again in this month, with the balance locked: what is refused now is refused for what the
 * balance says at this moment, and not for what it said a moment ago.
 */
async function takeLocked(tx: Transaction, wanted: WantedHold): Promise<BalanceRow> {
  const balance = await freshBalance(tx, wanted.workspaceId)
  const taken = await takeHold(tx.db, wanted)
  if (!taken) throw lacking(balance, wanted.least, wanted.now)
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
  const counters = countersOf(usage)
  const ended = await end(tx, hold, { cost, usage: counters })
  if (!ended) throw new Error(`The hold ${hold.id} was settled or released before.`)
  const { balance, isCounted } = ended
  if (!isCounted) await countOnNewDay(tx, hold.workspaceId, { ...counters, cost: ended.cost })
  await tellThresholds(tx, balance)
  return balance.monthly + balance.addons - balance.held
}

/** Gives a hold back; false when it was settled or released before. */
export async function releaseHold(tx: Transaction, hold: Hold): Promise<boolean> {
  return (await end(tx, hold, { cost: 0, usage: undefined })) !== undefined
}

/** Gives a hold back if its run has still shown no sign of life; answers whether it was so. */
export async function releaseLapsed(tx: Transaction, hold: Hold): Promise<boolean> {
  const ended = await end(tx, hold, { cost: 0, usage: undefined, lapsedBy: tx.now() })
  return ended !== undefined
}

/** Ends a hold in the month that it is now, which may have to begin first. */
async function end(
  tx: Transaction,
  { id, workspaceId }: Hold,
  how: Pick<HoldEnd, 'cost' | 'usage' | 'lapsedBy'>,
): Promise<EndedHold | undefined> {
  const now = tx.now()
  const asked: HoldEnd = { id, workspaceId, month: monthOf(now), now, ...how }
  const ended = await endHold(tx.db, asked)
  if (ended || !(await rollMonth(tx, workspaceId))) return ended
  return endHold(tx.db, asked)
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
