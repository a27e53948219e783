import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { clientNetwork } from '../../http/addresses.ts'
import { rejectOrigin } from '../../http/cross-origin.ts'
import { AppError } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { assignWorkspace } from '../../storage/workspace-scope.ts'
import { type TenantRow, findTenant, isEnabled, originsOf } from '../../tenants/tenants.ts'

const Named = z.object({ tenant_id: z.string().max(64) })

/**
 * The tenants that the bodies of an anonymous route name. The limit is counted before the body is
 * validated, per tenant and client address; invented ids count together in the pool `open`, so that
 * they are limited and make no counters of their own.
 */
export class NamedTenants {
  readonly #ctx: Context
  readonly #limits: Limits
  readonly #pool: 'visitor-auth' | 'analytics'
  readonly #found = new WeakMap<FastifyRequest, TenantRow>()

  constructor(ctx: Context, limits: Limits, pool: 'visitor-auth' | 'analytics') {
    this.#ctx = ctx
    this.#limits = limits
    this.#pool = pool
  }

  /** Finds the tenant and counts the call; for `preValidation`. Throws 429. */
  async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { tenant_id: tenantId } = Named.safeParse(request.body).data ?? {}
    const tenant = tenantId === undefined ? undefined : await findTenant(this.#ctx.db, tenantId)
    const address = clientNetwork(request)
    if (!tenant) return this.#limits.count('open', address, reply)
    this.#found.set(request, tenant)
    await this.#limits.count(this.#pool, `${tenant.id}:${address}`, reply)
  }

  /**
   * Returns the tenant of a call that was counted. Throws 404 for an unknown tenant, 403 for an origin
   * that is not on its list, for a widget that is switched off, and for a suspended workspace.
   */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<TenantRow> {
    const tenant = this.#found.get(request)
    if (!tenant) throw new AppError('not_found', 'This tenant does not exist.')
    assignWorkspace(tenant.workspace_id)
    rejectOrigin(reply, originsOf(tenant), { isRequired: true })
    if (!isEnabled(tenant, 'widget')) {
      throw new AppError('forbidden', 'The chat of this site is switched off.')
    }
    await this.#ctx.suspensions.assertActive(tenant.workspace_id)
    return tenant
  }
}
