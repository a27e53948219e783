import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isoTime } from '../../http/pagination.ts'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import type { Attempt } from '../schema.ts'
import type { WebhookKind } from '../signature.ts'
import type { FinishedState } from '../tables.ts'

export type AttemptRow = Selectable<Tables['delivery_attempts']>
export type DeadLetterRow = Selectable<Tables['dead_letters']>

/** The state of a delivery: queued, dead letter, or finished. */
export type DeliveryState = 'waiting' | 'sending' | 'held' | 'dead' | FinishedState

export interface DeliveryRow {
  id: string
  event: string
  state: DeliveryState
  attempts: number
  /** When the next attempt is due; null without one. */
  next_at: number | null
  /** Kept until the delivery is finished. */
  body: string | null
  created_at: number
}

interface DeliveryPage {
  limit: number
  after: Cursor | undefined
}

/** Lists the deliveries of an endpoint, in some states or all, newest first; `limit` + 1 rows. */
export async function listDeliveries(
  db: Db,
  place: { workspaceId: string; endpointId: string; states?: readonly DeliveryState[] },
  { limit, after }: DeliveryPage,
): Promise<DeliveryRow[]> {
  const own = sql`
    workspace_id = ${place.workspaceId} and endpoint_id = ${place.endpointId}
    and ${after ? sql`(created_at, id) < (${after.at}, ${after.id})` : sql`1 = 1`}`
  const wanted = place.states ? sql`where state in (${sql.join(place.states)})` : sql``
  const newest = sql`${wanted} order by created_at desc, id desc limit ${limit + 1}`
  const { rows } = await sql<DeliveryRow>`
    select * from (
      select * from (
        select id, event, attempts, next_at, body, created_at,
          case when held_at is not null then 'held'
            when lease_until is not null then 'sending' else 'waiting' end as state
        from deliveries where ${own}
      ) as every_live ${newest}
    ) as live
    union all
    select * from (
      select * from (
        select id, event, attempts, cast(null as bigint) as next_at, body, created_at,
          'dead' as state
        from dead_letters where ${own}
      ) as every_dead ${newest}
    ) as dead
    union all
    select * from (
      select id, event, attempts, cast(null as bigint) as next_at,
        cast(null as text) as body, created_at, state
      from finished_deliveries ${wanted} ${place.states ? sql`and` : sql`where`} ${own}
      order by created_at desc, id desc limit ${limit + 1}
    ) as finished
    order by created_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Lists the attempts of some deliveries, in order. */
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

/** Selects dead letters of a workspace. */
export interface DeadLetterFilter {
  workspaceId: string
  family: WebhookKind
  endpointId?: string | undefined
  event?: string | undefined
  /** Only dead letters that failed for good at this time or later, in milliseconds. */
  since?: number | undefined
}

/** Returns a filter as a condition on the table of dead letters. */
export function deadLetterCondition(filter: DeadLetterFilter, now: number): RawBuilder<unknown> {
  const { workspaceId, family, endpointId, event, since } = filter
  return sql`
    workspace_id = ${workspaceId} and family = ${family} and expires_at > ${now}
    and ${endpointId === undefined ? sql`1 = 1` : sql`endpoint_id = ${endpointId}`}
    and ${event === undefined ? sql`1 = 1` : sql`event = ${event}`}
    and ${since === undefined ? sql`1 = 1` : sql`died_at >= ${since}`}`
}

/** Lists the dead letters of a workspace, newest first; `limit` + 1 rows. */
export async function listDeadLetters(
  db: Db,
  filter: DeadLetterFilter & { now: number },
  { limit, after }: DeliveryPage,
): Promise<DeadLetterRow[]> {
  const { rows } = await sql<DeadLetterRow>`
    select * from dead_letters
    where ${deadLetterCondition(filter, filter.now)}
      and ${after ? sql`(died_at, id) < (${after.at}, ${after.id})` : sql`1 = 1`}
    order by died_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Finds the owner of a delivery, of any workspace and in any state. */
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

/** Finds the endpoints with paused deliveries by a loose index scan. */
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
