import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../storage/database.ts'
import type { MessageRow } from './store.ts'

export type FeedbackRow = Selectable<Tables['feedback']>

/** Returns a message of a session by its id. */
export async function findMessage(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  messageId: string,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    select * from messages where workspace_id = ${place.workspaceId}
      and session_id = ${place.sessionId} and id = ${messageId}`.execute(db)
  return rows[0]
}

/** Returns the last message of a session, in either direction. */
export async function findLastMessage(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    select * from messages where workspace_id = ${place.workspaceId}
      and session_id = ${place.sessionId} order by sequence desc limit 1`.execute(db)
  return rows[0]
}

/** Saves a rating in place of an earlier one. */
export async function saveFeedback(db: Db, row: FeedbackRow): Promise<void> {
  const { rating, comment, created_at } = row
  await db
    .insertInto('feedback')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'message_id'])
        .doUpdateSet({ rating, comment, created_at, handled_at: null }),
    )
    .execute()
}

/** Returns the rating of a message, or of the whole session where `messageId` is empty. */
export async function findFeedback(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  messageId: string,
): Promise<FeedbackRow | undefined> {
  return db
    .selectFrom('feedback')
    .selectAll()
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
}

export async function listFeedback(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<FeedbackRow[]> {
  return db
    .selectFrom('feedback')
    .selectAll()
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .orderBy('created_at')
    .execute()
}

/** Locks a session's row until the end of the transaction; returns whether the session exists. */
export async function lockSession(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<boolean> {
  const { rows } = await sql`
    update sessions set updated_at = updated_at
    where workspace_id = ${place.workspaceId} and id = ${place.sessionId}
    returning id`.execute(db)
  return rows.length > 0
}
