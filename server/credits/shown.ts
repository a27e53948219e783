import { isoTime } from '../http/pages.ts'
import { toCredits } from '../lib/money.ts'
import { nextMonth } from '../lib/months.ts'
import type { Credits } from './schema.ts'
import type { BalanceRow } from './store.ts'

/** A balance as the API shows it. */
export function showCredits(balance: BalanceRow, now: number): Credits & { held: number } {
  return {
    remaining: toCredits(balance.monthly + balance.addons - balance.held),
    monthly_limit: toCredits(balance.monthly_limit),
    reset_at: isoTime(nextMonth(Math.max(now, balance.month))),
    addons: toCredits(balance.addons),
    held: toCredits(balance.held),
  }
}
