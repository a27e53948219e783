import { type Selectable, sql } from 'kysely'
import type { Role } from '../../http/access.ts'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import { findUser, pictureUrl } from '../auth/store.ts'

export type InvitationRow = Selectable<Tables['invitations']>

/** A user of a workspace, or an invitation with its expiry. */
export interface MemberRow {
  id: string
  email: string
  name: string
  role: Role
  created_at: number
  expires_at: number | null
}

export async function listMembers(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: Cursor | undefined },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select * from (
      select id, email, name, role, created_at, cast(null as bigint) as expires_at
      from users where workspace_id = ${workspaceId}
      union all
      select id, email, name, role, created_at, expires_at
      from invitations where workspace_id = ${workspaceId}
    ) as members
    where ${keysetBefore('created_at', page.after)}
    order by created_at desc, id desc limit ${page.limit + 1}`.execute(db)
  return rows
}

/** Finds the workspace of a user or an invitation of any workspace. */
export async function findMemberOwner(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from users where id = ${id}
    union all select workspace_id from invitations where id = ${id}`.execute(db)
  return rows[0]?.workspace_id
}

/** Serializes changes of a workspace's members: locks the workspace row until the commit. */
export async function lockMembers(db: Db, workspaceId: string): Promise<void> {
  await sql`update workspaces set name = name where id = ${workspaceId}`.execute(db)
}

export async function countOwners(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return count
}

export async function updateRole(
  db: Db,
  workspaceId: string,
  { id, role }: { id: string; role: Role },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a user, with every login and key. */
export async function deleteUser(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('users')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function findInvitation(
  db: Db,
  workspaceId: string,
  by: { id: string } | { email: string },
): Promise<InvitationRow | undefined> {
  const query = db.selectFrom('invitations').selectAll().where('workspace_id', '=', workspaceId)
  return 'id' in by
    ? query.where('id', '=', by.id).executeTakeFirst()
    : query.where('email', '=', by.email).executeTakeFirst()
}

/** Finds an active invitation by the digest of its token. */
export async function findInvitationByToken(
  db: Db,
  digest: string,
  now: number,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Inserts an invitation, or replaces the earlier invitation of the e-mail address. */
export async function saveInvitation(db: Db, row: InvitationRow): Promise<void> {
  await db
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'email']).doUpdateSet({
        name: row.name,
        role: row.role,
        digest: row.digest,
        expires_at: row.expires_at,
      }),
    )
    .execute()
}

export async function updateInvitationRole(
  db: Db,
  workspaceId: string,
  { id, role }: { id: string; role: Role },
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes an invitation; returns false when the invitation does not exist. */
export async function consumeInvitation(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const taken = await db
    .deleteFrom('invitations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return taken.numDeletedRows > 0n
}

/** Counts the members of a workspace and its open invitations, each of which takes a seat. */
export async function countMembers(db: Db, workspaceId: string, now: number): Promise<number> {
  const { rows } = await sql<{ members: number }>`
    select (select count(*) from users where workspace_id = ${workspaceId})
      + (select count(*) from invitations
        where workspace_id = ${workspaceId} and expires_at > ${now}) as members`.execute(db)
  return rows[0]?.members ?? 0
}

export async function countInvitations(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteOldInvitations(db: Db, before: number): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', before).execute()
}

/** Returns a member's name for others to see; null for no member, and for one that was removed. */
export async function findMemberName(
  db: Db,
  workspaceId: string,
  userId: string | null,
): Promise<{ user_id: string; name: string; picture_url: string | null } | null> {
  if (userId === null) return null
  const user = await findUser(db, workspaceId, userId)
  return user
    ? { user_id: user.id, name: user.name, picture_url: pictureUrl(user.picture_id) }
    : null
}
