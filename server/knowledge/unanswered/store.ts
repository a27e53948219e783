import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import { type BulkStatement, executeMany } from '../../storage/bulk.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'

export type UnansweredRow = Selectable<Tables['unanswered_questions']>

/**
 * Inserts questions, or adds to their counts and saves the newest wording: the last of equal ones. Locks the
 * rows in order of tenants and fingerprints, because many transactions count the same questions.
 */
export async function addQuestions(db: Db, asked: readonly UnansweredRow[]): Promise<void> {
  const sums = new Map<string, UnansweredRow>()
  for (const row of asked) {
    const key = `${row.tenant_id} ${row.fingerprint}`
    const { asked: times, first_asked_at } = sums.get(key) ?? { ...row, asked: 0 }
    sums.set(key, { ...row, asked: times + row.asked, first_asked_at })
  }
  const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1))
  await executeMany(
    db,
    UPSERT_QUESTIONS,
    sorted.map(([, row]) => [
      row.id,
      row.workspace_id,
      row.tenant_id,
      row.fingerprint,
      row.question,
      row.locale,
      row.asked,
      row.first_asked_at,
      row.last_asked_at,
    ]),
  )
}

const UPSERT_QUESTIONS: BulkStatement = {
  columns: ['text', 'text', 'text', 'text', 'text', 'text', 'bigint', 'bigint', 'bigint'],
  hints: { isPipelined: true },
  sql: (source) => `
    insert into unanswered_questions (id, workspace_id, tenant_id, fingerprint, question, locale,
      asked, first_asked_at, last_asked_at)
    select * from ${source} as added where true
    on conflict (tenant_id, fingerprint) do update set
      asked = unanswered_questions.asked + excluded.asked,
      question = excluded.question, locale = excluded.locale,
      last_asked_at = excluded.last_asked_at`,
}

/** Lists a tenant's questions, most frequent first; the cursor's time is the count. */
export async function listQuestions(
  db: Db,
  tenant: { workspaceId: string; tenantId: string },
  page: { limit: number; after: Cursor | undefined },
): Promise<UnansweredRow[]> {
  return db
    .selectFrom('unanswered_questions')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .where(keysetBefore('asked', page.after))
    .orderBy('asked', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Returns the workspace and tenant of a question of any workspace. */
export async function findQuestionOwner(
  db: Db,
  id: string,
): Promise<{ workspace_id: string; tenant_id: string } | undefined> {
  return db
    .selectFrom('unanswered_questions')
    .select(['workspace_id', 'tenant_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function deleteQuestion(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('unanswered_questions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes questions last asked before a time, and all but the `max` most frequent of each tenant. */
export async function deleteOldQuestions(db: Db, before: number, max: number): Promise<void> {
  await db.deleteFrom('unanswered_questions').where('last_asked_at', '<', before).execute()
  await sql`
    delete from unanswered_questions where id in (
      select id from (
        select id, row_number() over (
          partition by tenant_id order by asked desc, last_asked_at desc
        ) as frequency_rank from unanswered_questions
      ) as ranked where frequency_rank > ${max}
    )`.execute(db)
}
