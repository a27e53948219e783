import { type Selectable, sql } from 'kysely'
import type { Milli } from '../lib/money.ts'
import type { Db, Tables } from '../storage/database.ts'

interface TenantDay {
  workspaceId: string
  tenantId: string
  day: string
}

/**
 * What a site has used on a day, and what answers under way may still use of it. Nobody else takes
 * of it until the transaction ends. Forgets the holds that are gone.
 */
export async function lockSpent(db: Db, place: TenantDay): Promise<{ used: Milli; held: Milli }> {
  const { workspaceId, tenantId, day } = place
  const used = await addSpent(db, place, 0)
  await sql`
    delete from tenant_holds where workspace_id = ${workspaceId} and tenant_id = ${tenantId}
      and not exists (select 1 from holds
        where holds.workspace_id = ${workspaceId} and holds.id = tenant_holds.hold_id)`.execute(db)
  const { rows } = await sql<{ held: number | string }>`
    select coalesce(sum(amount), 0) as held from tenant_holds
    where workspace_id = ${workspaceId} and tenant_id = ${tenantId}
      and day = ${day}`.execute(db)
  return { used, held: Number(rows[0]?.held ?? 0) }
}

/** Adds to what a site has used on a day; answers the sum. */
export async function addSpent(
  db: Db,
  { workspaceId, tenantId, day }: TenantDay,
  cost: Milli,
): Promise<Milli> {
  const { rows } = await sql<{ used: Milli }>`
    insert into tenant_spent (workspace_id, tenant_id, day, used)
    values (${workspaceId}, ${tenantId}, ${day}, ${cost})
    on conflict (workspace_id, tenant_id, day) do update set
      used = tenant_spent.used + excluded.used returning used`.execute(db)
  return rows[0]?.used ?? 0
}

export async function insertTenantHold(
  db: Db,
  row: Selectable<Tables['tenant_holds']>,
): Promise<void> {
  await db.insertInto('tenant_holds').values(row).execute()
}

/** Takes a hold away; answers the day that it was of. */
export async function removeTenantHold(
  db: Db,
  workspaceId: string,
  holdId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ day: string }>`
    delete from tenant_holds where hold_id = ${holdId} and workspace_id = ${workspaceId}
    returning day`.execute(db)
  return rows[0]?.day
}
