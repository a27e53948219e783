import type { Selectable } from 'kysely'
import type { Transaction } from '../../context.ts'
import { type BulkStatement, executeMany } from '../../storage/bulk.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { dialectOf } from '../../storage/dialect.ts'
import type { AttemptResult } from '../attempt-result.ts'
import type { FinishedState } from '../tables.ts'

export type Delivery = Selectable<Tables['deliveries']>

/** An attempt to be recorded. */
export interface AttemptRecord {
  delivery: { id: string; workspace_id: string }
  /** Counts from 1 over all cycles of the delivery. */
  number: number
  startedAt: number
  result: AttemptResult
}

/** The columns of a finished delivery. */
type FinishedDelivery = Pick<
  Delivery,
  'id' | 'workspace_id' | 'family' | 'endpoint_id' | 'event' | 'attempts' | 'created_at'
> & { session_id?: string | null }

const T = 'text'
const N = 'bigint'
const DELIVERED_COLUMNS = [T, T, N, N, N, T, N] as const

export async function insertAttempts(
  tx: Transaction,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  const rows = attempts.map(({ delivery, number, startedAt, result }) => [
    delivery.id,
    number,
    delivery.workspace_id,
    startedAt,
    result.status,
    result.error,
    result.latency_ms,
    result.answer,
  ])
  await executeMany(tx.db, INSERT_ATTEMPTS, rows)
}

const INSERT_ATTEMPTS: BulkStatement = {
  columns: [T, N, T, N, N, T, N, T],
  sql: (source) => `
    insert into delivery_attempts
      (delivery_id, number, workspace_id, started_at, status, error, latency_ms, answer)
    select c0, c1, c2, c3, c4, c5, c6, c7 from ${source} as entry`,
}

export async function insertFinished(
  tx: Transaction,
  ended: readonly FinishedDelivery[],
  state: FinishedState,
): Promise<void> {
  const now = tx.now()
  const rows = ended.map((delivery) => [
    delivery.id,
    delivery.workspace_id,
    delivery.family,
    delivery.endpoint_id,
    delivery.event,
    delivery.attempts,
    delivery.created_at,
    delivery.attempts > 0 ? (delivery.session_id ?? null) : null,
    now,
    state,
  ])
  await executeMany(tx.db, INSERT_FINISHED, rows)
}

const INSERT_FINISHED: BulkStatement = {
  columns: [T, T, T, T, T, N, N, T, N, T],
  sql: (source) => `
    insert into finished_deliveries (id, workspace_id, family, endpoint_id, event, attempts,
      created_at, session_id, finished_at, state)
    select c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 from ${source} as entry`,
}

/** A successful attempt, with the lease under which it was sent. */
export interface DeliveredAttempt {
  id: string
  leaseToken: string
  startedAt: number
  result: AttemptResult
}

/**
 * Moves successful deliveries from the queue to the history, each fenced by its lease token, with the
 * attempt in the same row. Returns the ids that were moved. On SQLite, call it in a transaction.
 */
export async function archiveDelivered(
  db: Db,
  delivered: readonly DeliveredAttempt[],
  now: number,
): Promise<string[]> {
  const rows = delivered.map(({ id, leaseToken, startedAt, result }) => [
    id,
    leaseToken,
    startedAt,
    result.status,
    result.latency_ms,
    result.answer,
    now,
  ])
  const isPostgres = dialectOf(db) === 'postgres'
  const moved = await executeMany<{ id: string }>(
    db,
    isPostgres ? MOVE_TO_HISTORY : COPY_TO_HISTORY,
    rows,
  )
  const ids = moved.map((row) => row.id)
  if (!isPostgres) {
    await executeMany(
      db,
      DELETE_FROM_QUEUE,
      ids.map((id) => [id]),
    )
  }
  return ids
}

const DELETE_FROM_QUEUE: BulkStatement = {
  columns: [T],
  sql: (source) => `delete from deliveries where id in (select c0 from ${source})`,
}

const INTO_HISTORY = `
  insert into finished_deliveries (id, workspace_id, family, endpoint_id, event, created_at,
    attempts, state, session_id, attempted_at, status, latency_ms, answer, finished_at)
  select id, workspace_id, family, endpoint_id, event, created_at, attempts + 1, 'delivered',
    case when attempts > 0 or c5 <> '' then session_id end, c2, c3, c4, c5, c6`

const MOVE_TO_HISTORY: BulkStatement = {
  columns: DELIVERED_COLUMNS,
  hints: { isUnprepared: true },
  sql: (source) => `
    with moved as (
      delete from deliveries using ${source} as made
      where deliveries.id = made.c0 and deliveries.lease_token = made.c1
      returning deliveries.*, made.*
    )
    ${INTO_HISTORY} from moved returning id`,
}

/** SQLite cannot delete and insert in one statement; both run in one transaction. */
const COPY_TO_HISTORY: BulkStatement = {
  columns: DELIVERED_COLUMNS,
  sql: (source) => `
    ${INTO_HISTORY} from ${source} as made cross join deliveries
    where deliveries.id = made.c0 and deliveries.lease_token = made.c1 returning id`,
}
