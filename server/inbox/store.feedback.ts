import { sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db } from '../storage/database.ts'

/** A rated message with the visitor's question before it. */
export interface RatedAnswerRow {
  /** The message's id. */
  id: string
  session_id: string
  rating: number
  question: string | null
  answer: string
  citations: string | null
  comment: string | null
  created_at: number
}

/** Returns ratings of messages that nobody has attended to, newest first. */
export async function listRatedAnswers(
  db: Db,
  wanted: { workspaceId: string; tenantId: string; rating: 'up' | 'down' | undefined },
  page: { limit: number; after: Cursor | undefined },
): Promise<RatedAnswerRow[]> {
  const { workspaceId, tenantId, rating } = wanted
  const place = page.after
  const isRated =
    rating === undefined
      ? sql`1 = 1`
      : rating === 'down'
        ? sql`feedback.rating <= 2`
        : sql`feedback.rating >= 4`
  const { rows } = await sql<RatedAnswerRow>`
    select messages.id, feedback.session_id, feedback.rating, messages.content as answer,
      messages.citations, feedback.comment, feedback.created_at,
      (select asked.content from messages asked where asked.session_id = messages.session_id
        and asked.role = 'visitor' and asked.sequence < messages.sequence
        order by asked.sequence desc limit 1) as question
    from feedback join messages on messages.session_id = feedback.session_id
      and messages.id = feedback.message_id
    where feedback.workspace_id = ${workspaceId} and feedback.tenant_id = ${tenantId}
      and feedback.message_id <> '' and feedback.handled_at is null and ${isRated}
      and ${place ? sql`(feedback.created_at, messages.id) < (${place.at}, ${place.id})` : sql`1 = 1`}
    order by feedback.created_at desc, messages.id desc limit ${page.limit + 1}`.execute(db)
  return rows
}

/** Takes a rating off the list; returns false when the tenant does not have the rating. */
export async function markHandled(
  db: Db,
  of: { workspaceId: string; tenantId: string; messageId: string },
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    update feedback set handled_at = ${now}
    where workspace_id = ${of.workspaceId} and tenant_id = ${of.tenantId}
      and message_id = ${of.messageId} and message_id <> ''
    returning message_id`.execute(db)
  return rows.length > 0
}
