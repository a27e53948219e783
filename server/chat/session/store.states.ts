import { sql } from 'kysely'
import type { Db } from '../../storage/database.ts'
import { prepared } from '../../storage/prepared.ts'
import type { SessionState } from '../schema.ts'
import type { SessionRow } from './store.ts'

/** Guard on a session's assignee: nobody, at most this operator, or anyone. */
export type AssigneeGuard = { nobody: true } | { nobodyBut: string } | { anyone: true }

/**
 * Moves a session to another state if its state and assignee permit it, in one statement, so that
 * one of many concurrent moves succeeds. Returns the updated session, or `undefined`.
 */
export async function moveSession(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  move: {
    from: readonly SessionState[]
    holder: AssigneeGuard
    messageCount: number | undefined
    to: SessionState
    assigneeId: string | null
    now: number
  },
): Promise<SessionRow | undefined> {
  const { from, holder, messageCount, to, assigneeId, now } = move
  const isHeldRight =
    'anyone' in holder
      ? sql`1 = 1`
      : 'nobody' in holder
        ? sql`assignee_id is null`
        : sql`(assignee_id is null or assignee_id = ${holder.nobodyBut})`
  const { rows } = await sql<SessionRow>`
    update sessions set state = ${to}, assignee_id = ${assigneeId},
      waiting_since = ${to === 'waiting' ? now : null}, low_answers = 0,
      snoozed_until = ${to === 'closed' ? null : sql.ref('snoozed_until')},
      event_count = event_count + 1, updated_at = ${now}
    where workspace_id = ${place.workspaceId} and id = ${place.sessionId}
      and state in (${sql.join(from)}) and ${isHeldRight}
      and ${messageCount === undefined ? sql`1 = 1` : sql`message_count = ${messageCount}`}
    returning *`.execute(db)
  return rows[0]
}

/** Returns a visitor's sessions at a tenant that wait for a person or have one. */
export async function listOperatorSessions(
  db: Db,
  of: { workspaceId: string; tenantId: string; visitorId: string },
): Promise<SessionRow[]> {
  const { rows } = await prepared<SessionRow>`
    select * from sessions where visitor_id = ${of.visitorId}
      and workspace_id = ${of.workspaceId} and tenant_id = ${of.tenantId}
      and state in ('waiting', 'operator')`.execute(db)
  return rows
}

/** Moves one side's read receipt to a message; returns `undefined` when it was there already. */
export async function markRead(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  mark: { reader: 'visitor' | 'operator'; sequence: number },
): Promise<SessionRow | undefined> {
  const column = sql.ref(mark.reader === 'visitor' ? 'visitor_read' : 'operator_read')
  const unread = sql`(select count(*) from messages where messages.session_id = sessions.id
    and messages.role = 'visitor' and messages.sequence > ${mark.sequence})`
  const { rows } = await sql<SessionRow>`
    update sessions set ${column} = ${mark.sequence}, event_count = event_count + 1,
      unread = ${mark.reader === 'operator' ? unread : sql.ref('unread')}
    where workspace_id = ${place.workspaceId} and id = ${place.sessionId}
      and ${column} < ${mark.sequence} returning *`.execute(db)
  return rows[0]
}
