import { type Transaction, sharedRead } from '../context.ts'
import { enqueueDeliveries } from '../delivery/queue/enqueue.ts'
import { platformBody } from '../delivery/signature.ts'
import { type EventName, publicName } from '../events/registry.ts'
import type { EventEnvelope, EventPlace } from '../events.ts'
import { newId } from '../lib/ids.ts'
import type { PlatformEvent } from './schema.ts'
import { findSubscribers } from './store.ts'

/** Shared, because a transaction settles many runs. */
const readSubscribers = sharedRead((tx, workspaceId: string, event: PlatformEvent) =>
  findSubscribers(tx.db, workspaceId, event),
)

/** Enqueues a delivery for each subscription to the event, paused for a disabled subscription. */
export async function matchSubscriptions(
  tx: Transaction,
  event: EventName,
  envelope: EventEnvelope,
): Promise<void> {
  const name = publicName(event)
  if (!name) return
  const { workspaceId, sessionId = null, data } = envelope
  const subscribers = await readSubscribers(tx, workspaceId, name)
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

matchSubscriptions.prefetch = async (
  tx: Transaction,
  event: EventName,
  { workspaceId }: EventPlace,
): Promise<unknown> => {
  const name = publicName(event)
  return name && readSubscribers(tx, workspaceId, name)
}
