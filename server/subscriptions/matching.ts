import type { Transaction } from '../context.ts'
import { enqueueDeliveries } from '../delivery/enqueue.ts'
import { platformBody } from '../delivery/signature.ts'
import type { Emitted, EventName } from '../events.ts'
import { newId } from '../lib/ids.ts'
import { platformName } from './event-names.ts'
import { findSubscribers } from './store.ts'

/** Queues a delivery for each subscription to the event; held while the subscription is disabled. */
export async function matchSubscriptions(
  tx: Transaction,
  event: EventName,
  emitted: Emitted,
): Promise<void> {
  const name = platformName(event)
  if (!name) return
  const { workspaceId, sessionId = null, data } = emitted
  const subscribers = await findSubscribers(tx.db, workspaceId, name)
  if (subscribers.length === 0) return
  const body = platformBody({ event: name, at: tx.now(), data })
  await enqueueDeliveries(
    tx,
    subscribers.map((subscriber) => ({
      id: newId('evt'),
      workspaceId,
      family: 'platform',
      endpointId: subscriber.id,
      event: name,
      body,
      sessionId: 'session_id' in data ? data.session_id : sessionId,
      isHeld: subscriber.disabled_at !== null,
    })),
  )
}
