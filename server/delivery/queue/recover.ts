import { type Selectable, sql } from 'kysely'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import type { Tables } from '../../storage/database.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { notifyAfterCommit } from './enqueue.ts'
import { unleasedClause } from './claim.ts'

type DeadLetter = Selectable<Tables['dead_letters']>
type RecoveryRow = Selectable<Tables['delivery_recoveries']>

/** How many rows one step moves: nobody waits long for the database. */
const CHUNK = 500

/** An order to send again, and how far it is. */
export interface Recovery {
  id: string
  /** How many deliveries were sent again so far. */
  sent: number
  isFinished: boolean
}

/**
 * Sends everything of an endpoint again that failed since a time (milliseconds), is held, or waits
 * for a retry. Durable: the first few hundred go with this transaction, the workers move the rest in
 * steps, also after a restart.
 */
export function recoverSince(
  tx: Transaction,
  { endpointId, since }: { endpointId: string; since: number },
): Promise<Recovery> {
  return startRecovery(tx, { endpointId, since, retries: 1 })
}

/** Sends everything of an endpoint again that failed or is held, in the same way. */
export function recoverFailed(tx: Transaction, endpointId: string): Promise<Recovery> {
  return startRecovery(tx, { endpointId, since: 0, retries: 0 })
}

/** Carries out what is left of all orders; returns how many deliveries were sent again. */
export async function continueRecoveries(ctx: Context, isStopping: () => boolean): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from delivery_recoveries where finished_at is null order by created_at`.execute(
    ctx.db,
  )
  let sent = 0
  for (const { id } of rows) {
    for (let isOver = false; !isOver && !isStopping();) {
      const moved = await transaction(ctx, async (tx) => {
        // Holds the row, so that another process waits and then goes on from where this one was.
        const { rows: open } = await sql<RecoveryRow>`
          update delivery_recoveries set sent = sent
          where id = ${id} and finished_at is null returning *`.execute(tx.db)
        return open[0] ? runRecoveryStep(tx, open[0]) : undefined
      })
      sent += moved?.count ?? 0
      isOver = moved?.isLast ?? true
    }
  }
  return sent
}

async function startRecovery(
  tx: Transaction,
  order: { endpointId: string; since: number; retries: 0 | 1 },
): Promise<Recovery> {
  const now = tx.now()
  const row: RecoveryRow = {
    id: newId('rcv'),
    endpoint_id: order.endpointId,
    since: order.since,
    until: now,
    retries: order.retries,
    sent: 0,
    created_at: now,
    finished_at: null,
  }
  await tx.db.insertInto('delivery_recoveries').values(row).execute()
  const { count, isLast } = await runRecoveryStep(tx, row)
  return { id: row.id, sent: count, isFinished: isLast }
}

/** Moves some of what an order names, and notes it. */
async function runRecoveryStep(
  tx: Transaction,
  order: RecoveryRow,
): Promise<{ count: number; isLast: boolean }> {
  const counts = [await resumePausedBatch(tx, order), await requeueDead(tx, order)]
  if (order.retries === 1) counts.push(await expediteRetries(tx, order))
  const count = counts.reduce((sum, each) => sum + each, 0)
  const isLast = counts.every((each) => each < CHUNK)
  await sql`
    update delivery_recoveries set sent = sent + ${count},
      finished_at = ${isLast ? tx.now() : null}
    where id = ${order.id}`.execute(tx.db)
  if (count > 0) notifyAfterCommit(tx)
  return { count, isLast }
}

async function resumePausedBatch(tx: Transaction, order: RecoveryRow): Promise<number> {
  const { rows } = await unprepared(sql`
    update deliveries set next_at = ${tx.now()}, held_at = null, tier = 0, attempt = 0
    where id in (
      select id from deliveries
      where endpoint_id = ${order.endpoint_id} and held_at is not null limit ${CHUNK}
    ) returning id`).execute(tx.db)
  return rows.length
}

async function requeueDead(tx: Transaction, order: RecoveryRow): Promise<number> {
  const { rows } = await unprepared(sql<DeadLetter>`
    delete from dead_letters where id in (
      select id from dead_letters
      where endpoint_id = ${order.endpoint_id}
        and died_at >= ${order.since} and died_at <= ${order.until} limit ${CHUNK}
    ) returning *`).execute(tx.db)
  await requeueDeadLetters(tx, rows)
  return rows.length
}

/** What waits for a retry has failed too; a new cycle begins for it. */
async function expediteRetries(tx: Transaction, order: RecoveryRow): Promise<number> {
  const now = tx.now()
  const { rows } = await unprepared(sql`
    update deliveries set next_at = ${now}, tier = 0, attempt = 0
    where id in (
      select id from deliveries
      where tier = 1 and next_at is not null and endpoint_id = ${order.endpoint_id}
        and created_at <= ${order.until} and ${unleasedClause(now)}
        and exists (
          select 1 from delivery_attempts
          where delivery_id = deliveries.id and started_at >= ${order.since}
        )
      limit ${CHUNK}
    ) returning id`).execute(tx.db)
  return rows.length
}

/** Puts dead letters back into the queue: a new cycle under the same id and with the same bytes. */
export async function requeueDeadLetters(
  tx: Transaction,
  letters: readonly DeadLetter[],
): Promise<void> {
  if (letters.length === 0) return
  const again = letters.map(({ died_at: _died, expires_at: _expires, ...delivery }) => ({
    ...delivery,
    tier: 0,
    attempt: 0,
    next_at: tx.now(),
    held_at: null,
    lease_token: null,
    lease_until: null,
  }))
  await tx.db.insertInto('deliveries').values(again).execute()
  notifyAfterCommit(tx)
}
