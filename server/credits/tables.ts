import type { Milli } from '../lib/money.ts'
import type { LedgerSource, LedgerType, UsageKind } from './schema.ts'

interface BalancesTable {
  workspace_id: string
  /** The first instant of the month that `monthly` belongs to. */
  month: number
  monthly_limit: Milli
  monthly: Milli
  /** What settlements took from the month, whatever the limit was then. */
  used: Milli
  addons: Milli
  held: Milli
  /** How many rows the ledger has, so that they have an order. */
  entries: number
  low_since: number | null
  quota_month: number | null
  /** The day in the workspace's time zone that `day_from` and `day_until` enclose. */
  day: string
  day_from: number
  day_until: number
  /** When the paid plan ends that was cancelled: the first instant of a month. */
  ends_at: number | null
}

interface HoldsTable {
  id: string
  workspace_id: string
  amount: Milli
  from_month: Milli
  session_id: string | null
  created_at: number
  lease_until: number
  /** The site with a daily cap that the hold counts for, and its day; null for any other hold. */
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
