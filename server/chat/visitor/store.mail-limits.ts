import { sql } from 'kysely'
import type { Db } from '../../storage/database.ts'

/** One more mail to somebody, in one statement: how many it makes since the first of the day. */
export async function incrementMailCount(
  db: Db,
  { recipient, now, until }: { recipient: string; now: number; until: number },
): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    insert into mail_counts (recipient, sent, ends_at) values (${recipient}, 1, ${until})
    on conflict (recipient) do update set
      sent = case when mail_counts.ends_at <= ${now} then 1 else mail_counts.sent + 1 end,
      ends_at = case when mail_counts.ends_at <= ${now} then ${until} else mail_counts.ends_at end
    returning sent`.execute(db)
  return rows[0]?.sent ?? 0
}

export async function removeMailCounts(db: Db, now: number): Promise<void> {
  await db.deleteFrom('mail_counts').where('ends_at', '<=', now).execute()
}
