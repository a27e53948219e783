import { type Context, type Transaction, transaction } from '../context.ts'
import type { Sender } from '../delivery/http/attempt.ts'
import { parseTargetUrl } from '../net/target.ts'
import { cancelDeliveries, replayFailed, resumeDeliveries } from '../delivery/queue/manual-retry.ts'
import {
  generateSecret,
  NO_SECRETS,
  rotateSigningSecret,
  encryptSecret,
} from '../delivery/signing-secrets.ts'
import type { TargetPolicy } from '../net/target.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import type { AuditAction, AuditDetails } from '../platform/schema.ts'
import { noSubscription } from './load.ts'
import { ping } from './ping.ts'
import type { NewSubscription, SubscriptionPatch } from './schema.ts'
import {
  findSubscription,
  insertSubscription,
  startPing,
  type SubscriptionRow,
  updateSubscription,
} from './store.ts'

/** The dependencies of a save, which sends a `ping`. */
export interface PingDeps {
  sender: Sender
  policy: TargetPolicy
}

/** A subscription and the actor of a change. */
export interface SubscriptionAction {
  subscription: SubscriptionRow
  actor: Actor
}

/**
 * Stores a new subscription and sends its `ping`. The subscription is disabled until the 2xx, so that
 * after a crash nothing is sent to a receiver that never responded. Throws 422.
 */
export async function addSubscription(
  ctx: Context,
  { workspaceId, actor }: { workspaceId: string; actor: Actor },
  wanted: NewSubscription,
  { sender, policy }: PingDeps,
): Promise<{ row: SubscriptionRow; secret: string }> {
  const id = newId('whs')
  const now = ctx.now()
  const secret = wanted.secret ?? generateSecret()
  const row: SubscriptionRow = {
    id,
    workspace_id: workspaceId,
    url: parseTargetUrl(wanted.url, policy),
    events: JSON.stringify(wanted.events),
    ...encryptSecret(ctx, id, secret),
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
    const details = { url: toOrigin(row.url), events: wanted.events }
    await auditSubscription(tx, row, { actor, action: 'subscription.created', details })
  })
  const pinged = await ping(ctx, sender, row, (tx) => resumeDeliveries(tx, id))
  return { row: pinged.row ?? row, secret }
}

/**
 * Changes a subscription. A new URL is pinged. Paused deliveries resume when the subscription is
 * active again. Throws 422, 404 and 409.
 */
export async function changeSubscription(
  ctx: Context,
  { subscription, actor }: SubscriptionAction,
  patch: SubscriptionPatch,
  { sender, policy }: PingDeps,
): Promise<SubscriptionRow> {
  const { id } = subscription
  const now = ctx.now()
  const { events, active, secret } = patch
  const url = patch.url === undefined ? subscription.url : parseTargetUrl(patch.url, policy)
  const values: Partial<SubscriptionRow> = {
    updated_at: now,
    ...(events === undefined ? {} : { events: JSON.stringify(events) }),
    ...(active === undefined
      ? {}
      : { switched_off_at: active ? null : (subscription.switched_off_at ?? now) }),
    ...(secret === undefined ? {} : rotateSigningSecret(ctx, subscription, secret).sealed),
  }
  const place = unchangedGuard(subscription, secret !== undefined)
  const isMoved = url !== subscription.url
  const saved = await transaction(ctx, async (tx) => {
    const unproved = { url, disabled_at: now, disabled_reason: 'ping' as const }
    const changed = isMoved
      ? await startPing(tx.db, place, { ...values, ...unproved })
      : await updateSubscription(tx.db, place, values)
    if (!changed) throw await explainUnchanged(tx, id)
    const details = { fields: Object.keys(patch) }
    await auditSubscription(tx, changed, { actor, action: 'subscription.changed', details })
    if (!isMoved && active === true && changed.disabled_at === null) await resumeDeliveries(tx, id)
    return changed
  })
  if (!isMoved) return saved
  const { row } = await ping(ctx, sender, saved, (tx) => resumeDeliveries(tx, id))
  return row ?? saved
}

/**
 * Pings a subscription on request. A 2xx activates it and requeues its failed and paused deliveries
 * under their ids; any other result changes nothing. Throws 404.
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
    resent = await replayFailed(tx, id)
  })
  return { hasArrived, resent, row: row ?? started }
}

/** Rotates the secret; the old one signs beside the new one for a day. Throws 409 and 404. */
export async function rotateSubscriptionSecret(
  ctx: Context,
  { subscription, actor }: SubscriptionAction,
  given: string | undefined,
): Promise<{ secret: string; previousUntil: number }> {
  const secret = given ?? generateSecret()
  const { sealed, previousUntil } = rotateSigningSecret(ctx, subscription, secret)
  const place = unchangedGuard(subscription, true)
  await transaction(ctx, async (tx) => {
    const values = { ...sealed, updated_at: ctx.now() }
    const changed = await updateSubscription(tx.db, place, values)
    if (!changed) throw await explainUnchanged(tx, subscription.id)
    await auditSubscription(tx, subscription, { actor, action: 'subscription.secret_rotated' })
  })
  return { secret, previousUntil }
}

/** Deletes a subscription and its secrets, and cancels its deliveries, whose history stays. */
export async function removeSubscription(
  ctx: Context,
  { subscription, actor }: SubscriptionAction,
): Promise<void> {
  const { id } = subscription
  const place = { workspaceId: subscription.workspace_id, id }
  const now = ctx.now()
  await transaction(ctx, async (tx) => {
    const values = { deleted_at: now, updated_at: now, ...NO_SECRETS }
    if (!(await updateSubscription(tx.db, place, values))) throw noSubscription()
    await cancelDeliveries(tx, id)
    await auditSubscription(tx, subscription, { actor, action: 'subscription.deleted' })
  })
}

/** Optimistic lock on the secret, so that of two concurrent rotations one fails. */
function unchangedGuard({ workspace_id, id, secret }: SubscriptionRow, replacesSecret: boolean) {
  const place = { workspaceId: workspace_id, id }
  return replacesSecret ? { ...place, secret } : place
}

async function explainUnchanged(tx: Transaction, id: string): Promise<AppError> {
  const row = await findSubscription(tx.db, id)
  if (!row || row.deleted_at !== null) return noSubscription()
  return new AppError('conflict', 'Another request replaced the secret. Try again.')
}

function auditSubscription(
  tx: Transaction,
  { id, workspace_id }: SubscriptionRow,
  entry: { actor: Actor; action: AuditAction; details?: AuditDetails },
): Promise<void> {
  return recordAudit(tx, workspace_id, { ...entry, subject: { type: 'subscription', id } })
}

/** Returns the origin alone, because paths and queries often hold secrets of the receiver. */
function toOrigin(url: string): string {
  return new URL(url).origin
}
