import { type Transaction, allDone } from '../../context.ts'
import { type Hold, type HoldRequest, holdOn } from '../../credits/ledger.ts'
import { lockCurrentBalance } from '../../credits/month-rollover.ts'
import type { BalanceRow } from '../../credits/store.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { dayOf } from '../../lib/days.ts'
import { type Milli, toCredits, turnCost } from '../../lib/money.ts'
import type { MessageRow } from '../session/store.ts'
import { takeTurn } from '../../storage/query-hints.ts'
import { addDailyUsage, lockDailyUsage } from './store.daily-usage.ts'
import { dailyCapOf } from '../../tenants/daily-cap.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

const HOLD_RETRY_AFTER_SECONDS = 2

/** The hold of a turn, and the site's day that it counts for under a daily cap. */
export interface TurnHold extends Hold {
  tenantDay?: TenantDay
}

interface TenantDay {
  tenantId: string
  day: string
}

/** A site's credits of the day, in a transaction that has locked them. */
interface SiteDay {
  name: string
  until: number
  used: Milli
  held: Milli
}

/** What turns of a workspace may spend: its balance, and the day of each site, locked. */
export interface TurnBudget {
  balance: BalanceRow
  days: ReadonlyMap<string, SiteDay>
}

/**
 * Locks the days of sites, in their time zones, and then the balance of their workspace. A site that has
 * chosen to have no cap is left out.
 */
export async function lockBudget(
  tx: Transaction,
  workspaceId: string,
  tenants: readonly TenantRow[],
): Promise<TurnBudget> {
  const sites = [...new Map(tenants.map((tenant) => [tenant.id, tenant])).values()]
    .filter(({ has_own_cap, daily_credit_cap }) => has_own_cap === 0 || daily_credit_cap !== null)
    .toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1))
  const locking = sites.map(async ({ id: tenantId, time_zone }): Promise<[string, SiteDay]> => {
    const day = dayOf(tx.now(), time_zone)
    const state = await lockDailyUsage(tx.db, { workspaceId, tenantId, day: day.name })
    return [tenantId, { ...day, ...state }]
  })
  // Sent behind those of the days, whose rows are locked first.
  const [balance, ...days] = await allDone([lockCurrentBalance(tx, workspaceId), ...locking])
  return { balance, days: new Map(days) }
}

/**
 * Returns the hold that an answer needs: its maximum cost, up to the rest of the site's daily cap, which
 * it takes from the budget. Returns a 402 with `daily_credit_cap` when the site's cap is used up, and
 * emits `turn.capped`.
 */
export async function requestHold(
  tx: Transaction,
  tenant: TenantRow,
  budget: TurnBudget,
  { message, max }: { message: MessageRow; max: Milli },
): Promise<(HoldRequest & { tenantDay?: TenantDay }) | AppError> {
  const { workspace_id: workspaceId, id: tenantId } = tenant
  const cap = dailyCapOf(tenant, budget.balance.monthly_limit)
  const min = turnCost(0, 0)
  const about = { sessionId: message.session_id, min }
  const site = budget.days.get(tenantId)
  if (cap === null || !site) return { ...about, amount: max }
  const left = cap - site.used - site.held
  if (left < min) {
    await emit(tx, 'turn.capped', {
      workspaceId,
      tenantId,
      data: { session_id: message.session_id, message_id: message.id },
    })
    return cappedError(cap, site, min)
  }
  const amount = Math.min(max, left)
  site.held += amount
  return { ...about, amount, tenantDay: { tenantId, day: site.name } }
}

function cappedError(cap: Milli, { used, until }: SiteDay, min: Milli): AppError {
  const more = {
    required: toCredits(min),
    remaining: toCredits(Math.max(0, cap - used)),
    reset_at: isoTime(until),
    daily_credit_cap: toCredits(cap),
  }
  if (cap - used >= min) {
    const headers = { 'retry-after': String(HOLD_RETRY_AFTER_SECONDS) }
    const text = 'Other answers hold the credits that this site has left today. Try again.'
    return new AppError('credits_held', text, { more, headers })
  }
  return new AppError(
    'credits_exhausted',
    'This site has used up its credits for today. Leave your contact details, or come back later.',
    { more },
  )
}

/**
 * Reserves the maximum cost of a single answer. Locks the site's day and the balance. Throws 402 like
 * `holdCredits`, and, with `daily_credit_cap`, when the site's cap is used up before the credits.
 */
export async function reserveTurnCredits(
  tx: Transaction,
  tenant: TenantRow,
  answer: { message: MessageRow; max: Milli },
): Promise<TurnHold> {
  await takeTurn(tx.db, tenant.workspace_id)
  const budget = await lockBudget(tx, tenant.workspace_id, [tenant])
  const request = await requestHold(tx, tenant, budget, answer)
  if (request instanceof AppError) throw request
  const [hold] = await holdOn(tx, budget.balance, [request])
  if (!hold || hold instanceof AppError) throw hold
  return request.tenantDay ? { ...hold, tenantDay: request.tenantDay } : hold
}

/**
 * Adds the costs of answers to the days on which their turns began. Runs before the holds are settled.
 */
export async function recordDailyUsage(
  tx: Transaction,
  answers: readonly { hold: TurnHold; cost: Milli }[],
): Promise<void> {
  await addDailyUsage(
    tx.db,
    answers.flatMap(({ hold: { workspaceId, tenantDay }, cost }) =>
      tenantDay ? [{ workspaceId, ...tenantDay, cost }] : [],
    ),
  )
}
