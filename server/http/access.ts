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

/** What a plan can have (platform spec, "features"). */
export const FEATURES = ['prompts', 'bots', 'chatbot', 'social', 'memory'] as const
export type Feature = (typeof FEATURES)[number]

/**
 * Who may call a route. `visitors`: with a visitor token. `users`: with a user's token or an API
 * key, in one of these roles; a key with scopes needs `scope`, and `keys: false` refuses every key.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'installation' }
  | {
      kind: 'caller'
      visitors: boolean
      users: readonly Role[]
      keys: boolean
      /** `none`: no scope is enough, only a key that has no scopes at all. */
      scope: Scope | 'none' | undefined
      /** Whether a key may come as `X-API-Key` too. */
      keyHeader: boolean
      /** What the workspace's plan must have; 403 `not_in_plan` where it has not. */
      feature?: Feature
      /** The route is about API keys, which a plan may not have: 403 `not_in_plan` then. */
      needsApiKeyPlan?: boolean
    }

/** Anyone, without a token. */
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
export function members(scope: Scope, options: { feature?: Feature } = {}): Access {
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

/** The same for what there is to do with API keys: only where the plan has them. */
export const KEY_MANAGERS: Access = { ...MANAGERS_ONLY, needsApiKeyPlan: true }

/** Owners and admins, or a key that may do all that they may. */
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

/** Any member of the workspace or any of its keys, whatever its scopes. */
export const ANY_USER: Access = {
  kind: 'caller',
  visitors: false,
  users: EVERY_ROLE,
  keys: true,
  scope: undefined,
  keyHeader: false,
}

/** What a member needs for a route that is not for their role. */
export function describeRequirement(users: readonly Role[]): string {
  return users.length > 0 ? `one of the roles ${users.join(', ')}` : 'a visitor token'
}

/** A visitor of the tenant, or the workspace's own people and keys. */
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
    /** The limit pool that each call counts in; `null` for none. */
    pool?: PoolName | null
    /** The fields beside the file where a route takes a form too; only described by it. */
    form?: ZodType
    /** Whether `X-Request-Id` makes the same call twice one; only described by it. */
    isIdempotent?: boolean
    /** What it may refuse with beside what its access, pool and schema tell; only described by it. */
    mayFail?: readonly ErrorCode[]
  }
}

/** Pages and files that plugins serve to anyone. */
const PLUGIN_ROUTES = ['/docs', '/assets/']

/** Looks at the token of a request and throws the 401, 403 or 429 that it deserves. */
export interface Authenticator {
  authenticate(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void>
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** Refuses to start with a route that declares no access, pool or schema, and guards the others. */
export function guardRoutes(app: FastifyInstance, gate: Authenticator): void {
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
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (!access) return
    await gate.authenticate(request, reply, access)
    await gate.count(request, reply)
  })
}
