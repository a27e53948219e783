import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import type { IntegrationRow } from '../store.ts'

export type OutboundRow = Selectable<Tables['channel_messages']>

export async function insertOutbound(db: Db, row: OutboundRow): Promise<void> {
  await db.insertInto('channel_messages').values(row).execute()
}

/** The highest position among a contact's queued messages; 0 for an empty queue. */
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

/** Erases a message's text, which the conversation keeps, and stores the provider's id. */
export async function emptyOutbound(
  db: Db,
  { id, workspace_id }: OutboundRow,
  providerMessageId: string | null,
): Promise<void> {
  await db
    .updateTable('channel_messages')
    .set({ text: null, provider_message_id: providerMessageId })
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .execute()
}

/** Outbound messages of an integration, newest first, one more than `limit`. */
export async function listOutbound(
  db: Db,
  integration: IntegrationRow,
  page: { limit: number; after: Cursor | undefined },
): Promise<OutboundRow[]> {
  return db
    .selectFrom('channel_messages')
    .selectAll()
    .where('workspace_id', '=', integration.workspace_id)
    .where('integration_id', '=', integration.id)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}
