import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { ZodType } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { PoolName } from './rate-limits.ts'

export type Role = 'owner' | 'admin' | 'operator'
export const SCOPES = [
  'prompts:execute',
  'prompts:manage',
  'credits:read',
  'chat:message',
  'chat:manage',
  'webhooks:manage',
  'analytics:read',
] as const
export type Scope = (typeof SCOPES)[number]

/** The features of plans. */
export const FEATURES = ['prompts', 'bots', 'chatbot', 'social', 'memory'] as const
export type Feature = (typeof FEATURES)[number]

/**
 * The access rule of a route. `visitors` allows visitor tokens. `users` allows users' tokens and API
 * keys in these roles; a key with scopes needs `scope`, and `keys: false` refuses every key.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'installation' }
  | {
      kind: 'caller'
      visitors: boolean
      users: readonly Role[]
      keys: boolean
      /** `none`: only a key without scopes may call the route; of a list, one scope is enough. */
      scope: Scope | readonly Scope[] | 'none' | undefined
      /** Accepts a key in `X-API-Key` too. */
      keyHeader: boolean
      /** A feature that the workspace's plan must have, else 403 `not_in_plan`. */
      feature?: Feature
      /** Open to members of a suspended workspace too. */
      whileSuspended?: boolean
      /** The route needs a plan with API keys, else 403 `not_in_plan`. */
      needsApiKeyPlan?: boolean
    }

/** Public: without a token. */
export const PUBLIC: Access = { kind: 'public' }
/** The operator of the installation, with `OPERATOR_TOKEN`. */
export const INSTALLATION: Access = { kind: 'installation' }

const EVERY_ROLE = ['owner', 'admin', 'operator'] as const
const MANAGERS = ['owner', 'admin'] as const

/** A visitor, with a visitor token. */
export const VISITORS_ONLY: Access = {
  kind: 'caller',
  visitors: true,
  users: [],
  keys: false,
  scope: undefined,
  keyHeader: false,
}

/** Any member of the workspace, or a key with the scope. */
export function members(
  scope: Scope | readonly Scope[],
  options: { feature?: Feature; keyHeader?: boolean } = {},
): Access {
  return {
    kind: 'caller',
    visitors: false,
    users: EVERY_ROLE,
    keys: true,
    scope,
    keyHeader: false,
    ...options,
  }
}

/** Owners and admins, or a key with the scope. */
export function managers(
  scope: Scope,
  { keyHeader = false, ...options }: { keyHeader?: boolean; feature?: Feature } = {},
): Access {
  return {
    kind: 'caller',
    visitors: false,
    users: MANAGERS,
    keys: true,
    scope,
    keyHeader,
    ...options,
  }
}

/** Owners and admins in person; never a key. */
export const MANAGERS_ONLY: Access = {
  kind: 'caller',
  visitors: false,
  users: MANAGERS,
  keys: false,
  scope: undefined,
  keyHeader: false,
}

/** Owners in person; never a key. */
export const OWNERS_ONLY: Access = { ...MANAGERS_ONLY, users: ['owner'] }

/** Owners and admins of a plan with API keys. */
export const KEY_MANAGERS: Access = { ...MANAGERS_ONLY, needsApiKeyPlan: true }

/** Owners and admins, or a key without scopes. */
export const MANAGERS_OR_UNSCOPED_KEYS: Access = {
  kind: 'caller',
  visitors: false,
  users: MANAGERS,
  keys: true,
  scope: 'none',
  keyHeader: false,
}

/** Any member in person; never a key. */
export const PEOPLE_ONLY: Access = {
  kind: 'caller',
  visitors: false,
  users: EVERY_ROLE,
  keys: false,
  scope: undefined,
  keyHeader: false,
}

/** Any member of the workspace or any key, with any scopes. */
export const ANY_USER: Access = {
  kind: 'caller',
  visitors: false,
  users: EVERY_ROLE,
  keys: true,
  scope: undefined,
  keyHeader: false,
}

/** Returns the requirement of a route as words for a 403. */
export function describeRequirement(users: readonly Role[]): string {
  return users.length > 0 ? `one of the roles ${users.join(', ')}` : 'a visitor token'
}

/** A visitor of the tenant, or the members and keys of the workspace. */
export function visitorsAndMembers(scope: Scope): Access {
  return { kind: 'caller', visitors: true, users: EVERY_ROLE, keys: true, scope, keyHeader: false }
}

/** A visitor of the tenant, or owners and admins, or a key with the scope. */
export function visitorsAndManagers(scope: Scope): Access {
  return { kind: 'caller', visitors: true, users: MANAGERS, keys: true, scope, keyHeader: false }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** The rate limit pool of the route; `null` for none. */
    pool?: PoolName | null
    /** The fields beside the file of a form; for the API description alone. */
    form?: ZodType
    /** The events of a stream that the route answers with; for the API description alone. */
    events?: ZodType
    /** Describes a body that the route reads as bytes; for the API description alone. */
    rawBody?: string
    /** The route answers 304 to a current `If-None-Match`; for the API description alone. */
    isCached?: boolean
    /** `X-Request-Id` makes the route idempotent; for the API description alone. */
    isIdempotent?: boolean
    /** Error codes that access, pool and schema do not imply; for the API description alone. */
    mayFail?: readonly ErrorCode[]
  }
}

/** Public routes of plugins. */
const PLUGIN_ROUTES = ['/docs', '/assets/', '/panel/assets/']

/** Authenticates requests and counts them against rate limits. Throws 401, 403 or 429. */
export interface RequestAuthenticator {
  authenticate(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void>
  count(
    request: FastifyRequest,
    reply: FastifyReply,
    pool: PoolName | null | undefined,
  ): Promise<void>
}

/** The access of a route, and the pool in which its calls count. */
export interface RouteRule {
  access: Access
  pool: PoolName | null
}

/** Returns the rule of a route, such as `GET /api/v1/leads`. Throws for an unknown route. */
export type RouteRules = (route: string) => RouteRule

/**
 * Guards every route, and returns the rules of those that are registered later. Throws at the start
 * for a route without access, pool or schema.
 */
export function guardRoutes(app: FastifyInstance, gate: RequestAuthenticator): RouteRules {
  const rules = new Map<string, RouteRule>()
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.method === 'OPTIONS' || route.method === 'HEAD') return
    if (PLUGIN_ROUTES.some((prefix) => route.url.startsWith(prefix))) {
      route.config = { ...route.config, access: PUBLIC, pool: null }
      route.schema ??= { hide: true }
    }
    const { access, pool } = route.config ?? {}
    const missing = !access ? 'access' : pool === undefined ? 'limit pool' : 'schema'
    if (!access || pool === undefined || !route.schema) {
      throw new Error(`${String(route.method)} ${route.url} declares no ${missing}.`)
    }
    rules.set(`${String(route.method)} ${route.url}`, { access, pool })
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, pool } = request.routeOptions.config
    if (!access) return
    await gate.authenticate(request, reply, access)
    await gate.count(request, reply, pool)
  })
  return (route) => {
    const rule = rules.get(route)
    if (!rule) throw new Error(`There is no route ${route}.`)
    return rule
  }
}
