import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../context.ts'
import type { EventEnvelope } from '../../events.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { type Delivery, insertFinished } from './history.ts'

const CHUNK = 500

/**
 * Erases what deliveries tell of some conversations, or of a whole workspace: their bodies in the
 * queue and among the dead letters, which are then not sent any more, and what receivers answered.
 * Of conversations it stays readable that something was sent, and nothing of what.
 */
export async function eraseDeliveries(
  tx: Transaction,
  { workspaceId, sessionIds }: { workspaceId: string; sessionIds?: readonly string[] },
): Promise<void> {
  if (sessionIds === undefined) {
    await eraseWorkspace(tx, workspaceId)
    return
  }
  for (let at = 0; at < sessionIds.length; at += CHUNK) {
    const ids = sql.join(sessionIds.slice(at, at + CHUNK))
    await eraseSessions(tx, sql`workspace_id = ${workspaceId} and session_id in (${ids})`)
  }
}

/** Erases what deliveries tell of a conversation that is erased. */
export async function eraseSessionDeliveries(
  tx: Transaction,
  _event: 'session.erased',
  { workspaceId, data }: EventEnvelope<'session.erased'>,
): Promise<void> {
  await eraseDeliveries(tx, { workspaceId, sessionIds: [data.session_id] })
}

/** Erases what deliveries tell of the conversations of a site that is removed. */
export async function eraseTenantDeliveries(
  tx: Transaction,
  _event: 'sessions.removed',
  { workspaceId, data }: EventEnvelope<'sessions.removed'>,
): Promise<void> {
  await eraseDeliveries(tx, { workspaceId, sessionIds: data.session_ids })
}

/** Where a conversation's words are, each written out so that it is found by an index. */
const PLACES: readonly { table: string; part: RawBuilder<unknown> }[] = [
  { table: 'deliveries', part: sql`session_id is not null and (tier = 1 or held_at is not null)` },
  { table: 'deliveries', part: sql`tier = 0 and next_at is not null` },
  { table: 'dead_letters', part: sql`session_id is not null` },
]

async function eraseSessions(tx: Transaction, them: RawBuilder<unknown>): Promise<void> {
  for (const { table, part } of PLACES) {
    const { rows } = await unprepared(sql<Delivery>`
      delete from ${sql.table(table)} where ${part} and ${them} returning *`).execute(tx.db)
    await insertFinished(tx, rows, 'cancelled')
  }
  await sql`
    update delivery_attempts set answer = null
    where delivery_id in (select id from finished_deliveries where ${them})`.execute(tx.db)
  await sql`
    update finished_deliveries set answer = null, session_id = null where ${them}`.execute(tx.db)
}

async function eraseWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  const tables = ['deliveries', 'dead_letters', 'delivery_attempts', 'finished_deliveries']
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(tx.db)
  }
}
