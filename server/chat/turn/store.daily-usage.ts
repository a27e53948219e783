import { allDone } from '../../context.ts'
import { sumTenantHolds } from '../../credits/store.holds.ts'
import type { Milli } from '../../lib/money.ts'
import type { Db } from '../../storage/database.ts'
import { type BulkStatement, executeMany } from '../../storage/bulk.ts'
import { prepared } from '../../storage/prepared.ts'

export interface DailyUsageKey {
  workspaceId: string
  tenantId: string
  day: string
}

/**
 * Returns the credits that a site has used on a day, and those that open holds reserve. Locks the row
 * of the day until the transaction ends.
 */
export async function lockDailyUsage(
  db: Db,
  day: DailyUsageKey,
): Promise<{ used: Milli; held: Milli }> {
  const { workspaceId, tenantId, day: name } = day
  const locking = prepared<{ used: Milli }>`
    insert into tenant_spent (workspace_id, tenant_id, day, used)
    select workspace_id, id, ${name}, 0 from tenants
    where workspace_id = ${workspaceId} and id = ${tenantId}
    on conflict (workspace_id, tenant_id, day) do update set used = tenant_spent.used
    returning used`.execute(db)
  // A statement of its own, whose snapshot is taken once the row is locked.
  const [{ rows }, held] = await allDone([locking, sumTenantHolds(db, day)])
  return { used: rows[0]?.used ?? 0, held }
}

/**
 * Adds to the credits that sites have used on days, in order of the days; a removed site is left out.
 * Locks their rows.
 */
export async function addDailyUsage(
  db: Db,
  used: readonly (DailyUsageKey & { cost: Milli })[],
): Promise<void> {
  const sums = new Map<string, [string, string, string, Milli]>()
  for (const { workspaceId, tenantId, day, cost } of used) {
    const name = `${tenantId} ${day}`
    const sum = sums.get(name) ?? [workspaceId, tenantId, day, 0]
    sum[3] += cost
    sums.set(name, sum)
  }
  const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1))
  await executeMany(
    db,
    UPSERT_USED,
    sorted.map(([, row]) => row),
  )
}

const UPSERT_USED: BulkStatement = {
  columns: ['text', 'text', 'text', 'bigint'],
  hints: { isPipelined: true },
  sql: (source) => `
    insert into tenant_spent (workspace_id, tenant_id, day, used)
    select c0, c1, c2, c3 from ${source} as added
    where exists (select 1 from tenants where workspace_id = c0 and id = c1)
    on conflict (workspace_id, tenant_id, day) do update set
      used = tenant_spent.used + excluded.used`,
}

/** The counter of a client address, which holds the end of its day as well. */
export interface ClientCounter {
  name: string
  endsAt: number
}

/** A change of what a client address has used. */
export interface ClientUsage {
  workspaceId: string
  counter: ClientCounter
  amount: Milli
}

/**
 * Returns the credits that client addresses have used of their shares, those that they hold included;
 * without those that have used none.
 */
export async function findClientUsage(
  db: Db,
  workspaceId: string,
  counters: readonly string[],
): Promise<Map<string, Milli>> {
  const rows = await executeMany<{ counter: string; used: Milli }>(
    db,
    SELECT_CLIENTS,
    counters.map((counter) => [workspaceId, counter]),
  )
  return new Map(rows.map(({ counter, used }) => [counter, used]))
}

const SELECT_CLIENTS: BulkStatement = {
  columns: ['text', 'text'],
  sql: (source) => `
    select client_spent.counter, client_spent.used from client_spent
    join ${source} as wanted
      on client_spent.workspace_id = wanted.c0 and client_spent.counter = wanted.c1`,
}

/** Adds to the credits that client addresses have used, in order of the counters. */
export async function addClientUsage(db: Db, used: readonly ClientUsage[]): Promise<void> {
  await executeMany(db, UPSERT_CLIENTS, sumsOfClients(used))
}

const UPSERT_CLIENTS: BulkStatement = {
  columns: ['text', 'text', 'bigint', 'bigint'],
  hints: { isPipelined: true },
  sql: (source) => `
    insert into client_spent (workspace_id, counter, used, ends_at)
    select c0, c1, c2, c3 from ${source} as added where true
    on conflict (workspace_id, counter) do update set
      used = client_spent.used + excluded.used`,
}

/** Adds to counters, or takes off; one that has expired stays away. */
export async function changeClientUsage(db: Db, changes: readonly ClientUsage[]): Promise<void> {
  await executeMany(db, UPDATE_CLIENTS, sumsOfClients(changes))
}

const UPDATE_CLIENTS: BulkStatement = {
  columns: ['text', 'text', 'bigint', 'bigint'],
  hints: { isPipelined: true },
  sql: (source) => `
    update client_spent set used = client_spent.used + changed.c2 from ${source} as changed
    where client_spent.workspace_id = changed.c0 and client_spent.counter = changed.c1`,
}

/** One row for each counter: a statement may change a row once. */
function sumsOfClients(changes: readonly ClientUsage[]): [string, string, Milli, number][] {
  const sums = new Map<string, [string, string, Milli, number]>()
  for (const { workspaceId, counter, amount } of changes) {
    const sum = sums.get(counter.name) ?? [workspaceId, counter.name, 0, counter.endsAt]
    sum[2] += amount
    sums.set(counter.name, sum)
  }
  return [...sums.values()].toSorted(([, one], [, other]) => (one < other ? -1 : 1))
}

/** Deletes the counters whose day has ended. */
export async function deleteEndedClientUsage(db: Db, now: number): Promise<void> {
  await db.deleteFrom('client_spent').where('ends_at', '<=', now).execute()
}
