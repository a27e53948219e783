import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '../../storage/database.ts'

/**
 * Locks a user until the transaction ends. Returns false when the password has changed or the user
 * was removed.
 */
export async function lockUser(
  db: Db,
  user: { id: string; workspaceId: string; passwordHash: string },
): Promise<boolean> {
  const locked = await db
    .updateTable('users')
    .set({ password_hash: user.passwordHash })
    .where('id', '=', user.id)
    .where('workspace_id', '=', user.workspaceId)
    .where('password_hash', '=', user.passwordHash)
    .executeTakeFirst()
  return locked.numUpdatedRows > 0n
}

export async function updatePassword(
  db: Db,
  user: { id: string; workspaceId: string },
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', user.id)
    .where('workspace_id', '=', user.workspaceId)
    .execute()
}

/** Ends every login of a user, or every one but `except`. */
export async function endFamilies(
  db: Db,
  user: { id: string; workspaceId: string },
  end: { at: number; except?: string | undefined },
): Promise<void> {
  await db
    .updateTable('families')
    .set({ ended_at: end.at })
    .where('user_id', '=', user.id)
    .where('workspace_id', '=', user.workspaceId)
    .where('ended_at', 'is', null)
    .where('id', '<>', end.except ?? '')
    .execute()
}

/** Adds failed logins; returns their number since the last successful login. */
export async function addFailures(db: Db, userId: string, count: number): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into login_failures (user_id, failures) values (${userId}, ${count})
    on conflict (user_id) do update set failures = login_failures.failures + excluded.failures
    returning failures`.execute(db)
  return rows[0]?.failures ?? 0
}

/** Resets the count of wrong passwords; returns the count before the reset. */
export async function clearFailures(db: Db, userId: string): Promise<number> {
  const cleared = await db
    .deleteFrom('login_failures')
    .where('user_id', '=', userId)
    .returning('failures')
    .executeTakeFirst()
  return cleared?.failures ?? 0
}

export async function insertReset(
  db: Db,
  row: Insertable<Tables['password_resets']>,
): Promise<void> {
  await db.insertInto('password_resets').values(row).execute()
}

/** Returns how many valid password resets a user has. */
export async function countResets(db: Db, userId: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('password_resets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/** The user that a token of a reset belongs to, while it is good. */
export async function findResetUser(
  db: Db,
  digest: string,
  now: number,
): Promise<{ id: string; workspace_id: string; email: string; name: string } | undefined> {
  return db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.workspace_id', 'users.email', 'users.name'])
    .where('password_resets.digest', '=', digest)
    .where('password_resets.expires_at', '>', now)
    .executeTakeFirst()
}

/** Consumes a reset; returns false when the reset was consumed before. */
export async function consumeReset(db: Db, digest: string, now: number): Promise<boolean> {
  const taken = await db
    .deleteFrom('password_resets')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return taken.numDeletedRows > 0n
}

export async function deleteResetsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

export async function deleteOldResets(db: Db, now: number): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}

/** Returns the owners and admins of a workspace, in the order in which they came. */
export async function listManagers(
  db: Db,
  workspaceId: string,
): Promise<{ name: string; email: string; locale: string | null }[]> {
  return db
    .selectFrom('users')
    .select(['name', 'email', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .where('role', 'in', ['owner', 'admin'])
    .orderBy('created_at')
    .execute()
}

/** Saves the address that a user wants, in place of an earlier one. */
export async function saveEmailChange(
  db: Db,
  row: Insertable<Tables['email_changes']>,
): Promise<void> {
  const { user_id: _, ...values } = row
  await db
    .insertInto('email_changes')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Consumes the change of an address; returns `undefined` for an unknown or expired token. */
export async function consumeEmailChange(
  db: Db,
  digest: string,
  now: number,
): Promise<{ user_id: string; email: string } | undefined> {
  return db
    .deleteFrom('email_changes')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst()
}

export async function deleteEmailChangeOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}

export async function deleteOldEmailChanges(db: Db, now: number): Promise<void> {
  await db.deleteFrom('email_changes').where('expires_at', '<=', now).execute()
}

export async function insertOperatorSession(
  db: Db,
  row: Insertable<Tables['operator_sessions']>,
): Promise<void> {
  await db.insertInto('operator_sessions').values(row).execute()
}

export async function hasOperatorSession(db: Db, digest: string, now: number): Promise<boolean> {
  const session = await db
    .selectFrom('operator_sessions')
    .select('digest')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return session !== undefined
}

export async function deleteOperatorSession(db: Db, digest: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('digest', '=', digest).execute()
}

export async function deleteOldOperatorSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('operator_sessions').where('expires_at', '<=', now).execute()
}
