import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { dialectOf } from '../../storage/dialect.ts'
import { prepared } from '../../storage/prepared.ts'
import { pipelined } from '../../storage/query-hints.ts'

export type SessionRow = Selectable<Tables['sessions']>
export type MessageRow = Selectable<Tables['messages']>

export async function insertSession(db: Db, row: SessionRow): Promise<void> {
  await pipelined(prepared`
    insert into sessions (id, workspace_id, tenant_id, visitor_id, user_id, state, channel, locale,
      page_url, message_count, event_count, unread, operator_read, visitor_read, low_answers,
      created_at, updated_at)
    values (${row.id}, ${row.workspace_id}, ${row.tenant_id}, ${row.visitor_id}, ${row.user_id},
      ${row.state}, ${row.channel}, ${row.locale}, ${row.page_url}, ${row.message_count},
      ${row.event_count}, ${row.unread}, ${row.operator_read}, ${row.visitor_read},
      ${row.low_answers}, ${row.created_at}, ${row.updated_at})`).execute(db)
}

export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  const { rows } = await prepared<SessionRow>`select * from sessions where id = ${id}`.execute(db)
  return rows[0]
}

/** Returns a session of a workspace and locks its row on Postgres; SQLite has a single writer. */
export async function findLockedSession(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<SessionRow | undefined> {
  const { workspaceId, sessionId } = place
  const query =
    dialectOf(db) === 'postgres'
      ? prepared<SessionRow>`
          select * from sessions where workspace_id = ${workspaceId} and id = ${sessionId}
          for no key update`
      : prepared<SessionRow>`
          select * from sessions where workspace_id = ${workspaceId} and id = ${sessionId}`
  const { rows } = await query.execute(db)
  return rows[0]
}

/** Returns a session as it is after a visitor's next message. */
export function afterVisitorMessage(session: SessionRow, now: number): SessionRow {
  return {
    ...session,
    message_count: session.message_count + 1,
    event_count: session.event_count + 1,
    unread: session.unread + 1,
    snoozed_until: null,
    updated_at: now,
  }
}

/** Saves what a visitor's message has changed in a session whose row is locked. */
export async function saveVisitorMessage(db: Db, session: SessionRow): Promise<void> {
  const save = prepared`
    update sessions set message_count = ${session.message_count},
      event_count = ${session.event_count}, unread = ${session.unread}, snoozed_until = null,
      updated_at = ${session.updated_at}
    where workspace_id = ${session.workspace_id} and id = ${session.id}`
  await pipelined(save).execute(db)
}

/**
 * Assigns the next message its sequence and returns the updated session. An operator's message
 * marks all earlier messages as read; a visitor's returns a snoozed session to the inbox. Locks the
 * session's row.
 */
export async function countMessage(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  message: {
    role: MessageRow['role']
    judged: { confidence: number; isLow: boolean } | undefined
    now: number
  },
): Promise<SessionRow | undefined> {
  const { judged } = message
  if (judged) return countAnswer(db, place, { ...judged, now: message.now })
  const isRead = message.role === 'operator'
  const { rows } = await sql<SessionRow>`
    update sessions set message_count = message_count + 1, event_count = event_count + 1,
      updated_at = ${message.now},
      snoozed_until = ${message.role === 'visitor' ? null : sql.ref('snoozed_until')},
      unread = ${isRead ? sql`0` : sql`unread + ${message.role === 'visitor' ? 1 : 0}`},
      operator_read = ${isRead ? sql`message_count + 1` : sql`operator_read`}
    where workspace_id = ${place.workspaceId} and id = ${place.sessionId} returning *`.execute(db)
  return rows[0]
}

/** Does so for the bot's answer, with its confidence. */
async function countAnswer(
  db: Db,
  { workspaceId, sessionId }: { workspaceId: string; sessionId: string },
  { confidence, isLow, now }: { confidence: number; isLow: boolean; now: number },
): Promise<SessionRow | undefined> {
  const { rows } = await prepared<SessionRow>`
    update sessions set message_count = message_count + 1, event_count = event_count + 1,
      updated_at = ${now}, low_answers = low_answers * ${isLow ? 1 : 0} + ${isLow ? 1 : 0},
      last_confidence = ${confidence}
    where workspace_id = ${workspaceId} and id = ${sessionId} returning *`.execute(db)
  return rows[0]
}

export async function insertMessage(db: Db, row: MessageRow): Promise<void> {
  await pipelined(prepared`
    insert into messages (id, workspace_id, session_id, sequence, role, content, citations,
      attachments, author_id, created_at, folded)
    values (${row.id}, ${row.workspace_id}, ${row.session_id}, ${row.sequence}, ${row.role},
      ${row.content}, ${row.citations}, ${row.attachments}, ${row.author_id}, ${row.created_at},
      ${row.folded})`).execute(db)
}

/** Returns messages of a session, oldest first, after a sequence. */
export async function listMessages(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  page: { limit: number; after: number },
): Promise<MessageRow[]> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .where('sequence', '>', page.after)
    .orderBy('sequence')
    .limit(page.limit + 1)
    .execute()
}

/** Returns the visitor's last message in a session. */
export async function findLastVisitorMessage(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .where('role', '=', 'visitor')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the stored citations of a message. */
export async function findCitations(
  db: Db,
  place: { workspaceId: string; session_id: string; message_id: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('citations')
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.session_id)
    .where('id', '=', place.message_id)
    .executeTakeFirst()
  return row?.citations ?? null
}

/** Returns the sessions of a visitor or a user, newest first. */
export async function listSessions(
  db: Db,
  of: { workspaceId: string } & ({ visitorId: string } | { userId: string }),
  page: { limit: number; after: Cursor | undefined },
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('workspace_id', '=', of.workspaceId)
    .where(
      'visitorId' in of ? 'visitor_id' : 'user_id',
      '=',
      'visitorId' in of ? of.visitorId : of.userId,
    )
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Returns the rolling summary of a session and the sequence of its last message. */
export async function findSummary(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<{ through: number; text: string } | undefined> {
  return db
    .selectFrom('conversation_summaries')
    .select(['through', 'text'])
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .executeTakeFirst()
}

export async function saveSummary(
  db: Db,
  summary: { workspaceId: string; sessionId: string; through: number; text: string; now: number },
): Promise<void> {
  const { workspaceId, sessionId, through, text, now } = summary
  const values = { through, text, updated_at: now }
  await db
    .insertInto('conversation_summaries')
    .values({ session_id: sessionId, workspace_id: workspaceId, ...values })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
    .execute()
}

/** Returns the visitor's messages in a session, oldest first. */
export async function listVisitorTexts(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  max: number,
): Promise<string[]> {
  const { rows } = await prepared<{ content: string }>`
    select content from messages where workspace_id = ${place.workspaceId}
      and session_id = ${place.sessionId} and role = 'visitor'
    order by sequence desc limit ${max}`.execute(db)
  return rows.map((row) => row.content).toReversed()
}

/** Returns the visitor's last messages in a session, oldest first, and the stored citations of the last reply that has any. */
export async function readLatest(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  max: number,
): Promise<{ texts: string[]; citations: string | null }> {
  const { rows } = await prepared<{ content: string; citations: string | null }>`
    select content, (
      select citations from messages where workspace_id = ${place.workspaceId}
        and session_id = ${place.sessionId} and role = 'assistant' and citations like '[{%'
      order by sequence desc limit 1
    ) as citations
    from messages where workspace_id = ${place.workspaceId}
      and session_id = ${place.sessionId} and role = 'visitor'
    order by sequence desc limit ${max}`.execute(db)
  const texts = rows.map((row) => row.content).toReversed()
  return { texts, citations: rows[0]?.citations ?? null }
}
