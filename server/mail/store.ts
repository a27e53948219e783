import type { Insertable, Selectable } from 'kysely'
import { LeaseQueue } from '../jobs/lease-queue.ts'
import type { Db, Tables } from '../storage/database.ts'

export type MailRow = Selectable<Tables['mails']>

export async function insertMail(db: Db, row: Insertable<Tables['mails']>): Promise<void> {
  await db.insertInto('mails').values(row).execute()
}

/** The outgoing mails, which end as `sent` or `failed`. */
export const outgoingMails = new LeaseQueue<MailRow>({
  name: 'mails',
  columns: { id: 'id', dueAt: 'next_at', attempts: 'attempts' },
  idOf: ({ id }) => id,
  attemptsOf: ({ attempts }) => attempts,
  ended: { done: 'sent', dead: 'failed' },
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
export async function countMails(
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
