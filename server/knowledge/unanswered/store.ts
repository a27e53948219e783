import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'

export type UnansweredRow = Selectable<Tables['unanswered_questions']>

/** Counts a question, with its newest wording; the first time it is a new row. */
export async function countQuestion(db: Db, row: UnansweredRow): Promise<void> {
  await db
    .insertInto('unanswered_questions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'fingerprint']).doUpdateSet({
        asked: sql`unanswered_questions.asked + 1`,
        question: row.question,
        locale: row.locale,
        last_asked_at: row.last_asked_at,
      }),
    )
    .execute()
}

/** A tenant's questions, those asked most often first; the cursor's time is how often. */
export async function listQuestions(
  db: Db,
  place: { workspaceId: string; tenantId: string },
  page: { limit: number; after: Cursor | undefined },
): Promise<UnansweredRow[]> {
  return db
    .selectFrom('unanswered_questions')
    .selectAll()
    .where('workspace_id', '=', place.workspaceId)
    .where('tenant_id', '=', place.tenantId)
    .where(keysetBefore('asked', page.after))
    .orderBy('asked', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** The workspace and tenant of a question, whoever asks. */
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

/** Forgets what nobody has asked since a time, and of each tenant all but those asked most often. */
export async function deleteOldQuestions(db: Db, before: number, max: number): Promise<void> {
  await db.deleteFrom('unanswered_questions').where('last_asked_at', '<', before).execute()
  await sql`
    delete from unanswered_questions where id in (
      select id from (
        select id, row_number() over (
          partition by tenant_id order by asked desc, last_asked_at desc
        ) as place from unanswered_questions
      ) as ranked where place > ${max}
    )`.execute(db)
}
