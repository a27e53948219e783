import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Tables } from '../../storage/database.ts'
import type { Cursor } from '../../lib/cursor.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import { cachedRead } from '../../storage/read-cache.ts'
import { prepared } from '../../storage/prepared.ts'
import type { Role } from '../../http/access.ts'
import { AppError } from '../../http/errors.ts'
import type { PlanId } from './plans.ts'

export type UserRow = Selectable<Tables['users']>
export type NewUser = Insertable<Tables['users']>
export type WorkspaceRow = Selectable<Tables['workspaces']>
export type KeyRow = Selectable<Tables['api_keys']>

/** The rights of the user behind a request. */
export interface MemberAccess {
  role: Role
  plan: PlanId
  /** The workspace's language. */
  locale: string
}

export async function insertWorkspace(db: Db, row: WorkspaceRow): Promise<void> {
  await db.insertInto('workspaces').values(row).execute()
}

export async function findWorkspace(db: Db, id: string): Promise<WorkspaceRow | undefined> {
  return db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a workspace. Throws 404. */
export async function getWorkspace(db: Db, id: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(db, id)
  if (!workspace) throw new AppError('not_found', 'This workspace does not exist.')
  return workspace
}

/** Returns workspaces of the installation, newest first; one more than `limit`. */
export async function listWorkspaces(
  db: Db,
  page: { limit: number; after: Cursor | undefined },
): Promise<WorkspaceRow[]> {
  return db
    .selectFrom('workspaces')
    .selectAll()
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

export async function updatePlan(db: Db, id: string, plan: PlanId): Promise<boolean> {
  const changed = await db
    .updateTable('workspaces')
    .set({ plan })
    .where('id', '=', id)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Suspends a workspace since a time; `null` ends that. */
export async function updateSuspension(db: Db, id: string, since: number | null): Promise<void> {
  await db.updateTable('workspaces').set({ suspended_at: since }).where('id', '=', id).execute()
}

/** Inserts a user; returns false when the e-mail address is taken. */
export async function insertUser(db: Db, row: NewUser): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updateName(
  db: Db,
  { id, workspace_id }: Pick<UserRow, 'id' | 'workspace_id'>,
  name: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ name })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

/** Returns the path of a picture on this server. */
export function pictureUrl(pictureId: string | null): string | null {
  return pictureId === null ? null : `/api/v1/pictures/${pictureId}`
}

export async function findUser(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds the rights of a token's user, unless the token family has ended. One indexed read. */
export async function findMemberAccess(
  db: Db,
  token: { userId: string; workspaceId: string; familyId: string; now: number },
): Promise<(MemberAccess & { last_used_at: number | null }) | undefined> {
  const { rows } = await sql<MemberAccess & { last_used_at: number | null }>`
    select users.role, workspaces.plan, workspaces.locale, families.last_used_at from families
    join users on users.id = families.user_id
    join workspaces on workspaces.id = users.workspace_id
    where families.id = ${token.familyId} and families.ended_at is null
      and families.expires_at > ${token.now}
      and users.id = ${token.userId} and users.workspace_id = ${token.workspaceId}`.execute(db)
  return rows[0]
}

export async function insertFamily(db: Db, row: Insertable<Tables['families']>): Promise<void> {
  await db.insertInto('families').values(row).execute()
}

export async function insertRefreshToken(
  db: Db,
  row: Insertable<Tables['refresh_tokens']>,
): Promise<void> {
  await db.insertInto('refresh_tokens').values(row).execute()
}

export async function findRefreshToken(db: Db, digests: readonly string[]) {
  return db
    .selectFrom('refresh_tokens')
    .innerJoin('families', 'families.id', 'refresh_tokens.family_id')
    .innerJoin('workspaces', 'workspaces.id', 'families.workspace_id')
    .select([
      'workspaces.suspended_at',
      'refresh_tokens.digest',
      'refresh_tokens.expires_at',
      'families.id as family_id',
      'families.user_id',
      'families.workspace_id',
      'families.ended_at',
    ])
    .where('refresh_tokens.digest', 'in', digests)
    .executeTakeFirst()
}

/** Consumes a refresh token; returns false when the token was consumed before. */
export async function consumeRefreshToken(db: Db, digest: string, now: number): Promise<boolean> {
  const spent = await db
    .updateTable('refresh_tokens')
    .set({ spent_at: now })
    .where('digest', '=', digest)
    .where('spent_at', 'is', null)
    .executeTakeFirst()
  return spent.numUpdatedRows > 0n
}

export async function endFamily(db: Db, familyId: string, now: number): Promise<void> {
  await db
    .updateTable('families')
    .set({ ended_at: now })
    .where('id', '=', familyId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Notes the use of a login, unless another request noted one since `before`. */
export async function touchFamily(
  db: Db,
  family: { id: string; workspaceId: string },
  use: { now: number; before: number; address: string },
): Promise<void> {
  await sql`
    update families set last_used_at = ${use.now}, address = ${use.address}
    where id = ${family.id} and workspace_id = ${family.workspaceId}
      and (last_used_at is null or last_used_at < ${use.before})`.execute(db)
}

export async function insertKey(db: Db, row: KeyRow): Promise<void> {
  await db.insertInto('api_keys').values(row).execute()
}

const readKeyRow = cachedRead<KeyRow & MemberAccess>(
  ['api_keys', 'users', 'workspaces'],
  (publicId) => prepared`
    select api_keys.*, users.role, workspaces.plan, workspaces.locale from api_keys
    join users on users.id = api_keys.user_id
    join workspaces on workspaces.id = api_keys.workspace_id
    where api_keys.public_id = ${publicId}`,
)

/** Finds a key by its public id, with its user's rights. At most one indexed read. */
export async function findKey(
  db: Db,
  publicId: string,
): Promise<Readonly<KeyRow & MemberAccess> | undefined> {
  const [row] = await readKeyRow(db, publicId)
  return row
}

export async function listKeys(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: Cursor | undefined },
): Promise<KeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Finds the workspace of a key of any workspace. */
export async function findKeyOwner(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}

/** Deletes a key; returns its name, or `undefined` when the key does not exist. */
export async function deleteKey(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<string | undefined> {
  const gone = await db
    .deleteFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return gone?.name
}

export async function touchKey(
  db: Db,
  workspaceId: string,
  id: string,
  now: number,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function countUsers(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}
