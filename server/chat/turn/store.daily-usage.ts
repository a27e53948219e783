import { sql } from 'kysely'
import { sumTenantHolds } from '../../credits/store.holds.ts'
import type { Milli } from '../../lib/money.ts'
import type { Db } from '../../storage/database.ts'

interface DailyUsageKey {
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
  const used = await addDailyUsage(db, day, 0)
  return { used, held: await sumTenantHolds(db, day) }
}

/** Adds to the credits that a site has used on a day; returns the sum. Locks the row of the day. */
export async function addDailyUsage(
  db: Db,
  { workspaceId, tenantId, day }: DailyUsageKey,
  cost: Milli,
): Promise<Milli> {
  const { rows } = await sql<{ used: Milli }>`
    insert into tenant_spent (workspace_id, tenant_id, day, used)
    values (${workspaceId}, ${tenantId}, ${day}, ${cost})
    on conflict (workspace_id, tenant_id, day) do update set
      used = tenant_spent.used + excluded.used returning used`.execute(db)
  return rows[0]?.used ?? 0
}

/** Returns the credits that a client address has used of its share, those that it holds included. */
export async function findClientUsage(
  db: Db,
  workspaceId: string,
  counter: string,
): Promise<Milli> {
  const row = await db
    .selectFrom('client_spent')
    .select('used')
    .where('workspace_id', '=', workspaceId)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return row?.used ?? 0
}

/**
 * Adds to the credits that a client address has used, or takes off. Without `endsAt`, a counter that
 * has expired stays away.
 */
export async function addClientUsage(
  db: Db,
  { workspaceId, counter, endsAt }: { workspaceId: string; counter: string; endsAt?: number },
  amount: Milli,
): Promise<void> {
  if (endsAt === undefined) {
    await sql`update client_spent set used = used + ${amount}
      where workspace_id = ${workspaceId} and counter = ${counter}`.execute(db)
    return
  }
  await sql`
    insert into client_spent (workspace_id, counter, used, ends_at)
    values (${workspaceId}, ${counter}, ${amount}, ${endsAt})
    on conflict (workspace_id, counter) do update set
      used = client_spent.used + excluded.used`.execute(db)
}

/** Deletes the counters whose day has ended. */
export async function deleteEndedClientUsage(db: Db, now: number): Promise<void> {
  await db.deleteFrom('client_spent').where('ends_at', '<=', now).execute()
}
