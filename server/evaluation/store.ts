import type { Selectable } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import { LeaseQueue } from '../jobs/lease-queue.ts'
import { keysetBefore } from '../storage/keyset.ts'
import type { Db, Tables } from '../storage/database.ts'

export type TestQuestionRow = Selectable<Tables['test_questions']>
export type TestRunRow = Selectable<Tables['test_runs']>
export type TestResultRow = Selectable<Tables['test_results']>

interface TenantKey {
  workspaceId: string
  tenantId: string
}

/** The queue of runs, one of a workspace at a time. */
export const testRuns = new LeaseQueue<TestRunRow>({
  name: 'test_runs',
  columns: { id: 'id', dueAt: 'due_at', attempts: 'attempts' },
  idOf: ({ id }) => id,
  attemptsOf: ({ attempts }) => attempts,
  ended: { done: 'done', dead: 'failed' },
  groupCap: { column: 'workspace_id', max: 1 },
})

/** Notes that somebody of the workspace has tried a site's bot, which the first steps ask for. */
export async function noteTrial(
  db: Db,
  tenant: { id: string; workspace_id: string },
  now: number,
): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ tried_at: now })
    .where('workspace_id', '=', tenant.workspace_id)
    .where('id', '=', tenant.id)
    .where('tried_at', 'is', null)
    .execute()
}

export async function insertTestQuestion(db: Db, row: TestQuestionRow): Promise<void> {
  await db.insertInto('test_questions').values(row).execute()
}

export async function countTestQuestions(db: Db, tenant: TenantKey): Promise<number> {
  const { questions } = await db
    .selectFrom('test_questions')
    .select((eb) => eb.fn.countAll<number>().as('questions'))
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .executeTakeFirstOrThrow()
  return questions
}

/** Lists a tenant's questions, newest first. */
export async function listTestQuestions(
  db: Db,
  tenant: TenantKey,
  page: { limit: number; after: Cursor | undefined },
): Promise<TestQuestionRow[]> {
  return db
    .selectFrom('test_questions')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Returns the workspace and tenant of a test question of any workspace. */
export async function findTestQuestionOwner(
  db: Db,
  id: string,
): Promise<{ workspace_id: string; tenant_id: string } | undefined> {
  return db
    .selectFrom('test_questions')
    .select(['workspace_id', 'tenant_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function deleteTestQuestion(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('test_questions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Inserts a run; false when the tenant has an open one. */
export async function insertTestRun(db: Db, row: TestRunRow): Promise<boolean> {
  const inserted = await db
    .insertInto('test_runs')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Returns the newest runs of a tenant, the last one first. */
export async function listLastRuns(
  db: Db,
  tenant: TenantKey,
  limit: number,
): Promise<TestRunRow[]> {
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes runs of a tenant and their results. */
export async function deleteTestRuns(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('test_runs')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
}

export async function insertTestResult(db: Db, row: TestResultRow): Promise<void> {
  await db.insertInto('test_results').values(row).execute()
}

/** Returns the next question of a run that has no result yet, the oldest first. */
export async function findNextQuestion(
  db: Db,
  run: TestRunRow,
): Promise<TestQuestionRow | undefined> {
  return db
    .selectFrom('test_questions')
    .selectAll()
    .where('workspace_id', '=', run.workspace_id)
    .where('tenant_id', '=', run.tenant_id)
    .where('created_at', '<=', run.created_at)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('test_results')
            .select('run_id')
            .where('run_id', '=', run.id)
            .whereRef('question_id', '=', 'test_questions.id'),
        ),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Lists the results of a run with their questions, in the order of the test set. */
export async function listTestResults(
  db: Db,
  workspaceId: string,
  runId: string,
): Promise<(TestResultRow & { question: string })[]> {
  return db
    .selectFrom('test_results')
    .innerJoin('test_questions', 'test_questions.id', 'test_results.question_id')
    .selectAll('test_results')
    .select('test_questions.question')
    .where('test_results.workspace_id', '=', workspaceId)
    .where('test_results.run_id', '=', runId)
    .orderBy('test_questions.created_at')
    .orderBy('test_questions.id')
    .execute()
}
