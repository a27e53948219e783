import { type Context, transaction } from '../context.ts'
import type { Sender } from '../delivery/attempt.ts'
import { acceptedUrl } from '../delivery/accepted-url.ts'
import { cancelDeliveries, releaseDeliveries, releaseHeld } from '../delivery/hand.ts'
import {
  generateSecret,
  NO_SECRETS,
  rotatedSecret,
  sealedSecret,
} from '../delivery/sealed-secrets.ts'
import type { TargetPolicy } from '../delivery/target.ts'
import { newId } from '../lib/ids.ts'
import { noSubscription } from './open-subscription.ts'
import { ping } from './ping.ts'
import type { NewSubscription, SubscriptionPatch } from './schema.ts'
import { insertSubscription, startPing, type SubscriptionRow, updateSubscription } from './store.ts'

/** What saving a subscription needs beside the context. */
export interface Outside {
  sender: Sender
  policy: TargetPolicy
}

/**
 * Stores a new subscription and sends its `ping`: it is active from the 2xx on, and disabled until
 * then, so that a crash in between sends nothing to a receiver that never answered.
 */
export async function addSubscription(
  ctx: Context,
  workspaceId: string,
  wanted: NewSubscription,
  { sender, policy }: Outside,
): Promise<{ row: SubscriptionRow; secret: string }> {
  const id = newId('whs')
  const now = ctx.now()
  const secret = wanted.secret ?? generateSecret()
  const row: SubscriptionRow = {
    id,
    workspace_id: workspaceId,
    url: acceptedUrl(wanted.url, policy),
    events: JSON.stringify(wanted.events),
    ...sealedSecret(ctx, id, secret),
    switched_off_at: wanted.active ? null : now,
    disabled_at: now,
    disabled_reason: 'ping',
    pings: 1,
    ping_status: null,
    ping_error: null,
    ping_latency_ms: null,
    pinged_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  }
  await insertSubscription(ctx.db, row)
  const pinged = await ping(ctx, sender, row, (tx) => releaseHeld(tx, id))
  return { row: pinged.row ?? row, secret }
}

/**
 * Changes a subscription. Another URL is pinged like a new one. What was held goes out when the
 * subscription is active again.
 */
export async function changeSubscription(
  ctx: Context,
  subscription: SubscriptionRow,
  patch: SubscriptionPatch,
  { sender, policy }: Outside,
): Promise<SubscriptionRow> {
  const { id } = subscription
  const now = ctx.now()
  const { events, active, secret } = patch
  const url = patch.url === undefined ? subscription.url : acceptedUrl(patch.url, policy)
  const values: Partial<SubscriptionRow> = {
    updated_at: now,
    ...(events === undefined ? {} : { events: JSON.stringify(events) }),
    ...(active === undefined
      ? {}
      : { switched_off_at: active ? null : (subscription.switched_off_at ?? now) }),
    ...(secret === undefined ? {} : rotatedSecret(ctx, subscription, secret).sealed),
  }
  const place = { workspaceId: subscription.workspace_id, id }
  if (url !== subscription.url) {
    const unproved = { url, disabled_at: now, disabled_reason: 'ping' as const }
    const saved = await startPing(ctx.db, place, { ...values, ...unproved })
    if (!saved) throw noSubscription()
    const { row } = await ping(ctx, sender, saved, (tx) => releaseHeld(tx, id))
    return row ?? saved
  }
  return transaction(ctx, async (tx) => {
    const changed = await updateSubscription(tx.db, place, values)
    if (!changed) throw noSubscription()
    if (active === true && changed.disabled_at === null) await releaseHeld(tx, id)
    return changed
  })
}

/**
 * Pings a subscription by hand: 2xx makes it active, and everything of it that failed or was held
 * goes out again under the same ids. Any other answer changes nothing.
 */
export async function retrySubscription(
  ctx: Context,
  subscription: SubscriptionRow,
  sender: Sender,
): Promise<{ hasArrived: boolean; resent: number; row: SubscriptionRow }> {
  const { id } = subscription
  const place = { workspaceId: subscription.workspace_id, id }
  const started = await startPing(ctx.db, place, {})
  if (!started) throw noSubscription()
  let resent = 0
  const { hasArrived, row } = await ping(ctx, sender, started, async (tx) => {
    resent = await releaseDeliveries(tx, id)
  })
  return { hasArrived, resent, row: row ?? started }
}

/** Gives a subscription a new secret; the old one signs beside it for a day. */
export async function rotateSecret(
  ctx: Context,
  subscription: SubscriptionRow,
  given: string | undefined,
): Promise<{ secret: string; previousUntil: number }> {
  const secret = given ?? generateSecret()
  const { sealed, previousUntil } = rotatedSecret(ctx, subscription, secret)
  const place = { workspaceId: subscription.workspace_id, id: subscription.id }
  const changed = await updateSubscription(ctx.db, place, { ...sealed, updated_at: ctx.now() })
  if (!changed) throw noSubscription()
  return { secret, previousUntil }
}

/** Deletes a subscription, its secrets and what waits for it; the history of its deliveries stays. */
export async function removeSubscription(
  ctx: Context,
  subscription: SubscriptionRow,
): Promise<void> {
  const { id } = subscription
  const place = { workspaceId: subscription.workspace_id, id }
  const now = ctx.now()
  await transaction(ctx, async (tx) => {
    const values = { deleted_at: now, updated_at: now, ...NO_SECRETS }
    if (!(await updateSubscription(tx.db, place, values))) throw noSubscription()
    await cancelDeliveries(tx, id)
  })
}
