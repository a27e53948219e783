import type { AttemptError } from '../delivery/attempt-result.ts'
import type { SigningSecretColumns } from '../delivery/signing-secrets.ts'

/** Why the service disabled a subscription. */
export type DisabledReason = 'ping' | 'gone' | 'exhausted'

interface SubscriptionsTable extends SigningSecretColumns {
  id: string
  workspace_id: string
  url: string
  /** A JSON array of event names. */
  events: string
  /** The user's switch. */
  switched_off_at: number | null
  /** The service's state, and why. */
  disabled_at: number | null
  disabled_reason: DisabledReason | null
  /** Counts started pings; only the result of the latest one is stored. */
  pings: number
  /** The result of the latest ping; all null before. */
  ping_status: number | null
  ping_error: AttemptError | null
  ping_latency_ms: number | null
  pinged_at: number | null
  /** A deleted subscription remains as the owner of its delivery history. */
  deleted_at: number | null
  created_at: number
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    subscriptions: SubscriptionsTable
  }
}
