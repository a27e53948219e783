import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ProofOfWork } from '../chat/visitor/proof-of-work.ts'
import type { Context } from '../context.ts'
import { PUBLIC, type RouteRules } from '../http/access.ts'
import { clientNetwork } from '../http/addresses.ts'
import type { App } from '../http/app-type.ts'
import { rejectOrigin } from '../http/cross-origin.ts'
import { AppError } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { newId } from '../lib/ids.ts'
import type { Authenticator, VisitorCaller } from '../platform/auth/authenticator.ts'
import { type Tokens, VISITOR_TOKEN_SECONDS } from '../platform/auth/tokens.ts'
import { type TenantRow, findTenant, originsOf } from '../tenants/tenants.ts'
import { RpcBody, type RpcMessage, isInitialize, messagesOf } from './schema.ts'
import { type McpEndpoint, type McpOffer, isToolCall, sessionIdOf } from './serve.ts'
import { failureOf, resultOf, unknownTool } from './tool.ts'
import { PUBLIC_ASK } from './tools/ask.ts'
import { PUBLIC_SEARCH } from './tools/knowledge.ts'

export interface PublicMcpParts {
  gate: Authenticator
  rules: RouteRules
  tokens: Tokens
  limits: Limits
  challenges: ProofOfWork
}

const TOOLS = [PUBLIC_SEARCH, PUBLIC_ASK]
const TenantPath = z.object({ tenant_id: z.string().max(64) })

const speak = {
  // Each message counts in the visitors' pool of what it asks for.
  config: { access: PUBLIC, pool: null },
  schema: { hide: true, params: TenantPath, body: RpcBody },
} as const

/** Registers the endpoint of public sites, whose callers are visitors: the session's id is their token. */
export function publicMcpRoutes(
  app: App,
  ctx: Context,
  parts: PublicMcpParts & { endpoint: McpEndpoint },
): void {
  const { gate, rules, tokens, limits, challenges, endpoint } = parts
  const tenants = new WeakMap<FastifyRequest, TenantRow>()

  app.post(
    '/mcp/:tenant_id',
    {
      ...speak,
      preValidation: async (request, reply) => {
        const { tenant_id: tenantId } = TenantPath.parse(request.params)
        const tenant = await openSite(tenantId, request, reply)
        tenants.set(request, tenant)
        const messages = messagesOf(request.body)
        const known = await readSession(tenant, request, reply)
        request.caller = known ?? (await welcome(tenant, request, reply))
        if (known || messages.some(isToolCall)) {
          for (const message of messages) await gate.count(request, reply, poolOf(message))
        }
      },
    },
    async (request, reply) => {
      const { caller } = request
      const tenant = tenants.get(request)
      if (caller?.kind !== 'visitor' || !tenant) throw new Error('The call has no visitor.')
      if (isInitialize(request.body)) reply.header('mcp-session-id', await tokenOf(caller))
      const offer = offerTo(tenant, caller, request)
      return endpoint.answer(request, reply, { offer, subject: caller.id })
    },
  )

  /** Throws 404 for a site that is not public, 403 for an origin that the site does not list. */
  async function openSite(
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<TenantRow> {
    const tenant = await findTenant(ctx.db, id)
    if (!tenant || tenant.mcp !== 'public' || tenant.disabled_at !== null) {
      await limits.count('open', clientNetwork(request), reply)
      throw new AppError('not_found', 'No site is available over MCP at this address.')
    }
    await ctx.suspensions.assertActive(tenant.workspace_id)
    rejectOrigin(reply, originsOf(tenant), { isRequired: false })
    return tenant
  }

  /** Returns the visitor of a session. Throws 404 for one that has ended: the client begins another. */
  async function readSession(
    tenant: TenantRow,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<VisitorCaller | undefined> {
    const id = sessionIdOf(request)
    if (id === '') return undefined
    const claims = await tokens.read(id).catch(() => undefined)
    if (claims?.aud !== 'visitor' || claims.tenant !== tenant.id) {
      await limits.count('open', clientNetwork(request), reply)
      throw new AppError('not_found', 'This session has ended. Initialize another one.')
    }
    return visitorOf(tenant, claims.sub, claims.exp * 1_000)
  }

  /** Makes a visitor, within the limits that browsers have. Throws 429 and 403 `proof_required`. */
  async function welcome(
    tenant: TenantRow,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<VisitorCaller> {
    await limits.count('visitor-auth', `${tenant.id}:${clientNetwork(request)}`, reply)
    await challenges.admit(tenant, undefined)
    return visitorOf(tenant, newId('vis'), ctx.now() + VISITOR_TOKEN_SECONDS * 1_000)
  }

  function tokenOf({ id, workspaceId, tenantId }: VisitorCaller): Promise<string> {
    return tokens.forVisitor({ id, workspaceId, tenantId })
  }

  function poolOf(message: RpcMessage) {
    const tool = TOOLS.find(({ name }) => isToolCall(message) && name === message.params?.name)
    return tool ? rules(tool.route).pool : 'default'
  }

  function offerTo(tenant: TenantRow, caller: VisitorCaller, request: FastifyRequest): McpOffer {
    return {
      instructions: `Answers questions about ${tenant.name} from its documents.`,
      tools: TOOLS.map(({ description }) => description),
      async callTool(name, args, signal) {
        try {
          const tool = TOOLS.find((one) => one.name === name)
          if (!tool) throw unknownTool(name)
          return resultOf(await tool.call(ctx, { caller, request, signal }, args))
        } catch (error) {
          return failureOf(error, { ctx, request, signal })
        }
      },
    }
  }
}

function visitorOf(tenant: TenantRow, id: string, expiresAt: number): VisitorCaller {
  const { id: tenantId, workspace_id: workspaceId } = tenant
  return { kind: 'visitor', id, workspaceId, tenantId, expiresAt }
}
