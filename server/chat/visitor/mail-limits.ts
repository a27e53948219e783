import { sql } from 'kysely'
import type { Context, Transaction } from '../../context.ts'
import { DAY_MS } from '../../lib/durations.ts'
import type { Db } from '../../storage/database.ts'

/**
 * Counts a mail to an address that a visitor has named; returns false once the address has had its
 * quota of the day, from any sender and whatever was erased since. The table keeps a keyed digest of
 * the address, for a day.
 */
export async function tryConsumeMailQuota(
  tx: Transaction,
  { email, purpose, max }: { email: string; purpose: 'visitor' | 'appointment'; max: number },
): Promise<boolean> {
  const recipient = tx.secrets.digest(`${purpose} ${email.toLowerCase()}`)
  const now = tx.now()
  const sent = await incrementMailCount(tx.db, { recipient, now, until: now + DAY_MS })
  return sent <= max
}

/** Deletes the counters whose day has ended. Idempotent. */
export async function expireMailLimits(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('mail_counts').where('ends_at', '<=', ctx.now()).execute()
}

/** Counts one more mail to a recipient; returns the count since the first mail of the day. */
async function incrementMailCount(
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
