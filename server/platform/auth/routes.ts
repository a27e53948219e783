import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Me } from '../../workspaces/schema.ts'
import { PEOPLE_ONLY, PUBLIC } from '../../http/access.ts'
import { clientBlock } from '../../http/addresses.ts'
import type { App } from '../../http/app-type.ts'
import { AppError } from '../../http/errors.ts'
import { actorOf } from '../audit/audit.ts'
import { requireMember } from './authenticator.ts'
import { assertSameOrigin, clearCookies, refreshCookie, setCookies } from './cookies.ts'
import { RefreshRequest, Renewed, TokenAnswer, TokenRequest } from '../schema.ts'
import { type LoginSession, revokeLogin, rotateRefreshToken } from './login-sessions.ts'
import { type SignInParts, signIn } from './sign-in.ts'
import { unauthenticated } from './tokens.ts'

export interface AuthParts extends SignInParts {
  /** Returns the body of `auth/me`, which the workspaces slice builds. */
  showMe: (ctx: Context, user: { id: string; workspaceId: string }) => Promise<z.infer<typeof Me>>
}

const signingIn = {
  access: PUBLIC,
  pool: 'auth',
  mayFail: ['unauthenticated', 'two_factor_required', 'forbidden'],
} as const

const token = {
  config: signingIn,
  schema: {
    summary: 'Exchange an e-mail and a password for tokens',
    tags: ['Auth'],
    body: TokenRequest,
    response: { 200: TokenAnswer },
  },
} as const

const login = {
  config: signingIn,
  schema: {
    summary: 'Sign in to the panel: the tokens come as cookies',
    tags: ['Auth'],
    body: TokenRequest,
    response: { 200: Me },
  },
} as const

const refresh = {
  config: { access: PUBLIC, pool: 'open', mayFail: ['forbidden', 'unauthenticated'] },
  schema: {
    summary: 'Exchange a refresh token, or the refresh cookie, for new tokens',
    tags: ['Auth'],
    body: RefreshRequest,
    response: { 200: z.union([TokenAnswer, Renewed]) },
  },
} as const

const logout = {
  config: { access: { ...PEOPLE_ONLY, whileSuspended: true }, pool: 'default' },
  schema: {
    summary: 'Sign out: every token of this login ends at once',
    tags: ['Auth'],
    response: { 204: z.null() },
  },
} as const

/** Registers the routes of login, token refresh and logout. */
export function authRoutes(app: App, ctx: Context, { showMe, ...parts }: AuthParts): void {
  app.post('/api/v1/auth/token', token, async (request, reply) => {
    const { session } = await signIn(ctx, parts, { ...request.body, way: 'token' }, reply)
    return serializeLogin(session)
  })

  app.post('/api/v1/auth/login', login, async (request, reply) => {
    const { session, user } = await signIn(ctx, parts, { ...request.body, way: 'panel' }, reply)
    const me = await showMe(ctx, { id: user.id, workspaceId: user.workspace_id })
    setCookies(ctx, reply, session)
    return me
  })

  app.post('/api/v1/auth/refresh', refresh, async (request, reply) => {
    const from = { address: clientBlock(request) }
    const given = request.body?.refresh_token
    if (given) return serializeLogin(await rotateRefreshToken(ctx, parts.tokens, given, from))
    const cookie = request.cookies[refreshCookie(ctx)]
    if (!cookie) throw unauthenticated('Send a refresh token, or the cookie that a login gave.')
    assertSameOrigin(ctx, request)
    return renewCookies(reply, cookie, from)
  })

  app.post('/api/v1/auth/logout', logout, async (request, reply) => {
    const { familyId, workspaceId } = requireMember(request)
    if (familyId) await revokeLogin(ctx, actorOf(request), { id: familyId, workspaceId })
    clearCookies(ctx, reply)
    return reply.code(204).send(null)
  })

  async function renewCookies(
    reply: FastifyReply,
    refreshToken: string,
    from: { address: string },
  ) {
    try {
      const session = await rotateRefreshToken(ctx, parts.tokens, refreshToken, from)
      setCookies(ctx, reply, session)
      return { expires_in: session.seconds }
    } catch (error) {
      const isOver = error instanceof AppError && error.code === 'unauthenticated'
      if (isOver) clearCookies(ctx, reply)
      throw error
    }
  }
}

function serializeLogin(session: LoginSession): TokenAnswer {
  return {
    access_token: session.accessToken,
    token_type: 'Bearer',
    expires_in: session.seconds,
    refresh_token: session.refreshToken,
  }
}
