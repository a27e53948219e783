import type { AttemptError } from './attempt-result.ts'
import type { WebhookKind } from './signature.ts'

/** The transactional outbox: one row per event and endpoint. */
interface DeliveriesTable {
  id: string
  workspace_id: string
  family: WebhookKind
  endpoint_id: string
  event: string
  /** The exact bytes that are signed and sent, as text. */
  body: string
  /** Priority. 0: a first attempt, or a manual retry. 1: an automatic retry. Lower goes first. */
  tier: number
  /** Attempts made in this cycle. */
  attempt: number
  /** Attempts made in all cycles. */
  attempts: number
  /** The session that the body describes. */
  session_id: string | null
  /** When the next attempt is due; null while the delivery is paused. */
  next_at: number | null
  held_at: number | null
  lease_token: string | null
  lease_until: number | null
  created_at: number
}

interface DeliveryAttemptsTable {
  delivery_id: string
  number: number
  workspace_id: string
  started_at: number
  status: number | null
  error: AttemptError | null
  latency_ms: number | null
  answer: string | null
}

/** The final state of a delivery. */
export type FinishedState = 'delivered' | 'failed' | 'cancelled' | 'expired'

interface FinishedDeliveriesTable {
  id: string
  workspace_id: string
  family: WebhookKind
  endpoint_id: string
  event: string
  state: FinishedState
  attempts: number
  created_at: number
  finished_at: number
  /** Set only beside a stored response, which may repeat a visitor's text. */
  session_id: string | null
  /** The successful attempt; earlier attempts are rows of `delivery_attempts`. */
  attempted_at: number | null
  status: number | null
  latency_ms: number | null
  answer: string | null
}

/** Deliveries that failed for good, retained with their body for a manual retry. */
interface DeadLettersTable {
  id: string
  workspace_id: string
  family: WebhookKind
  endpoint_id: string
  event: string
  body: string
  attempts: number
  session_id: string | null
  created_at: number
  died_at: number
  expires_at: number
}

/** A recovery: resends the deliveries that failed since a time, in batches. */
interface DeliveryRecoveriesTable {
  id: string
  endpoint_id: string
  /** Includes deliveries that failed at this time or later. */
  since: number
  /** Excludes later failures, which belong to the new cycle. */
  until: number
  /** 1: includes deliveries that wait for a retry. */
  retries: number
  /** The deliveries requeued so far. */
  sent: number
  created_at: number
  finished_at: number | null
}

declare module '../storage/database.ts' {
  interface Tables {
    deliveries: DeliveriesTable
    delivery_attempts: DeliveryAttemptsTable
    finished_deliveries: FinishedDeliveriesTable
    dead_letters: DeadLettersTable
    delivery_recoveries: DeliveryRecoveriesTable
  }
}
