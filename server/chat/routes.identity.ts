import { z } from 'zod'
import type { Context } from '../context.ts'
import { MANAGERS_ONLY, VISITORS_ONLY } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireCaller, requireMember } from '../platform/auth/authenticator.ts'
import { identify, decryptIdentitySecret, rotateIdentitySecret } from './visitor/identity.ts'
import { assertVisitorOrigin } from './routes.visitor.ts'
import { Identify, Identity, IdentitySecret } from './schema.ts'
import { openTenant } from './session/sessions.ts'
import { findTenant } from '../tenants/tenants.ts'

const TenantPath = z.object({ tenant_id: z.string().max(64) })
const forManagers = { access: MANAGERS_ONLY, pool: 'default' } as const

const say = {
  config: { access: VISITORS_ONLY, pool: 'default', mayFail: ['conflict'] },
  schema: {
    summary: 'Set the identity of the visitor',
    description:
      'Verified only with `token`: a JWT (HS256, the tenant’s identity secret, with `sub` and ' +
      '`exp`, and `name`, `email`, `phone` where known) that the site’s server has signed. A token ' +
      'with another `sub` than an earlier one is 409: the client becomes a new visitor first.',
    tags: ['Chat'],
    body: Identify,
    response: { 200: Identity },
  },
} as const

const show = {
  config: forManagers,
  schema: {
    summary: 'The secret with which the site’s server signs identity tokens',
    tags: ['Tenants'],
    params: TenantPath,
    response: { 200: IdentitySecret },
  },
} as const

const rotate = {
  config: forManagers,
  schema: { ...show.schema, summary: 'Replace the identity secret at once' },
} as const

/**
 * Registers the routes of a visitor's identity, and of the secret with which a site's server signs
 * it.
 */
export function identityRoutes(app: App, ctx: Context): void {
  app.post('/api/v1/chatbot/identify', say, async (request, reply) => {
    const caller = requireCaller(request)
    if (caller.kind !== 'visitor')
      throw new AppError('forbidden', 'Only a visitor token can call this route.')
    const tenant = await openTenant(ctx, caller, caller.tenantId)
    assertVisitorOrigin(request, reply, tenant)
    return identify(ctx, caller, tenant, request.body)
  })

  const place = '/api/v1/tenants/:tenant_id/identity-secret'
  app.get(place, show, async (request) => {
    const tenant = await loadOwnTenant(requireMember(request).workspaceId, request.params.tenant_id)
    return { tenant_id: tenant.id, identity_secret: decryptIdentitySecret(ctx, tenant) }
  })

  app.post(`${place}/rotate`, rotate, async (request) => {
    const tenant = await loadOwnTenant(requireMember(request).workspaceId, request.params.tenant_id)
    return {
      tenant_id: tenant.id,
      identity_secret: await rotateIdentitySecret(ctx, tenant, actorOf(request)),
    }
  })

  async function loadOwnTenant(workspaceId: string, tenantId: string) {
    const tenant = await findTenant(ctx.db, tenantId)
    assertOwned(tenant?.workspace_id, workspaceId, 'tenant')
    if (!tenant) throw new AppError('not_found', 'This tenant does not exist.')
    return tenant
  }
}
