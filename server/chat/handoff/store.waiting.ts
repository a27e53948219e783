import { sql } from 'kysely'
import { PRESENCE_TTL_MS } from '../../presence/store.ts'
import type { Db } from '../../storage/database.ts'
import type { SessionRow } from '../session/store.ts'

/** A session that waits for an operator, or has one who has not answered the visitor. */
export interface AwaitingRow extends SessionRow {
  timeout_seconds: number
  /** Whether the assignee takes conversations now. */
  is_assignee_online: number
  /** The oldest of the visitor's messages that nobody has answered. */
  unanswered_at: number | null
  /** The last system message, such as that an operator joined. */
  changed_at: number | null
  /** The author of the last message that is not the system's. */
  last_role: 'visitor' | 'assistant' | 'operator' | null
}

/**
 * Returns sessions of every workspace that wait for an operator's word, the least recently active
 * first; those with an operator only while they changed after `since`.
 */
export async function listAwaiting(
  db: Db,
  { now, since, limit }: { now: number; since: number; limit: number },
): Promise<AwaitingRow[]> {
  const lastSpoken = sql`(select coalesce(max(said.sequence), 0) from messages said
    where said.session_id = sessions.id and said.role in ('assistant', 'operator'))`
  const { rows } = await sql<AwaitingRow>`
    select sessions.*, tenants.handoff_timeout_seconds as timeout_seconds,
      case when presence.state = 'online' and presence.seen_at > ${now - PRESENCE_TTL_MS}
        then 1 else 0 end as is_assignee_online,
      (select min(asked.created_at) from messages asked where asked.session_id = sessions.id
        and asked.role = 'visitor' and asked.sequence > ${lastSpoken}) as unanswered_at,
      (select max(told.created_at) from messages told
        where told.session_id = sessions.id and told.role = 'system') as changed_at,
      (select last.role from messages last where last.session_id = sessions.id
        and last.role <> 'system' order by last.sequence desc limit 1) as last_role
    from sessions join tenants on tenants.id = sessions.tenant_id
    left join presence on presence.user_id = sessions.assignee_id
    where sessions.state in ('waiting', 'operator')
      and (sessions.state = 'waiting' or sessions.updated_at > ${since})
    order by sessions.updated_at limit ${limit}`.execute(db)
  return rows
}

/** Marks a wait as announced to operators; returns false when it was already marked. */
export async function markAlerted(
  db: Db,
  session: SessionRow,
  { since, now }: { since: number; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    update sessions set waiting_alerted_at = ${now}
    where workspace_id = ${session.workspace_id} and id = ${session.id}
      and state = ${session.state} and message_count = ${session.message_count}
      and (waiting_alerted_at is null or waiting_alerted_at < ${since})
    returning id`.execute(db)
  return rows.length > 0
}
