import { sql } from 'kysely'
import { type WorkspaceRow, getWorkspace } from '../platform/auth/store.ts'
import type { Db } from '../storage/database.ts'

/** Marks a workspace as closed unless it is; returns it, and whether this call closed it. */
export async function markClosed(
  db: Db,
  id: string,
  now: number,
): Promise<{ workspace: WorkspaceRow; isNew: boolean }> {
  const workspace = await db
    .updateTable('workspaces')
    .set({ closed_at: now })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (workspace) return { workspace, isNew: true }
  return { workspace: await getWorkspace(db, id), isNew: false }
}

/**
 * Marks a workspace as open; returns when it was closed, null for an open one, and `undefined` when
 * it was closed by `dueBy` or earlier.
 */
export async function markReopened(
  db: Db,
  id: string,
  dueBy: number,
): Promise<number | null | undefined> {
  const { closed_at: closedAt } = await getWorkspace(db, id)
  if (closedAt === null) return null
  const reopened = await db
    .updateTable('workspaces')
    .set({ closed_at: null })
    .where('id', '=', id)
    .where('closed_at', '>', dueBy)
    .returning('id')
    .executeTakeFirst()
  return reopened ? closedAt : undefined
}

/** Switches off the sites that are on; the time distinguishes them from those already off. */
export async function switchSitesOff(db: Db, workspaceId: string, now: number): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ disabled_at: now, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('disabled_at', 'is', null)
    .execute()
}

export async function switchSitesOn(
  db: Db,
  workspaceId: string,
  { closedAt, now }: { closedAt: number; now: number },
): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ disabled_at: null, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('disabled_at', '=', closedAt)
    .execute()
}

export async function listWorkspacesClosedBefore(db: Db, time: number): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('closed_at', '<=', time)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes the recoveries of a workspace's webhooks, which name the webhook alone. */
export async function deleteRecoveries(db: Db, workspaceId: string): Promise<void> {
  await sql`
    delete from delivery_recoveries where endpoint_id in (
      select id from rules where workspace_id = ${workspaceId}
      union all select id from subscriptions where workspace_id = ${workspaceId})`.execute(db)
}

export async function deleteWorkspace(db: Db, id: string): Promise<void> {
  await db.deleteFrom('workspaces').where('id', '=', id).execute()
}
