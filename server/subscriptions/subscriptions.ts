import { type Context, type Transaction, transaction } from '../context.ts'
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
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Actor, recordAudit } from '../platform/audit.ts'
import type { AuditDetails } from '../platform/schema.ts'
import { noSubscription } from './open-subscription.ts'
import { ping } from './ping.ts'
import type { NewSubscription, SubscriptionPatch } from './schema.ts'
import {
  findSubscription,
  insertSubscription,
  startPing,
  type SubscriptionRow,
  updateSubscription,
} from './store.ts'

/** What saving a subscription needs beside the context. */
export interface Outside {
  sender: Sender
  policy: TargetPolicy
}

/** What somebody does to a subscription. */
export interface Deed {
  subscription: SubscriptionRow
  actor: Actor
}

/**
 * Stores a new subscription and sends its `ping`: it is active from the 2xx on, and disabled until
 * then, so that a crash in between sends nothing to a receiver that never answered.
 */
export async function addSubscription(
  ctx: Context,
  { workspaceId, actor }: { workspaceId: string; actor: Actor },
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
  await transaction(ctx, async (tx) => {
    await insertSubscription(tx.db, row)
    const details = { url: originOf(row.url), events: wanted.events }
    await note(tx, row, { actor, action: 'subscription.created', details })
  })
  const pinged = await ping(ctx, sender, row, (tx) => releaseHeld(tx, id))
  return { row: pinged.row ?? row, secret }
}

/**
 * Changes a subscription. Another URL is pinged like a new one. What was held goes out when the
 * subscription is active again.
 */
export async function changeSubscription(
  ctx: Context,
  { subscription, actor }: Deed,
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
  const place = placeOf(subscription, secret !== undefined)
  const isMoved = url !== subscription.url
  const saved = await transaction(ctx, async (tx) => {
    const unproved = { url, disabled_at: now, disabled_reason: 'ping' as const }
    const changed = isMoved
      ? await startPing(tx.db, place, { ...values, ...unproved })
      : await updateSubscription(tx.db, place, values)
    if (!changed) throw await whyUnchanged(tx, id)
    const details = { fields: Object.keys(patch) }
    await note(tx, changed, { actor, action: 'subscription.changed', details })
    if (!isMoved && active === true && changed.disabled_at === null) await releaseHeld(tx, id)
    return changed
  })
  if (!isMoved) return saved
  const { row } = await ping(ctx, sender, saved, (tx) => releaseHeld(tx, id))
  return row ?? saved
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
  { subscription, actor }: Deed,
  given: string | undefined,
): Promise<{ secret: string; previousUntil: number }> {
  const secret = given ?? generateSecret()
  const { sealed, previousUntil } = rotatedSecret(ctx, subscription, secret)
  const place = placeOf(subscription, true)
  await transaction(ctx, async (tx) => {
    const values = { ...sealed, updated_at: ctx.now() }
    const changed = await updateSubscription(tx.db, place, values)
    if (!changed) throw await whyUnchanged(tx, subscription.id)
    await note(tx, subscription, { actor, action: 'subscription.secret_rotated' })
  })
  return { secret, previousUntil }
}

/** Deletes a subscription, its secrets and what waits for it; the history of its deliveries stays. */
export async function removeSubscription(
  ctx: Context,
  { subscription, actor }: Deed,
): Promise<void> {
  const { id } = subscription
  const place = { workspaceId: subscription.workspace_id, id }
  const now = ctx.now()
  await transaction(ctx, async (tx) => {
    const values = { deleted_at: now, updated_at: now, ...NO_SECRETS }
    if (!(await updateSubscription(tx.db, place, values))) throw noSubscription()
    await cancelDeliveries(tx, id)
    await note(tx, subscription, { actor, action: 'subscription.deleted' })
  })
}

/** A new secret replaces the one that was read: of two at once, one must not be lost unseen. */
function placeOf({ workspace_id, id, secret }: SubscriptionRow, replacesSecret: boolean) {
  const place = { workspaceId: workspace_id, id }
  return replacesSecret ? { ...place, secret } : place
}

async function whyUnchanged(tx: Transaction, id: string): Promise<AppError> {
  const row = await findSubscription(tx.db, id)
  if (!row || row.deleted_at !== null) return noSubscription()
  return new AppError('conflict', 'The secret was replaced at the same moment. Try again.')
}

function note(
  tx: Transaction,
  { id, workspace_id }: SubscriptionRow,
  deed: { actor: Actor; action: string; details?: AuditDetails },
): Promise<void> {
  return recordAudit(tx, workspace_id, { ...deed, subject: { type: 'subscription', id } })
}

/** Paths and queries of webhook URLs often hold secrets of the receiver. */
function originOf(url: string): string {
  return new URL(url).origin
}
