import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import type { IntegrationRow } from '../store.ts'

export type InboundRow = Selectable<Tables['inbound_events']>

/** Prefix of the ids of rows that mark a payment as reported; no provider's ids begin with it. */
export const PAYMENT_MARK = 'paid:'

/** Prefix of the ids of rows that mark a call as received; no provider's ids begin with it. */
const CALL_MARK = 'call:'
/** Ids of one query. */
const EVENTS_AT_ONCE = 200

/**
 * Marks a call as received, by an identity of its own beside the event's id; false for a call that was
 * marked before.
 */
export async function markCall(db: Db, event: InboundRow, replayKey: string): Promise<boolean> {
  return insertInbound(db, {
    ...event,
    id: newId('inb'),
    provider_event_id: `${CALL_MARK}${replayKey}`,
    payload: null,
    lane: '',
    state: 'done',
    ended_at: event.created_at,
  })
}

/** The ids under which an event of a call is remembered. */
interface EventKeys {
  id: string
  replayKey?: string | undefined
}

/** Returns whether one of the events is neither stored nor part of a call that was marked. */
export async function hasNewInbound(
  db: Db,
  integrationId: string,
  events: readonly EventKeys[],
): Promise<boolean> {
  for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
    const some = events.slice(from, from + EVENTS_AT_ONCE)
    const keys = some.flatMap(({ id, replayKey }) => [id, ...markOf(replayKey)])
    const rows = await db
      .selectFrom('inbound_events')
      .select('provider_event_id')
      .where('integration_id', '=', integrationId)
      .where('provider_event_id', 'in', keys)
      .execute()
    const known = new Set(rows.map((row) => row.provider_event_id))
    const isKnown = (keysOf: readonly string[]) => keysOf.some((key) => known.has(key))
    if (some.some(({ id, replayKey }) => !isKnown([id, ...markOf(replayKey)]))) return true
  }
  return false
}

function markOf(replayKey: string | undefined): string[] {
  return replayKey === undefined ? [] : [`${CALL_MARK}${replayKey}`]
}

/** Stores an event; false for an id that the integration already has. */
export async function insertInbound(db: Db, row: InboundRow): Promise<boolean> {
  const inserted = await db
    .insertInto('inbound_events')
    .values(row)
    .onConflict((conflict) => conflict.columns(['integration_id', 'provider_event_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Inbound events of an integration, newest first, one more than `limit`. */
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
    .where('provider_event_id', 'not like', `${PAYMENT_MARK}%`)
    .where('provider_event_id', 'not like', `${CALL_MARK}%`)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Links an event to its message, so that another attempt does not store a second one. */
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

/** Erases the events of a conversation and cancels those that still wait. */
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

/** Erases an event's payload and ordering key, which name a person. */
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
