import { isoTime } from '../http/pagination.ts'
import { toCredits } from '../lib/money.ts'
import { nextMonth } from '../lib/months.ts'
import type { Credits, LedgerRow } from './schema.ts'
import type { BalanceRow, LedgerEntry } from './store.ts'

/** Serializes a balance for the API. */
export function serializeCredits(balance: BalanceRow, now: number): Credits & { held: number } {
  return {
    remaining: toCredits(balance.monthly + balance.addons - balance.held),
    monthly_limit: toCredits(balance.monthly_limit),
    reset_at: isoTime(nextMonth(Math.max(now, balance.month))),
    addons: toCredits(balance.addons),
    held: toCredits(balance.held),
  }
}

/** Serializes a ledger row for the API. */
export function serializeLedgerRow(row: LedgerEntry): LedgerRow {
  return {
    ledger_id: row.id,
    type: row.type,
    amount: toCredits(row.amount),
    source: row.source,
    monthly_after: toCredits(row.monthly_after),
    addons_after: toCredits(row.addons_after),
    held_after: toCredits(row.held_after),
    ...(row.run_id === null ? {} : { run_id: row.run_id }),
    ...(row.session_id === null ? {} : { session_id: row.session_id }),
    ...(row.reference === null ? {} : { reference: row.reference }),
    ...(row.billed_input === null || row.billed_output === null
      ? {}
      : { billed_input_tokens: row.billed_input, billed_output_tokens: row.billed_output }),
    created_at: isoTime(row.created_at),
  }
}
