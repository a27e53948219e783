import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { dialectOf } from './dialect.ts'

/** Scrapes in a row share a count. */
const MIN_COUNT_AGE_MS = 5_000
/** A count that once took long is not shown for longer than this. */
const MAX_COUNT_AGE_MS = MINUTE_MS
/** Counting a long queue takes a while: at most this share of the time is spent on it. */
const MAX_COUNTING_SHARE = 0.01
/** A count further ahead was made while the clock of the database was wrong. */
const MAX_AHEAD_MS = MINUTE_MS

/** Counts by name; null where there is nothing to measure, such as the age of an empty queue. */
export type Counts = z.infer<typeof Counts>
const Counts = z.record(z.string(), z.number().nullable())

type Counting = Pick<Context, 'db' | 'log' | 'now' | 'outage'>

/**
 * Returns cached counts of rows that one process counts for all: the others read the result of the last
 * count until it is old enough. Resolves like `cachedCount`.
 */
export function sharedCount(
  ctx: Counting,
  name: string,
  count: () => Promise<Counts>,
): () => Promise<Counts | undefined> {
  // The embedded database has a single process.
  if (dialectOf(ctx.db) === 'sqlite') return cachedCount(ctx, count)
  return cachedCount(ctx, async () => {
    if (await claimCount(ctx, name)) {
      const started = performance.now()
      const counts = await count()
      await storeCounts(ctx, name, { counts, ttlMs: ttlOf(started) })
      return counts
    }
    return findCounts(ctx, name)
  })
}

/**
 * Returns a cached count that is renewed only when it is old enough for what counting took.
 * Resolves to `undefined` when the database does not answer: a scrape is wanted most of all then.
 */
export function cachedCount<Count>(
  ctx: Counting,
  count: () => Promise<Count>,
): () => Promise<Count | undefined> {
  let known: Promise<Count | undefined> | undefined
  let knownAt = 0
  let ttlMs = MIN_COUNT_AGE_MS

  async function renew(): Promise<Count | undefined> {
    const started = performance.now()
    try {
      return await count()
    } catch (error) {
      if (!ctx.outage.note(error)) ctx.log.warn({ err: error }, 'a count for the metrics failed')
      return undefined
    } finally {
      ttlMs = ttlOf(started)
    }
  }

  return () => {
    const now = ctx.now()
    if (known === undefined || Math.abs(now - knownAt) >= ttlMs) {
      known = renew()
      knownAt = now
    }
    return known
  }
}

/** Returns how long a count is good for that was started at a time of `performance`. */
function ttlOf(started: number): number {
  const age = (performance.now() - started) / MAX_COUNTING_SHARE
  return Math.ceil(Math.min(MAX_COUNT_AGE_MS, Math.max(MIN_COUNT_AGE_MS, age)))
}

/** Returns whether this process is the one that counts now: the last count is too old. */
async function claimCount({ db, now }: Counting, name: string): Promise<boolean> {
  const at = now()
  const isOld = sql`(known.counted_at + known.ttl_ms <= ${at}
    or known.counted_at > ${at + MAX_AHEAD_MS})`
  const { rows } = await sql`
    insert into shared_counts as known (name, counted_at, ttl_ms)
    select cast(${name} as text), cast(${at} as bigint), cast(${MIN_COUNT_AGE_MS} as bigint)
    where not exists (select 1 from shared_counts as known where name = ${name} and not ${isOld})
    on conflict (name) do update set counted_at = excluded.counted_at where ${isOld}
    returning name`.execute(db)
  return rows.length > 0
}

async function storeCounts(
  { db }: Counting,
  name: string,
  { counts, ttlMs }: { counts: Counts; ttlMs: number },
): Promise<void> {
  const text = JSON.stringify(counts)
  await sql`
    update shared_counts set counts = ${text}, ttl_ms = ${ttlMs} where name = ${name}`.execute(db)
}

/** Returns the last counts; `undefined` while another process makes the first. */
async function findCounts({ db }: Counting, name: string): Promise<Counts | undefined> {
  const { rows } = await sql<{ counts: string | null }>`
    select counts from shared_counts where name = ${name}`.execute(db)
  const counts = rows[0]?.counts
  return counts ? Counts.parse(JSON.parse(counts)) : undefined
}
