import { z } from 'zod'
import { openSession, openTenant } from '../chat/sessions.ts'
import { refuseVisitorOrigin } from '../chat/routes.visitor.ts'
import type { Context } from '../context.ts'
import { members, visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, refuseForeign } from '../http/errors.ts'
import { PageQuery, pageSchema } from '../http/pages.ts'
import { pageOf } from '../lib/cursor.ts'
import { callerOf, memberOf } from '../platform/callers.ts'
import { findReplay, requestKeyOf } from '../platform/idempotency.ts'
import { captureLead, showLead } from './capture.ts'
import { Lead, SubmitLead } from './schema.ts'
import { findLead, listLeads } from './store.ts'

const tags = ['Leads']

const submit = {
  config: { access: visitorsAndMembers('chat:message'), pool: 'default', isIdempotent: true },
  schema: {
    summary: 'Leave name, phone and e-mail',
    tags: ['Chat'],
    params: z.object({ session_id: z.string().max(64) }),
    body: SubmitLead,
    response: { 201: Lead },
  },
} as const

const list = {
  config: { access: members('chat:manage'), pool: 'default' },
  schema: {
    summary: 'List leads, new ones first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(Lead) },
  },
} as const

const read = {
  config: { access: members('chat:manage'), pool: 'default' },
  schema: {
    summary: 'One lead',
    tags,
    params: z.object({ lead_id: z.string().max(64) }),
    response: { 200: Lead },
  },
} as const

/** The contact form, and the leads that it made. */
export function leadRoutes(app: App, ctx: Context): void {
  app.post('/api/v1/chatbot/sessions/:session_id/lead', submit, async (request, reply) => {
    const caller = callerOf(request)
    const { session_id } = request.params
    const key = requestKeyOf(request, caller, `sessions/${session_id}/lead`, request.body)
    const replay = key && (await findReplay(ctx, key))
    if (replay !== undefined) {
      reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(Lead.parse(JSON.parse(replay)))
    }
    const session = await openSession(ctx, caller, session_id)
    const tenant = await openTenant(ctx, caller, session.tenant_id)
    refuseVisitorOrigin(request, reply, tenant)
    const lead = await captureLead(ctx, { tenant, session }, { fields: request.body, key })
    return reply.code(201).send(lead)
  })

  app.get('/api/v1/leads', list, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listLeads(ctx.db, memberOf(request).workspaceId, { limit, after: cursor })
    return pageOf(rows, limit, (row) => ({ at: row.captured_at, id: row.id }), showLead)
  })

  app.get('/api/v1/leads/:lead_id', read, async (request) => {
    const row = await findLead(ctx.db, request.params.lead_id)
    refuseForeign(row?.workspace_id, memberOf(request).workspaceId, 'lead')
    if (!row) throw new AppError('not_found', 'There is no such lead.')
    return showLead(row)
  })
}
