import type { Insertable, Selectable } from 'kysely'
import type { Db, Tables } from '../../storage/database.ts'

export type TwoFactorRow = Selectable<Tables['two_factor']>

export async function findTwoFactor(db: Db, userId: string): Promise<TwoFactorRow | undefined> {
  return db.selectFrom('two_factor').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Saves a secret that waits for its first code; returns false when a confirmed one is there. */
export async function savePendingSecret(
  db: Db,
  row: Insertable<Tables['two_factor']>,
): Promise<boolean> {
  const { secret, last_step, created_at } = row
  const saved = await db
    .insertInto('two_factor')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, last_step, created_at })
        .where('two_factor.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return saved !== undefined
}

/** Consumes a time step; returns false when the step or a later one was consumed before. */
export async function consumeStep(
  db: Db,
  { user_id, secret }: TwoFactorRow,
  step: number,
): Promise<boolean> {
  const consumed = await db
    .updateTable('two_factor')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('secret', '=', secret)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return consumed.numUpdatedRows > 0n
}

/** Confirms a pending secret; returns false when it was confirmed or removed before. */
export async function confirmSecret(db: Db, userId: string, now: number): Promise<boolean> {
  const confirmed = await db
    .updateTable('two_factor')
    .set({ confirmed_at: now })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return confirmed.numUpdatedRows > 0n
}

/** Removes the secret and every recovery code; returns whether there was a confirmed secret. */
export async function deleteTwoFactor(db: Db, userId: string): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const removed = await db
    .deleteFrom('two_factor')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return removed !== undefined && removed.confirmed_at !== null
}

/** Replaces the recovery codes of a user. */
export async function saveRecoveryCodes(
  db: Db,
  userId: string,
  digests: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ user_id: userId, digest })))
    .execute()
}

/** Consumes a recovery code; returns false for an unknown or consumed one. */
export async function consumeRecoveryCode(
  db: Db,
  userId: string,
  digest: string,
): Promise<boolean> {
  const consumed = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return consumed.numDeletedRows > 0n
}
