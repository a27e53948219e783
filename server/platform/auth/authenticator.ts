import type { FastifyReply, FastifyRequest } from 'fastify'
import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import {
  type Access,
  type Role,
  SCOPES,
  type Scope,
  describeRequirement,
} from '../../http/access.ts'
import { clientAddress, clientBlock, clientNetwork, isListed } from '../../http/addresses.ts'
import { AppError } from '../../http/errors.ts'
import type { Limits, PoolName } from '../../http/rate-limits.ts'
import { isKey, parseKey } from './api-keys.ts'
import { CacheCounts } from '../../lib/instruments.ts'
import { assertSameOrigin, isSameOrigin, sessionCookie } from './cookies.ts'
import { touchLogin } from './login-sessions.ts'
import { assertOperator } from './operator-sessions.ts'
import type { Passwords } from './passwords.ts'
import { PLANS, type PlanId } from './plans.ts'
import { type KeyRow, type MemberAccess, findKey, findMemberAccess, touchKey } from './store.ts'
import { type Tokens, unauthenticated } from './tokens.ts'

/** A visitor of one tenant's chat. */
export interface VisitorCaller {
  kind: 'visitor'
  id: string
  workspaceId: string
  tenantId: string
  /** When the token ends, in milliseconds. */
  expiresAt: number
}

/** A member of a workspace, in person or by one of the keys. */
export interface UserCaller {
  kind: 'user' | 'key'
  /** The user's id; a key acts as its user. */
  id: string
  workspaceId: string
  role: Role
  plan: PlanId
  /** The workspace's language. */
  locale: string
  keyId: string | undefined
  /** The scopes of a key; `undefined` for a user, and for a key without restrictions. */
  scopes: readonly Scope[] | undefined
  /** The login behind a user's token; a key has none. */
  familyId: string | undefined
  /** When the user's token ends, in milliseconds. */
  expiresAt: number | undefined
}

export type Caller = VisitorCaller | UserCaller

export type CallerAccess = Extract<Access, { kind: 'caller' }>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

const MAX_CACHED_KEYS = 10_000
/** `last_used_at` is exact to a minute, so that a busy key does not write at each call. */
const TOUCH_INTERVAL_MS = 60_000

/** Authenticates tokens and keys, and counts each call in its route's rate limit pool. */
export class Authenticator {
  readonly #ctx: Context
  readonly #tokens: Tokens
  readonly #passwords: Passwords
  readonly #limits: Limits
  readonly #cache: CacheCounts
  readonly #salt = randomBytes(32).toString('hex')
  /** Keys that Argon2id has verified, by their salted digest, so that a busy key is not parsed again. */
  readonly #verifiedKeys = new Map<string, { publicId: string; secretHash: string }>()
  /** The hashes of their secrets: another secret of such a key is wrong. */
  readonly #verifiedHashes = new Set<string>()

  /** Requests of the panel: with the session cookie, from the same origin. */
  readonly #panelRequests = new WeakSet<FastifyRequest>()
  /** Verifications in progress, by the salted digest of the key. */
  readonly #verifications = new Map<string, Promise<boolean>>()

  constructor(ctx: Context, parts: { tokens: Tokens; passwords: Passwords; limits: Limits }) {
    this.#ctx = ctx
    this.#tokens = parts.tokens
    this.#passwords = parts.passwords
    this.#limits = parts.limits
    this.#cache = new CacheCounts().expose(ctx.metrics, 'api_key')
  }

  /** Authenticates the caller and checks the access; throws 401, 403 or 429, in this order. */
  async authenticate(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> {
    if (access.kind === 'public') return
    if (access.kind === 'installation') {
      const bearer = bearerOf(request)
      const call = { request, reply, ...(bearer === undefined ? {} : { bearer }) }
      return assertOperator(this.#ctx, this.#limits, call)
    }
    const caller = await this.#findCaller(request, reply, access)
    request.caller = caller
    if (!access.whileSuspended) await this.#ctx.suspensions.assertActive(caller.workspaceId)
    assertMayCall(caller, access)
  }

  /** Counts the call in a pool. Pools of users do not apply to Enterprise. */
  async count(
    request: FastifyRequest,
    reply: FastifyReply,
    pool: PoolName | null | undefined,
  ): Promise<void> {
    const { caller } = request
    // Hooks count after the check of the signature; a forged call must not use up a provider's limit.
    if (!pool || pool === 'hooks') return
    if (!caller) return this.#limits.count(pool, clientNetwork(request), reply)
    if (caller.kind === 'visitor') {
      const address = `${caller.tenantId}:${clientNetwork(request)}`
      const isMessage = pool === 'message'
      const ofAddress = isMessage ? 'visitor-address' : 'visitor-address-rest'
      await this.#limits.count(ofAddress, address, reply)
      return this.#limits.count(isMessage ? pool : 'visitor', caller.id, reply)
    }
    if (pool === 'message') return this.#limits.count(pool, subjectOf(caller), reply)
    if (!PLANS[caller.plan].isLimited) return
    const isPanel = pool === 'default' && this.#panelRequests.has(request)
    return this.#limits.count(isPanel ? 'panel' : pool, caller.id, reply)
  }

  async #findCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    access: CallerAccess,
  ): Promise<Caller> {
    const header = access.keyHeader ? request.headers['x-api-key'] : undefined
    const sent = typeof header === 'string' ? header : bearerOf(request)
    const token = sent ?? request.cookies[sessionCookie(this.#ctx)]
    const isCookie = sent === undefined
    if (!token) {
      throw unauthenticated(
        access.keyHeader
          ? 'Send an API key as `X-API-Key` or a token as `Authorization: Bearer`.'
          : 'Send a token as `Authorization: Bearer`.',
      )
    }
    if (isKey(token) && !isCookie) return this.#findKey(request, reply, { token, access })
    const claims = await this.#tokens.read(token).catch(async (error: unknown) => {
      // In the header of keys, a value that is neither key nor token is a guess at a key.
      if (header !== undefined) await this.#countGuess(request, reply)
      throw error
    })
    if (isCookie && claims.aud !== 'user') throw unauthenticated('The session is not valid.')
    if (claims.aud === 'visitor') {
      return {
        kind: 'visitor',
        id: claims.sub,
        workspaceId: claims.ws,
        tenantId: claims.tenant,
        expiresAt: claims.exp * 1_000,
      }
    }
    const rights = await findMemberAccess(this.#ctx.db, {
      userId: claims.sub,
      workspaceId: claims.ws,
      familyId: claims.fam,
      now: this.#ctx.now(),
    })
    if (!rights) throw unauthenticated('The session behind this token has ended. Sign in again.')
    if (isCookie) assertSameOrigin(this.#ctx, request)
    const { last_used_at: lastUsedAt, ...member } = rights
    const family = { id: claims.fam, workspaceId: claims.ws }
    await touchLogin(this.#ctx, family, { lastUsedAt, address: clientBlock(request) })
    if (isCookie && isSameOrigin(this.#ctx, request)) this.#panelRequests.add(request)
    return {
      kind: 'user',
      id: claims.sub,
      workspaceId: claims.ws,
      ...member,
      keyId: undefined,
      scopes: undefined,
      familyId: claims.fam,
      expiresAt: claims.exp * 1_000,
    }
  }

  async #findKey(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, access }: { token: string; access: CallerAccess },
  ): Promise<UserCaller> {
    const row = await this.#findVerified(token, reply)
    if (!row) {
      await this.#countGuess(request, reply)
      throw unauthenticated('The API key is not valid.')
    }
    const now = this.#ctx.now()
    if (row.expires_at !== null && row.expires_at <= now)
      throw unauthenticated('The API key has expired.')
    assertKeyAllowed(row, request, access)
    if (row.last_used_at === null || row.last_used_at < now - TOUCH_INTERVAL_MS) {
      await touchKey(this.#ctx.db, row.workspace_id, row.id, now)
    }
    return {
      kind: 'key',
      id: row.user_id,
      workspaceId: row.workspace_id,
      role: row.role,
      plan: row.plan,
      locale: row.locale,
      keyId: row.id,
      scopes: scopesOf(row),
      familyId: undefined,
      expiresAt: undefined,
    }
  }

  #countGuess(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.#limits.count('wrong-key', clientNetwork(request), reply)
  }

  /**
   * Returns the key's row if the secret is right: Argon2id once per key and process, then a digest.
   */
  async #findVerified(
    token: string,
    reply: FastifyReply,
  ): Promise<(KeyRow & MemberAccess) | undefined> {
    const digest = hash('sha256', this.#salt + token)
    const known = this.#verifiedKeys.get(digest)
    const publicId = known?.publicId ?? parseKey(token)?.publicId
    const row = publicId === undefined ? undefined : await findKey(this.#ctx.db, publicId)
    if (!row) return undefined
    const isVerified = this.#verifiedHashes.has(row.secret_hash)
    this.#cache[isVerified ? 'hits' : 'misses'].add()
    if (isVerified) return known?.secretHash === row.secret_hash ? row : undefined
    const secret = parseKey(token)?.secret
    if (secret === undefined) return undefined
    // Requests that arrive together share a verification, so that none of them counts as another.
    const running = this.#verifications.get(digest)
    const verification = running ?? this.#verify(row, secret, reply)
    if (!running) this.#verifications.set(digest, verification)
    const isRight = await verification.finally(() => this.#verifications.delete(digest))
    if (!isRight) return undefined
    if (this.#verifiedKeys.size >= MAX_CACHED_KEYS) {
      this.#verifiedKeys.clear()
      this.#verifiedHashes.clear()
    }
    this.#verifiedKeys.set(digest, { publicId: row.public_id, secretHash: row.secret_hash })
    this.#verifiedHashes.add(row.secret_hash)
    return row
  }

  /**
   * Returns whether Argon2id verifies the secret. Once an address has sent too many wrong keys, each
   * key is verified once a minute for the address: a right key is cached from then on, and strangers
   * behind the same address cannot keep the key out. Throws 429 for a further verification.
   */
  async #verify(row: KeyRow, secret: string, reply: FastifyReply): Promise<boolean> {
    const network = clientNetwork(reply.request)
    if (await this.#limits.isFull('wrong-key', network, reply.request)) {
      await this.#limits.count('key-verification', `${network}:${row.public_id}`, reply)
    }
    return this.#passwords.isRight(secret, row.secret_hash)
  }
}

const StoredList = z.array(z.string())
const StoredScopes = z.array(z.enum(SCOPES))

/** Returns the scopes of a key; `undefined` for a key with all rights of its user. */
export function scopesOf(row: Pick<KeyRow, 'scopes'>): Scope[] | undefined {
  return row.scopes === null ? undefined : StoredScopes.parse(JSON.parse(row.scopes))
}

/** Returns the addresses and networks that may use a key; `undefined` for any. */
export function allowlistOf(row: Pick<KeyRow, 'ip_allowlist'>): string[] | undefined {
  return row.ip_allowlist === null ? undefined : StoredList.parse(JSON.parse(row.ip_allowlist))
}

function assertKeyAllowed(
  row: KeyRow & MemberAccess,
  request: FastifyRequest,
  access: CallerAccess,
): void {
  if (!PLANS[row.plan].hasApiKeys) throw keysNotInPlan()
  const allowed = allowlistOf(row)
  if (allowed && !isListed(clientAddress(request), allowed)) {
    throw new AppError('ip_not_allowed', 'This key may not be used from this address.')
  }
  assertKeyScope(scopesOf(row), access)
}

/** Throws 403 where a route is not for keys, or a key lacks the scope. */
function assertKeyScope(scopes: readonly Scope[] | undefined, access: CallerAccess): void {
  if (!access.keys)
    throw new AppError('forbidden', 'API keys cannot call this route. Sign in as a user.')
  if (!scopes || !access.scope) return
  if (access.scope === 'none') {
    throw new AppError('scope_missing', 'This route needs an API key without scopes.')
  }
  const enough = [access.scope].flat()
  if (!enough.some((scope) => scopes.includes(scope))) {
    throw new AppError('scope_missing', `This key lacks the scope ${enough.join(' or ')}.`)
  }
}

/**
 * Throws 403 where the access rule of a route refuses a caller: by the kind of token, the scopes of a
 * key, the role, or the plan.
 */
export function assertMayCall(caller: Caller, access: CallerAccess): void {
  if (caller.kind === 'visitor') {
    if (!access.visitors)
      throw new AppError('forbidden', 'A visitor token can only call chat routes.')
    return
  }
  if (caller.kind === 'key') assertKeyScope(caller.scopes, access)
  if (!access.users.includes(caller.role)) {
    throw new AppError('forbidden', `This needs ${describeRequirement(access.users)}.`)
  }
  if (access.needsApiKeyPlan && !PLANS[caller.plan].hasApiKeys) throw keysNotInPlan()
  if (access.feature && !PLANS[caller.plan].features.includes(access.feature)) {
    throw new AppError(
      'not_in_plan',
      `The plan does not include ${access.feature}. Choose a higher plan.`,
    )
  }
}

function keysNotInPlan(): AppError {
  return new AppError('not_in_plan', 'API keys need a plan above Starter.')
}

/** Throws 401 for a duplicate header: Node reads the first, and a proxy may read the second. */
function bearerOf(request: FastifyRequest): string | undefined {
  if (countHeaders(request.raw.rawHeaders, 'authorization') > 1) {
    throw unauthenticated('Send one `Authorization` header.')
  }
  const match = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}

function countHeaders(names: readonly string[], wanted: string): number {
  let count = 0
  for (let at = 0; at < names.length; at += 2) {
    const name = names[at] ?? ''
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1
  }
  return count
}

/** Returns the token's subject: a visitor, a user, or the key itself. */
export function subjectOf(caller: Caller): string {
  return caller.kind === 'key' ? (caller.keyId ?? caller.id) : caller.id
}

/** Returns the caller of a route that is not public. Throws without a caller. */
export function requireCaller(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('The route declares no caller.')
  return request.caller
}

/** Returns the member of a route that visitors cannot call. Throws for a visitor. */
export function requireMember(request: FastifyRequest): UserCaller {
  const caller = requireCaller(request)
  if (caller.kind === 'visitor') throw new Error('The route is open to visitors.')
  return caller
}
