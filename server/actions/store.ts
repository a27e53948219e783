import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { keysetBefore } from '../storage/keyset.ts'
import { cachedRead } from '../storage/read-cache.ts'

export type ActionRow = Selectable<Tables['actions']>

/** A site of a workspace. */
export interface ActionPlace {
  workspaceId: string
  tenantId: string
}

export async function insertAction(db: Db, row: ActionRow): Promise<void> {
  await db.insertInto('actions').values(row).execute()
}

export async function findAction(
  db: Db,
  { workspaceId, tenantId }: ActionPlace,
  id: string,
): Promise<ActionRow | undefined> {
  return db
    .selectFrom('actions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the actions of a site, newest first; `limit` + 1 rows. */
export async function listActions(
  db: Db,
  { workspaceId, tenantId }: ActionPlace,
  { limit, after }: { limit: number; after: Cursor | undefined },
): Promise<ActionRow[]> {
  return db
    .selectFrom('actions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('tenant_id', '=', tenantId)
    .where(keysetBefore('created_at', after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

const readActiveActions = cachedRead<ActionRow>(
  ['actions'],
  (workspaceId = '', tenantId = '') => sql<ActionRow>`
    select * from actions where workspace_id = ${workspaceId} and tenant_id = ${tenantId}
      and disabled_at is null order by created_at, id`,
)

/** Lists the active actions of a site, the oldest first. */
export function listActiveActions(
  db: Db,
  { workspaceId, tenantId }: ActionPlace,
): Promise<readonly Readonly<ActionRow>[]> {
  return readActiveActions(db, workspaceId, tenantId)
}

/** Counts the actions of a site. Locks its row, so that concurrent calls count one after the other. */
export async function countActions(
  db: Db,
  { workspaceId, tenantId }: ActionPlace,
): Promise<number> {
  await sql`
    update tenants set updated_at = updated_at
    where workspace_id = ${workspaceId} and id = ${tenantId}`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from actions
    where workspace_id = ${workspaceId} and tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Updates an action that still has this version; else `undefined`. */
export async function updateAction(
  db: Db,
  row: ActionRow,
  values: Partial<ActionRow>,
): Promise<ActionRow | undefined> {
  return db
    .updateTable('actions')
    .set(values)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .where('updated_at', '=', row.updated_at)
    .where('secret', '=', row.secret)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteAction(db: Db, row: ActionRow): Promise<void> {
  await db
    .deleteFrom('actions')
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
}
