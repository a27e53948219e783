import type { Insertable, Selectable } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'

export type AuditRow = Selectable<Tables['audit']>

export async function insertAudit(db: Db, row: Insertable<Tables['audit']>): Promise<void> {
  await db.insertInto('audit').values(row).execute()
}

/** Finds the present name and e-mail of a user, and the name of the key that acts for the user. */
export async function findActor(
  db: Db,
  workspaceId: string,
  { userId, keyId }: { userId: string; keyId: string | undefined },
): Promise<{ name: string; email: string; key_name: string | null } | undefined> {
  return db
    .selectFrom('users')
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.user_id', '=', 'users.id').on('api_keys.id', '=', keyId ?? ''),
    )
    .select(['users.name', 'users.email', 'api_keys.name as key_name'])
    .where('users.workspace_id', '=', workspaceId)
    .where('users.id', '=', userId)
    .executeTakeFirst()
}

/** Returns whether a user has signed in from a network since a time. */
export async function hasLoginFrom(
  db: Db,
  login: { workspaceId: string; userId: string; address: string; since: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('audit')
    .select('id')
    .where('workspace_id', '=', login.workspaceId)
    .where('created_at', '>', login.since)
    .where('action', '=', 'login.succeeded')
    .where('actor_id', '=', login.userId)
    .where('address', '=', login.address)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function listAudit(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: Cursor | undefined },
): Promise<AuditRow[]> {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

export async function deleteOldAudit(db: Db, before: number): Promise<void> {
  await db.deleteFrom('audit').where('created_at', '<', before).execute()
}
