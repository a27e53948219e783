import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Context, transaction } from '../../context.ts'
import { type BulkStatement, executeMany } from '../../storage/bulk.ts'
import type { Db } from '../../storage/database.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { dialectOf } from '../../storage/dialect.ts'
import type { Delivery } from './history.ts'

/** A claimed delivery. It is ours while its row has our token. */
export type ClaimedDelivery = Delivery & {
  lease_token: string
  lease_until: number
}

/** First attempts, and what is sent again by hand, are of tier 0; retries are of tier 1. */
export type Priority = 0 | 1

/** How many deliveries of an endpoint are wanted. */
export interface ClaimRequest {
  endpointId: string
  tier: Priority
  count: number
}

export interface DeliveryLease {
  token: string
  now: number
  until: number
  /** The claimer is alone with its database: leases of any other token prefix are of a dead one. */
  onlyOwner: string | undefined
}

/** Longest list of due retries that is read; beyond it the endpoints are listed instead. */
const MAX_DUE_RETRIES = 2_000

/** Leases due deliveries of the wanted endpoints. If the machine dies, they are due as before. */
export async function claim(
  ctx: Context,
  wants: readonly ClaimRequest[],
  lease: DeliveryLease,
): Promise<ClaimedDelivery[]> {
  if (dialectOf(ctx.db) === 'postgres') return claimOnPostgres(ctx.db, wants, lease)
  return transaction(ctx, (tx) => claimOnSqlite(tx.db, wants, lease), { isAsyncCommit: true })
}

/** SQLite has no lateral join: a look per endpoint, and one statement that leases what was found. */
async function claimOnSqlite(
  db: Db,
  wants: readonly ClaimRequest[],
  lease: DeliveryLease,
): Promise<ClaimedDelivery[]> {
  const found: (Delivery & { place: number })[] = []
  for (const { endpointId, tier, count } of wants) {
    const asked = [endpointId, ...(tier === 1 ? [lease.now] : []), lease.now]
    const { rows } = await db.executeQuery<Delivery & { place: number }>(
      CompiledQuery.raw(DUE_ON_SQLITE[tier], [...asked, lease.onlyOwner ?? null, count]),
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
 * `tier` is written out, so that the planner sees the partial index; so is what is due, because it
 * would read all that is scheduled for an endpoint to find that nothing more of it is due. The plus
 * hides the parameters from it, see `SQLITE_PLACEHOLDER`.
 */
const dueOnSqlite = (tier: Priority) => `
  select rowid as place, * from deliveries
  where tier = ${tier} and next_at is not null and endpoint_id = +?
    ${tier === 1 ? 'and next_at <= +?' : ''}
    and (lease_until is null or lease_until <= +? or substr(lease_token, 1, 12) <> +?)
  order by next_at limit +?`
const DUE_ON_SQLITE: Record<Priority, string> = { 0: dueOnSqlite(0), 1: dueOnSqlite(1) }

/**
 * `synchronous_commit` is off for this one statement: if the server dies, a claim that is forgotten
 * is a delivery that is due.
 */
const postgresClaim = (tier: Priority): BulkStatement => ({
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
const CLAIM_ON_POSTGRES: Record<Priority, BulkStatement> = {
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

/** What nobody has in hand: no lease, or one that is over. */
export function unleasedClause(now: number): RawBuilder<unknown> {
  return sql`(lease_until is null or lease_until <= ${now})`
}

/**
 * The endpoints that have due deliveries of a tier, or such as are under way. Jumps from endpoint to
 * endpoint in the index, so that the cost is that of the endpoints and not of what waits for them.
 * What is of tier 0 is due whatever the clock says, which may differ between processes.
 */
export async function findDueEndpoints(db: Db, tier: Priority, now: number): Promise<string[]> {
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

/** The endpoints of retries that became due after `since`. */
export async function findDueRetries(db: Db, since: number, now: number): Promise<string[]> {
  const { rows } = await unprepared(sql<{ endpoint_id: string }>`
    select endpoint_id from deliveries
    where tier = 1 and next_at is not null and next_at > ${since} and next_at <= ${now}
    order by next_at limit ${MAX_DUE_RETRIES}`).execute(db)
  if (rows.length === MAX_DUE_RETRIES) return findDueEndpoints(db, 1, now)
  return [...new Set(rows.map((row) => row.endpoint_id))]
}

/** When the next retry is due after `now`. */
export async function findNextRetry(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await unprepared(sql<{ next_at: number }>`
    select next_at from deliveries
    where tier = 1 and next_at is not null and next_at > ${now}
    order by next_at limit 1`).execute(db)
  return rows[0]?.next_at
}
