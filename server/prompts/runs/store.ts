import { type Selectable, sql } from 'kysely'
import {
  INSTANT_HOLD_COLUMNS,
  type InstantHold,
  instantHoldValues,
  instantHolds,
} from '../../credits/store.holds.ts'
import type { Cursor } from '../../lib/cursor.ts'
import { type BulkStatement, executeMany, insertMany } from '../../storage/bulk.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import type { ColumnType } from '../../storage/values-table.ts'

export type RunRow = Selectable<Tables['runs']>
/** A run without its inputs, which may be large. */
export type ListedRun = Omit<RunRow, 'inputs'> & { has_inputs: number }

const T = 'text'
const N = 'bigint'
const RUNNING = {
  table: 'runs',
  columns: {
    id: T,
    workspace_id: T,
    prompt_id: T,
    prompt_version: N,
    user_id: T,
    key_id: T,
    request_id: T,
    state: T,
    locale: T,
    created_at: N,
    inputs: T,
  },
} as const
const DONE: readonly ColumnType[] = [T, T, T, N, N, N, N, T, N, N, N]

/** The columns of a run at its start. */
export type RunStart = Pick<
  RunRow,
  | 'id'
  | 'workspace_id'
  | 'prompt_id'
  | 'prompt_version'
  | 'user_id'
  | 'key_id'
  | 'request_id'
  | 'locale'
  | 'created_at'
  | 'inputs'
>

export async function insertRuns(db: Db, runs: readonly RunStart[]): Promise<void> {
  const rows = runs.map((run) => [
    run.id,
    run.workspace_id,
    run.prompt_id,
    run.prompt_version,
    run.user_id,
    run.key_id,
    run.request_id,
    'running',
    run.locale,
    run.created_at,
    run.inputs,
  ])
  await insertMany(db, RUNNING, rows)
}

/** A run that is opened in one statement. */
export interface InstantStart {
  hold: InstantHold
  start: RunStart
  /** The version was remembered, so that the statement checks that it is still the prompt's. */
  isRemembered: boolean
}

/**
 * Places the holds of runs and inserts the runs in one statement of Postgres, which commits without
 * waiting for the disk: see `useAsyncCommit`. Returns false, with nothing written, where the credits do not
 * cover all of them, a month has ended or a remembered version is not the current one.
 */
export async function openRunsInstantly(
  db: Db,
  runs: readonly InstantStart[],
  at: { now: number; leaseUntil: number; month: number },
): Promise<boolean> {
  const holds = instantHoldValues(
    runs.map(({ hold }) => hold),
    at,
  )
  const rows = runs.map(({ start, isRemembered }, index) => [
    ...(holds[index] ?? []),
    start.prompt_id,
    start.prompt_version,
    start.user_id,
    start.key_id,
    start.request_id,
    start.locale,
    isRemembered ? 1 : 0,
    start.inputs,
  ])
  return (await executeMany(db, OPEN_INSTANTLY, rows)).length > 0
}

const OPEN_INSTANTLY: BulkStatement = {
  columns: [...INSTANT_HOLD_COLUMNS, T, N, T, T, T, T, N, T],
  sql: (source) => `
    with asked as materialized (select * from ${source} as source), ${instantHolds(`
      not exists (select 1 from asked where c16 = 1 and not exists (
        select 1 from prompts where prompts.workspace_id = c0 and prompts.prompt_id = c10
          and prompts.version = c11 and prompts.deleted_at is null))`)}, begun as (
      insert into runs (id, workspace_id, prompt_id, prompt_version, user_id, key_id, request_id,
        state, locale, created_at, inputs)
      select c1, c0, c10, c11, c12, c13, c14, 'running', c15, c4, c17 from granted
    )
    select set_config('synchronous_commit', 'off', true) from moved`,
}

/** The end of a run. */
export type RunEnd = Pick<
  RunRow,
  | 'id'
  | 'workspace_id'
  | 'model'
  | 'credits_used'
  | 'input_tokens'
  | 'output_tokens'
  | 'billed_input'
  | 'billed_output'
  | 'estimated_at'
  | 'finish_reason'
  | 'ended_at'
>

export async function finishRuns(db: Db, runs: readonly RunEnd[]): Promise<void> {
  const rows = runs.map((run) => [
    run.id,
    run.workspace_id,
    run.model,
    run.credits_used,
    run.input_tokens,
    run.output_tokens,
    run.estimated_at,
    run.finish_reason,
    run.ended_at,
    run.billed_input,
    run.billed_output,
  ])
  await executeMany(db, UPDATE_DONE, rows)
}

const UPDATE_DONE: BulkStatement = {
  columns: DONE,
  hints: { isPipelined: true },
  sql: (source) => `
    update runs set state = 'done', model = c2, credits_used = c3, input_tokens = c4,
      output_tokens = c5, estimated_at = c6, finish_reason = c7, ended_at = c8, billed_input = c9, billed_output = c10
    from ${source} as ended where runs.id = c0 and runs.workspace_id = c1`,
}

type FailedRun = Pick<RunRow, 'id' | 'workspace_id' | 'prompt_id' | 'user_id' | 'request_id'>

/** Marks a run as failed; returns `undefined` for an ended run. */
export async function failRun(
  db: Db,
  run: { workspaceId: string; id: string; code: string; detail: string; now: number },
): Promise<FailedRun | undefined> {
  const { rows } = await sql<FailedRun>`
    update runs set state = 'failed', credits_used = 0, code = ${run.code},
      detail = ${run.detail}, ended_at = ${run.now}
    where id = ${run.id} and workspace_id = ${run.workspaceId} and state = 'running'
    returning id, workspace_id, prompt_id, user_id, request_id`.execute(db)
  return rows[0]
}

/** Returns a run of any workspace by its id. */
export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  return db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()
}

const LISTED = [
  'id',
  'workspace_id',
  'prompt_id',
  'prompt_version',
  'user_id',
  'key_id',
  'request_id',
  'state',
  'locale',
  'model',
  'credits_used',
  'input_tokens',
  'output_tokens',
  'billed_input',
  'billed_output',
  'estimated_at',
  'finish_reason',
  'code',
  'detail',
  'created_at',
  'ended_at',
] as const

export async function listRuns(
  db: Db,
  workspaceId: string,
  page: {
    limit: number
    after: Cursor | undefined
    promptId: string | undefined
    state: RunRow['state'] | undefined
  },
): Promise<ListedRun[]> {
  let query = db
    .selectFrom('runs')
    .select(LISTED)
    .select(({ eb }) => eb.case().when('inputs', 'is', null).then(0).else(1).end().as('has_inputs'))
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('created_at', page.after))
  if (page.promptId !== undefined) query = query.where('prompt_id', '=', page.promptId)
  if (page.state !== undefined) query = query.where('state', '=', page.state)
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}
