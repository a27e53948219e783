import type { Selectable } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { keysetBefore } from '../storage/keyset.ts'

export type IntegrationRow = Selectable<Tables['integrations']>

export async function insertIntegration(db: Db, row: IntegrationRow): Promise<void> {
  await db.insertInto('integrations').values(row).execute()
}

/** An integration of any workspace. */
export async function findIntegration(db: Db, id: string): Promise<IntegrationRow | undefined> {
  return db.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The integrations of a workspace, newest first, one more than `limit`. */
export async function listIntegrations(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: Cursor | undefined },
): Promise<IntegrationRow[]> {
  return db
    .selectFrom('integrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Changes an integration whose secrets are still those that were read; `undefined` otherwise. */
export async function updateIntegration(
  db: Db,
  { id, workspace_id, secrets }: IntegrationRow,
  values: Partial<IntegrationRow>,
): Promise<IntegrationRow | undefined> {
  return db
    .updateTable('integrations')
    .set(values)
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('secrets', '=', secrets)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteIntegration(
  db: Db,
  { id, workspace_id }: IntegrationRow,
): Promise<void> {
  await db
    .deleteFrom('integrations')
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .execute()
}
