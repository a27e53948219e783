import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { keysetBefore } from '../storage/keyset.ts'

export type CallRow = Selectable<Tables['action_calls']>
export type DialogRow = Selectable<Tables['action_dialogs']>

/** A session of a workspace. */
export interface SessionPlace {
  workspaceId: string
  sessionId: string
}

/** Claims a call; returns false, and stores nothing, where its message has caused it before. */
export async function insertCall(db: Db, row: CallRow): Promise<boolean> {
  const { rows } = await sql`
    insert into action_calls (id, workspace_id, tenant_id, action_id, session_id, message_id, digest,
      state, is_test, inputs, attempts, error, shown, created_at, ended_at)
    values (${row.id}, ${row.workspace_id}, ${row.tenant_id}, ${row.action_id}, ${row.session_id},
      ${row.message_id}, ${row.digest}, ${row.state}, ${row.is_test}, ${row.inputs}, ${row.attempts},
      ${row.error}, ${row.shown}, ${row.created_at}, ${row.ended_at})
    on conflict (message_id, action_id, digest) where message_id is not null do nothing
    returning id`.execute(db)
  return rows.length > 0
}

export async function endCall(
  db: Db,
  { id, workspace_id }: CallRow,
  values: Pick<CallRow, 'state' | 'attempts' | 'error' | 'shown' | 'ended_at'>,
): Promise<void> {
  await db
    .updateTable('action_calls')
    .set(values)
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()
}

/** Finds the call that a message has caused with the same inputs. */
export async function findCallOfMessage(
  db: Db,
  row: Pick<CallRow, 'workspace_id' | 'message_id' | 'action_id' | 'digest'>,
): Promise<CallRow | undefined> {
  return db
    .selectFrom('action_calls')
    .selectAll()
    .where('workspace_id', '=', row.workspace_id)
    .where('message_id', '=', row.message_id)
    .where('action_id', '=', row.action_id)
    .where('digest', '=', row.digest)
    .executeTakeFirst()
}

export async function findCall(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<CallRow | undefined> {
  return db
    .selectFrom('action_calls')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the calls of an action, newest first; `limit` + 1 rows. */
export async function listCalls(
  db: Db,
  { workspaceId, actionId }: { workspaceId: string; actionId: string },
  { limit, after }: { limit: number; after: Cursor | undefined },
): Promise<CallRow[]> {
  return db
    .selectFrom('action_calls')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('action_id', '=', actionId)
    .where(keysetBefore('created_at', after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Lists the calls of a session, the oldest first. */
export async function listSessionCalls(
  db: Db,
  { workspaceId, sessionId }: SessionPlace,
): Promise<CallRow[]> {
  return db
    .selectFrom('action_calls')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Marks calls as unknown whose process ended. Idempotent. */
export async function endLostCalls(db: Db, before: number, now: number): Promise<void> {
  await db
    .updateTable('action_calls')
    .set({ state: 'unknown', error: 'interrupted', ended_at: now })
    .where('state', '=', 'running')
    .where('created_at', '<', before)
    .execute()
}

export async function deleteOldCalls(db: Db, before: number): Promise<void> {
  await db.deleteFrom('action_calls').where('created_at', '<', before).execute()
}

export async function findDialog(
  db: Db,
  { workspaceId, sessionId }: SessionPlace,
): Promise<DialogRow | undefined> {
  return db
    .selectFrom('action_dialogs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
}

/** Stores a dialog in place of the session's earlier one. */
export async function saveDialog(db: Db, row: DialogRow): Promise<void> {
  const { session_id: _session, ...values } = row
  await db
    .insertInto('action_dialogs')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
    .execute()
}

/** Takes a confirmed dialog for its call, once; returns false where it is no longer there. */
export async function takeConfirmation(
  db: Db,
  { workspace_id, session_id, id }: DialogRow,
  { callId, now }: { callId: string; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    update action_dialogs set state = 'running', call_id = ${callId}
    where workspace_id = ${workspace_id} and session_id = ${session_id} and id = ${id}
      and state = 'confirming' and expires_at > ${now} returning id`.execute(db)
  return rows.length > 0
}

export async function deleteDialog(
  db: Db,
  { workspace_id, session_id, id }: DialogRow,
): Promise<void> {
  await db
    .deleteFrom('action_dialogs')
    .where('workspace_id', '=', workspace_id)
    .where('session_id', '=', session_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteOldDialogs(db: Db, before: number): Promise<void> {
  await db.deleteFrom('action_dialogs').where('expires_at', '<', before).execute()
}
