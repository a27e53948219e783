import type { NewLiveEvent } from '../../live/feed.ts'
import { type BulkStatement, executeMany } from '../../storage/bulk.ts'
import type { Db } from '../../storage/database.ts'
import { dialectOf } from '../../storage/dialect.ts'
import { prepared } from '../../storage/prepared.ts'

const T = 'text'
const N = 'bigint'
const COLUMNS = [T, N, T, N, T, N, T, T, N] as const
const INTO = `insert into session_events (workspace_id, position, session_id, sequence, kind,
  message_sequence, note_id, data, created_at)`

/** The rows hold positions after the feed's, which one statement advances. */
const APPEND: BulkStatement = {
  columns: COLUMNS,
  hints: { isPipelined: true },
  sql: (source) => `
    with event as materialized (
      select * from ${source} as source
    ), feed as (
      insert into workspace_feeds (workspace_id, position)
      select c0, count(*) from event group by c0
      on conflict (workspace_id) do update set
        position = workspace_feeds.position + excluded.position
      returning workspace_id, position
    ), appended as (
      select count(*) as count from event
    )
    ${INTO}
    select c0, feed.position - appended.count + c1, c2, c3, c4, c5, c6, c7, c8
    from event join feed on feed.workspace_id = event.c0 cross join appended`,
}

const INSERT: BulkStatement = {
  columns: COLUMNS,
  sql: (source) => `${INTO} select c0, c1, c2, c3, c4, c5, c6, c7, c8 from ${source} as event`,
}

/** Newest events among which the tenants are found: bounds the cost of the query. */
const MAX_RECENT_EVENTS = 1_000

/** Returns the tenants with the newest messages in conversations, the newest first. */
export async function listRecentTenants(
  db: Db,
  limit: number,
): Promise<{ workspaceId: string; tenantId: string }[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('session_events')
        .select(['session_id', 'kind', 'created_at'])
        .orderBy('created_at', 'desc')
        .limit(MAX_RECENT_EVENTS)
        .as('event'),
    )
    .innerJoin('sessions', 'sessions.id', 'event.session_id')
    .innerJoin('tenants', 'tenants.id', 'sessions.tenant_id')
    .where('event.kind', '=', 'message')
    .where('tenants.disabled_at', 'is', null)
    .select(['tenants.workspace_id as workspaceId', 'tenants.id as tenantId'])
    .groupBy(['tenants.workspace_id', 'tenants.id'])
    .orderBy(({ fn }) => fn.max('event.created_at'), 'desc')
    .limit(limit)
    .execute()
}

/**
 * Inserts events of one workspace at the next positions. Locks the workspace's row until the
 * commit, so that readers see events in the order of their positions. On Postgres both steps are
 * one statement right before the commit, to keep the lock short.
 */
export async function appendEvents(db: Db, events: readonly NewLiveEvent[]): Promise<void> {
  const rowsAfter = (position: number) =>
    events.map((event, index) => [
      event.workspaceId,
      position + index + 1,
      event.sessionId,
      event.sequence,
      event.kind,
      event.messageSequence,
      event.noteId,
      event.data,
      event.at,
    ])
  if (dialectOf(db) === 'postgres') {
    await executeMany(db, APPEND, rowsAfter(0))
    return
  }
  const { rows } = await prepared<{ position: number }>`
    insert into workspace_feeds (workspace_id, position)
    values (${events[0]?.workspaceId ?? ''}, ${events.length})
    on conflict (workspace_id) do update set position = workspace_feeds.position + excluded.position
    returning position`.execute(db)
  await executeMany(db, INSERT, rowsAfter((rows[0]?.position ?? 0) - events.length))
}
