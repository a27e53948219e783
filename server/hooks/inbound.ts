import { z } from 'zod'
import { type Context, type Transaction, transaction } from '../context.ts'
import { type EventEnvelope, emit } from '../events.ts'
import { Arrival } from './arrivals.ts'
import { endEvent, takeMessage } from './conversations.ts'
import { takeGeneric, takeStripe } from './payments.ts'
import { deleteEnded } from './queue.ts'
import { type InboundRow, emptyInbound, eraseInbound } from './store.inbound.ts'
import { findIntegration } from './store.ts'
import type { Queue } from './worker.ts'

/** So long the same event of a provider is known again. */
const KEPT_MS = 30 * 86_400_000
const MOST_AT_ONCE = 8
/** Longer than any model thinks. */
const LEASE_MS = 3 * 60_000

const Told = z.object({ told: z.unknown(), addon: z.unknown() })

/** What providers told, turned into what it means here. */
export function inboundQueue(ctx: Context): Queue<InboundRow> {
  return { table: 'inbound_events', most: MOST_AT_ONCE, leaseMs: LEASE_MS, work, onFailed: forget }

  async function work(event: InboundRow, signal: AbortSignal): Promise<void> {
    const integration = await findIntegration(ctx.db, event.integration_id)
    if (!integration || event.payload === null) return
    const arrival = Arrival.parse(JSON.parse(event.payload))
    const place = { integration, event }
    switch (arrival.type) {
      case 'message':
        return takeMessage(ctx, place, arrival, signal)
      case 'stripe':
        return takeStripe(ctx, place, arrival.event)
      case 'generic':
        return takeGeneric(ctx, place, { name: arrival.event, ...Told.parse(arrival.data) })
      case 'comment': {
        const { type: _, ...data } = arrival
        return transaction(ctx, async (tx) => {
          if (!(await endEvent(tx, event))) return
          const { workspace_id: workspaceId, tenant_id: tenantId } = integration
          await emit(tx, 'social.comment.received', { workspaceId, tenantId, source: 'meta', data })
        })
      }
    }
  }

  /** What people wrote; of payments somebody may still have to know what they were. */
  async function forget(event: InboundRow): Promise<void> {
    const { type } = Arrival.parse(JSON.parse(event.payload ?? 'null'))
    if (type === 'message' || type === 'comment') await emptyInbound(ctx.db, event)
  }
}

/** Forgets what was said in a conversation that is erased, and what of it still waits. */
export async function eraseSessionInbound(
  tx: Transaction,
  _event: 'session.erased',
  { workspaceId, data }: EventEnvelope<'session.erased'>,
): Promise<void> {
  await eraseInbound(tx.db, { workspaceId, sessionId: data.session_id, now: tx.now() })
}

/** Forgets what was processed long ago, and what went out. */
export async function expireInbound(ctx: Context): Promise<void> {
  const before = ctx.now() - KEPT_MS
  await deleteEnded(ctx.db, 'inbound_events', before)
  await deleteEnded(ctx.db, 'channel_messages', before)
}
