import { type Selectable, sql } from 'kysely'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import type { Tables } from '../../storage/database.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { notifyAfterCommit } from './enqueue.ts'
import { unleasedClause } from './claim.ts'

type DeadLetter = Selectable<Tables['dead_letters']>
type RecoveryRow = Selectable<Tables['delivery_recoveries']>

/** Rows per step, so that other transactions wait only briefly. */
const CHUNK = 500

/** A recovery and its progress. */
export interface Recovery {
  id: string
  /** The deliveries requeued so far. */
  sent: number
  isFinished: boolean
}

/**
 * Starts a recovery: requeues the deliveries of an endpoint that failed since a time (milliseconds),
 * are paused, or wait for a retry. Durable: the first batch commits with this transaction, and the
 * workers requeue the rest in batches, after a restart too.
 */
export function recoverSince(
  tx: Transaction,
  { endpointId, since }: { endpointId: string; since: number },
): Promise<Recovery> {
  return startRecovery(tx, { endpointId, since, retries: 1 })
}

/** Starts a recovery of the failed and paused deliveries of an endpoint, of any time. */
export function recoverFailed(tx: Transaction, endpointId: string): Promise<Recovery> {
  return startRecovery(tx, { endpointId, since: 0, retries: 0 })
}

/** Continues all open recoveries. Returns the number of requeued deliveries. */
export async function continueRecoveries(ctx: Context, isStopping: () => boolean): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from delivery_recoveries where finished_at is null order by created_at`.execute(
    ctx.db,
  )
  let sent = 0
  for (const { id } of rows) {
    for (let isFinished = false; !isFinished && !isStopping();) {
      const moved = await transaction(ctx, async (tx) => {
        // The no-op update locks the row: another process waits, and continues from this step.
        const { rows: open } = await sql<RecoveryRow>`
          update delivery_recoveries set sent = sent
          where id = ${id} and finished_at is null returning *`.execute(tx.db)
        return open[0] ? runRecoveryStep(tx, open[0]) : undefined
      })
      sent += moved?.count ?? 0
      isFinished = moved?.isLast ?? true
    }
  }
  return sent
}

async function startRecovery(
  tx: Transaction,
  recovery: { endpointId: string; since: number; retries: 0 | 1 },
): Promise<Recovery> {
  const now = tx.now()
  const row: RecoveryRow = {
    id: newId('rcv'),
    endpoint_id: recovery.endpointId,
    since: recovery.since,
    until: now,
    retries: recovery.retries,
    sent: 0,
    created_at: now,
    finished_at: null,
  }
  await tx.db.insertInto('delivery_recoveries').values(row).execute()
  const { count, isLast } = await runRecoveryStep(tx, row)
  return { id: row.id, sent: count, isFinished: isLast }
}

/** Requeues one batch of a recovery, and stores its progress. */
async function runRecoveryStep(
  tx: Transaction,
  recovery: RecoveryRow,
): Promise<{ count: number; isLast: boolean }> {
  const counts = [await resumePausedBatch(tx, recovery), await requeueDead(tx, recovery)]
  if (recovery.retries === 1) counts.push(await expediteRetries(tx, recovery))
  const count = counts.reduce((sum, each) => sum + each, 0)
  const isLast = counts.every((each) => each < CHUNK)
  await sql`
    update delivery_recoveries set sent = sent + ${count},
      finished_at = ${isLast ? tx.now() : null}
    where id = ${recovery.id}`.execute(tx.db)
  if (count > 0) notifyAfterCommit(tx)
  return { count, isLast }
}

async function resumePausedBatch(tx: Transaction, recovery: RecoveryRow): Promise<number> {
  const { rows } = await unprepared(sql`
    update deliveries set next_at = ${tx.now()}, held_at = null, tier = 0, attempt = 0
    where id in (
      select id from deliveries
      where endpoint_id = ${recovery.endpoint_id} and held_at is not null limit ${CHUNK}
    ) returning id`).execute(tx.db)
  return rows.length
}

async function requeueDead(tx: Transaction, recovery: RecoveryRow): Promise<number> {
  const { rows } = await unprepared(sql<DeadLetter>`
    delete from dead_letters where id in (
      select id from dead_letters
      where endpoint_id = ${recovery.endpoint_id}
        and died_at >= ${recovery.since} and died_at <= ${recovery.until} limit ${CHUNK}
    ) returning *`).execute(tx.db)
  await requeueDeadLetters(tx, rows)
  return rows.length
}

/** Starts a new cycle for deliveries that wait for a retry, because their last attempt failed. */
async function expediteRetries(tx: Transaction, recovery: RecoveryRow): Promise<number> {
  const now = tx.now()
  const { rows } = await unprepared(sql`
    update deliveries set next_at = ${now}, tier = 0, attempt = 0
    where id in (
      select id from deliveries
      where tier = 1 and next_at is not null and endpoint_id = ${recovery.endpoint_id}
        and created_at <= ${recovery.until} and ${unleasedClause(now)}
        and exists (
          select 1 from delivery_attempts
          where delivery_id = deliveries.id and started_at >= ${recovery.since}
        )
      limit ${CHUNK}
    ) returning id`).execute(tx.db)
  return rows.length
}

/** Requeues deleted dead letters: a new cycle under the same id and with the same bytes. */
export async function requeueDeadLetters(
  tx: Transaction,
  letters: readonly DeadLetter[],
): Promise<void> {
  if (letters.length === 0) return
  const requeued = letters.map(({ died_at: _died, expires_at: _expires, ...delivery }) => ({
    ...delivery,
    tier: 0,
    attempt: 0,
    next_at: tx.now(),
    held_at: null,
    lease_token: null,
    lease_until: null,
  }))
  await tx.db.insertInto('deliveries').values(requeued).execute()
  notifyAfterCommit(tx)
}
