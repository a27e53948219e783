import type { Db } from '../storage/database.ts'

/** Returns whether anybody has an account. The workspace of the demo has no members. */
export async function hasUsers(db: Db): Promise<boolean> {
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  return user !== undefined
}

export async function insertSetupLink(
  db: Db,
  row: { digest: string; created_at: number; expires_at: number },
): Promise<void> {
  await db.insertInto('setup_links').values(row).execute()
}

/** Returns whether a token opens the setup. */
export async function isSetupLink(db: Db, digest: string, now: number): Promise<boolean> {
  const link = await db
    .selectFrom('setup_links')
    .select('digest')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link !== undefined
}

/**
 * Consumes every link at once, and returns whether the token was of one of them. Two calls with two
 * links wait for each other: the second one finds none.
 */
export async function consumeSetupLinks(db: Db, digest: string, now: number): Promise<boolean> {
  const links = await db.deleteFrom('setup_links').returning(['digest', 'expires_at']).execute()
  return links.some((link) => link.digest === digest && link.expires_at > now)
}

/** Deletes the links that have expired by a time; every link without one. */
export async function deleteSetupLinks(db: Db, expiredBy?: number): Promise<void> {
  const links = db.deleteFrom('setup_links')
  await (expiredBy === undefined ? links : links.where('expires_at', '<=', expiredBy)).execute()
}
