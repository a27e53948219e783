import { type Selectable, sql } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import type { MessageRow } from '../chat/session/store.ts'
import type { Db, Tables } from '../storage/database.ts'
import type { NotificationPreferences } from './schema.ts'

export type NotificationRow = Selectable<Tables['notifications']>

/** At most one mail about a conversation goes to a member in this time. */
export const MAIL_INTERVAL_MS = 10 * MINUTE_MS

/** A member of a workspace with their language and stored preferences. */
export interface RecipientRow {
  id: string
  name: string
  email_address: string
  locale: string
  time_zone: string
  email: string | null
  push: string | null
}

const RECIPIENT = sql`
  select users.id, users.name, users.email as email_address, coalesce(users.locale, workspaces.locale) as locale,
    coalesce(users.time_zone, workspaces.time_zone) as time_zone,
    notification_preferences.email, notification_preferences.push
  from users join workspaces on workspaces.id = users.workspace_id
  left join notification_preferences on notification_preferences.user_id = users.id`

/** Returns the members of a workspace, the first ones first. */
export async function listRecipients(db: Db, workspaceId: string): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    ${RECIPIENT} where users.workspace_id = ${workspaceId}
    order by users.created_at, users.id`.execute(db)
  return rows
}

export async function findRecipient(
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<RecipientRow | undefined> {
  const { rows } = await sql<RecipientRow>`
    ${RECIPIENT} where users.workspace_id = ${workspaceId} and users.id = ${userId}`.execute(db)
  return rows[0]
}

export async function savePreferences(
  db: Db,
  member: { workspaceId: string; userId: string },
  { email, push }: NotificationPreferences,
  now: number,
): Promise<void> {
  const values = { email: JSON.stringify(email), push: JSON.stringify(push), updated_at: now }
  await db
    .insertInto('notification_preferences')
    .values({ user_id: member.userId, workspace_id: member.workspaceId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export async function insertNotifications(db: Db, rows: readonly NotificationRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('notifications')
      .values([...rows])
      .execute()
}

/** Returns the notification of any workspace that is due for longest. */
export async function findDueNotification(
  db: Db,
  now: number,
): Promise<NotificationRow | undefined> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Claims the due notifications that go into one mail: a member's digest, or what happened in one
 * conversation. The rows stay until `deleteNotifications`; of two claims at once one is empty.
 */
export async function claimNotifications(
  db: Db,
  first: NotificationRow,
  now: number,
): Promise<NotificationRow[]> {
  const same = first.is_digest
    ? sql`1 = 1`
    : first.session_id === null
      ? sql`id = ${first.id}`
      : sql`session_id = ${first.session_id}`
  const { rows } = await sql<NotificationRow>`
    update notifications set due_at = ${now + MAIL_INTERVAL_MS}
    where workspace_id = ${first.workspace_id} and user_id = ${first.user_id}
      and is_digest = ${first.is_digest} and due_at <= ${now} and ${same} returning *`.execute(db)
  return rows.toSorted((one, other) => one.created_at - other.created_at)
}

/** Counts a mail about a conversation; returns false while an earlier one is recent. */
export async function tryCountMail(
  db: Db,
  { workspace_id, user_id, session_id }: NotificationRow,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into notification_mails (user_id, session_id, workspace_id, sent_at)
    values (${user_id}, ${session_id}, ${workspace_id}, ${now})
    on conflict (user_id, session_id) do update set sent_at = excluded.sent_at
      where notification_mails.sent_at <= ${now - MAIL_INTERVAL_MS}
    returning user_id`.execute(db)
  return rows.length > 0
}

/** Postpones claimed notifications until a mail about their conversation may go out again. */
export async function postponeNotifications(
  db: Db,
  rows: readonly NotificationRow[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  await sql`
    update notifications set due_at = (
      select sent_at + ${MAIL_INTERVAL_MS} from notification_mails
      where notification_mails.user_id = ${first.user_id}
        and notification_mails.session_id = ${first.session_id})
    where workspace_id = ${first.workspace_id}
      and id in (${sql.join(rows.map(({ id }) => id))})`.execute(db)
}

/** Returns when the next digest goes out: at the full hour. */
export function nextDigest(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
}

/** Moves claimed notifications into the member's digest of a time. */
export async function moveToDigest(
  db: Db,
  rows: readonly NotificationRow[],
  at: number,
): Promise<void> {
  const [first] = rows
  if (!first) return
  await sql`
    update notifications set is_digest = 1, due_at = ${at}
    where workspace_id = ${first.workspace_id}
      and id in (${sql.join(rows.map(({ id }) => id))})`.execute(db)
}

export async function deleteNotifications(db: Db, rows: readonly NotificationRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .deleteFrom('notifications')
    .where('workspace_id', '=', rows[0]?.workspace_id ?? '')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}

/** Returns the newest messages of a conversation, oldest first. */
export async function listLastLines(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  max: number,
): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .orderBy('sequence', 'desc')
    .limit(max)
    .execute()
  return rows.toReversed()
}
