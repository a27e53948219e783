import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../context.ts'
import type { EventEnvelope } from '../../events.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { type Delivery, insertFinished } from './history.ts'

const CHUNK = 500

/**
 * Erases the deliveries of some sessions, or of a whole workspace: the bodies of queued deliveries and
 * dead letters, which are cancelled, and the receivers' responses. The rows of a session's deliveries
 * stay readable, without content. Idempotent.
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

/** Erases the deliveries of an erased session. */
export async function eraseSessionDeliveries(
  tx: Transaction,
  _event: 'session.erased',
  { workspaceId, data }: EventEnvelope<'session.erased'>,
): Promise<void> {
  await eraseDeliveries(tx, { workspaceId, sessionIds: [data.session_id] })
}

/** Erases the deliveries of the sessions of a removed tenant. */
export async function eraseTenantDeliveries(
  tx: Transaction,
  _event: 'sessions.removed',
  { workspaceId, data }: EventEnvelope<'sessions.removed'>,
): Promise<void> {
  await eraseDeliveries(tx, { workspaceId, sessionIds: data.session_ids })
}

/** The partial indexes that find a session's bodies; each condition repeats that of its index. */
const BODY_PARTITIONS: readonly { table: string; part: RawBuilder<unknown> }[] = [
  { table: 'deliveries', part: sql`session_id is not null and (tier = 1 or held_at is not null)` },
  { table: 'deliveries', part: sql`tier = 0 and next_at is not null` },
  { table: 'dead_letters', part: sql`session_id is not null` },
]

async function eraseSessions(tx: Transaction, condition: RawBuilder<unknown>): Promise<void> {
  for (const { table, part } of BODY_PARTITIONS) {
    const { rows } = await unprepared(sql<Delivery>`
      delete from ${sql.table(table)} where ${part} and ${condition} returning *`).execute(tx.db)
    await insertFinished(tx, rows, 'cancelled')
  }
  await sql`
    update delivery_attempts set answer = null
    where delivery_id in (select id from finished_deliveries where ${condition})`.execute(tx.db)
  await sql`
    update finished_deliveries set answer = null, session_id = null where ${condition}`.execute(
    tx.db,
  )
}

async function eraseWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  const tables = ['deliveries', 'dead_letters', 'delivery_attempts', 'finished_deliveries']
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(tx.db)
  }
}
