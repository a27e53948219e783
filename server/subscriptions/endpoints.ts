import type { Context } from '../context.ts'
import type { Endpoint, EndpointSource } from '../delivery/endpoints.ts'
import { emit } from '../events.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { recordAudit, SYSTEM } from '../platform/audit/audit.ts'
import {
  countDisabledSubscriptions,
  disableSubscription,
  findSubscriptions,
  type SubscriptionRow,
} from './store.ts'

/** Gives the delivery worker the endpoints of subscriptions. */
export const subscriptionEndpoints: EndpointSource = {
  async find(ctx, ids) {
    const rows = await findSubscriptions(ctx.db, ids)
    return rows.map((row) => toEndpoint(ctx, row))
  },
  async disable(tx, id, why) {
    const now = tx.now()
    const values = { disabled_at: now, disabled_reason: why, updated_at: now }
    const disabled = await disableSubscription(tx.db, id, values)
    if (disabled) {
      await recordAudit(tx, disabled.workspace_id, {
        actor: SYSTEM,
        action: 'subscription.disabled',
        subject: { type: 'subscription', id },
        details: { reason: why },
      })
      await emit(tx, 'webhook.disabled', {
        workspaceId: disabled.workspace_id,
        // Paths and queries of webhook URLs often hold secrets of the receiver.
        data: { subscription_id: id, host: new URL(disabled.url).host, why },
      })
      tx.afterCommit.push(() =>
        tx.log.warn(
          { event: 'subscriptions.subscription_disabled', subscription: id, why },
          'subscription disabled',
        ),
      )
    }
    return true
  },
  countDisabled: (ctx) => countDisabledSubscriptions(ctx.db),
}

/** Maps a subscription; one whose secret cannot be decrypted is inactive, with paused deliveries. */
function toEndpoint(ctx: Context, row: SubscriptionRow): Endpoint {
  const shared = { id: row.id, url: row.url }
  const isActive = row.switched_off_at === null && row.disabled_at === null
  try {
    return { ...shared, secrets: signingSecrets(ctx, row), isActive }
  } catch (error) {
    ctx.log.error(
      { event: 'subscriptions.secret_decrypt_failed', err: error, subscription: row.id },
      'subscription secret decrypt failed',
    )
    return { ...shared, secrets: { current: '' }, isActive: false }
  }
}
