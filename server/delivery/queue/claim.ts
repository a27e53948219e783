import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Context, transaction } from '../../context.ts'
import { type BulkStatement, executeMany } from '../../storage/bulk.ts'
import type { Db } from '../../storage/database.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { dialectOf } from '../../storage/dialect.ts'
import type { Delivery } from './history.ts'

/** A claimed delivery. The lease is valid while the row has its token. */
export type ClaimedDelivery = Delivery & {
  lease_token: string
  lease_until: number
}

/** 0: first attempts and manual retries. 1: automatic retries. */
export type DeliveryPriority = 0 | 1

/** Requests up to `count` deliveries of an endpoint. */
export interface ClaimRequest {
  endpointId: string
  tier: DeliveryPriority
  count: number
}

export interface DeliveryLease {
  token: string
  now: number
  until: number
  /** Set in a single process: leases of any other token prefix belong to a dead worker. */
  onlyOwner: string | undefined
}

/** Due retries per query; with more, the endpoints are listed instead. */
const MAX_DUE_RETRIES = 2_000

/** Leases due deliveries of the requested endpoints. After a crash they are due again. */
export async function claim(
  ctx: Context,
  wants: readonly ClaimRequest[],
  lease: DeliveryLease,
): Promise<ClaimedDelivery[]> {
  if (dialectOf(ctx.db) === 'postgres') return claimOnPostgres(ctx.db, wants, lease)
  return transaction(ctx, (tx) => claimOnSqlite(tx.db, wants, lease), { isAsyncCommit: true })
}

/** SQLite has no lateral join: one query per endpoint, and one statement that leases the rows. */
async function claimOnSqlite(
  db: Db,
  wants: readonly ClaimRequest[],
  lease: DeliveryLease,
): Promise<ClaimedDelivery[]> {
  const found: (Delivery & { place: number })[] = []
  for (const { endpointId, tier, count } of wants) {
    const parameters = [endpointId, ...(tier === 1 ? [lease.now] : []), lease.now]
    const { rows } = await db.executeQuery<Delivery & { place: number }>(
      CompiledQuery.raw(DUE_ON_SQLITE[tier], [...parameters, lease.onlyOwner ?? null, count]),
    )
    found.push(...rows)
  }
  if (found.length === 0) return []
  const leased = { lease_token: lease.token, lease_until: lease.until }
  const places = JSON.stringify(found.map(({ place }) => place))
  await sql`
    update deliveries set lease_token = ${lease.token}, lease_until = ${lease.until}
    where rowid in (select value from json_each(${places}))`.execute(db)
  return found.map(({ place: _place, ...delivery }) => ({ ...delivery, ...leased }))
}

/**
 * `tier` is a literal, so that the planner matches the partial index. The due condition is written
 * out, because the planner would otherwise read all scheduled rows of an endpoint to find that none
 * is due. The plus hides the parameters from the planner, see `SQLITE_PLACEHOLDER`.
 */
const dueOnSqlite = (tier: DeliveryPriority) => `
  select rowid as place, * from deliveries
  where tier = ${tier} and next_at is not null and endpoint_id = +?
    ${tier === 1 ? 'and next_at <= +?' : ''}
    and (lease_until is null or lease_until <= +? or substr(lease_token, 1, 12) <> +?)
  order by next_at limit +?`
const DUE_ON_SQLITE: Record<DeliveryPriority, string> = { 0: dueOnSqlite(0), 1: dueOnSqlite(1) }

/**
 * `synchronous_commit` is off for this one statement: a claim that a crash of the server loses leaves
 * the delivery due.
 */
const postgresClaim = (tier: DeliveryPriority): BulkStatement => ({
  columns: ['text', 'bigint', 'text', 'bigint', 'bigint', 'text'],
  hints: { isUnprepared: true },
  sql: (source) => `
    with picked as materialized (
      select due.id, want.c2 as token, want.c3 as until
      from ${source} as want cross join lateral (
        select id from deliveries
        where tier = ${tier} and next_at is not null and endpoint_id = want.c0
          and (${tier} = 0 or next_at <= want.c4)
          and (lease_until is null or lease_until <= want.c4
            or substr(lease_token, 1, 12) <> want.c5)
        order by next_at limit want.c1 for update skip locked
      ) as due
    )
    update deliveries set lease_token = picked.token, lease_until = picked.until
    from picked where deliveries.id = picked.id
      and set_config('synchronous_commit', 'off', true) = 'off'
    returning deliveries.*`,
})
const CLAIM_ON_POSTGRES: Record<DeliveryPriority, BulkStatement> = {
  0: postgresClaim(0),
  1: postgresClaim(1),
}

async function claimOnPostgres(
  db: Db,
  wants: readonly ClaimRequest[],
  lease: DeliveryLease,
): Promise<ClaimedDelivery[]> {
  const found: ClaimedDelivery[] = []
  for (const tier of [0, 1] as const) {
    const rows = wants
      .filter((want) => want.tier === tier)
      .map((want) => [
        want.endpointId,
        want.count,
        lease.token,
        lease.until,
        lease.now,
        lease.onlyOwner ?? null,
      ])
    found.push(...(await executeMany<ClaimedDelivery>(db, CLAIM_ON_POSTGRES[tier], rows)))
  }
  return found
}

/** Returns the condition of rows without a lease, or with an expired one. */
export function unleasedClause(now: number): RawBuilder<unknown> {
  return sql`(lease_until is null or lease_until <= ${now})`
}

/**
 * Finds the endpoints with due or leased deliveries of a tier. A loose index scan jumps from endpoint
 * to endpoint, so that the cost grows with the endpoints and not with their deliveries. Tier 0 is due
 * regardless of the clock, because clocks differ between processes.
 */
export async function findDueEndpoints(
  db: Db,
  tier: DeliveryPriority,
  now: number,
): Promise<string[]> {
  const waiting = sql`tier = ${sql.lit(tier)} and next_at is not null`
  const due =
    tier === 0
      ? sql`1 = 1`
      : sql`(
          select min(next_at) from deliveries
          where ${waiting} and deliveries.endpoint_id = place.endpoint_id
        ) <= ${now}`
  const { rows } = await unprepared(sql<{ endpoint_id: string }>`
    with recursive place (endpoint_id) as (
      select min(endpoint_id) from deliveries where ${waiting}
      union all
      select (
        select min(endpoint_id) from deliveries
        where ${waiting} and endpoint_id > place.endpoint_id
      ) from place where place.endpoint_id is not null
    )
    select endpoint_id from place where endpoint_id is not null and ${due}`).execute(db)
  return rows.map((row) => row.endpoint_id)
}

/** Finds the endpoints of retries that became due after `since`. */
export async function findDueRetries(db: Db, since: number, now: number): Promise<string[]> {
  const { rows } = await unprepared(sql<{ endpoint_id: string }>`
    select endpoint_id from deliveries
    where tier = 1 and next_at is not null and next_at > ${since} and next_at <= ${now}
    order by next_at limit ${MAX_DUE_RETRIES}`).execute(db)
  if (rows.length === MAX_DUE_RETRIES) return findDueEndpoints(db, 1, now)
  return [...new Set(rows.map((row) => row.endpoint_id))]
}

/** Finds when the next retry after `now` is due. */
export async function findNextRetry(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await unprepared(sql<{ next_at: number }>`
    select next_at from deliveries
    where tier = 1 and next_at is not null and next_at > ${now}
    order by next_at limit 1`).execute(db)
  return rows[0]?.next_at
}
