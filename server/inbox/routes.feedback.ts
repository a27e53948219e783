import { z } from 'zod'
import { parseCitations } from '../chat/session/stored-citations.ts'
import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { isoTime, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { type UserCaller, requireMember } from '../platform/auth/authenticator.ts'
import { findTenantOwner } from '../tenants/store.ts'
import { FeedbackQuery, RatedAnswer } from './schema.ts'
import { type RatedAnswerRow, listRatedAnswers, markHandled } from './store.feedback.ts'

const config = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Inbox']
const TenantPath = z.object({ tenant_id: z.string().max(64) })

const list = {
  config,
  schema: {
    tags,
    summary: 'List rated answers, newest first',
    params: TenantPath,
    querystring: FeedbackQuery,
    response: { 200: pageSchema(RatedAnswer) },
  },
} as const

const remove = {
  config,
  schema: {
    tags,
    summary: 'Remove a rated answer from the list',
    params: TenantPath.extend({ message_id: z.string().max(64) }),
    response: { 204: z.null() },
  },
} as const

/** Registers the routes of visitors' ratings of answers. */
export function feedbackRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/tenants/:tenant_id/feedback'

  app.get(base, list, async (request) => {
    const tenant = await openOwnTenant(ctx, requireMember(request), request.params.tenant_id)
    const { limit, cursor, rating } = request.query
    const rows = await listRatedAnswers(ctx.db, { ...tenant, rating }, { limit, after: cursor })
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeRatedAnswer)
  })

  app.delete(`${base}/:message_id`, remove, async (request, reply) => {
    const { tenant_id, message_id } = request.params
    const tenant = await openOwnTenant(ctx, requireMember(request), tenant_id)
    const isHandled = await markHandled(ctx.db, { ...tenant, messageId: message_id }, ctx.now())
    if (!isHandled) {
      throw new AppError('not_found', 'This tenant has no rating of this message.')
    }
    return reply.code(204).send(null)
  })
}

async function openOwnTenant(
  ctx: Context,
  { workspaceId }: UserCaller,
  tenantId: string,
): Promise<{ workspaceId: string; tenantId: string }> {
  assertOwned(await findTenantOwner(ctx.db, tenantId), workspaceId, 'tenant')
  return { workspaceId, tenantId }
}

function serializeRatedAnswer(row: RatedAnswerRow): RatedAnswer {
  return {
    message_id: row.id,
    session_id: row.session_id,
    rating: row.rating,
    question: row.question,
    answer: row.answer,
    citations: parseCitations(row.citations),
    comment: row.comment,
    created_at: isoTime(row.created_at),
  }
}
