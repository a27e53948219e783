import { sql } from 'kysely'
import { MINUTE_MS } from '../lib/durations.ts'
import type { Db } from '../storage/database.ts'
import type { PresenceState } from './schema.ts'

/** A member who has not called for this long is off, whatever the member has set. */
export const PRESENCE_TTL_MS = 2 * MINUTE_MS

export interface PresenceRow {
  user_id: string
  name: string
  picture_id: string | null
  state: PresenceState | null
  changed_at: number | null
  seen_at: number | null
}

/** Returns the members of a workspace, by name, with what they have set. */
export async function listPresence(db: Db, workspaceId: string): Promise<PresenceRow[]> {
  const { rows } = await sql<PresenceRow>`
    select users.id as user_id, users.name, users.picture_id, presence.state, presence.changed_at, presence.seen_at
    from users left join presence on presence.user_id = users.id
    where users.workspace_id = ${workspaceId} order by users.name, users.id`.execute(db)
  return rows
}

/** Saves a member's state; `changed_at` stays where the state was in force already. */
export async function savePresence(
  db: Db,
  set: { workspaceId: string; userId: string; state: PresenceState; now: number },
): Promise<void> {
  const { workspaceId, userId, state, now } = set
  await sql`
    insert into presence (user_id, workspace_id, state, changed_at, seen_at)
    values (${userId}, ${workspaceId}, ${state}, ${now}, ${now})
    on conflict (user_id) do update set
      changed_at = case
        when presence.state = excluded.state and presence.seen_at > ${now - PRESENCE_TTL_MS}
        then presence.changed_at else excluded.changed_at end,
      state = excluded.state, seen_at = excluded.seen_at`.execute(db)
}

/** Extends the presence of members who have called, unless it has lapsed already. */
export async function extendPresence(
  db: Db,
  userIds: readonly string[],
  now: number,
): Promise<void> {
  if (userIds.length === 0) return
  await sql`
    update presence set seen_at = ${now}
    where user_id in (${sql.join(userIds)}) and state <> 'off'
      and seen_at > ${now - PRESENCE_TTL_MS} and seen_at < ${now}`.execute(db)
}

/** Returns whether a member of the workspace takes conversations now. */
export async function isAnybodyOnline(db: Db, workspaceId: string, now: number): Promise<boolean> {
  const { rows } = await sql`
    select user_id from presence where workspace_id = ${workspaceId} and state = 'online'
      and seen_at > ${now - PRESENCE_TTL_MS} limit 1`.execute(db)
  return rows.length > 0
}
