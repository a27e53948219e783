import type { AttemptError } from './attempt-result.ts'
import type { WebhookKind } from './signature.ts'

/** One event on its way to one endpoint. */
interface DeliveriesTable {
  id: string
  workspace_id: string
  family: WebhookKind
  endpoint_id: string
  event: string
  /** The exact bytes that are signed and sent, as text. */
  body: string
  /** 0: its first attempt, or sent again by hand. 1: a retry. Lower ones go first. */
  tier: number
  /** Attempts made in this cycle. */
  attempt: number
  /** Attempts made in all cycles. */
  attempts: number
  /** The conversation that the body tells of. */
  session_id: string | null
  /** Null while it is held. */
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

/** How a delivery ended that needs no more attention. */
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
  /** Only where a receiver's answer is kept, which may repeat a visitor's words. */
  session_id: string | null
  /** How the attempt went with which it arrived; earlier ones are rows of their own. */
  attempted_at: number | null
  status: number | null
  latency_ms: number | null
  answer: string | null
}

/** What failed for good, kept with its body so that it can be sent again by hand. */
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

/** An order to send again what failed since a time, carried out in steps. */
interface DeliveryRecoveriesTable {
  id: string
  endpoint_id: string
  /** What failed from here on. */
  since: number
  /** What failed later is of a new try. */
  until: number
  /** 1: also what waits for a retry. */
  retries: number
  /** How many deliveries were sent again so far. */
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
