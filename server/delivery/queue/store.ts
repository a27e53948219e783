import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isoTime } from '../../http/pagination.ts'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import type { Attempt } from '../schema.ts'
import type { WebhookKind } from '../signature.ts'
import type { FinishedState } from '../tables.ts'

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

interface DeliveryPage {
  limit: number
  after: Cursor | undefined
}

/** Deliveries of an endpoint, in some states or all, new ones first, one more than `limit`. */
export async function listDeliveries(
  db: Db,
  place: { workspaceId: string; endpointId: string; states?: readonly DeliveryState[] },
  { limit, after }: DeliveryPage,
): Promise<DeliveryRow[]> {
  const own = sql`
    workspace_id = ${place.workspaceId} and endpoint_id = ${place.endpointId}
    and ${after ? sql`(created_at, id) < (${after.at}, ${after.id})` : sql`1 = 1`}`
  const wanted = place.states ? sql`where state in (${sql.join(place.states)})` : sql``
  const firstOnes = sql`${wanted} order by created_at desc, id desc limit ${limit + 1}`
  const { rows } = await sql<DeliveryRow>`
    select * from (
      select * from (
        select id, event, attempts, next_at, created_at,
          case when held_at is not null then 'held'
            when lease_until is not null then 'sending' else 'waiting' end as state
        from deliveries where ${own}
      ) as every_live ${firstOnes}
    ) as live
    union all
    select * from (
      select * from (
        select id, event, attempts, cast(null as bigint) as next_at, created_at, 'dead' as state
        from dead_letters where ${own}
      ) as every_dead ${firstOnes}
    ) as dead
    union all
    select * from (
      select id, event, attempts, cast(null as bigint) as next_at, created_at, state
      from finished_deliveries ${wanted} ${place.states ? sql`and` : sql`where`} ${own}
      order by created_at desc, id desc limit ${limit + 1}
    ) as finished
    order by created_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** The attempts of some deliveries, in their order. */
export async function listAttempts(db: Db, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  if (deliveryIds.length === 0) return []
  const ids = sql.join(deliveryIds)
  const { rows } = await sql<AttemptRow>`
    select delivery_id, number, workspace_id, started_at, status, error, latency_ms, answer
    from delivery_attempts where delivery_id in (${ids})
    union all
    select id, attempts, workspace_id, attempted_at, status, cast(null as text), latency_ms, answer
    from finished_deliveries where id in (${ids}) and attempted_at is not null
    order by 1, 2`.execute(db)
  return rows
}

/** Reads the attempts of a page of deliveries; returns a function that gives those of one. */
export async function listAttemptsFor(
  db: Db,
  deliveries: readonly { id: string }[],
): Promise<(id: string) => Attempt[]> {
  const found = await listAttempts(
    db,
    deliveries.map(({ id }) => id),
  )
  const byDelivery = Map.groupBy(found, (attempt) => attempt.delivery_id)
  return (id) => (byDelivery.get(id) ?? []).map(serializeAttempt)
}

function serializeAttempt(row: AttemptRow): Attempt {
  const { number, status, error, latency_ms, answer } = row
  return { number, at: isoTime(row.started_at), status, error, latency_ms, answer }
}

/** Which dead letters of a workspace are meant. */
export interface DeadLetterFilter {
  workspaceId: string
  family: WebhookKind
  endpointId?: string | undefined
  event?: string | undefined
  /** Those that failed for good at this time or later, in milliseconds. */
  since?: number | undefined
}

/** The dead letters that a filter means, as a condition on their table. */
export function deadLettersOf(filter: DeadLetterFilter, now: number): RawBuilder<unknown> {
  const { workspaceId, family, endpointId, event, since } = filter
  return sql`
    workspace_id = ${workspaceId} and family = ${family} and expires_at > ${now}
    and ${endpointId === undefined ? sql`1 = 1` : sql`endpoint_id = ${endpointId}`}
    and ${event === undefined ? sql`1 = 1` : sql`event = ${event}`}
    and ${since === undefined ? sql`1 = 1` : sql`died_at >= ${since}`}`
}

/** What a workspace could not deliver and may send again, new ones first, one more than `limit`. */
export async function listDeadLetters(
  db: Db,
  filter: DeadLetterFilter & { now: number },
  { limit, after }: DeliveryPage,
): Promise<DeadLetterRow[]> {
  const { rows } = await sql<DeadLetterRow>`
    select * from dead_letters
    where ${deadLettersOf(filter, filter.now)}
      and ${after ? sql`(died_at, id) < (${after.at}, ${after.id})` : sql`1 = 1`}
    order by died_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Whose a delivery is, of any workspace and in whatever state. */
export async function findDeliveryOwner(
  db: Db,
  family: WebhookKind,
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
export async function findPausedEndpoints(
  db: Db,
): Promise<{ endpoint_id: string; family: WebhookKind }[]> {
  const { rows } = await sql<{ endpoint_id: string; family: WebhookKind }>`
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
