import { type Selectable, sql } from 'kysely'
import type { Transaction } from '../context.ts'
import type { Tables } from '../storage/database.ts'
import { wakeAfterCommit } from './enqueue.ts'
import { type Delivery, insertFinished } from './history.ts'
import type { Family } from './signature.ts'
import { type DeadLetterFilter, deadLettersOf } from './store.ts'

type DeadLetter = Selectable<Tables['dead_letters']>

/** How many rows are moved by one statement. */
const CHUNK = 500

/**
 * Sends a dead letter again: a new cycle under the same id and with the same bytes. False when
 * there is none with this id, such as when somebody else was quicker.
 */
export async function retryDeadLetter(
  tx: Transaction,
  letter: { id: string; workspaceId: string; family: Family },
): Promise<boolean> {
  const taken = await tx.db
    .deleteFrom('dead_letters')
    .where('id', '=', letter.id)
    .where('workspace_id', '=', letter.workspaceId)
    .where('family', '=', letter.family)
    .where('expires_at', '>', tx.now())
    .returningAll()
    .execute()
  await queueAgain(tx, taken)
  return taken.length > 0
}

/**
 * Sends up to 500 of the dead letters again that a filter means and whose endpoint is listed.
 * Returns how many; call it again, in a transaction of its own, until there are none.
 */
export async function retryDeadLetters(
  tx: Transaction,
  filter: DeadLetterFilter,
  endpointIds: readonly string[],
): Promise<number> {
  if (endpointIds.length === 0) return 0
  const { rows } = await sql<DeadLetter>`
    delete from dead_letters where id in (
      select id from dead_letters where ${deadLettersOf(filter, tx.now())}
        and endpoint_id in (${sql.join(endpointIds)})
      order by died_at limit ${CHUNK}
    ) returning *`.execute(tx.db)
  await queueAgain(tx, rows)
  return rows.length
}

/**
 * Sends a delivery at once that failed or waits for its next attempt, under its own id. `sending`:
 * an attempt is under way, and there must not be two; `over`: there is nothing to send any more.
 */
export async function retryDelivery(
  tx: Transaction,
  delivery: { id: string; workspaceId: string; family: Family },
): Promise<'queued' | 'sending' | 'over'> {
  if (await retryDeadLetter(tx, delivery)) return 'queued'
  const { id, workspaceId, family } = delivery
  const { rows } = await sql<{ lease_until: number | null }>`
    update deliveries set
      next_at = case when lease_until is null then ${tx.now()} else next_at end,
      held_at = case when lease_until is null then null else held_at end,
      tier = case when lease_until is null then 0 else tier end
    where id = ${id} and workspace_id = ${workspaceId} and family = ${family}
    returning lease_until`.execute(tx.db)
  const [row] = rows
  if (!row) return 'over'
  if (row.lease_until !== null) return 'sending'
  wakeAfterCommit(tx)
  return 'queued'
}

/** Sends everything of an endpoint again that failed or is held. Returns how many. */
export async function releaseDeliveries(tx: Transaction, endpointId: string): Promise<number> {
  let count = await releaseHeld(tx, endpointId)
  for (;;) {
    const { rows } = await sql<DeadLetter>`
      delete from dead_letters where id in (
        select id from dead_letters where endpoint_id = ${endpointId} limit ${CHUNK}
      ) returning *`.execute(tx.db)
    if (rows.length === 0) return count
    await queueAgain(tx, rows)
    count += rows.length
  }
}

/** Sends what is held for an endpoint: it takes deliveries again. Returns how many. */
export async function releaseHeld(tx: Transaction, endpointId: string): Promise<number> {
  const result = await sql`
    update deliveries set next_at = ${tx.now()}, held_at = null, tier = 0, attempt = 0
    where endpoint_id = ${endpointId} and held_at is not null`.execute(tx.db)
  wakeAfterCommit(tx)
  return Number(result.numAffectedRows ?? 0n)
}

/** Holds what waits for an endpoint that takes no deliveries at the moment. */
export async function holdDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  await sql`
    update deliveries set next_at = null, held_at = ${tx.now()}
    where endpoint_id = ${endpointId} and lease_until is null and next_at is not null`.execute(
    tx.db,
  )
}

/**
 * Ends what waits for an endpoint that was deleted; its history stays readable. What is under way
 * ends with its attempt.
 */
export async function cancelDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<Delivery>`
      delete from deliveries where id in (
        select id from deliveries where endpoint_id = ${endpointId} and lease_until is null
        limit ${CHUNK}
      ) returning *`.execute(tx.db)
    if (rows.length === 0) return
    await insertFinished(tx, rows, 'cancelled')
  }
}

async function queueAgain(tx: Transaction, letters: readonly DeadLetter[]): Promise<void> {
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
  wakeAfterCommit(tx)
}
