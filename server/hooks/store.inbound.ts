import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { olderThan } from '../storage/paging.ts'
import type { IntegrationRow } from './store.ts'

export type InboundRow = Selectable<Tables['inbound_events']>

/** Begins the ids of rows that only note that a payment was told; no event of Stripe begins so. */
export const PAID = 'paid:'

/** Stores what a provider told; false when it was told before. */
export async function insertInbound(db: Db, row: InboundRow): Promise<boolean> {
  const inserted = await db
    .insertInto('inbound_events')
    .values(row)
    .onConflict((conflict) => conflict.columns(['integration_id', 'provider_event_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** What came in through an integration, new ones first, one more than `limit`. */
export async function listInbound(
  db: Db,
  integration: IntegrationRow,
  page: { limit: number; after: Cursor | undefined },
): Promise<InboundRow[]> {
  return db
    .selectFrom('inbound_events')
    .selectAll()
    .where('workspace_id', '=', integration.workspace_id)
    .where('integration_id', '=', integration.id)
    .where('provider_event_id', 'not like', `${PAID}%`)
    .where(olderThan('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Notes which message an event became, so that it becomes only one. */
export async function linkInbound(
  db: Db,
  { id, workspace_id }: InboundRow,
  message: { sessionId: string; sequence: number },
): Promise<void> {
  await db
    .updateTable('inbound_events')
    .set({ session_id: message.sessionId, message_sequence: message.sequence })
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .execute()
}

/** Forgets what was said in a conversation that is erased, also where it was not answered yet. */
export async function eraseInbound(
  db: Db,
  of: { workspaceId: string; sessionId: string; now: number },
): Promise<void> {
  await sql`
    update inbound_events
    set ended_at = case when state = 'waiting' then ${of.now} else ended_at end,
      state = case when state = 'waiting' then 'cancelled' else state end,
      payload = null, lane = '', lease_token = null, lease_until = null
    where workspace_id = ${of.workspaceId} and session_id = ${of.sessionId}`.execute(db)
}

/** Forgets what was said, and by whom, once it is processed. */
export async function emptyInbound(
  db: Db,
  { id, workspace_id }: Pick<InboundRow, 'id' | 'workspace_id'>,
): Promise<void> {
  await db
    .updateTable('inbound_events')
    .set({ payload: null, lane: '' })
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .execute()
}
