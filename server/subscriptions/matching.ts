import type { Transaction } from '../context.ts'
import { enqueueDeliveries } from '../delivery/enqueue.ts'
import { platformBody } from '../delivery/signature.ts'
import type { Emitted, EventName } from '../events.ts'
import { newId } from '../lib/ids.ts'
import type { PlatformEvent } from './schema.ts'
import { findSubscribers } from './store.ts'

/** How subscribers know what happened inside; the others are for rules only. */
const PLATFORM_EVENTS: Partial<Record<EventName, PlatformEvent>> = {
  'message.received': 'chatbot.message',
  'lead.created': 'chatbot.lead',
  'prompt.executed': 'prompt.executed',
  'prompt.failed': 'prompt.failed',
  'social.post.published': 'social.post.published',
  'social.comment.received': 'social.comment.received',
  'social.dm.received': 'social.dm.received',
  'credits.low': 'credits.low',
  'subscription.renewed': 'subscription.renewed',
  'subscription.cancelled': 'subscription.cancelled',
}

/** Queues a delivery for each subscription to the event; held while the subscription is disabled. */
export async function matchSubscriptions(
  tx: Transaction,
  event: EventName,
  emitted: Emitted,
): Promise<void> {
  const name = PLATFORM_EVENTS[event]
  if (!name) return
  const { workspaceId, data } = emitted
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
      isHeld: subscriber.disabled_at !== null,
    })),
  )
}
