import type { Context, Transaction } from '../../context.ts'
import { type Hold, holdCredits } from '../../credits/ledger.ts'
import { findMonthlyLimit } from '../../credits/store.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { dayOf } from '../../lib/days.ts'
import { type Milli, toCredits, toMilli, turnCost } from '../../lib/money.ts'
import type { MessageRow } from '../session/store.ts'
import {
  addClientUsage,
  addDailyUsage,
  deleteEndedClientUsage,
  findClientUsage,
  lockDailyUsage,
} from './store.daily-usage.ts'
import { dailyCapOf } from '../../tenants/daily-cap.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

const HOLD_RETRY_AFTER_SECONDS = 2

/** What one client address always has of a daily cap: many people may share an address. */
const MIN_CLIENT_SHARE = toMilli(20)

/** The hold of a turn, and the site's day that it counts for under a daily cap. */
export interface TurnHold extends Hold {
  tenantDay?: { tenantId: string; day: string }
  /** The counter of the client address whose share of the cap holds the amount. */
  clientCounter?: string
}

/**
 * Reserves the maximum cost of an answer, up to the rest of the site's daily cap, in the site's
 * time zone, and of the client address's share of it. Locks the site's day. Throws 402 like
 * `holdCredits`, and, with `daily_credit_cap`, when the site's cap or the share is used up before the
 * workspace's credits. `client` is undefined for members and keys.
 */
export async function reserveTurnCredits(
  tx: Transaction,
  tenant: TenantRow,
  { message, max, client }: { message: MessageRow; max: Milli; client: string | undefined },
): Promise<TurnHold> {
  const { workspace_id: workspaceId, id: tenantId } = tenant
  const cap = dailyCapOf(tenant, await findMonthlyLimit(tx.db, workspaceId))
  const min = turnCost(0, 0)
  const about = { sessionId: message.session_id, min }
  if (cap === null) return holdCredits(tx, workspaceId, max, about)
  const { name: day, until } = dayOf(tx.now(), tenant.time_zone)
  const { used, held } = await lockDailyUsage(tx.db, { workspaceId, tenantId, day })
  const left = cap - used - held
  const capped = () =>
    emit(tx, 'turn.capped', {
      workspaceId,
      tenantId,
      data: { session_id: message.session_id, message_id: message.id },
    })
  if (left < min) {
    await capped()
    const more = {
      required: toCredits(min),
      remaining: toCredits(Math.max(0, cap - used)),
      reset_at: isoTime(until),
      daily_credit_cap: toCredits(cap),
    }
    if (cap - used >= min) {
      const headers = { 'retry-after': String(HOLD_RETRY_AFTER_SECONDS) }
      const text = 'Other answers hold the credits that this site has left today. Try again.'
      throw new AppError('credits_held', text, { more, headers })
    }
    throw new AppError(
      'credits_exhausted',
      'This site has used up its credits for today. Leave your contact details, or come back later.',
      { more },
    )
  }
  const tenantDay = { tenantId, day }
  const share = shareOf(tx, cap)
  if (client === undefined || share >= cap) {
    const hold = await holdCredits(tx, workspaceId, Math.min(max, left), { ...about, tenantDay })
    return { ...hold, tenantDay }
  }
  const counter = tx.secrets.digest(`daily share ${tenantId} ${day} ${client}`)
  const own = share - (await findClientUsage(tx.db, workspaceId, counter))
  if (own < min) {
    await capped()
    throw new AppError(
      'credits_exhausted',
      'This address has used its share of the credits that this site has for a day. Leave your contact details, or come back later.',
      { more: { reset_at: isoTime(until) } },
    )
  }
  const amount = Math.min(max, left, own)
  const hold = await holdCredits(tx, workspaceId, amount, { ...about, tenantDay })
  await addClientUsage(tx.db, { workspaceId, counter, endsAt: until }, hold.amount)
  return { ...hold, tenantDay, clientCounter: counter }
}

/** Returns what one client address may use of a daily cap. */
function shareOf({ config }: Transaction, cap: Milli): Milli {
  if (config.dailySharePercent === 0) return cap
  return Math.max(MIN_CLIENT_SHARE, Math.floor((cap * config.dailySharePercent) / 100))
}

/**
 * Adds the cost of an answer to the day on which the turn began, and to the share of the client
 * address. Runs before the hold is settled.
 */
export async function recordDailyUsage(
  tx: Transaction,
  hold: TurnHold,
  cost: Milli,
): Promise<void> {
  const { workspaceId, tenantDay, clientCounter, amount } = hold
  if (tenantDay) await addDailyUsage(tx.db, { workspaceId, ...tenantDay }, cost)
  if (clientCounter !== undefined && cost !== amount) {
    await addClientUsage(tx.db, { workspaceId, counter: clientCounter }, cost - amount)
  }
}

/** Gives the share of the client address back that an abandoned turn held. */
export async function releaseClientShare(tx: Transaction, hold: TurnHold): Promise<void> {
  const { workspaceId, clientCounter: counter, amount } = hold
  if (counter !== undefined) await addClientUsage(tx.db, { workspaceId, counter }, -amount)
}

/** Deletes the counts of client addresses whose day has ended. Idempotent. */
export async function expireClientUsage(ctx: Context): Promise<void> {
  await deleteEndedClientUsage(ctx.db, ctx.now())
}
