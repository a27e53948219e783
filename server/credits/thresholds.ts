import type { Transaction } from '../context.ts'
import { emit } from '../events.ts'
import { toCredits } from '../lib/money.ts'
import { isBelowWarning, isLow } from './month-rollover.ts'
import { serializeCredits } from './serialize.ts'
import { type BalanceRow, markNotified } from './store.ts'

const QUOTA_SHARE = 0.8

/**
 * Emits `credits.low` and `credits.warning` once per fall below their marks, and
 * `quota.threshold_reached` once a month. Expects the balance after a settlement, locked in the same transaction.
 */
export async function emitThresholdEvents(tx: Transaction, balance: BalanceRow): Promise<void> {
  const { workspace_id: workspaceId, monthly_limit: limit, month } = balance
  const isQuota = limit > 0 && balance.used >= limit * QUOTA_SHARE
  const isLowDue = isLow(balance) && balance.low_since === null
  const isQuotaDue = isQuota && balance.quota_month !== month
  const isWarningDue = isBelowWarning(balance) && balance.warned_at === null
  if (!isLowDue && !isQuotaDue && !isWarningDue) return
  await markNotified(tx.db, workspaceId, {
    lowSince: isLowDue ? tx.now() : balance.low_since,
    quotaMonth: isQuota ? month : balance.quota_month,
    warnedAt: isWarningDue ? tx.now() : balance.warned_at,
  })
  const { remaining, monthly_limit, addons, reset_at } = serializeCredits(balance, tx.now())
  if (isLowDue) {
    await emit(tx, 'credits.low', {
      workspaceId,
      data: { remaining, monthly_limit, addons, reset_at },
    })
  }
  if (isWarningDue) {
    await emit(tx, 'credits.warning', {
      workspaceId,
      data: { remaining, warning: toCredits(balance.warning ?? 0), reset_at },
    })
  }
  if (isQuotaDue) {
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
