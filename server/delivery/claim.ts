import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Context, transaction } from '../context.ts'
import type { Db, Tables } from '../storage/database.ts'
import { dialectOf } from '../storage/open.ts'
import { rowSource } from '../storage/row-source.ts'

/** A claimed delivery. It is ours while its row has our token. */
export type Claimed = Selectable<Tables['deliveries']> & {
  lease_token: string
  lease_until: number
}

/** How many deliveries of an endpoint are wanted. */
export interface Want {
  endpointId: string
  count: number
}

export interface Lease {
  token: string
  now: number
  until: number
}

/** Longest list of due retries that is read; beyond it the endpoints are listed instead. */
const MOST_DUE_RETRIES = 2_000

/** Leases due deliveries of the wanted endpoints, first attempts before retries. */
export async function claim(
  ctx: Context,
  wants: readonly Want[],
  lease: Lease,
): Promise<Claimed[]> {
  if (dialectOf(ctx.db) === 'postgres') return claimAtOnce(ctx.db, wants, lease)
  // SQLite has one writer and no lateral join: one small statement per endpoint, one commit for all.
  return transaction(ctx, async (tx) => {
    const claimed: Claimed[] = []
    for (const want of wants) {
      const { rows } = await sql<Claimed>`
        update deliveries set lease_token = ${lease.token}, lease_until = ${lease.until}
        where id in (
          select id from (${dueOf(0, sql`${want.endpointId}`, sql`${want.count}`, lease.now)})
          union all
          select id from (${dueOf(1, sql`${want.endpointId}`, sql`${want.count}`, lease.now)})
          limit ${want.count}
        ) returning *`.execute(tx.db)
      claimed.push(...rows)
    }
    return claimed
  })
}

/**
 * Lets this one statement commit without waiting for the disk: if the server dies, a claim that is
 * forgotten is a delivery that is due.
 */
const LOSABLE = sql`select set_config('synchronous_commit', 'off', true) = 'off'`

async function claimAtOnce(db: Db, wants: readonly Want[], lease: Lease): Promise<Claimed[]> {
  const source = rowSource(
    db,
    ['text', 'bigint'],
    wants.map((want) => [want.endpointId, want.count]),
  )
  const endpoint = sql`want.c0`
  const count = sql`want.c1`
  const lock = sql`for update skip locked`
  const { rows } = await sql<Claimed>`
    with picked as materialized (
      select due.id from ${source} as want cross join lateral (
        select id from (${dueOf(0, endpoint, count, lease.now)} ${lock}) as first_attempts
        union all
        select id from (${dueOf(1, endpoint, count, lease.now)} ${lock}) as retries
        limit want.c1
      ) as due
    )
    update deliveries set lease_token = ${lease.token}, lease_until = ${lease.until}
    from picked where deliveries.id = picked.id and (${LOSABLE}) returning deliveries.*`.execute(db)
  return rows
}

/** `tier` is written out, so that the planner sees the partial index. */
function dueOf(
  tier: 0 | 1,
  endpointId: RawBuilder<unknown>,
  count: RawBuilder<unknown>,
  now: number,
): RawBuilder<unknown> {
  return sql`
    select id from deliveries
    where tier = ${sql.lit(tier)} and endpoint_id = ${endpointId}
      and lease_until is null and next_at <= ${now}
    order by next_at limit ${count}`
}

/**
 * The endpoints that have due deliveries of a tier. Jumps from endpoint to endpoint in the index,
 * so that the cost is that of the endpoints and not of what waits for them.
 */
export async function findDueEndpoints(db: Db, tier: 0 | 1, now: number): Promise<string[]> {
  const waiting = sql`tier = ${sql.lit(tier)} and lease_until is null and next_at is not null`
  const { rows } = await sql<{ endpoint_id: string }>`
    with recursive place (endpoint_id) as (
      select min(endpoint_id) from deliveries where ${waiting}
      union all
      select (
        select min(endpoint_id) from deliveries
        where ${waiting} and endpoint_id > place.endpoint_id
      ) from place where place.endpoint_id is not null
    )
    select endpoint_id from place
    where endpoint_id is not null and (
      select min(next_at) from deliveries
      where ${waiting} and deliveries.endpoint_id = place.endpoint_id
    ) <= ${now}`.execute(db)
  return rows.map((row) => row.endpoint_id)
}

/** The endpoints of retries that became due after `since`. */
export async function findDueRetries(db: Db, since: number, now: number): Promise<string[]> {
  const { rows } = await sql<{ endpoint_id: string }>`
    select endpoint_id from deliveries
    where tier = 1 and lease_until is null and next_at > ${since} and next_at <= ${now}
    order by next_at limit ${MOST_DUE_RETRIES}`.execute(db)
  if (rows.length === MOST_DUE_RETRIES) return findDueEndpoints(db, 1, now)
  return [...new Set(rows.map((row) => row.endpoint_id))]
}

/** When the next retry is due after `now`. */
export async function findNextRetry(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ next_at: number }>`
    select next_at from deliveries
    where tier = 1 and lease_until is null and next_at > ${now}
    order by next_at limit 1`.execute(db)
  return rows[0]?.next_at
}

/**
 * Makes deliveries claimable again whose worker is gone: its lease ran out, or, with
 * `everyone`, this process is the only one and has just started. Returns how many.
 */
export async function endLeases(db: Db, now: number, everyone = false): Promise<number> {
  const over = everyone ? sql`lease_until is not null` : sql`lease_until < ${now}`
  const result = await sql`
    update deliveries set lease_token = null, lease_until = null where ${over}`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
