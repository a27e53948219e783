import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { olderThan } from '../../storage/paging.ts'
import type { IntegrationRow } from '../store.ts'

export type OutboxRow = Selectable<Tables['channel_messages']>

export async function insertOutbound(db: Db, row: OutboxRow): Promise<void> {
  await db.insertInto('channel_messages').values(row).execute()
}

/** The place of the last message to somebody that still waits; 0 when none does. */
export async function lastPosition(
  db: Db,
  place: { integrationId: string; lane: string },
): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(position) as last from channel_messages
    where integration_id = ${place.integrationId} and lane = ${place.lane}
      and state = 'waiting'`.execute(db)
  return rows[0]?.last ?? 0
}

/** Forgets what a message says: the conversation has it, here it is needed until it is sent. */
export async function emptyOutbound(
  db: Db,
  { id, workspace_id }: OutboxRow,
  providerMessageId: string | null,
): Promise<void> {
  await db
    .updateTable('channel_messages')
    .set({ text: null, provider_message_id: providerMessageId })
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .execute()
}

/** What went out through an integration, new ones first, one more than `limit`. */
export async function listOutbound(
  db: Db,
  integration: IntegrationRow,
  page: { limit: number; after: Cursor | undefined },
): Promise<OutboxRow[]> {
  return db
    .selectFrom('channel_messages')
    .selectAll()
    .where('workspace_id', '=', integration.workspace_id)
    .where('integration_id', '=', integration.id)
    .where(olderThan('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}
