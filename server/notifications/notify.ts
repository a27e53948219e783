import type { Transaction } from '../context.ts'
import type { EventEnvelope } from '../events.ts'
import { newId } from '../lib/ids.ts'
import { NOTIFICATIONS_TOPIC } from './notifier.ts'
import { oneLine } from '../lib/text/typed-text.ts'
import { headline, panelLink } from './emails.ts'
import { type CreditsNotice, type MemberNotice, type WebhookNotice, readNotice } from './notices.ts'
import type { PushPayload } from './push/schema.ts'
import {
  type PushMessageRow,
  insertPushMessages,
  listPushSubscriptions,
  pushMessages,
} from './push/store.ts'
import { parsePreferences } from './preferences.ts'
import type { NotificationKind } from './schema.ts'
import {
  type NotificationRow,
  type RecipientRow,
  insertNotifications,
  listRecipients,
  nextDigest,
} from './store.ts'

/** Maximum length of the visitor's words in a push message, in Unicode code points. */
const MAX_PUSH_BODY = 120

/** An occasion to notify members. */
interface Occasion {
  workspaceId: string
  kind: NotificationKind
  tenantId?: string | undefined
  sessionId?: string
  data?: CreditsNotice | WebhookNotice
}

/** Notifies the team of a lead, or of a visitor who wrote a way to be reached and no whole lead. */
export function notifyOfContact(
  tx: Transaction,
  _event: 'lead.kept' | 'contact.given',
  { workspaceId, tenantId, data }: EventEnvelope<'lead.kept'> | EventEnvelope<'contact.given'>,
): Promise<void> {
  return notify(tx, { workspaceId, tenantId, kind: 'lead', sessionId: data.session_id })
}

/** Notifies the team that a visitor asks for a person, except a member who caused it. */
export async function notifyOfHandoff(
  tx: Transaction,
  _event: 'handoff.requested',
  { workspaceId, tenantId, data }: EventEnvelope<'handoff.requested'>,
): Promise<void> {
  if (data.reason === 'operator') return
  await notify(tx, { workspaceId, tenantId, kind: 'handoff', sessionId: data.session_id })
}

/** Notifies the team that nobody answers a visitor. */
export function notifyOfWaiting(
  tx: Transaction,
  _event: 'visitor.waiting',
  { workspaceId, tenantId, data }: EventEnvelope<'visitor.waiting'>,
): Promise<void> {
  return notify(tx, { workspaceId, tenantId, kind: 'waiting', sessionId: data.session_id })
}

/** Notifies the team that the credits run low. */
export function notifyOfCredits(
  tx: Transaction,
  _event: 'credits.low',
  { workspaceId, data }: EventEnvelope<'credits.low'>,
): Promise<void> {
  const { remaining, monthly_limit, reset_at } = data
  return notify(tx, { workspaceId, kind: 'credits', data: { remaining, monthly_limit, reset_at } })
}

/** Notifies the team that the service disabled a webhook. */
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
    recipients.flatMap((recipient) => {
      const frequency = parsePreferences(recipient).email[occasion.kind]
      return frequency === 'never' ? [] : [toRow(tx, recipient, { ...occasion, frequency })]
    }),
  )
  tx.afterCommit.push(() => tx.pubsub.publish(NOTIFICATIONS_TOPIC, ''))
  await pushToBrowsers(tx, recipients, occasion)
}

/** Queues a push message for each subscribed browser of the members who want one. */
async function pushToBrowsers(
  tx: Transaction,
  recipients: readonly RecipientRow[],
  occasion: Occasion,
): Promise<void> {
  const subscriptions = await listPushSubscriptions(tx.db, occasion.workspaceId)
  if (subscriptions.length === 0) return
  const messages: PushMessageRow[] = []
  for (const recipient of recipients) {
    const own = subscriptions.filter(({ user_id }) => user_id === recipient.id)
    if (own.length === 0 || !parsePreferences(recipient).push[occasion.kind]) continue
    const notice = await readNotice(tx, toRow(tx, recipient, { ...occasion, frequency: 'now' }))
    if (!notice) continue
    const payload = JSON.stringify(buildPush(tx, notice, recipient.locale))
    messages.push(
      ...own.map((subscription) => {
        const id = newId('ntf')
        return {
          id,
          workspace_id: occasion.workspaceId,
          subscription_id: subscription.id,
          session_id: occasion.sessionId ?? null,
          payload: tx.secrets.encrypt(payload, id),
          attempts: 0,
          created_at: tx.now(),
          next_at: tx.now(),
          lease_token: null,
          lease_until: null,
        }
      }),
    )
  }
  await insertPushMessages(tx.db, messages)
  pushMessages.notify(tx)
}

function buildPush(tx: Transaction, notice: MemberNotice, locale: string): PushPayload {
  const lines = 'conversation' in notice ? notice.conversation.lines : []
  const said = lines.findLast(({ role }) => role === 'visitor')
  const url = panelLink(tx, notice)
  return {
    title: headline(notice, locale),
    body: said ? oneLine(said.content, MAX_PUSH_BODY) : '',
    url,
    // A later message about the same conversation replaces this one on the screen.
    tag: url,
  }
}

function toRow(
  tx: Transaction,
  recipient: RecipientRow,
  {
    workspaceId,
    kind,
    tenantId,
    sessionId,
    data,
    frequency,
  }: Occasion & { frequency: 'now' | 'digest' },
): NotificationRow {
  const now = tx.now()
  const isDigest = frequency === 'digest'
  return {
    id: newId('ntf'),
    workspace_id: workspaceId,
    user_id: recipient.id,
    kind,
    session_id: sessionId ?? null,
    tenant_id: tenantId ?? null,
    data: JSON.stringify(data ?? {}),
    is_digest: isDigest ? 1 : 0,
    created_at: now,
    due_at: isDigest ? nextDigest(now) : now,
  }
}
