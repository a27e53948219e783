import { sql } from 'kysely'
import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import type { Db } from '../storage/database.ts'

/** A conversation with operators' messages that its visitor may not have seen. */
export interface PendingReplyRow {
  session_id: string
  workspace_id: string
  /** When the first of the messages was written. */
  since: number
}

/** Notes an operator's message; an earlier one that is not read yet stays the first. */
export async function addPendingReply(db: Db, row: PendingReplyRow): Promise<void> {
  await sql`
    insert into pending_replies (session_id, workspace_id, since)
    values (${row.session_id}, ${row.workspace_id}, ${row.since})
    on conflict (session_id) do nothing`.execute(db)
}

/** Returns conversations whose visitors have not been there since a time, of any workspace. */
export async function listAbandoned(
  db: Db,
  { before, limit }: { before: number; limit: number },
): Promise<PendingReplyRow[]> {
  const { rows } = await sql<PendingReplyRow>`
    select pending.* from pending_replies pending
    left join visitor_activity activity on activity.session_id = pending.session_id
    where coalesce(activity.seen_at, 0) <= ${before} and not exists (
      select 1 from messages where messages.session_id = pending.session_id
        and messages.role = 'visitor' and messages.created_at > ${before})
    order by pending.since limit ${limit}`.execute(db)
  return rows
}

/** Claims a pending reply; returns false when another process was faster. */
export async function takePendingReply(db: Db, row: PendingReplyRow): Promise<boolean> {
  const { rows } = await sql`
    delete from pending_replies
    where workspace_id = ${row.workspace_id} and session_id = ${row.session_id}
    returning session_id`.execute(db)
  return rows.length > 0
}

/** Returns operators' messages that the visitor has not read, oldest first, with their authors. */
export async function listUnreadReplies(
  db: Db,
  session: SessionRow,
  since: number,
): Promise<(MessageRow & { author_name: string | null })[]> {
  const { rows } = await sql<MessageRow & { author_name: string | null }>`
    select messages.*, users.name as author_name from messages
    left join users on users.id = messages.author_id
    where messages.workspace_id = ${session.workspace_id} and messages.session_id = ${session.id}
      and messages.role = 'operator' and messages.created_at >= ${since}
      and messages.sequence > ${session.visitor_read}
    order by messages.sequence`.execute(db)
  return rows
}
