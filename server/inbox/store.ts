import { type Selectable, sql } from 'kysely'
import type { SessionState } from '../chat/schema.ts'
import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { keysetBefore } from '../storage/keyset.ts'

/** A session joined with the columns that the inbox shows. */
export interface InboxRow extends SessionRow {
  assignee_name: string | null
  lead_name: string | null
  last_role: MessageRow['role'] | null
  last_content: string | null
  last_at: number | null
  identity_subject: string | null
  identity_name: string | null
  identity_email: string | null
  identity_phone: string | null
  identity_at: number | null
  verified_at: number | null
}

export type NoteRow = Selectable<Tables['notes']> & { author_name: string | null }
export type AuthoredRow = MessageRow & { author_name: string | null }

const COLUMNS = sql`
  sessions.*, users.name as assignee_name, leads.name as lead_name, messages.role as last_role,
  messages.content as last_content, messages.created_at as last_at,
  identities.subject as identity_subject, identities.name as identity_name,
  identities.email as identity_email, identities.phone as identity_phone,
  identities.updated_at as identity_at, identities.verified_at as verified_at`
const SOURCE = sql`
  sessions left join users on users.id = sessions.assignee_id
  left join leads on leads.session_id = sessions.id
  left join messages on messages.session_id = sessions.id
    and messages.sequence = sessions.message_count
  left join identities on identities.visitor_id = sessions.visitor_id`

/** Returns sessions in the order of their last activity, newest first. */
export async function listInbox(
  db: Db,
  wanted: {
    workspaceId: string
    state: SessionState | undefined
    /** A member's id, or null for unassigned sessions. */
    assigneeId: string | null | undefined
    tenantId: string | undefined
    isUnread: boolean | undefined
  },
  page: { limit: number; after: Cursor | undefined },
): Promise<InboxRow[]> {
  const { workspaceId, state, assigneeId, tenantId, isUnread } = wanted
  const every = sql`1 = 1`
  const place = page.after
  const { rows } = await sql<InboxRow>`
    select ${COLUMNS} from ${SOURCE}
    where sessions.workspace_id = ${workspaceId}
      and ${state ? sql`sessions.state = ${state}` : every}
      and ${tenantId ? sql`sessions.tenant_id = ${tenantId}` : every}
      and ${
        assigneeId === undefined
          ? every
          : assigneeId === null
            ? sql`sessions.assignee_id is null`
            : sql`sessions.assignee_id = ${assigneeId}`
      }
      and ${isUnread === undefined ? every : isUnread ? sql`sessions.unread > 0` : sql`sessions.unread = 0`}
      and ${place ? sql`(sessions.updated_at, sessions.id) < (${place.at}, ${place.id})` : every}
    order by sessions.updated_at desc, sessions.id desc limit ${page.limit + 1}`.execute(db)
  return rows
}

export async function findInboxSession(
  db: Db,
  workspaceId: string,
  sessionId: string,
): Promise<InboxRow | undefined> {
  const { rows } = await sql<InboxRow>`
    select ${COLUMNS} from ${SOURCE}
    where sessions.workspace_id = ${workspaceId} and sessions.id = ${sessionId}`.execute(db)
  return rows[0]
}

/** Returns the messages before a sequence, newest first. */
export async function listNewest(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  page: { limit: number; before: number | undefined },
): Promise<AuthoredRow[]> {
  const { rows } = await sql<AuthoredRow>`
    select messages.*, users.name as author_name from messages
    left join users on users.id = messages.author_id
    where messages.workspace_id = ${place.workspaceId} and messages.session_id = ${place.sessionId}
      and ${page.before === undefined ? sql`1 = 1` : sql`messages.sequence < ${page.before}`}
    order by messages.sequence desc limit ${page.limit + 1}`.execute(db)
  return rows
}

/** Returns the ids of the messages at these sequences of a session. */
export async function findMessageIds(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  sequences: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('messages')
    .select(['sequence', 'id'])
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .where('sequence', 'in', [...sequences])
    .execute()
  return new Map(rows.map(({ sequence, id }) => [sequence, id]))
}

export async function insertNote(db: Db, row: Selectable<Tables['notes']>): Promise<void> {
  await db.insertInto('notes').values(row).execute()
}

/**
 * Assigns a note its sequence among the session's events; returns the updated session. Locks the
 * session's row.
 */
export async function countNote(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    update sessions set event_count = event_count + 1
    where workspace_id = ${place.workspaceId} and id = ${place.sessionId} returning *`.execute(db)
  return rows[0]
}

/** Returns the notes of a session, oldest first. */
export async function listNotes(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select notes.*, users.name as author_name from notes
    left join users on users.id = notes.author_id
    where notes.workspace_id = ${place.workspaceId} and notes.session_id = ${place.sessionId}
    order by notes.created_at, notes.id`.execute(db)
  return rows
}

export type CannedReplyRow = Selectable<Tables['canned_replies']>

export async function insertCannedReply(db: Db, row: CannedReplyRow): Promise<void> {
  await db.insertInto('canned_replies').values(row).execute()
}

export async function listCannedReplies(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: Cursor | undefined },
): Promise<CannedReplyRow[]> {
  return db
    .selectFrom('canned_replies')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

export async function findCannedReply(db: Db, id: string): Promise<CannedReplyRow | undefined> {
  return db.selectFrom('canned_replies').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateCannedReply(
  db: Db,
  row: CannedReplyRow,
  values: Partial<CannedReplyRow>,
): Promise<CannedReplyRow | undefined> {
  return db
    .updateTable('canned_replies')
    .set(values)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteCannedReply(db: Db, row: CannedReplyRow): Promise<void> {
  await db
    .deleteFrom('canned_replies')
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
}
