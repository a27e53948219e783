import { z } from 'zod'
import { type MessageRow, type SessionRow, findSession } from '../chat/session/store.ts'
import type { Transaction } from '../context.ts'
import { findContact } from '../leads/store.ts'
import { findTenant } from '../tenants/tenants.ts'
import { type NotificationRow, listLastLines } from './store.ts'
import { type NotificationStrings, en } from '../locales/notification.en.ts'
import { tr } from '../locales/notification.tr.ts'

const MAX_LINES = 6

/** Stored with a notification about credits. */
export const CreditsNotice = z.object({
  remaining: z.number(),
  monthly_limit: z.number(),
  reset_at: z.string(),
})
export type CreditsNotice = z.infer<typeof CreditsNotice>

/** Stored with a notification about a webhook. Paths of webhook URLs often hold secrets. */
export const WebhookNotice = z.object({
  id: z.string(),
  host: z.string(),
  why: z.enum(['gone', 'exhausted']),
})
export type WebhookNotice = z.infer<typeof WebhookNotice>

/** Returns the texts of notifications: Turkish for `tr` and its regions, else English. */
export function notificationStrings(locale: string): NotificationStrings {
  return /^tr\b/i.test(locale) ? tr : en
}

/** A conversation as a mail about it shows it. */
export interface NotifiedConversation {
  session: SessionRow
  site: string
  lead: { name: string; phone: string; email: string } | undefined
  /** The newest messages, oldest first. */
  lines: readonly MessageRow[]
}

/** One notification with its subject. */
export type MemberNotice =
  | { kind: 'lead' | 'handoff' | 'waiting'; at: number; conversation: NotifiedConversation }
  | { kind: 'credits'; at: number; data: CreditsNotice }
  | { kind: 'webhooks'; at: number; data: WebhookNotice }

/** Returns a notification with its subject; `undefined` when a member has attended to it already. */
export async function readNotice(
  tx: Transaction,
  row: NotificationRow,
): Promise<MemberNotice | undefined> {
  const { kind, created_at: at } = row
  if (kind === 'credits') return { kind, at, data: CreditsNotice.parse(JSON.parse(row.data)) }
  if (kind === 'webhooks') return { kind, at, data: WebhookNotice.parse(JSON.parse(row.data)) }
  const conversation = await readConversation(tx, row)
  if (!conversation) return undefined
  const { session, lines } = conversation
  const isAnswered = lines.some(({ role, created_at }) => role === 'operator' && created_at >= at)
  // After the timeout the bot goes on, and the visitor waits no more.
  const isOver = session.state === 'closed' || (kind === 'waiting' && session.state === 'bot')
  const isAttended = kind !== 'lead' && (isOver || isAnswered)
  return isAttended ? undefined : { kind, at, conversation }
}

async function readConversation(
  tx: Transaction,
  { workspace_id: workspaceId, session_id: sessionId, tenant_id: tenantId }: NotificationRow,
): Promise<NotifiedConversation | undefined> {
  if (sessionId === null || tenantId === null) return undefined
  const place = { workspaceId, sessionId }
  const session = await findSession(tx.db, sessionId)
  const tenant = await findTenant(tx.db, tenantId)
  if (!session || !tenant) return undefined
  const lead = await findContact(tx.db, place)
  return { session, site: tenant.name, lead, lines: await listLastLines(tx.db, place, MAX_LINES) }
}
