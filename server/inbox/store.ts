import { type Selectable, sql } from 'kysely'
import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { keysetBefore } from '../storage/keyset.ts'

export type NoteRow = Selectable<Tables['notes']> & { author_name: string | null }
export type AuthoredRow = MessageRow & { author_name: string | null }

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
