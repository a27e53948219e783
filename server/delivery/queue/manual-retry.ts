import { type RawBuilder, sql } from 'kysely'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { unleasedClause } from './claim.ts'
import type { EndpointSources } from '../endpoints.ts'
import { notifyAfterCommit } from './enqueue.ts'
import { type Delivery, insertFinished } from './history.ts'
import { requeueDeadLetters, recoverFailed } from './recover.ts'
import type { WebhookKind } from '../signature.ts'
import {
  type DeadLetterFilter,
  type DeadLetterRow,
  deadLetterCondition,
  findPausedEndpoints,
} from './store.ts'
import type { FinishedState } from '../tables.ts'

/** Rows per statement. */
const CHUNK = 500

interface DeliveryRef {
  id: string
  workspaceId: string
  family: WebhookKind
}

/**
 * Requeues a dead letter: a new cycle under the same id and with the same bytes. Returns false
 * without a dead letter of this id, for example after a concurrent retry.
 */
export async function retryDeadLetter(tx: Transaction, letter: DeliveryRef): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('dead_letters')
    .where('id', '=', letter.id)
    .where('workspace_id', '=', letter.workspaceId)
    .where('family', '=', letter.family)
    .where('expires_at', '>', tx.now())
    .returningAll()
    .execute()
  await requeueDeadLetters(tx, removed)
  return removed.length > 0
}

/**
 * Requeues up to 500 dead letters that match a filter and belong to a listed endpoint. Returns their
 * number; the caller repeats it, each time in a new transaction, until it returns 0.
 */
export async function retryDeadLetters(
  tx: Transaction,
  filter: DeadLetterFilter,
  endpointIds: readonly string[],
): Promise<number> {
  if (endpointIds.length === 0) return 0
  const { rows } = await sql<DeadLetterRow>`
    delete from dead_letters where id in (
      select id from dead_letters where ${deadLetterCondition(filter, tx.now())}
        and endpoint_id in (${sql.join(endpointIds)})
      order by died_at limit ${CHUNK}
    ) returning *`.execute(tx.db)
  await requeueDeadLetters(tx, rows)
  return rows.length
}

/**
 * Requeues a delivery that failed or waits for a retry, under its own id. Returns `sending` while an
 * attempt is in flight, because two must not overlap, and `over` for a finished delivery.
 */
export async function retryDelivery(
  tx: Transaction,
  delivery: DeliveryRef,
): Promise<'queued' | 'sending' | 'over'> {
  if (await retryDeadLetter(tx, delivery)) return 'queued'
  const now = tx.now()
  const { rows: waiting } = await sql`
    update deliveries set next_at = ${now}, held_at = null, tier = 0
    where id = ${delivery.id} and workspace_id = ${delivery.workspaceId}
      and family = ${delivery.family} and ${unleasedClause(now)} returning id`.execute(tx.db)
  if (waiting.length > 0) {
    notifyAfterCommit(tx)
    return 'queued'
  }
  const { rows: leased } = await sql`
    select id from deliveries
    where id = ${delivery.id} and workspace_id = ${delivery.workspaceId}
      and family = ${delivery.family}`.execute(tx.db)
  return leased.length > 0 ? 'sending' : 'over'
}

/**
 * Requeues the failed and the paused deliveries of an endpoint. Returns the number of the first batch,
 * which commits with this transaction; the workers requeue the rest.
 */
export async function replayFailed(tx: Transaction, endpointId: string): Promise<number> {
  const { sent } = await recoverFailed(tx, endpointId)
  return sent
}

/** Resumes the paused deliveries of an endpoint that became active. Returns their number. */
export async function resumeDeliveries(tx: Transaction, endpointId: string): Promise<number> {
  const result = await sql`
    update deliveries set next_at = ${tx.now()}, held_at = null, tier = 0, attempt = 0
    where endpoint_id = ${endpointId} and held_at is not null`.execute(tx.db)
  notifyAfterCommit(tx)
  return Number(result.numAffectedRows ?? 0n)
}

/**
 * Resumes the paused deliveries of all active endpoints. Activating an endpoint resumes its
 * deliveries at once; this finds those that an attempt paused because it still read the endpoint as
 * inactive. Idempotent.
 */
export async function resumeActiveEndpoints(ctx: Context, sources: EndpointSources): Promise<void> {
  const byFamily = Map.groupBy(await findPausedEndpoints(ctx.db), (paused) => paused.family)
  for (const [family, paused] of byFamily) {
    const ids = paused.map((entry) => entry.endpoint_id)
    const endpoints = (await sources[family]?.find(ctx, ids)) ?? []
    for (const { id } of endpoints.filter((endpoint) => endpoint.isActive)) {
      await transaction(ctx, (tx) => resumeDeliveries(tx, id))
    }
  }
}

/** Pauses the queued deliveries of an inactive endpoint. Idempotent. */
export async function pauseDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  const now = tx.now()
  await sql`
    update deliveries set next_at = null, held_at = ${now}
    where endpoint_id = ${endpointId} and next_at is not null and ${unleasedClause(now)}`.execute(
    tx.db,
  )
}

/**
 * Cancels the queued deliveries of a deleted endpoint, and erases the bodies of its dead letters,
 * which stay readable as failed. A delivery in flight ends with its attempt. Idempotent.
 */
export async function cancelDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  const now = tx.now()
  const own = sql`endpoint_id = ${endpointId}`
  await finishAll(tx, 'deliveries', sql`${own} and ${unleasedClause(now)}`, 'cancelled')
  await finishAll(tx, 'dead_letters', own, 'failed')
}

async function finishAll(
  tx: Transaction,
  table: 'deliveries' | 'dead_letters',
  condition: RawBuilder<unknown>,
  state: FinishedState,
): Promise<void> {
  const name = sql.table(table)
  for (;;) {
    const { rows } = await unprepared(sql<Delivery>`
      delete from ${name} where id in (select id from ${name} where ${condition} limit ${CHUNK})
      returning *`).execute(tx.db)
    if (rows.length === 0) return
    await insertFinished(tx, rows, state)
  }
}
