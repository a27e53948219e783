import { type Context, type Transaction, transaction } from '../context.ts'
import { type EventEnvelope, emit } from '../events.ts'
import { DAY_MS, MINUTE_MS } from '../lib/durations.ts'
import { ChannelEvent } from './channels/inbound-events.ts'
import { endEvent, handleInboundMessage } from './inbound/inbound-message.ts'
import { handleNamedEvent, handlePaymentEvent } from './payments/payments.ts'
import { type IntegrationQueue, inboundEvents, outboundMessages } from './queue.ts'
import { type InboundRow, emptyInbound, eraseInbound } from './inbound/store.inbound.ts'
import { findIntegration } from './store.ts'

/** Retention of ended events, within which a provider's repetition is recognised. */
const RETENTION_MS = 30 * DAY_MS
const MAX_CONCURRENCY = 16
/** Longer than the longest timeout of a model. */
const LEASE_MS = 3 * MINUTE_MS

/** The queue of inbound events. */
export function inboundQueue(ctx: Context): IntegrationQueue<InboundRow> {
  return {
    queue: inboundEvents,
    concurrency: MAX_CONCURRENCY,
    leaseMs: LEASE_MS,
    run,
    onDead: eraseText,
  }

  async function run(event: InboundRow, signal: AbortSignal): Promise<void> {
    const integration = await findIntegration(ctx.db, event.integration_id)
    if (!integration || event.payload === null) return
    const parsed = ChannelEvent.parse(JSON.parse(event.payload))
    const place = { integration, event }
    switch (parsed.type) {
      case 'message':
        return handleInboundMessage(ctx, place, parsed, signal)
      case 'payment':
        return handlePaymentEvent(ctx, place, parsed.event)
      case 'named':
        return handleNamedEvent(ctx, place, parsed)
      case 'comment': {
        const { type: _, ...data } = parsed
        const { workspace_id: workspaceId, tenant_id: tenantId, kind: source } = integration
        return transaction(ctx, async (tx) => {
          if (!(await endEvent(tx, event))) return
          await emit(tx, 'social.comment.received', { workspaceId, tenantId, source, data })
        })
      }
    }
  }

  /** Erases what people wrote. A failed payment stays, for somebody to look into. */
  async function eraseText(event: InboundRow): Promise<void> {
    const { type } = ChannelEvent.parse(JSON.parse(event.payload ?? 'null'))
    if (type === 'message' || type === 'comment') await emptyInbound(ctx.db, event)
  }
}

/** Erases the queued and the processed events of an erased conversation. */
export async function eraseSessionInbound(
  tx: Transaction,
  _event: 'session.erased',
  { workspaceId, data }: EventEnvelope<'session.erased'>,
): Promise<void> {
  await eraseInbound(tx.db, { workspaceId, sessionId: data.session_id, now: tx.now() })
}

/** Deletes inbound events and outbound messages past their retention. */
export async function expireInbound(ctx: Context): Promise<void> {
  const before = ctx.now() - RETENTION_MS
  await inboundEvents.deleteEnded(ctx.db, before)
  await outboundMessages.deleteEnded(ctx.db, before)
}
