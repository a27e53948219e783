import { z } from 'zod'
import { type Context, type Transaction, transaction } from '../context.ts'
import { type Emitted, emit } from '../events.ts'
import { Arrival } from './arrivals.ts'
import { endEvent, takeMessage } from './conversations.ts'
import { takeGeneric, takeStripe } from './payments.ts'
import { type IntegrationQueue, inboundEvents, outboundMessages } from './queue.ts'
import { type InboundRow, emptyInbound, eraseInbound } from './store.inbound.ts'
import { findIntegration } from './store.ts'

/** How long a second copy of a provider's event is recognised. */
const EVENT_RETENTION_MS = 30 * 86_400_000
const MAX_CONCURRENCY = 8
/** Longer than the timeout of any model. */
const LEASE_MS = 3 * 60_000

const Told = z.object({ told: z.unknown(), addon: z.unknown() })

/** Processes the events that providers sent. */
export function inboundQueue(ctx: Context): IntegrationQueue<InboundRow> {
  return {
    queue: inboundEvents,
    concurrency: MAX_CONCURRENCY,
    leaseMs: LEASE_MS,
    run,
    onDead: forget,
  }

  async function run(event: InboundRow, signal: AbortSignal): Promise<void> {
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
  { workspaceId, data }: Emitted<'session.erased'>,
): Promise<void> {
  await eraseInbound(tx.db, { workspaceId, sessionId: data.session_id, now: tx.now() })
}

/** Forgets what was processed long ago, and what went out. */
export async function expireInbound(ctx: Context): Promise<void> {
  const before = ctx.now() - EVENT_RETENTION_MS
  await inboundEvents.deleteEnded(ctx.db, before)
  await outboundMessages.deleteEnded(ctx.db, before)
}
