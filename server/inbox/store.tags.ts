import { sql } from 'kysely'
import type { SessionRow } from '../chat/session/store.ts'
import type { Db } from '../storage/database.ts'

/** Returns the tags of sessions in order; a session without tags is absent. */
export async function findTags(
  db: Db,
  workspaceId: string,
  sessionIds: readonly string[],
): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>()
  if (sessionIds.length === 0) return tags
  const rows = await db
    .selectFrom('session_tags')
    .select(['session_id', 'tag'])
    .where('workspace_id', '=', workspaceId)
    .where('session_id', 'in', [...sessionIds])
    .execute()
  for (const { session_id, tag } of rows) {
    tags.set(session_id, [...(tags.get(session_id) ?? []), tag].toSorted())
  }
  return tags
}

/** Returns the tags of a workspace with the number of sessions, the most frequent first. */
export async function listTags(
  db: Db,
  workspaceId: string,
  limit: number,
): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number | string }>`
    select tag, count(*) as count from session_tags where workspace_id = ${workspaceId}
    group by tag order by count(*) desc, tag limit ${limit}`.execute(db)
  return rows.map(({ tag, count }) => ({ tag, count: Number(count) }))
}

/** Replaces the tags of a session. */
export async function replaceTags(
  db: Db,
  { workspace_id, id }: SessionRow,
  tags: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('session_tags')
    .where('workspace_id', '=', workspace_id)
    .where('session_id', '=', id)
    .execute()
  if (tags.length === 0) return
  await db
    .insertInto('session_tags')
    .values(tags.map((tag) => ({ workspace_id, session_id: id, tag })))
    .execute()
}

/**
 * Assigns a change of tags or snooze its sequence among the session's events, and sets the snooze
 * unless it is undefined; returns the updated session. Locks the session's row.
 */
export async function countChange(
  db: Db,
  { workspace_id, id }: SessionRow,
  snoozedUntil: number | null | undefined,
): Promise<SessionRow | undefined> {
  const until = snoozedUntil === undefined ? sql.ref('snoozed_until') : sql`${snoozedUntil}`
  const { rows } = await sql<SessionRow>`
    update sessions set event_count = event_count + 1, snoozed_until = ${until}
    where workspace_id = ${workspace_id} and id = ${id} returning *`.execute(db)
  return rows[0]
}

/** Returns sessions whose snooze has ended, of any workspace. */
export async function listAwake(db: Db, now: number, limit: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select * from sessions where snoozed_until <= ${now} limit ${limit}`.execute(db)
  return rows
}

/**
 * Ends a snooze that is over and puts the session on top of the inbox; returns `undefined` when it
 * was changed since. Locks the session's row.
 */
export async function endSnooze(
  db: Db,
  { workspace_id, id }: SessionRow,
  now: number,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    update sessions set snoozed_until = null, updated_at = ${now}, event_count = event_count + 1
    where workspace_id = ${workspace_id} and id = ${id} and snoozed_until <= ${now}
    returning *`.execute(db)
  return rows[0]
}
