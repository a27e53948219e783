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
