import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Context, type Transaction, transaction } from '../context.ts'
import { managers, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { actorOf, recordAudit } from '../platform/audit/audit.ts'
import type { AuditAction } from '../platform/schema.ts'
import { type UserCaller, requireMember } from '../platform/auth/authenticator.ts'
import { type WorkspaceRow, findWorkspace, getWorkspace } from '../platform/auth/store.ts'
import { Installation, NewTenant, Tenant, TenantPatch } from './schema.ts'
import { readInstallation } from './seen-origins.ts'
import { findMonthlyLimit } from '../credits/store.ts'
import { dailyCapOf } from './daily-cap.ts'
import {
  type TenantRow,
  addTenant,
  changeTenant,
  findTenant,
  listTenants,
  removeTenant,
  serializeTenant,
} from './tenants.ts'

const tags = ['Tenants']
const forManagers = { access: managers('chat:manage'), pool: 'default' } as const
const forMembers = { access: members('chat:manage'), pool: 'default' } as const
const TenantPath = z.object({ tenant_id: z.string().max(64) })

const create = {
  config: { ...forManagers, mayFail: ['conflict', 'quota_exceeded'] },
  schema: {
    summary: 'Create a tenant: a site that embeds the widget',
    tags,
    body: NewTenant,
    response: { 201: Tenant },
  },
} as const

const list = {
  config: forMembers,
  schema: {
    summary: 'List tenants, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(Tenant) },
  },
} as const

const read = {
  config: forMembers,
  schema: { summary: 'One tenant', tags, params: TenantPath, response: { 200: Tenant } },
} as const

const change = {
  config: { ...forManagers, mayFail: ['conflict'] },
  schema: {
    summary: 'Change a tenant',
    tags,
    params: TenantPath,
    body: TenantPatch,
    response: { 200: Tenant },
  },
} as const

const installation = {
  config: forMembers,
  schema: {
    summary: 'Get whether and where the tag of a tenant was seen',
    description: "From the widget's request for its config.",
    tags,
    params: TenantPath,
    response: { 200: Installation },
  },
} as const

const remove = {
  config: forManagers,
  schema: {
    summary: 'Remove a tenant with its knowledge and conversations',
    tags,
    params: TenantPath,
    response: { 204: z.null() },
  },
} as const

/** Registers the routes of a workspace's sites. */
export function tenantRoutes(app: App, ctx: Context): void {
  app.post('/api/v1/tenants', create, async (request, reply) => {
    const workspace = await findWorkspace(ctx.db, requireMember(request).workspaceId)
    if (!workspace) throw new Error('The caller has no workspace.')
    assertNotClosing(workspace)
    const row = await transaction(ctx, async (tx) => {
      const added = await addTenant(tx, workspace, request.body)
      await auditTenant(tx, request, { action: 'tenant.created', row: added })
      return added
    })
    return reply.code(201).send(await showTenant(row))
  })

  app.get('/api/v1/tenants', list, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listTenants(ctx.db, requireMember(request).workspaceId, {
      limit,
      after: cursor,
    })
    const monthlyLimit = await findMonthlyLimit(ctx.db, requireMember(request).workspaceId)
    const show = (row: TenantRow) => serializeTenant(row, dailyCapOf(row, monthlyLimit))
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), show)
  })

  app.get('/api/v1/tenants/:tenant_id', read, async (request) =>
    showTenant(await loadOwnTenant(ctx, requireMember(request), request.params.tenant_id)),
  )

  app.patch('/api/v1/tenants/:tenant_id', change, async (request) => {
    const row = await loadOwnTenant(ctx, requireMember(request), request.params.tenant_id)
    if (request.body.active) assertNotClosing(await getWorkspace(ctx.db, row.workspace_id))
    const changed = await transaction(ctx, async (tx) => {
      await auditTenant(tx, request, {
        action: 'tenant.changed',
        row,
        fields: Object.keys(request.body),
      })
      return changeTenant(tx, row, request.body)
    })
    return showTenant(changed)
  })

  app.get('/api/v1/tenants/:tenant_id/installation', installation, async (request) =>
    readInstallation(
      ctx,
      await loadOwnTenant(ctx, requireMember(request), request.params.tenant_id),
    ),
  )

  app.delete('/api/v1/tenants/:tenant_id', remove, async (request, reply) => {
    const row = await loadOwnTenant(ctx, requireMember(request), request.params.tenant_id)
    await transaction(ctx, async (tx) => {
      await removeTenant(tx, row)
      await auditTenant(tx, request, { action: 'tenant.removed', row })
    })
    return reply.code(204).send(null)
  })

  async function showTenant(row: TenantRow): Promise<Tenant> {
    const monthlyLimit = await findMonthlyLimit(ctx.db, row.workspace_id)
    return serializeTenant(row, dailyCapOf(row, monthlyLimit))
  }
}

/** Throws 409 for a closed workspace, whose sites are switched off until it is erased. */
function assertNotClosing({ closed_at }: WorkspaceRow): void {
  if (closed_at === null) return
  throw new AppError('conflict', 'This workspace is closed. Reopen it first.')
}

/** Records the names of the changed fields, never their values: some hold personal data. */
function auditTenant(
  tx: Transaction,
  request: FastifyRequest,
  { action, row, fields }: { action: AuditAction; row: TenantRow; fields?: string[] },
): Promise<void> {
  return recordAudit(tx, row.workspace_id, {
    actor: actorOf(request),
    action,
    subject: { type: 'tenant', id: row.id },
    details: fields ? { fields } : {},
  })
}

async function loadOwnTenant(
  ctx: Context,
  caller: UserCaller,
  tenantId: string,
): Promise<TenantRow> {
  const row = await findTenant(ctx.db, tenantId)
  assertOwned(row?.workspace_id, caller.workspaceId, 'tenant')
  if (!row) throw new Error('A tenant that is not there was not refused.')
  return row
}
