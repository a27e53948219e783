import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { INSTALLATION, PUBLIC } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../http/pagination.ts'
import type { Limits } from '../http/rate-limits.ts'
import { toPage } from '../lib/cursor.ts'
import { actorOf, recordAudit } from '../platform/audit/audit.ts'
import { createOperatorSession, endOperatorSession } from '../platform/auth/operator-sessions.ts'
import { findDeliveryOwner } from '../delivery/queue/store.ts'
import { retryRuleDeadLetter } from '../rules/dead-letters.ts'
import { RetriedLetter } from '../rules/schema.ts'
import { readHealth } from './health.ts'
import {
  InstallationHealth,
  OperatorDeadLetter,
  OperatorIntegration,
  OperatorLogin,
  OperatorSubscription,
} from './schema.ts'
import { listAllDeadLetters, listAllIntegrations, listAllSubscriptions } from './store.ts'

const tags = ['Operator']
const config = { access: INSTALLATION, pool: null } as const

const signIn = {
  config: {
    access: PUBLIC,
    pool: 'open',
    mayFail: ['unauthenticated', 'not_found', 'rate_limited'],
  },
  schema: {
    summary: "Exchange the operator's token for a session cookie, valid for 12 hours",
    tags,
    body: OperatorLogin,
    response: { 204: z.null() },
  },
} as const

const signOut = {
  config: { ...config, mayFail: ['forbidden'] },
  schema: { summary: "End the operator's session", tags, response: { 204: z.null() } },
} as const

const letters = {
  config,
  schema: {
    summary: 'Dead letters of every workspace, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(OperatorDeadLetter) },
  },
} as const

const retry = {
  config: { ...config, mayFail: ['conflict', 'forbidden'] },
  schema: {
    summary: 'Send a dead letter of any workspace again under the same id',
    tags,
    params: z.object({ wh_id: z.string().max(64) }),
    response: { 202: RetriedLetter },
  },
} as const

const subscriptions = {
  config,
  schema: {
    summary: 'Webhook subscriptions of every workspace, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(OperatorSubscription) },
  },
} as const

const integrations = {
  config,
  schema: {
    summary: 'Integrations of every workspace, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(OperatorIntegration) },
  },
} as const

const health = {
  config,
  schema: {
    summary: 'Versions, queues and checks of the installation',
    tags,
    response: { 200: InstallationHealth },
  },
} as const

/** Routes for the operator of the installation, over all workspaces. */
export function installationRoutes(
  app: App,
  ctx: Context,
  { limits, version }: { limits: Limits; version: string },
): void {
  const base = '/api/v1/operator'
  const byCreation = (row: { created_at: number; id: string }) => ({
    at: row.created_at,
    id: row.id,
  })

  app.post(`${base}/session`, signIn, async (request, reply) => {
    await createOperatorSession(ctx, limits, { reply, token: request.body.token })
    return reply.code(204).send(null)
  })

  app.delete(`${base}/session`, signOut, async (request, reply) => {
    await endOperatorSession(ctx, request, reply)
    return reply.code(204).send(null)
  })

  app.get(`${base}/dead-letters`, letters, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listAllDeadLetters(ctx.db, ctx.now(), { limit, after: cursor })
    return toPage(
      rows,
      limit,
      (row) => ({ at: row.died_at, id: row.id }),
      (row) => ({
        webhook_id: row.id,
        ws_id: row.workspace_id,
        workspace: row.workspace,
        rule_id: row.endpoint_id,
        url: row.url,
        event: row.event,
        attempts: row.attempts,
        created_at: isoTime(row.created_at),
        died_at: isoTime(row.died_at),
        expires_at: isoTime(row.expires_at),
      }),
    )
  })

  app.post(`${base}/dead-letters/:wh_id/retry`, retry, async (request, reply) => {
    const { wh_id: id } = request.params
    const owner = await findDeliveryOwner(ctx.db, 'chat', id)
    if (!owner) throw new AppError('not_found', 'This delivery does not exist.')
    const workspaceId = owner.workspace_id
    await transaction(ctx, async (tx) => {
      await retryRuleDeadLetter(tx, { id, workspaceId, ruleId: owner.endpoint_id })
      await recordAudit(tx, workspaceId, {
        actor: actorOf(request),
        action: 'dead_letter.retried',
        subject: { type: 'delivery', id },
      })
    })
    return reply.code(202).send({ ok: true, webhook_id: id })
  })

  app.get(`${base}/subscriptions`, subscriptions, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listAllSubscriptions(ctx.db, { limit, after: cursor })
    return toPage(rows, limit, byCreation, (row) => ({
      id: row.id,
      ws_id: row.workspace_id,
      workspace: row.workspace,
      url: row.url,
      active: row.switched_off_at === null,
      state: row.disabled_at === null ? ('active' as const) : ('disabled' as const),
      disabled_reason: row.disabled_reason,
      disabled_at: row.disabled_at === null ? null : isoTime(row.disabled_at),
      created_at: isoTime(row.created_at),
    }))
  })

  app.get(`${base}/integrations`, integrations, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listAllIntegrations(ctx.db, { limit, after: cursor })
    return toPage(rows, limit, byCreation, (row) => ({
      integration_id: row.id,
      ws_id: row.workspace_id,
      workspace: row.workspace,
      kind: row.kind,
      tenant_id: row.tenant_id,
      name: row.name,
      active: row.disabled_at === null,
      billing: row.billing_at !== null,
      created_at: isoTime(row.created_at),
    }))
  })

  app.get(`${base}/health`, health, async () => readHealth(ctx, version))
}
