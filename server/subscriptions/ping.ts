import { type Context, type Transaction, transaction } from '../context.ts'
import type { Sender } from '../delivery/http/attempt.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { platformBody } from '../delivery/signature.ts'
import { sendTestDelivery } from '../delivery/worker/test-delivery.ts'
import { newId } from '../lib/ids.ts'
import { endPing, findSubscription, type SubscriptionRow } from './store.ts'

/**
 * Sends the `ping` that the save of the subscription counted, and stores its result. A 2xx activates
 * the subscription and runs `onActive` in the same transaction, which resumes its deliveries. The
 * result of a ping is dropped when a later one started in between.
 */
export async function ping(
  ctx: Context,
  sender: Sender,
  subscription: SubscriptionRow,
  onActive: (tx: Transaction) => Promise<unknown>,
): Promise<{ hasArrived: boolean; row: SubscriptionRow | undefined }> {
  const event = 'ping'
  const { hasArrived, status, error, latency_ms } = await sendTestDelivery(
    ctx,
    sender,
    { id: subscription.id, url: subscription.url, secrets: signingSecrets(ctx, subscription) },
    {
      id: newId('evt'),
      workspaceId: subscription.workspace_id,
      family: 'platform',
      event,
      body: platformBody({ event, at: ctx.now(), data: {} }),
    },
  )
  const now = ctx.now()
  const row = await transaction(ctx, async (tx) => {
    const ended = await endPing(tx.db, subscription, {
      ping_status: status,
      ping_error: error,
      ping_latency_ms: latency_ms,
      pinged_at: now,
      ...(hasArrived ? { disabled_at: null, disabled_reason: null } : {}),
    })
    if (ended && hasArrived) await onActive(tx)
    return ended
  })
  return { hasArrived, row: row ?? (await findSubscription(ctx.db, subscription.id)) }
}
