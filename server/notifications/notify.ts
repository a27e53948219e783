import type { Transaction } from '../context.ts'
import type { EventEnvelope } from '../events.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { newId } from '../lib/ids.ts'
import { NOTIFICATIONS_TOPIC } from './notifier.ts'
import type { CreditsNotice, WebhookNotice } from './notices.ts'
import { parsePreferences } from './preferences.ts'
import type { NotificationKind } from './schema.ts'
import {
  type NotificationRow,
  type RecipientRow,
  insertNotifications,
  listRecipients,
} from './store.ts'

/** What members are to be told. */
interface Occasion {
  workspaceId: string
  kind: NotificationKind
  tenantId?: string | undefined
  sessionId?: string
  data?: CreditsNotice | WebhookNotice
}

/** Tells the team of a new contact. */
export function notifyOfLead(
  tx: Transaction,
  _event: 'lead.created',
  { workspaceId, tenantId, data }: EventEnvelope<'lead.created'>,
): Promise<void> {
  return notify(tx, { workspaceId, tenantId, kind: 'lead', sessionId: data.session_id })
}

/** Tells the team that a visitor asks for a person; a member who asks knows it. */
export async function notifyOfHandoff(
  tx: Transaction,
  _event: 'handoff.requested',
  { workspaceId, tenantId, data }: EventEnvelope<'handoff.requested'>,
): Promise<void> {
  if (data.reason === 'operator') return
  await notify(tx, { workspaceId, tenantId, kind: 'handoff', sessionId: data.session_id })
}

/** Tells the team that nobody answers a visitor. */
export function notifyOfWaiting(
  tx: Transaction,
  _event: 'visitor.waiting',
  { workspaceId, tenantId, data }: EventEnvelope<'visitor.waiting'>,
): Promise<void> {
  return notify(tx, { workspaceId, tenantId, kind: 'waiting', sessionId: data.session_id })
}

/** Tells the team that the credits run low. */
export function notifyOfCredits(
  tx: Transaction,
  _event: 'credits.low',
  { workspaceId, data }: EventEnvelope<'credits.low'>,
): Promise<void> {
  const { remaining, monthly_limit, reset_at } = data
  return notify(tx, { workspaceId, kind: 'credits', data: { remaining, monthly_limit, reset_at } })
}

/** Tells the team that the service disabled a webhook. */
export function notifyOfWebhook(
  tx: Transaction,
  _event: 'webhook.disabled',
  { workspaceId, data }: EventEnvelope<'webhook.disabled'>,
): Promise<void> {
  const { subscription_id: id, host, why } = data
  return notify(tx, { workspaceId, kind: 'webhooks', data: { id, host, why } })
}

/** Stores a notification for each member who wants one; they are sent after the commit. */
async function notify(tx: Transaction, occasion: Occasion): Promise<void> {
  const recipients = await listRecipients(tx.db, occasion.workspaceId)
  await insertNotifications(
    tx.db,
    recipients.flatMap((recipient) => mailTo(tx, recipient, occasion)),
  )
  tx.afterCommit.push(() => tx.pubsub.publish(NOTIFICATIONS_TOPIC, ''))
}

function mailTo(
  tx: Transaction,
  recipient: RecipientRow,
  { workspaceId, kind, tenantId, sessionId, data }: Occasion,
): NotificationRow[] {
  const frequency = parsePreferences(recipient).email[kind]
  if (frequency === 'never') return []
  const now = tx.now()
  const isDigest = frequency === 'digest'
  return [
    {
      id: newId('ntf'),
      workspace_id: workspaceId,
      user_id: recipient.id,
      kind,
      session_id: sessionId ?? null,
      tenant_id: tenantId ?? null,
      data: JSON.stringify(data ?? {}),
      is_digest: isDigest ? 1 : 0,
      created_at: now,
      due_at: isDigest ? (Math.floor(now / HOUR_MS) + 1) * HOUR_MS : now,
    },
  ]
}
