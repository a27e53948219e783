import { type Selectable, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db, Tables } from '../storage/database.ts'
import { dialectOf } from '../storage/dialect.ts'

/** A document that this process reads. It is ours while its row has our token. */
export type Job = Selectable<Tables['knowledge_jobs']> & { lease_token: string }
export type Lane = Job['lane']

/** So many of one workspace are read at once in each process, so that nobody waits for a giant. */
const MOST_PER_WORKSPACE = 2

/** Has a document read at a time, or earlier if it was to be read before. */
export async function enqueue(
  db: Db,
  job: { documentId: string; workspaceId: string; lane: Lane; at: number },
): Promise<void> {
  await sql`
    insert into knowledge_jobs (document_id, workspace_id, lane, due_at, attempt)
    values (${job.documentId}, ${job.workspaceId}, ${job.lane}, ${job.at}, 0)
    on conflict (document_id) do update set due_at = excluded.due_at, attempt = 0
    where knowledge_jobs.due_at > excluded.due_at`.execute(db)
}

/** Leases the job that has been due for longest, and marks its document as being read. */
export async function claimJob(
  ctx: Context,
  lane: Lane,
  lease: { token: string; now: number; until: number },
): Promise<Job | undefined> {
  const lock = dialectOf(ctx.db) === 'postgres' ? sql`for update skip locked` : sql``
  const { rows } = await sql<Job>`
    update knowledge_jobs
    set lease_token = ${lease.token}, lease_until = ${lease.until}, attempt = attempt + 1
    where document_id in (
      select document_id from knowledge_jobs as due
      where lane = ${lane} and due_at <= ${lease.now}
        and (lease_until is null or lease_until < ${lease.now})
        and ${MOST_PER_WORKSPACE} > (
          select count(*) from knowledge_jobs as other
          where other.workspace_id = due.workspace_id and other.lane = ${lane}
            and other.lease_until >= ${lease.now}
        )
      order by due_at limit 1 ${lock}
    ) returning *`.execute(ctx.db)
  return rows[0]
}

/** Renews a lease, and notes when a long sync began; false when it is no longer ours. */
export function keepJob(db: Db, job: Job, until: number, startedAt?: number): Promise<boolean> {
  const started = startedAt === undefined ? {} : { started_at: startedAt }
  return changeJob(db, job, { lease_until: until, ...started })
}

/** Gives a job back, to be claimed from a time on; false when it was no longer ours. */
export function returnJob(
  db: Db,
  job: Job,
  next: { at: number; attempt: number; startedAt?: number | null },
): Promise<boolean> {
  return changeJob(db, job, {
    due_at: next.at,
    attempt: next.attempt,
    ...(next.startedAt === undefined ? {} : { started_at: next.startedAt }),
    lease_token: null,
    lease_until: null,
  })
}

async function changeJob(
  db: Db,
  job: Job,
  values: Partial<Selectable<Tables['knowledge_jobs']>>,
): Promise<boolean> {
  const result = await db
    .updateTable('knowledge_jobs')
    .set(values)
    .where('document_id', '=', job.document_id)
    .where('lease_token', '=', job.lease_token)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Ends a job for good; false when it was no longer ours. */
export async function endJob(db: Db, job: Job): Promise<boolean> {
  const result = await db
    .deleteFrom('knowledge_jobs')
    .where('document_id', '=', job.document_id)
    .where('lease_token', '=', job.lease_token)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** The only process of a database ends the leases of the one before it. */
export async function endLeases(db: Db): Promise<void> {
  await sql`
    update knowledge_jobs set lease_token = null, lease_until = null
    where lease_until is not null`.execute(db)
}

export async function insertFile(
  db: Db,
  file: { documentId: string; workspaceId: string; bytes: Buffer },
): Promise<void> {
  await db
    .insertInto('knowledge_files')
    .values({
      document_id: file.documentId,
      workspace_id: file.workspaceId,
      content: file.bytes.toString('base64'),
    })
    .execute()
}

export async function findFile(db: Db, job: Job): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('knowledge_files')
    .select('content')
    .where('workspace_id', '=', job.workspace_id)
    .where('document_id', '=', job.document_id)
    .executeTakeFirst()
  return row && Buffer.from(row.content, 'base64')
}

export async function deleteFile(db: Db, job: Job): Promise<void> {
  await db
    .deleteFrom('knowledge_files')
    .where('workspace_id', '=', job.workspace_id)
    .where('document_id', '=', job.document_id)
    .execute()
}
