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
    values (${workspaceId}, ${tenantId}, ${name}, 0)
    on conflict (workspace_id, tenant_id, day) do update set used = tenant_spent.used
    returning used`.execute(db)
  // A statement of its own, whose snapshot is taken once the row is locked.
  const [{ rows }, held] = await allDone([locking, sumTenantHolds(db, day)])
  return { used: rows[0]?.used ?? 0, held }
}

/** Adds to the credits that sites have used on days, in order of the days. Locks their rows. */
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
    select c0, c1, c2, c3 from ${source} as added where true
    on conflict (workspace_id, tenant_id, day) do update set
      used = tenant_spent.used + excluded.used`,
}
