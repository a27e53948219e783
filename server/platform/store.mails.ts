import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Tables } from '../storage/database.ts'

export type MailRow = Selectable<Tables['mails']>

export async function insertMail(db: Db, row: Insertable<Tables['mails']>): Promise<void> {
  await db.insertInto('mails').values(row).execute()
}

/** Takes mails that are due, each for one sender, who has them until `until`. */
export async function claimMails(
  db: Db,
  claim: { now: number; until: number; most: number },
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    update mails set next_at = ${claim.until}, attempts = attempts + 1
    where state = 'waiting' and next_at <= ${claim.now} and id in (
      select id from mails where state = 'waiting' and next_at <= ${claim.now}
      order by next_at limit ${claim.most}
    )
    returning *`.execute(db)
  return rows
}

/** Ends a mail, unless its sender lost it meanwhile. Nobody needs what it says any more. */
export async function endMail(
  db: Db,
  { id, next_at }: MailRow,
  end: { state: 'sent' | 'failed'; error: string | null; at: number },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: end.state, error: end.error, content: null, ended_at: end.at })
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .where('state', '=', 'waiting')
    .execute()
}

/** Puts a mail back until `nextAt`, unless its sender lost it meanwhile. */
export async function delayMail(
  db: Db,
  { id, next_at }: MailRow,
  delay: { nextAt: number; error: string },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ next_at: delay.nextAt, error: delay.error })
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .where('state', '=', 'waiting')
    .execute()
}

/** Gives up mails that nobody could send since `before`. */
export async function failOldMails(db: Db, before: number, now: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'failed', content: null, ended_at: now })
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .where('created_at', '<=', before)
    .execute()
}

export async function deleteEndedMails(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<=', before)
    .execute()
}

/** Every workspace's mails that wait, new ones first: only for the page of a developer. */
export async function listWaitingMails(db: Db, most: number): Promise<MailRow[]> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}
