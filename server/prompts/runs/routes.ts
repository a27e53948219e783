import { z } from 'zod'
import type { Context } from '../../context.ts'
import { members } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { AppError, assertOwned } from '../../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../../http/pagination.ts'
import { toPage } from '../../lib/cursor.ts'
import { toCredits } from '../../lib/money.ts'
import { type UserCaller, requireMember } from '../../platform/auth/authenticator.ts'
import { Run, RunDetail } from '../schema.ts'
import { type ListedRun, findRun, listRuns } from './store.ts'

const config = { access: members('prompts:execute'), pool: 'default' } as const
const tags = ['Prompts']
const Inputs = RunDetail.shape.inputs

const list = {
  config,
  schema: {
    summary: 'Runs, newest first',
    tags,
    querystring: PageQuery.extend({
      prompt_id: z.string().max(64).optional(),
      state: z.enum(['running', 'done', 'failed']).optional(),
    }),
    response: { 200: pageSchema(Run) },
  },
} as const

const read = {
  config,
  schema: {
    summary: 'One run',
    tags,
    params: z.object({ run_id: z.string().max(64) }),
    response: { 200: RunDetail },
  },
} as const

/** The runs of a workspace. */
export function runRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/runs', list, async (request) => {
    const { limit, cursor, prompt_id: promptId, state } = request.query
    const page = { limit, after: cursor, promptId, state }
    const caller = requireMember(request)
    const rows = await listRuns(ctx.db, caller.workspaceId, page)
    const cursorOf = (row: ListedRun) => ({ at: row.created_at, id: row.id })
    return toPage(rows, limit, cursorOf, (row) => serializeRun(row, caller))
  })

  app.get('/api/v1/runs/:run_id', read, async (request) => {
    const row = await findRun(ctx.db, request.params.run_id)
    const caller = requireMember(request)
    assertOwned(row?.workspace_id, caller.workspaceId, 'run')
    if (!row) throw new AppError('not_found', 'This run does not exist.')
    const run = serializeRun({ ...row, has_inputs: row.inputs === null ? 0 : 1 }, caller)
    return {
      ...run,
      inputs: run.has_inputs ? Inputs.parse(JSON.parse(row.inputs ?? 'null')) : null,
    }
  })
}

/**
 * Returns whether a caller may read the inputs of a run: the user who ran it, owners and admins do. A
 * key reads those of its user.
 */
function mayReadInputs({ id, role, keyId }: UserCaller, run: ListedRun): boolean {
  return id === run.user_id || (keyId === undefined && role !== 'operator')
}

function usageOfRun(row: ListedRun): z.infer<typeof Run>['usage'] {
  const { input_tokens, output_tokens, billed_input, billed_output } = row
  if (input_tokens === null || output_tokens === null) return null
  if (billed_input === null || billed_output === null) return { input_tokens, output_tokens }
  return {
    input_tokens,
    output_tokens,
    billed: { input_tokens: billed_input, output_tokens: billed_output },
  }
}

function serializeRun(row: ListedRun, caller: UserCaller): z.infer<typeof Run> {
  const { code } = row
  return {
    run_id: row.id,
    prompt_id: row.prompt_id,
    prompt_version: row.prompt_version,
    user_id: row.user_id,
    key_id: row.key_id,
    request_id: row.request_id,
    state: row.state,
    locale: row.locale,
    model: row.model,
    credits_used: toCredits(row.credits_used ?? 0),
    usage: usageOfRun(row),
    usage_estimated: row.estimated_at !== null,
    finish_reason: row.finish_reason,
    error: code === null ? null : { code, detail: row.detail ?? '' },
    created_at: isoTime(row.created_at),
    duration_ms: row.ended_at === null ? null : Math.max(0, row.ended_at - row.created_at),
    has_inputs: row.has_inputs === 1 && mayReadInputs(caller, row),
  }
}
