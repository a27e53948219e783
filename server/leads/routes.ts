import { z } from 'zod'
import { assertVisitorOrigin, visitorClient } from '../chat/routes.visitor.ts'
import { openSession, openTenant } from '../chat/session/sessions.ts'
import { findTenant } from '../tenants/tenants.ts'
import { type Context, transaction } from '../context.ts'
import { members, visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { sendCsv } from '../http/csv-download.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { pageSchema } from '../http/pagination.ts'
import { actorOf, recordAudit } from '../platform/audit/audit.ts'
import { type UserCaller, requireCaller, requireMember } from '../platform/auth/authenticator.ts'
import { findMemberName, findMemberOwner } from '../platform/members/store.ts'
import { findReplay, requestKeyOf } from '../platform/idempotency.ts'
import { correctLead, mergeLeads, submitLead } from './capture.ts'
import { exportLeads } from './export.ts'
import { CodeMailed, Lead, LeadPatch, ManagedLead, MergeLead, SubmitLead } from './schema.ts'
import { LeadsFilter, LeadsQuery, filterOf, readLeads } from './lead-list.ts'
import { serializeManagedLead } from './serialize.ts'
import { type OwnedLeadRow, deleteLead, findLead, findLeadWorkspace } from './store.ts'

const tags = ['Leads']
const Path = z.object({ lead_id: z.string().max(64) })
const config = { access: members('chat:manage'), pool: 'default' } as const

const submit = {
  config: { access: visitorsAndMembers('chat:message'), pool: 'default', isIdempotent: true },
  schema: {
    summary: 'Submit name, phone and e-mail; 202 if a code is mailed first',
    tags: ['Chat'],
    params: z.object({ session_id: z.string().max(64) }),
    body: SubmitLead,
    response: { 201: Lead, 202: CodeMailed },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List leads, newest first',
    tags,
    querystring: LeadsQuery,
    response: { 200: pageSchema(ManagedLead) },
  },
} as const

const asCsv = {
  config,
  schema: { summary: 'Leads as CSV', tags, querystring: LeadsFilter, produces: ['text/csv'] },
} as const

const read = {
  config,
  schema: { summary: 'One lead', tags, params: Path, response: { 200: ManagedLead } },
} as const

const change = {
  config,
  schema: {
    summary: 'Correct a lead, or change its status',
    tags,
    params: Path,
    body: LeadPatch,
    response: { 200: ManagedLead },
  },
} as const

const remove = {
  config,
  schema: { summary: 'Delete a lead', tags, params: Path, response: { 204: z.null() } },
} as const

const merge = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Merge another lead of the same site into this one; the other is removed',
    tags,
    params: Path,
    body: MergeLead,
    response: { 200: ManagedLead },
  },
} as const

/** Registers the contact form, and the management of leads. */
export function leadRoutes(app: App, ctx: Context): void {
  app.post('/api/v1/chatbot/sessions/:session_id/lead', submit, async (request, reply) => {
    const caller = requireCaller(request)
    const { session_id } = request.params
    const key = requestKeyOf(request, caller, `sessions/${session_id}/lead`, request.body)
    const replay = key && (await findReplay(ctx, key))
    if (replay !== undefined) {
      reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(Lead.parse(JSON.parse(replay)))
    }
    const session = await openSession(ctx, caller, session_id)
    const tenant = await openTenant(ctx, caller, session.tenant_id)
    assertVisitorOrigin(request, reply, tenant)
    const place = { tenant, session, client: visitorClient(request) }
    const result = await submitLead(ctx, place, { fields: request.body, key })
    if ('lead' in result) return reply.code(201).send(result.lead)
    return reply.code(202).send({ verification: 'email' as const, expires_in: result.expiresIn })
  })

  app.get('/api/v1/leads', list, async (request) =>
    readLeads(ctx, requireMember(request).workspaceId, request.query),
  )

  app.get('/api/v1/leads.csv', asCsv, async (request, reply) => {
    const { workspaceId } = requireMember(request)
    await transaction(ctx, (tx) =>
      recordAudit(tx, workspaceId, { actor: actorOf(request), action: 'leads.exported' }),
    )
    const lines = exportLeads(ctx, workspaceId, filterOf(request.query))
    return sendCsv(request, reply, { fileName: 'leads.csv', lines })
  })

  app.get('/api/v1/leads/:lead_id', read, async (request) =>
    serializeManagedLead(await openLead(request.params.lead_id, requireMember(request))),
  )

  app.patch('/api/v1/leads/:lead_id', change, async (request) => {
    const caller = requireMember(request)
    const row = await openLead(request.params.lead_id, caller)
    const tenant = await findTenant(ctx.db, row.tenant_id)
    if (!tenant) throw new AppError('not_found', 'The site of this lead was removed.')
    const { owner_id: ownerId } = request.body
    if (ownerId && !(await findMemberName(ctx.db, caller.workspaceId, ownerId))) {
      assertOwned(await findMemberOwner(ctx.db, ownerId), caller.workspaceId, 'member')
    }
    await transaction(ctx, async (tx) => {
      await correctLead(tx, row, { tenant, change: request.body })
      await recordAudit(tx, caller.workspaceId, {
        actor: actorOf(request),
        action: 'lead.changed',
        subject: { type: 'lead', id: row.id },
        details: { fields: Object.keys(request.body) },
      })
    })
    return serializeManagedLead(await openLead(row.id, caller))
  })

  app.delete('/api/v1/leads/:lead_id', remove, async (request, reply) => {
    const caller = requireMember(request)
    const row = await openLead(request.params.lead_id, caller)
    await transaction(ctx, async (tx) => {
      await deleteLead(tx.db, row)
      await recordAudit(tx, caller.workspaceId, {
        actor: actorOf(request),
        action: 'lead.deleted',
        subject: { type: 'lead', id: row.id },
      })
    })
    return reply.code(204).send(null)
  })

  app.post('/api/v1/leads/:lead_id/merge', merge, async (request) => {
    const caller = requireMember(request)
    const into = await openLead(request.params.lead_id, caller)
    const other = await openLead(request.body.lead_id, caller)
    await transaction(ctx, async (tx) => {
      await mergeLeads(tx, into, other)
      await recordAudit(tx, caller.workspaceId, {
        actor: actorOf(request),
        action: 'lead.merged',
        subject: { type: 'lead', id: into.id },
        details: { merged: other.id },
      })
    })
    return serializeManagedLead(await openLead(into.id, caller))
  })

  async function openLead(id: string, caller: UserCaller): Promise<OwnedLeadRow> {
    assertOwned(await findLeadWorkspace(ctx.db, id), caller.workspaceId, 'lead')
    const row = await findLead(ctx.db, caller.workspaceId, id)
    if (!row) throw new AppError('not_found', 'This lead does not exist.')
    return row
  }
}
