import type { Milli } from '../lib/money.ts'
import type { LedgerSource, LedgerType, UsageKind } from './schema.ts'

interface BalancesTable {
  workspace_id: string
  /** The first instant of the month that `monthly` belongs to. */
  month: number
  monthly_limit: Milli
  monthly: Milli
  /** Monthly credits that settlements charged; a change of the limit leaves the sum as it is. */
  used: Milli
  addons: Milli
  held: Milli
  /** The number of ledger rows, which numbers the next one. */
  entries: number
  low_since: number | null
  quota_month: number | null
  /** The day in the workspace's time zone that `day_from` and `day_until` enclose. */
  day: string
  day_from: number
  day_until: number
  /** The end of a cancelled paid plan: the first instant of a month. */
  ends_at: number | null
  /** The workspace's own low mark, beside a tenth of the month's credits. */
  warning: Milli | null
  /** When the managers were notified that less than `warning` is left; null above it. */
  warned_at: number | null
}

interface HoldsTable {
  id: string
  workspace_id: string
  amount: Milli
  from_month: Milli
  session_id: string | null
  created_at: number
  lease_until: number
  /** The site and day whose daily cap the hold counts towards; null for other holds. */
  tenant_id: string | null
  day: string | null
}

interface LedgerTable {
  id: string
  workspace_id: string
  type: LedgerType
  amount: Milli
  source: LedgerSource
  monthly_after: Milli
  addons_after: Milli
  held_after: Milli
  run_id: string | null
  session_id: string | null
  reference: string | null
  /** The tokens of a settlement that its hold could not pay for in full. */
  billed_input: number | null
  billed_output: number | null
  created_at: number
  sequence: number
}

interface UsageDaysTable {
  workspace_id: string
  kind: UsageKind
  /** Such as `2027-06-15`, in the workspace's time zone. */
  day: string
  subject: string
  runs: number
  credits: Milli
  input_tokens: number
  output_tokens: number
}

declare module '../storage/database.ts' {
  interface Tables {
    balances: BalancesTable
    holds: HoldsTable
    ledger: LedgerTable
    usage_days: UsageDaysTable
  }
}
