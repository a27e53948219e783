import type { FastifyReply, FastifyRequest, preValidationAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { PUBLIC, visitorsAndMembers } from '../http/access.ts'
import { clientNetwork } from '../http/addresses.ts'
import type { App } from '../http/app-type.ts'
import { etagOf, isNotModified, sendNotModified } from '../http/caching.ts'
import { rejectOrigin } from '../http/cross-origin.ts'
import { AppError } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import { encodeCursor, toPage } from '../lib/cursor.ts'
import { newId } from '../lib/ids.ts'
import { requireCaller } from '../platform/auth/authenticator.ts'
import { type Tokens, VISITOR_TOKEN_SECONDS } from '../platform/auth/tokens.ts'
import type { VisitorActivity } from './visitor/activity.ts'
import { NamedTenants } from './visitor/named-tenants.ts'
import type { ProofOfWork } from './visitor/proof-of-work.ts'
import { serializeMessage } from './session/messages.ts'
import { HistoryMessage, NewSession, Session, VisitorAnswer, VisitorRequest } from './schema.ts'
import { SeenOrigins } from '../tenants/seen-origins.ts'
import { Locale, WidgetConfig } from '../tenants/schema.ts'
import { openSession, openTenant, serializeSession, startSession } from './session/sessions.ts'
import { listMessages, listSessions } from './session/store.ts'
import { type TenantRow, findTenant, originsOf, serializeWidgetConfig } from '../tenants/tenants.ts'

const tags = ['Chat']
const forVisitors = { access: visitorsAndMembers('chat:message'), pool: 'default' } as const
const SessionPath = z.object({ session_id: z.string().max(64) })
/** A changed theme shows within a minute; after that the ETag revalidates. */
const CONFIG_CACHE = 'public, max-age=60, stale-while-revalidate=600'

const visitor = {
  config: {
    access: PUBLIC,
    pool: null,
    mayFail: ['forbidden', 'not_found', 'origin_not_allowed', 'proof_required', 'rate_limited'],
  },
  schema: {
    summary: 'Create a visitor of a site, or renew its token',
    tags: ['Auth'],
    body: VisitorRequest,
    response: { 200: VisitorAnswer },
  },
} as const

const widgetConfig = {
  config: { access: PUBLIC, pool: null },
  schema: {
    summary: 'The settings of the widget',
    tags,
    params: z.object({ tenant_id: z.string().max(64) }),
    querystring: z.object({
      locale: Locale.optional()
        .catch(undefined)
        .describe("The locale of the texts; the site's by default, or if it is not a locale"),
    }),
    response: { 200: WidgetConfig, 304: z.null() },
  },
} as const

const create = {
  config: { ...forVisitors, mayFail: ['not_found'] },
  schema: {
    summary: 'Open a session without a message',
    tags,
    body: NewSession,
    response: { 201: Session },
  },
} as const

const list = {
  config: forVisitors,
  schema: {
    summary: "List the caller's own sessions, newest first",
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(Session) },
  },
} as const

const history = {
  config: forVisitors,
  schema: {
    summary: 'List the messages of a session, oldest first',
    tags,
    params: SessionPath,
    querystring: PageQuery,
    response: { 200: pageSchema(HistoryMessage) },
  },
} as const

export interface VisitorParts {
  tokens: Tokens
  limits: Limits
  challenges: ProofOfWork
}

/** Registers the widget's routes besides messages: token, config, sessions and history. */
export function visitorRoutes(
  app: App,
  ctx: Context,
  { tokens, limits, challenges }: VisitorParts,
  visitors: VisitorActivity,
): void {
  const seenOrigins = new SeenOrigins(ctx)
  const tenants = new NamedTenants(ctx, limits, 'visitor-auth')
  const countCall: preValidationAsyncHookHandler = (request, reply) => tenants.count(request, reply)

  app.post(
    '/api/v1/auth/visitor',
    { ...visitor, preValidation: countCall },
    async (request, reply) => {
      const { visitor_token, proof } = request.body
      const tenant = await tenants.open(request, reply)
      const known = await verifyVisitor(tokens, tenant, visitor_token)
      if (known === undefined) await challenges.admit(tenant, proof)
      const visitorId = known ?? newId('vis')
      return {
        access_token: await tokens.forVisitor({
          id: visitorId,
          workspaceId: tenant.workspace_id,
          tenantId: tenant.id,
        }),
        token_type: 'Bearer' as const,
        expires_in: VISITOR_TOKEN_SECONDS,
        visitor_id: visitorId,
      }
    },
  )

  app.get('/api/v1/widget/:tenant_id/config', widgetConfig, async (request, reply) => {
    const tenant = await findTenant(ctx.db, request.params.tenant_id)
    if (!tenant) {
      await limits.count('open', clientNetwork(request), reply)
      throw new AppError('not_found', 'This tenant does not exist.')
    }
    rejectOrigin(reply, originsOf(tenant), { isRequired: false })
    const isSuspended = await ctx.suspensions.has(tenant.workspace_id)
    const config = serializeWidgetConfig(tenant, request.query.locale)
    const shown = isSuspended ? { ...config, active: false } : config
    seenOrigins.note(tenant, request.headers)
    const etag = etagOf(JSON.stringify(shown))
    reply.headers({ etag, 'cache-control': CONFIG_CACHE })
    if (isNotModified(request, etag)) return sendNotModified(reply)
    return shown
  })

  app.post('/api/v1/chatbot/sessions', create, async (request, reply) => {
    const caller = requireCaller(request)
    const tenant = await openTenant(ctx, caller, request.body.tenant_id)
    assertVisitorOrigin(request, reply, tenant)
    const { locale, page_url } = request.body
    const session = await transaction(ctx, (tx) =>
      startSession(tx, tenant, { caller, locale, pageUrl: page_url }),
    )
    return reply.code(201).send(serializeSession(session))
  })

  app.get('/api/v1/chatbot/sessions', list, async (request, reply) => {
    const caller = requireCaller(request)
    await checkVisitorSite(ctx, request, reply)
    const { limit, cursor } = request.query
    const { workspaceId } = caller
    const rows = await listSessions(
      ctx.db,
      caller.kind === 'visitor'
        ? { workspaceId, visitorId: caller.id }
        : { workspaceId, userId: caller.id },
      { limit, after: cursor },
    )
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeSession)
  })

  app.get('/api/v1/chatbot/sessions/:session_id/messages', history, async (request, reply) => {
    await checkVisitorSite(ctx, request, reply)
    const caller = requireCaller(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    if (caller.kind === 'visitor') visitors.see(session.id)
    const { limit, cursor } = request.query
    const rows = await listMessages(
      ctx.db,
      { workspaceId: session.workspace_id, sessionId: session.id },
      { limit, after: cursor?.at ?? 0 },
    )
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      data: shown.map(serializeMessage),
      next_cursor:
        last && rows.length > limit ? encodeCursor({ at: last.sequence, id: last.id }) : null,
    }
  })
}

/**
 * Returns the key under which limits count the device of a visitor; `undefined` for members and keys,
 * which have limits of their own.
 */
export function visitorClient(request: FastifyRequest): string | undefined {
  return requireCaller(request).kind === 'visitor' ? clientNetwork(request) : undefined
}

/**
 * Throws 403 for a visitor's request from an origin that is not on the tenant's list. User tokens
 * and keys have no origin to check.
 */
export function assertVisitorOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRow,
): void {
  if (requireCaller(request).kind !== 'visitor') return
  rejectOrigin(reply, originsOf(tenant), { isRequired: false })
}

/** Like `assertVisitorOrigin`, for routes that have not read the tenant. */
export async function checkVisitorOrigin(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = requireCaller(request)
  if (caller.kind !== 'visitor' || request.headers.origin === undefined) return
  const tenant = await findTenant(ctx.db, caller.tenantId)
  if (tenant) assertVisitorOrigin(request, reply, tenant)
}

/** Like `checkVisitorOrigin`; throws 403, too, for a visitor of a site that is switched off. */
export async function checkVisitorSite(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = requireCaller(request)
  if (caller.kind !== 'visitor') return
  assertVisitorOrigin(request, reply, await openTenant(ctx, caller, caller.tenantId))
}

async function verifyVisitor(
  tokens: Tokens,
  tenant: TenantRow,
  token: string | undefined,
): Promise<string | undefined> {
  if (!token) return undefined
  try {
    const claims = await tokens.read(token)
    return claims.aud === 'visitor' && claims.tenant === tenant.id ? claims.sub : undefined
  } catch {
    return undefined
  }
}
