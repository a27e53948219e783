import { z } from 'zod'
import type { Context } from '../../context.ts'
import { members } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { AppError, assertOwned } from '../../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../../http/pagination.ts'
import { toPage } from '../../lib/cursor.ts'
import { toCredits } from '../../lib/money.ts'
import { requireMember } from '../../platform/auth/authenticator.ts'
import { Run } from '../schema.ts'
import { type RunRow, findRun, listRuns } from './store.ts'

const config = { access: members('prompts:execute'), pool: 'default' } as const
const tags = ['Prompts']

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
    response: { 200: Run },
  },
} as const

/** The runs of a workspace. */
export function runRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/runs', list, async (request) => {
    const { limit, cursor, prompt_id: promptId, state } = request.query
    const page = { limit, after: cursor, promptId, state }
    const rows = await listRuns(ctx.db, requireMember(request).workspaceId, page)
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeRun)
  })

  app.get('/api/v1/runs/:run_id', read, async (request) => {
    const row = await findRun(ctx.db, request.params.run_id)
    assertOwned(row?.workspace_id, requireMember(request).workspaceId, 'run')
    if (!row) throw new AppError('not_found', 'This run does not exist.')
    return serializeRun(row)
  })
}

function usageOfRun(row: RunRow): z.infer<typeof Run>['usage'] {
  const { input_tokens, output_tokens, billed_input, billed_output } = row
  if (input_tokens === null || output_tokens === null) return null
  if (billed_input === null || billed_output === null) return { input_tokens, output_tokens }
  return {
    input_tokens,
    output_tokens,
    billed: { input_tokens: billed_input, output_tokens: billed_output },
  }
}

function serializeRun(row: RunRow): z.infer<typeof Run> {
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
  }
}
