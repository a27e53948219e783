import { sql } from 'kysely'
import type { Transaction } from '../context.ts'
import type { Db } from '../storage/database.ts'

/**
 * Claims a slug for a workspace forever; returns false when another workspace has or had the slug.
 * Pages of a removed site may still have its tag, and would show the widget of the next owner.
 */
export async function claimSlug(
  tx: Transaction,
  { tenantId, workspaceId }: { tenantId: string; workspaceId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into tenant_slugs (tenant_id, owner_id, claimed_at)
    values (${tenantId}, ${workspaceId}, ${tx.now()})
    on conflict (tenant_id) do update set owner_id = excluded.owner_id
      where tenant_slugs.owner_id = excluded.owner_id
    returning tenant_id`.execute(tx.db)
  return rows.length > 0
}

/** Counts the sites of a workspace. */
export async function countTenants(db: Db, workspaceId: string): Promise<number> {
  const { sites } = await db
    .selectFrom('tenants')
    .select(({ fn }) => fn.countAll<number>().as('sites'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return sites
}

/** Returns the workspace of a site; `undefined` for an unknown one. */
export async function findTenantOwner(db: Db, tenantId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('tenants')
    .select('workspace_id')
    .where('id', '=', tenantId)
    .executeTakeFirst()
  return row?.workspace_id
}
