import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import type { Family } from './signature.ts'
import type { FinishedState } from './tables.ts'

export type AttemptRow = Selectable<Tables['delivery_attempts']>
export type DeadLetterRow = Selectable<Tables['dead_letters']>

/** Where a delivery is: on its way, kept after it failed, or over. */
export type DeliveryState = 'waiting' | 'sending' | 'held' | 'dead' | FinishedState

export interface DeliveryRow {
  id: string
  event: string
  state: DeliveryState
  attempts: number
  /** When the next attempt is due, or null when none is. */
  next_at: number | null
  created_at: number
}

interface Page {
  limit: number
  after: Cursor | undefined
}

/** Deliveries of an endpoint, new ones first, one more than `limit`. */
export async function listDeliveries(
  db: Db,
  place: { workspaceId: string; endpointId: string },
  { limit, after }: Page,
): Promise<DeliveryRow[]> {
  const rest = sql`
    workspace_id = ${place.workspaceId} and endpoint_id = ${place.endpointId}
    and ${after ? sql`(created_at, id) < (${after.at}, ${after.id})` : sql`1 = 1`}
    order by created_at desc, id desc limit ${limit + 1}`
  const { rows } = await sql<DeliveryRow>`
    select * from (
      select id, event, attempts, next_at, created_at,
        case when held_at is not null then 'held'
          when lease_until is not null then 'sending' else 'waiting' end as state
      from deliveries where ${rest}
    ) as live
    union all
    select * from (
      select id, event, attempts, cast(null as bigint), created_at, 'dead' from dead_letters where ${rest}
    ) as dead
    union all
    select * from (
      select id, event, attempts, cast(null as bigint), created_at, state from finished_deliveries where ${rest}
    ) as finished
    order by created_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** The attempts of some deliveries, in their order. */
export async function listAttempts(db: Db, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  if (deliveryIds.length === 0) return []
  return db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', 'in', deliveryIds)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute()
}

/** What a workspace could not deliver and may send again, new ones first, one more than `limit`. */
export async function listDeadLetters(
  db: Db,
  place: { workspaceId: string; family: Family; now: number },
  { limit, after }: Page,
): Promise<DeadLetterRow[]> {
  const { rows } = await sql<DeadLetterRow>`
    select * from dead_letters
    where workspace_id = ${place.workspaceId} and family = ${place.family}
      and expires_at > ${place.now}
      and ${after ? sql`(died_at, id) < (${after.at}, ${after.id})` : sql`1 = 1`}
    order by died_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Whose a delivery is, of any workspace and in whatever state. */
export async function findDeliveryOwner(
  db: Db,
  family: Family,
  id: string,
): Promise<{ workspace_id: string; endpoint_id: string } | undefined> {
  const one = sql`where id = ${id} and family = ${family}`
  const { rows } = await sql<{ workspace_id: string; endpoint_id: string }>`
    select workspace_id, endpoint_id from dead_letters ${one}
    union all select workspace_id, endpoint_id from deliveries ${one}
    union all select workspace_id, endpoint_id from finished_deliveries ${one}
    limit 1`.execute(db)
  return rows[0]
}

/** Endpoints for which deliveries are held; jumps through the index from one to the next. */
export async function findHeldEndpoints(
  db: Db,
): Promise<{ endpoint_id: string; family: Family }[]> {
  const { rows } = await sql<{ endpoint_id: string; family: Family }>`
    with recursive place (endpoint_id) as (
      select min(endpoint_id) from deliveries where held_at is not null
      union all
      select (
        select min(endpoint_id) from deliveries
        where held_at is not null and endpoint_id > place.endpoint_id
      ) from place where place.endpoint_id is not null
    )
    select endpoint_id, (
      select min(family) from deliveries
      where held_at is not null and deliveries.endpoint_id = place.endpoint_id
    ) as family
    from place where endpoint_id is not null`.execute(db)
  return rows
}
