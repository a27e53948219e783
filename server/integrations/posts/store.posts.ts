import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'

export type PostRow = Selectable<Tables['social_posts']>

export async function insertPost(db: Db, row: PostRow): Promise<void> {
  await db.insertInto('social_posts').values(row).execute()
}

/** A post of any workspace. */
export async function findPost(db: Db, id: string): Promise<PostRow | undefined> {
  return db.selectFrom('social_posts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The posts of a workspace, newest first, one more than `limit`. */
export async function listPosts(
  db: Db,
  of: { workspaceId: string; integrationId: string | undefined },
  page: { limit: number; after: Cursor | undefined },
): Promise<PostRow[]> {
  const { integrationId } = of
  return db
    .selectFrom('social_posts')
    .selectAll()
    .where('workspace_id', '=', of.workspaceId)
    .$if(integrationId !== undefined, (query) =>
      query.where('integration_id', '=', integrationId ?? ''),
    )
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Cancels a post that no worker has begun to publish; false when one has. */
export async function cancelPost(
  db: Db,
  { id, workspace_id }: PostRow,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    update social_posts set state = 'cancelled', ended_at = ${now}
    where id = ${id} and workspace_id = ${workspace_id} and state = 'waiting'
      and asked_at is null and (lease_until is null or lease_until <= ${now})
    returning id`.execute(db)
  return rows.length > 0
}

/** Updates a claimed post; false when the lease is lost. */
export async function updatePost(
  db: Db,
  { id, workspace_id, lease_token }: PostRow,
  values: Partial<Pick<PostRow, 'asked_at' | 'provider_draft_id'>>,
): Promise<boolean> {
  const changed = await db
    .updateTable('social_posts')
    .set(values)
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('lease_token', '=', lease_token)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
