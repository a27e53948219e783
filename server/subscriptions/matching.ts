import type { Transaction } from '../context.ts'
import { enqueueDeliveries } from '../delivery/queue/enqueue.ts'
import { platformBody } from '../delivery/signature.ts'
import { type EventName, publicName } from '../events/registry.ts'
import type { EventEnvelope } from '../events.ts'
import { newId } from '../lib/ids.ts'
import type { PlatformEvent } from './schema.ts'
import { type Subscriber, findSubscribers } from './store.ts'

/** Who subscribes, as far as a transaction has asked: the runs that it settles ask for the same. */
const asked = new WeakMap<Transaction, Map<string, Promise<readonly Subscriber[]>>>()

/** Queues a delivery for each subscription to the event; held while the subscription is disabled. */
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
  const known = asked.get(tx) ?? new Map<string, Promise<readonly Subscriber[]>>()
  asked.set(tx, known)
  const key = `${workspaceId} ${event}`
  const subscribers = known.get(key) ?? findSubscribers(tx.db, workspaceId, event)
  known.set(key, subscribers)
  return subscribers
}
