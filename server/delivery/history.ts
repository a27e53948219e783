import { type Selectable, sql } from 'kysely'
import type { Transaction } from '../context.ts'
import type { Tables } from '../storage/database.ts'
import { type ColumnType, rowSource } from '../storage/row-source.ts'
import type { AttemptResult } from './attempt.ts'
import type { FinishedState } from './tables.ts'

export type Delivery = Selectable<Tables['deliveries']>

/** An attempt as it is kept. */
export interface MadeAttempt {
  delivery: { id: string; workspace_id: string }
  /** Counts from 1 over all cycles of the delivery. */
  number: number
  startedAt: number
  result: AttemptResult
}

/** What stays of a delivery that needs no more attention. */
type Ended = Pick<
  Delivery,
  'id' | 'workspace_id' | 'family' | 'endpoint_id' | 'event' | 'attempts' | 'created_at'
>

const T = 'text'
const N = 'bigint'
const ATTEMPT: readonly ColumnType[] = [T, N, T, N, N, T, N, T]
const FINISHED: readonly ColumnType[] = [T, T, T, T, T, N, N]

export async function insertAttempts(
  tx: Transaction,
  attempts: readonly MadeAttempt[],
): Promise<void> {
  if (attempts.length === 0) return
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
  await sql`
    insert into delivery_attempts
      (delivery_id, number, workspace_id, started_at, status, error, latency_ms, answer)
    select c0, c1, c2, c3, c4, c5, c6, c7 from ${rowSource(tx.db, ATTEMPT, rows)} as entry
  `.execute(tx.db)
}

export async function insertFinished(
  tx: Transaction,
  ended: readonly Ended[],
  state: FinishedState,
): Promise<void> {
  if (ended.length === 0) return
  const rows = ended.map((delivery) => [
    delivery.id,
    delivery.workspace_id,
    delivery.family,
    delivery.endpoint_id,
    delivery.event,
    delivery.attempts,
    delivery.created_at,
  ])
  await sql`
    insert into finished_deliveries
      (id, workspace_id, family, endpoint_id, event, attempts, created_at, state, finished_at)
    select c0, c1, c2, c3, c4, c5, c6, ${sql.lit(state)}, cast(${tx.now()} as bigint)
    from ${rowSource(tx.db, FINISHED, rows)} as entry`.execute(tx.db)
}
