import { sql } from 'kysely'
import type { Transaction } from '../context.ts'
import { rowSource } from '../storage/row-source.ts'
import type { Family } from './signature.ts'

/** One event for one endpoint. */
export interface NewDelivery {
  /** `evt_…` or `wh_…`: one per event and endpoint. */
  id: string
  workspaceId: string
  family: Family
  endpointId: string
  event: string
  /** The exact bytes to send, as text. */
  body: string
  /** Waits until the endpoint takes deliveries again. */
  isHeld?: boolean
}

/** Queues deliveries in the transaction of the event that caused them: all are kept, or none. */
export async function enqueueDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  const now = tx.now()
  const source = rowSource(
    tx.db,
    ['text', 'text', 'text', 'text', 'text', 'text', 'bigint', 'bigint'],
    deliveries.map(({ isHeld = false, ...entry }) => [
      entry.id,
      entry.workspaceId,
      entry.family,
      entry.endpointId,
      entry.event,
      entry.body,
      isHeld ? null : now,
      isHeld ? now : null,
    ]),
  )
  await sql`
    insert into deliveries (id, workspace_id, family, endpoint_id, event, body, next_at, held_at,
      tier, attempt, attempts, created_at)
    select c0, c1, c2, c3, c4, c5, c6, c7, 0, 0, 0, cast(${now} as bigint)
    from ${source} as entry`.execute(tx.db)
  wakeAfterCommit(tx)
}

/** Tells the workers, once the transaction is committed, that something is due. */
export function wakeAfterCommit(tx: Transaction): void {
  tx.afterCommit.push(() => tx.wakeups.wake('deliveries'))
}
