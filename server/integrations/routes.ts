import { z } from 'zod'
import { openTenant } from '../chat/session/sessions.ts'
import type { Context } from '../context.ts'
import { standardSecret } from '../lib/standard-webhooks.ts'
import { INSTALLATION, managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import type { Limits } from '../http/rate-limits.ts'
import { toPage } from '../lib/cursor.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import {
  addIntegration,
  billedWorkspaces,
  changeBilling,
  changeIntegration,
  openIntegration,
  removeIntegration,
  showIntegration,
} from './integrations.ts'
import {
  BillingChange,
  BillingIntegration,
  CreatedIntegration,
  Integration,
  IntegrationPatch,
  NewIntegration,
} from './schema.ts'
import { inboundEventRoutes } from './inbound/routes.events.ts'
import { hookRoutes } from './inbound/routes.hooks.ts'
import { outboundMessageRoutes } from './outbound/routes.ts'
import { postRoutes } from './posts/routes.posts.ts'
import { findIntegration, listIntegrations } from './store.ts'

const config = { access: managers('chat:manage'), pool: 'default' } as const
const tags = ['Integrations']
const IntegrationPath = z.object({ integration_id: z.string().max(64) })
const place = { tags, params: IntegrationPath }

const create = {
  config: { ...config, mayFail: ['not_found'] },
  schema: {
    summary: 'Connect a messaging app, a social account, a payment provider or your own program',
    description:
      'The `secret` is in this answer only: the verify token of whatsapp and meta, the secret token of ' +
      'telegram, the key of the signatures of generic, and of any kind whose own secret is not set.',
    tags,
    body: NewIntegration,
    response: { 201: CreatedIntegration },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List integrations, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(Integration) },
  },
} as const

const read = {
  config,
  schema: { ...place, summary: 'One integration', response: { 200: Integration } },
} as const

const change = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Change an integration; omitted settings stay',
    body: IntegrationPatch,
    response: { 200: Integration },
  },
} as const

const remove = {
  config,
  schema: {
    ...place,
    summary: 'Delete an integration; its conversations stay',
    response: { 204: z.null() },
  },
} as const

const bill = {
  config: { access: INSTALLATION, pool: null },
  schema: {
    ...place,
    summary: 'Allow the payments of an integration to change credits and plans',
    description:
      'Allowing it replaces every secret: the new `secret` is in this answer only. Any change of the ' +
      'integration by its workspace ends the permission. Payments reach the listed `workspaces`, or the ' +
      "integration's own.",
    body: BillingChange,
    response: { 200: BillingIntegration },
  },
} as const

/** The integrations of a workspace. */
export function integrationRoutes(app: App, ctx: Context, { limits }: { limits: Limits }): void {
  const base = '/api/v1/integrations'
  const one = `${base}/:integration_id` as const

  app.post(base, create, async (request, reply) => {
    const caller = requireMember(request)
    await openTenant(ctx, caller, request.body.tenant_id)
    const who = { workspaceId: caller.workspaceId, actor: actorOf(request) }
    const { row, secret } = await addIntegration(ctx, who, request.body)
    const standard = { standard_secret: standardSecret(secret) }
    return reply.code(201).send({ ...showIntegration(ctx, row), secret, ...standard })
  })

  app.get(base, list, async (request) => {
    const { limit, cursor } = request.query
    const { workspaceId } = requireMember(request)
    const rows = await listIntegrations(ctx.db, workspaceId, { limit, after: cursor })
    const placeOf = (row: { created_at: number; id: string }) => ({
      at: row.created_at,
      id: row.id,
    })
    return toPage(rows, limit, placeOf, (row) => showIntegration(ctx, row))
  })

  app.get(one, read, async (request) =>
    showIntegration(
      ctx,
      await openIntegration(ctx, requireMember(request).workspaceId, request.params.integration_id),
    ),
  )

  app.patch(one, change, async (request) => {
    const { workspaceId } = requireMember(request)
    const row = await openIntegration(ctx, workspaceId, request.params.integration_id)
    const edit = { row, actor: actorOf(request) }
    return showIntegration(ctx, await changeIntegration(ctx, edit, request.body))
  })

  app.delete(one, remove, async (request, reply) => {
    const { workspaceId } = requireMember(request)
    const row = await openIntegration(ctx, workspaceId, request.params.integration_id)
    await removeIntegration(ctx, { row, actor: actorOf(request) })
    return reply.code(204).send(null)
  })

  app.patch('/api/v1/operator/integrations/:integration_id', bill, async (request) => {
    const row = await findIntegration(ctx.db, request.params.integration_id)
    if (!row) throw new AppError('not_found', 'This integration does not exist.')
    const edit = { row, actor: actorOf(request) }
    const { row: changed, secret } = await changeBilling(ctx, edit, request.body)
    return {
      ...showIntegration(ctx, changed),
      workspaces: [...billedWorkspaces(changed)],
      ...(secret === undefined ? {} : { secret, standard_secret: standardSecret(secret) }),
    }
  })

  inboundEventRoutes(app, ctx)
  outboundMessageRoutes(app, ctx)
  hookRoutes(app, ctx, limits)
  postRoutes(app, ctx)
}
