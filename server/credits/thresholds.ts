import type { Transaction } from '../context.ts'
import { emit } from '../events.ts'
import { toCredits } from '../lib/money.ts'
import { isLow } from './month-rollover.ts'
import { serializeCredits } from './serialize.ts'
import { type BalanceRow, markNotified } from './store.ts'

const QUOTA_SHARE = 0.8

/**
 * After a settlement, tells once that credits run low, and once a month that most of them are used.
 * The balance must be as the settlement left it, in the same transaction.
 */
export async function emitThresholdEvents(tx: Transaction, balance: BalanceRow): Promise<void> {
  const { workspace_id: workspaceId, monthly_limit: limit, month } = balance
  const isQuota = limit > 0 && balance.used >= limit * QUOTA_SHARE
  const tellsLow = isLow(balance) && balance.low_since === null
  const tellsQuota = isQuota && balance.quota_month !== month
  if (!tellsLow && !tellsQuota) return
  await markNotified(tx.db, workspaceId, {
    lowSince: tellsLow ? tx.now() : balance.low_since,
    quotaMonth: isQuota ? month : balance.quota_month,
  })
  const { remaining, monthly_limit, addons, reset_at } = serializeCredits(balance, tx.now())
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
