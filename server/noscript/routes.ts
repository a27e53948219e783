import type { FastifyReply, FastifyRequest } from 'fastify'
import { markReadUpTo } from '../chat/session/read-receipts.ts'
import { findSession } from '../chat/session/store.ts'
import { isResumeLink } from '../chat/visitor/resume-links.ts'
import { serializeMessage } from '../chat/session/messages.ts'
import type { VisitorParts } from '../chat/routes.visitor.ts'
import { listNewestMessages } from './store.ts'
import { assignWorkspace } from '../storage/workspace-scope.ts'
import { type TenantRow, findTenant, isEnabled } from '../tenants/tenants.ts'
import type { Context } from '../context.ts'
import { PUBLIC } from '../http/access.ts'
import { clientNetwork } from '../http/addresses.ts'
import type { App } from '../http/app-type.ts'
import { parseForms } from '../http/requests/bodies.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { VisitorCaller } from '../platform/auth/authenticator.ts'
import { assertSameOrigin, isHttps } from '../platform/auth/cookies.ts'
import { VISITOR_TOKEN_SECONDS } from '../platform/auth/tokens.ts'
import { notFoundPage, noscriptPage } from './page.ts'
import { languageOf, sendPage } from './send-page.ts'
import { transcriptRoutes } from './routes.transcript.ts'
import { type Notice, NoscriptPath, NoscriptQuery, FormAction, ResumePath } from './schema.ts'
import { findConversation, handleAction } from './actions.ts'

const COOKIE = 'svc_chat'
/** Other sites' pages share nothing with each other; browsers send `Sec-Fetch-Dest` to secure origins. */
const FRAMED_COOKIE = { sameSite: 'none', secure: true, partitioned: true } as const
const MAX_FORM = 20_000
const config = { access: PUBLIC, pool: 'open' } as const
const show = {
  config,
  schema: { hide: true, params: NoscriptPath, querystring: NoscriptQuery },
} as const
/** The link grants access: no cache keeps it, and no page learns it. */
const LINK_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
const resume = { config, schema: { hide: true, params: ResumePath } } as const
const write = {
  config,
  schema: { hide: true, params: NoscriptPath, querystring: NoscriptQuery, body: FormAction },
} as const

/**
 * Registers the conversation as a page of plain HTML, for browsers without scripts, QR codes, mail
 * signatures, and frames on the site's own pages. An HttpOnly cookie, scoped to the page's path, holds
 * the visitor's token; in a frame without it the forms do.
 */
export function noscriptRoutes(
  app: App,
  ctx: Context,
  { tokens, limits, challenges }: VisitorParts,
): void {
  transcriptRoutes(app, ctx)
  void app.register(async (pages: App) => {
    parseForms(pages, MAX_FORM)

    pages.get('/chat/:tenant_id', show, async (request, reply) => {
      const tenant = await findSite(request.params.tenant_id)
      if (!tenant) return sendNotFound(reply, request)
      return send(reply, request, { tenant, caller: await findCaller(request, tenant) })
    })

    pages.get(
      '/chat/:tenant_id/resume/:session_id/:expires_at/:signature',
      resume,
      async (request, reply) => {
        const { tenant_id, session_id: id, expires_at, signature } = request.params
        const tenant = await findSite(tenant_id)
        const isSigned = isResumeLink(ctx, { id, expiresAt: Number(expires_at), signature })
        const session = isSigned ? await findSession(ctx.db, id) : undefined
        if (!tenant || session?.tenant_id !== tenant.id || session.visitor_id === null) {
          return sendNotFound(reply, request)
        }
        await setVisitor(request, reply, { tenant, id: session.visitor_id })
        const locale = encodeURIComponent(session.locale)
        return reply.headers(LINK_HEADERS).redirect(`/chat/${tenant.id}?locale=${locale}#new`, 303)
      },
    )

    pages.post('/chat/:tenant_id', write, async (request, reply) => {
      assertSameOrigin(ctx, request)
      const tenant = await findSite(request.params.tenant_id)
      if (!tenant) return sendNotFound(reply, request)
      const action = request.body
      const known = await findCaller(request, tenant, action.visitor)
      // A page without scripts cannot solve the proof of work that is required under load.
      if (!known && (await challenges.bitsFor(tenant)) > 0) {
        return send(reply, request, { tenant, caller: undefined, notice: 'wait', entries: action })
      }
      const caller = await admitVisitor(request, reply, { tenant, known })
      if (!caller)
        return send(reply, request, { tenant, caller: known, notice: 'wait', entries: action })
      const locale = localeOf(request, tenant)
      const visit = { tenant, caller, client: clientNetwork(request), locale }
      const { notice, wrong } = await handleAction(ctx, visit, action)
      const isKept = request.cookies[COOKIE] !== undefined || !isFramed(request)
      if (notice === undefined && isKept) {
        // Post, redirect, get: a reload must not submit the form again.
        return reply.redirect(`/chat/${tenant.id}?locale=${encodeURIComponent(locale)}#new`, 303)
      }
      // The form keeps its entries after a refusal only.
      const isTaken =
        notice === undefined || notice === 'thanks' || notice === 'unpaid' || notice === 'erased'
      const entries = isTaken ? {} : action
      return send(reply, request, { tenant, caller, notice, wrong, entries })
    })
  })

  const tokenOf = (tenant: TenantRow, id: string): Promise<string> =>
    tokens.forVisitor({ id, workspaceId: tenant.workspace_id, tenantId: tenant.id })

  async function findSite(tenantId: string): Promise<TenantRow | undefined> {
    const tenant = await findTenant(ctx.db, tenantId)
    if (!tenant || !isEnabled(tenant, 'widget')) return undefined
    assignWorkspace(tenant.workspace_id)
    return (await ctx.suspensions.has(tenant.workspace_id)) ? undefined : tenant
  }

  /** @returns the visitor, or undefined when a rate limit of the visitor or the address is reached */
  async function admitVisitor(
    request: FastifyRequest,
    reply: FastifyReply,
    { tenant, known }: { tenant: TenantRow; known: VisitorCaller | undefined },
  ): Promise<VisitorCaller | undefined> {
    try {
      const caller = known ?? (await issueVisitor(request, reply, tenant))
      await limits.count('visitor-address', `${tenant.id}:${clientNetwork(request)}`, reply)
      await limits.count('message', caller.id, reply)
      return caller
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error
      reply.headers(error.headers)
      return undefined
    }
  }

  async function findCaller(
    request: FastifyRequest,
    tenant: TenantRow,
    carried?: string,
  ): Promise<VisitorCaller | undefined> {
    const token = request.cookies[COOKIE] ?? carried
    if (!token) return undefined
    const claims = await tokens.read(token).catch(() => undefined)
    if (claims?.aud !== 'visitor' || claims.tenant !== tenant.id) return undefined
    return callerOf(tenant, claims.sub)
  }

  async function issueVisitor(
    request: FastifyRequest,
    reply: FastifyReply,
    tenant: TenantRow,
  ): Promise<VisitorCaller> {
    await limits.count('visitor-auth', `${tenant.id}:${clientNetwork(request)}`, reply)
    await challenges.admit(tenant, undefined)
    const caller = callerOf(tenant, newId('vis'))
    await setVisitor(request, reply, { tenant, id: caller.id })
    return caller
  }

  async function setVisitor(
    request: FastifyRequest,
    reply: FastifyReply,
    { tenant, id }: { tenant: TenantRow; id: string },
  ): Promise<void> {
    reply.setCookie(COOKIE, await tokenOf(tenant, id), {
      path: `/chat/${tenant.id}`,
      httpOnly: true,
      maxAge: VISITOR_TOKEN_SECONDS,
      ...(isFramed(request) ? FRAMED_COOKIE : { sameSite: 'lax', secure: isHttps(ctx) }),
    })
  }

  function callerOf(tenant: TenantRow, id: string): VisitorCaller {
    return {
      kind: 'visitor',
      id,
      workspaceId: tenant.workspace_id,
      tenantId: tenant.id,
      expiresAt: ctx.now() + VISITOR_TOKEN_SECONDS * 1_000,
    }
  }

  async function send(
    reply: FastifyReply,
    request: FastifyRequest,
    shown: {
      tenant: TenantRow
      caller: VisitorCaller | undefined
      notice?: Notice | undefined
      wrong?: readonly string[]
      entries?: Record<string, string | undefined>
    },
  ): Promise<FastifyReply> {
    const { tenant, caller, notice, wrong = [], entries = {} } = shown
    const session = caller && (await findConversation(ctx, caller))
    const messages = session ? await listNewestMessages(ctx.db, session) : []
    // The page shows all of it, so that nothing of it has to be mailed.
    if (session && messages.at(-1)?.role === 'operator') {
      await markReadUpTo(ctx, session, { reader: 'visitor', messageId: undefined })
    }
    const page = noscriptPage({
      tenant,
      locale: localeOf(request, tenant),
      messages: messages.map(serializeMessage),
      state: session ? session.state : 'bot',
      notice,
      wrong,
      entries,
      nextId: newId('req'),
      isFramed: isFramed(request),
      token:
        caller && isFramed(request) && request.cookies[COOKIE] === undefined
          ? await tokenOf(tenant, caller.id)
          : undefined,
    })
    return sendPage(reply, page, notice === 'wrong' ? 422 : notice === 'wait' ? 429 : 200)
  }
}

async function sendNotFound(reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
  const wanted =
    NoscriptQuery.parse(request.query).locale ?? request.headers['accept-language'] ?? ''
  return sendPage(reply, notFoundPage(languageOf(wanted)), 404)
}

/** Returns the locale of the URL, else the site's. */
function localeOf(request: FastifyRequest, tenant: TenantRow): string {
  const { locale } = NoscriptQuery.parse(request.query)
  return locale && /^[a-z]{2}(-[A-Z]{2})?$/.test(locale) ? locale : tenant.locale
}

function isFramed({ headers }: FastifyRequest): boolean {
  return ['iframe', 'frame'].includes(headers['sec-fetch-dest'] ?? '')
}
