import { type Selectable, sql } from 'kysely'
import type { Transaction } from '../context.ts'
import type { Db, Tables, TxDb } from '../storage/database.ts'

type LogoRow = Selectable<Tables['logos']>

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

interface OriginRow {
  origin: string
  first_seen_at: number
  last_seen_at: number
}

/** Notes that a page was seen; the pages beyond `max` that were seen least recently are removed. */
export async function saveOrigin(
  db: TxDb,
  { tenantId, workspaceId }: { tenantId: string; workspaceId: string },
  { origin, now, max }: { origin: string; now: number; max: number },
): Promise<void> {
  await sql`
    insert into seen_origins (workspace_id, tenant_id, origin, first_seen_at, last_seen_at)
    values (${workspaceId}, ${tenantId}, ${origin}, ${now}, ${now})
    on conflict (tenant_id, origin) do update set last_seen_at = excluded.last_seen_at`.execute(db)
  await sql`
    delete from seen_origins where workspace_id = ${workspaceId} and tenant_id = ${tenantId}
      and origin in (
        select origin from seen_origins
        where workspace_id = ${workspaceId} and tenant_id = ${tenantId}
        order by last_seen_at desc, origin limit 1000 offset ${max})`.execute(db)
}

/** Returns the pages of a site, the most recently seen first. */
export async function listOrigins(
  db: Db,
  { tenantId, workspaceId }: { tenantId: string; workspaceId: string },
): Promise<OriginRow[]> {
  const { rows } = await sql<OriginRow>`
    select origin, first_seen_at, last_seen_at from seen_origins
    where workspace_id = ${workspaceId} and tenant_id = ${tenantId}
    order by last_seen_at desc, origin`.execute(db)
  return rows
}

export async function insertLogo(db: TxDb, row: LogoRow): Promise<void> {
  await db.insertInto('logos').values(row).execute()
}

export async function findLogo(db: Db, id: string): Promise<LogoRow | undefined> {
  return db.selectFrom('logos').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Deletes the logos that no site of the workspace shows, but for one and the newest others. */
export async function deleteUnusedLogos(
  db: TxDb,
  workspaceId: string,
  { besides, keep }: { besides: string; keep: number },
): Promise<void> {
  await sql`
    delete from logos where workspace_id = ${workspaceId} and id in (
      select id from logos
      where workspace_id = ${workspaceId} and id <> ${besides} and not exists (
        select 1 from tenants
        where tenants.workspace_id = ${workspaceId} and theme like '%' || logos.id || '%')
      order by created_at desc, id limit 1000 offset ${keep - 1})`.execute(db)
}
