import { type Insertable, type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import type { UserRow } from '../auth/store.ts'

export type FamilyRow = Selectable<Tables['families']>
export type PictureRow = Selectable<Tables['pictures']>

/** An account with what its owner sees of it. */
export interface AccountRow {
  id: string
  email: string
  name: string
  locale: string
  time_zone: string
  picture_id: string | null
  pending_email: string | null
  two_factor_at: number | null
  recovery_codes: number
}

export async function findAccount(
  db: Db,
  user: { id: string; workspaceId: string },
  now: number,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select users.id, users.email, users.name, users.picture_id,
      coalesce(users.locale, workspaces.locale) as locale,
      coalesce(users.time_zone, workspaces.time_zone) as time_zone,
      email_changes.email as pending_email, two_factor.confirmed_at as two_factor_at,
      (select count(*) from recovery_codes where user_id = users.id) as recovery_codes
    from users
    join workspaces on workspaces.id = users.workspace_id
    left join email_changes on email_changes.user_id = users.id
      and email_changes.expires_at > ${now}
    left join two_factor on two_factor.user_id = users.id
    where users.id = ${user.id} and users.workspace_id = ${user.workspaceId}`.execute(db)
  return rows[0]
}

export async function updateAccount(
  db: Db,
  user: { id: string; workspaceId: string },
  values: { name?: string; locale?: string; time_zone?: string; picture_id?: string | null },
): Promise<void> {
  await db
    .updateTable('users')
    .set(values)
    .where('workspace_id', '=', user.workspaceId)
    .where('id', '=', user.id)
    .execute()
}

/** Finds a user of any workspace. */
export async function findUserById(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateEmail(
  db: Db,
  { id, workspace_id }: UserRow,
  email: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ email })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()
}

/** Returns the logins of a user that have not ended, newest first; one more than `limit`. */
export async function listLogins(
  db: Db,
  user: { id: string; workspaceId: string; now: number },
  page: { limit: number; after: Cursor | undefined },
): Promise<FamilyRow[]> {
  return db
    .selectFrom('families')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('workspace_id', '=', user.workspaceId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', user.now)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Finds a login of a user that has not ended. */
export async function findLogin(
  db: Db,
  user: { id: string; workspaceId: string; now: number },
  id: string,
): Promise<FamilyRow | undefined> {
  return db
    .selectFrom('families')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .where('workspace_id', '=', user.workspaceId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', user.now)
    .executeTakeFirst()
}

/** Saves the picture of a user in place of an earlier one. */
export async function savePicture(db: Db, row: Insertable<Tables['pictures']>): Promise<void> {
  await deletePicture(db, row.user_id)
  await db.insertInto('pictures').values(row).execute()
}

export async function deletePicture(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('pictures').where('user_id', '=', userId).execute()
}

export async function findPicture(db: Db, id: string): Promise<PictureRow | undefined> {
  return db.selectFrom('pictures').selectAll().where('id', '=', id).executeTakeFirst()
}
