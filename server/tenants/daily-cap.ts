import { type Milli, MAX_TURN_COST } from '../lib/money.ts'
import type { TenantRow } from './tenants.ts'

/** The days into which the default cap divides a month's credits. */
const DEFAULT_CAP_DAYS = 10

/**
 * Returns the credits that a site's bot may use in a day; `null` for no cap. A site that has chosen
 * none has a tenth of the month's credits, so that one day's strangers cannot use up the month, and
 * never less than one answer can cost.
 */
export function dailyCapOf(
  { has_own_cap, daily_credit_cap }: Pick<TenantRow, 'has_own_cap' | 'daily_credit_cap'>,
  monthlyLimit: Milli,
): Milli | null {
  if (has_own_cap === 1) return daily_credit_cap
  return Math.max(MAX_TURN_COST, Math.floor(monthlyLimit / DEFAULT_CAP_DAYS))
}
