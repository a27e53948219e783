import { z } from 'zod'
import type { Context } from '../../context.ts'
import { members } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { AppError, assertOwned } from '../../http/errors.ts'
import { PageQuery, pageSchema } from '../../http/pagination.ts'
import { requireMember } from '../../platform/auth/authenticator.ts'
import { loadTenant, TenantPath } from '../documents/load-tenant.ts'
import { UnansweredQuestion } from '../schema.ts'
import { readQuestions } from './question-list.ts'
import { deleteQuestion, findQuestionOwner } from './store.ts'

const config = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Knowledge']
const QuestionPath = TenantPath.extend({ question_id: z.string().max(64) })

const list = {
  config,
  schema: {
    summary: 'List unanswered questions, most frequent first',
    tags,
    params: TenantPath,
    querystring: PageQuery,
    response: { 200: pageSchema(UnansweredQuestion) },
  },
} as const

const remove = {
  config,
  schema: {
    summary: 'Remove a question from the list',
    tags,
    params: QuestionPath,
    response: { 204: z.null() },
  },
} as const

/** Routes of the questions that the bot could not answer. */
export function unansweredRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/tenants/:tenant_id/unanswered'

  app.get(base, list, async (request) => {
    const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    return readQuestions(ctx, tenant, request.query)
  })

  app.delete(`${base}/:question_id`, remove, async (request, reply) => {
    const { params } = request
    const { workspaceId, tenantId } = await loadTenant(
      ctx,
      requireMember(request),
      params.tenant_id,
    )
    const owner = await findQuestionOwner(ctx.db, params.question_id)
    assertOwned(owner?.workspace_id, workspaceId, 'question')
    if (owner?.tenant_id !== tenantId) {
      throw new AppError('not_found', 'This question does not exist at this tenant.')
    }
    await deleteQuestion(ctx.db, workspaceId, params.question_id)
    return reply.code(204).send(null)
  })
}
