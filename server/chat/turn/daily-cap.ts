import type { Transaction } from '../../context.ts'
import { type Hold, holdCredits } from '../../credits/ledger.ts'
import { findMonthlyLimit } from '../../credits/store.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { dayOf } from '../../lib/days.ts'
import { type Milli, toCredits, turnCost } from '../../lib/money.ts'
import type { MessageRow } from '../session/store.ts'
import { addDailyUsage, lockDailyUsage } from './store.daily-usage.ts'
import { dailyCapOf } from '../../tenants/daily-cap.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

const HOLD_RETRY_AFTER_SECONDS = 2

/** The hold of a turn, and the site's day that it counts for under a daily cap. */
export interface TurnHold extends Hold {
  tenantDay?: { tenantId: string; day: string }
}

/**
 * Reserves the maximum cost of an answer, up to the rest of the site's daily cap, in the site's
 * time zone. Locks the site's day. Throws 402 like `holdCredits`, and, with `daily_credit_cap`,
 * when the site's cap is used up before the workspace's credits.
 */
export async function reserveTurnCredits(
  tx: Transaction,
  tenant: TenantRow,
  { message, max }: { message: MessageRow; max: Milli },
): Promise<TurnHold> {
  const { workspace_id: workspaceId, id: tenantId } = tenant
  const cap = dailyCapOf(tenant, await findMonthlyLimit(tx.db, workspaceId))
  const min = turnCost(0, 0)
  const about = { sessionId: message.session_id, min }
  if (cap === null) return holdCredits(tx, workspaceId, max, about)
  const { name: day, until } = dayOf(tx.now(), tenant.time_zone)
  const { used, held } = await lockDailyUsage(tx.db, { workspaceId, tenantId, day })
  const left = cap - used - held
  if (left < min) {
    await emit(tx, 'turn.capped', {
      workspaceId,
      tenantId,
      data: { session_id: message.session_id, message_id: message.id },
    })
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
  const hold = await holdCredits(tx, workspaceId, Math.min(max, left), { ...about, tenantDay })
  return { ...hold, tenantDay }
}

/**
 * Adds the cost of an answer to the day on which the turn began. Runs before the hold is settled.
 */
export async function recordDailyUsage(
  tx: Transaction,
  { workspaceId, tenantDay }: TurnHold,
  cost: Milli,
): Promise<void> {
  if (tenantDay) await addDailyUsage(tx.db, { workspaceId, ...tenantDay }, cost)
}
