import type { Db, TxDb } from '../../storage/database.ts'

/** @returns whether nobody has used this challenge before */
export async function insertUsedNonce(db: TxDb, id: string, endsAt: number): Promise<boolean> {
  const inserted = await db
    .insertInto('spent_challenges')
    .values({ id, ends_at: endsAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function deleteExpiredNonces(db: Db, now: number): Promise<void> {
  await db.deleteFrom('spent_challenges').where('ends_at', '<=', now).execute()
}
