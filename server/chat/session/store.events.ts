import { sql } from 'kysely'
import type { NewLiveEvent } from '../../live/feed.ts'
import type { Db } from '../../storage/database.ts'
import { pipelined } from '../../storage/query-hints.ts'
import { dialectOf } from '../../storage/dialect.ts'
import { valuesTable } from '../../storage/values-table.ts'

const COLUMNS = ['bigint', 'text', 'bigint', 'text', 'bigint', 'text', 'text', 'bigint'] as const

/**
 * Inserts events of one workspace at the next positions. Locks the workspace's row until the
 * commit, so that readers see events in the order of their positions. On Postgres both steps are
 * one statement right before the commit, to keep the lock short.
 */
export async function appendEvents(db: Db, events: readonly NewLiveEvent[]): Promise<void> {
  const workspaceId = events[0]?.workspaceId
  const count = events.length
  const rows = valuesTable(
    db,
    COLUMNS,
    events.map((event, index) => [
      index + 1 - count,
      event.sessionId,
      event.sequence,
      event.kind,
      event.messageSequence,
      event.noteId,
      event.data,
      event.at,
    ]),
  )
  const advance = sql<{ position: number }>`
    insert into workspace_feeds (workspace_id, position) values (${workspaceId}, ${count})
    on conflict (workspace_id) do update set position = workspace_feeds.position + excluded.position
    returning position`
  const insert = sql`
    insert into session_events (workspace_id, position, session_id, sequence, kind,
      message_sequence, note_id, data, created_at)`
  const values = sql`event.c1, event.c2, event.c3, event.c4, event.c5, event.c6, event.c7`
  if (dialectOf(db) === 'postgres') {
    await pipelined(sql`
      with feed as (${advance}) ${insert}
      select ${workspaceId}, feed.position + event.c0, ${values}
      from feed, ${rows} as event`).execute(db)
    return
  }
  const feed = await advance.execute(db)
  await sql`${insert}
    select ${workspaceId}, ${feed.rows[0]?.position ?? 0} + event.c0, ${values}
    from ${rows} as event`.execute(db)
}
