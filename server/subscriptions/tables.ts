import type { AttemptError } from '../delivery/attempt-result.ts'
import type { SigningSecretColumns } from '../delivery/signing-secrets.ts'

/** Why the service takes a subscription for dead. */
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
  /** How many pings were started: only the result of the last one counts. */
  pings: number
  /** The result of the last ping that ended; all null before. */
  ping_status: number | null
  ping_error: AttemptError | null
  ping_latency_ms: number | null
  pinged_at: number | null
  /** A deleted subscription stays as a place for the history of its deliveries. */
  deleted_at: number | null
  created_at: number
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    subscriptions: SubscriptionsTable
  }
}
