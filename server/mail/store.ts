import { type Insertable, type Selectable, sql } from 'kysely'
import { LeaseQueue } from '../jobs/lease-queue.ts'
import type { Db, Tables } from '../storage/database.ts'

export type MailRow = Selectable<Tables['mails']>

export async function insertMail(db: Db, row: Insertable<Tables['mails']>): Promise<void> {
  await db.insertInto('mails').values(row).execute()
}

/** A workspace's share of a worker: its visitors may cause mails to all of its members. */
const MAX_LEASES_PER_WORKSPACE = 3

/** The outgoing mails, which end as `sent` or `failed`. */
export const outgoingMails = new LeaseQueue<MailRow>({
  name: 'mails',
  columns: { id: 'id', dueAt: 'next_at', attempts: 'attempts' },
  idOf: ({ id }) => id,
  attemptsOf: ({ attempts }) => attempts,
  ended: { done: 'sent', dead: 'failed' },
  groupCap: { column: 'workspace_id', max: MAX_LEASES_PER_WORKSPACE },
})

/** Fails mails queued before `before`, except mails with an active lease. */
export async function failOldMails(db: Db, before: number, now: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'failed', content: null, ended_at: now })
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .where('created_at', '<=', before)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .execute()
}

/** Queued mails of every workspace, newest first; for the development page alone. */
export async function listWaitingMails(db: Db, max: number): Promise<MailRow[]> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
}

/** Counts a workspace's mails that wait, and those that failed and are still listed. */
export async function countUnsentMails(
  db: Db,
  workspaceId: string,
): Promise<{ waiting: number; failed: number }> {
  const rows = await db
    .selectFrom('mails')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute()
  const countOf = (state: string): number => rows.find((row) => row.state === state)?.count ?? 0
  return { waiting: countOf('waiting'), failed: countOf('failed') }
}

/**
 * Counts one mail in each counter, in the order of the list, which is the order of the locks; returns
 * the counts and their ends. The window of a counter begins with its first mail.
 */
export async function countAgainstLimits(
  db: Db,
  counters: readonly { counter: string; ms: number }[],
  now: number,
): Promise<{ counter: string; sent: number; ends_at: number }[]> {
  const rows = counters.map(({ counter, ms }) => sql`(${counter}, 1, ${now + ms})`)
  const counted = await sql<{ counter: string; sent: number; ends_at: number }>`
    insert into mail_counts (counter, sent, ends_at) values ${sql.join(rows)}
    on conflict (counter) do update set
      sent = case when mail_counts.ends_at <= ${now} then 1 else mail_counts.sent + 1 end,
      ends_at = case when mail_counts.ends_at <= ${now} then excluded.ends_at
        else mail_counts.ends_at end
    returning counter, sent, ends_at`.execute(db)
  return counted.rows
}

/** Takes a mail that was not queued out of the counters again. */
export async function uncountAgainstLimits(
  db: Db,
  counters: readonly { counter: string }[],
): Promise<void> {
  const keys = counters.map(({ counter }) => counter)
  await sql`update mail_counts set sent = sent - 1 where counter in (${sql.join(keys)})`.execute(db)
}

/** Deletes the counters whose window has ended. */
export async function deleteEndedCounters(db: Db, now: number): Promise<void> {
  await sql`delete from mail_counts where ends_at <= ${now}`.execute(db)
}
