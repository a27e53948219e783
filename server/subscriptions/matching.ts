import type { Transaction } from '../context.ts'
import { enqueueDeliveries } from '../delivery/queue/enqueue.ts'
import { platformBody } from '../delivery/signature.ts'
import { type EventName, publicName } from '../events/registry.ts'
import type { EventEnvelope } from '../events.ts'
import { newId } from '../lib/ids.ts'
import type { PlatformEvent } from './schema.ts'
import { type Subscriber, findSubscribers } from './store.ts'

/** Caches subscribers per transaction, because a transaction settles many runs. */
const subscriberCache = new WeakMap<Transaction, Map<string, Promise<readonly Subscriber[]>>>()

/** Enqueues a delivery for each subscription to the event, paused for a disabled subscription. */
export async function matchSubscriptions(
  tx: Transaction,
  event: EventName,
  envelope: EventEnvelope,
): Promise<void> {
  const name = publicName(event)
  if (!name) return
  const { workspaceId, sessionId = null, data } = envelope
  const subscribers = await subscribersOf(tx, workspaceId, name)
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

function subscribersOf(
  tx: Transaction,
  workspaceId: string,
  event: PlatformEvent,
): Promise<readonly Subscriber[]> {
  const known = subscriberCache.get(tx) ?? new Map<string, Promise<readonly Subscriber[]>>()
  subscriberCache.set(tx, known)
  const key = `${workspaceId} ${event}`
  const subscribers = known.get(key) ?? findSubscribers(tx.db, workspaceId, event)
  known.set(key, subscribers)
  return subscribers
}
