import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { clientNetwork } from '../../http/addresses.ts'
import { AppError } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import { digestOf, newToken } from '../../lib/one-time-token.ts'
import { assertSameOrigin, isHttps } from './cookies.ts'
import {
  deleteOldOperatorSessions,
  deleteOperatorSession,
  hasOperatorSession,
  insertOperatorSession,
} from './store.accounts.ts'
import { unauthenticated } from './tokens.ts'

const OPERATOR_SESSION_TTL_MS = 12 * HOUR_MS

/** Strict: no page of another origin opens a page of the operator signed in. */
const cookieOptions = (ctx: Context) =>
  ({ httpOnly: true, sameSite: 'strict', secure: isHttps(ctx), path: '/' }) as const

function operatorCookie(ctx: Context): string {
  return isHttps(ctx) ? '__Host-svc_operator' : 'svc_operator'
}

/** The tokens that are valid; two of them during a rotation, none without the setting. */
function operatorTokens({ config }: Context): string[] {
  const { operatorToken, operatorTokenPrevious } = config
  return [operatorToken, operatorTokenPrevious].filter((token) => token !== undefined)
}

/** The stored digest covers the token: without `OPERATOR_TOKEN_PREVIOUS` another one ends its sessions. */
function digestOfSession(cookie: string, operatorToken: string): string {
  return digestOf(`${cookie}.${operatorToken}`)
}

/**
 * Checks that the operator of the installation calls: with `OPERATOR_TOKEN` as Bearer, or with the
 * cookie of a session. Throws 404 without the setting, 401, 403 for a possible forgery, and 429 for
 * many wrong tokens of one address.
 */
export async function assertOperator(
  ctx: Context,
  limits: Limits,
  { request, reply, bearer }: { request: FastifyRequest; reply: FastifyReply; bearer?: string },
): Promise<void> {
  const tokens = operatorTokens(ctx)
  if (tokens.length === 0) throw new AppError('not_found', 'This address does not exist.')
  const cookie = bearer === undefined ? request.cookies[operatorCookie(ctx)] : undefined
  for (const token of cookie === undefined ? [] : tokens) {
    const digest = digestOfSession(cookie ?? '', token)
    if (await hasOperatorSession(ctx.db, digest, ctx.now())) return assertSameOrigin(ctx, request)
  }
  await assertOperatorToken(ctx, limits, { reply, token: bearer })
}

async function assertOperatorToken(
  ctx: Context,
  limits: Limits,
  { reply, token }: { reply: FastifyReply; token: string | undefined },
): Promise<string> {
  const tokens = operatorTokens(ctx)
  if (tokens.length === 0) throw new AppError('not_found', 'This address does not exist.')
  const valid = tokens.find((each) => constantTimeEqual(token, each))
  if (valid !== undefined) return valid
  await limits.count('wrong-operator-token', clientNetwork(reply.request), reply)
  throw unauthenticated('Send the operator token as Bearer.')
}

/** Trades the operator's token for a session, whose cookie is set. Throws 401, 404 and 429. */
export async function createOperatorSession(
  ctx: Context,
  limits: Limits,
  { reply, token }: { reply: FastifyReply; token: string },
): Promise<void> {
  const operatorToken = await assertOperatorToken(ctx, limits, { reply, token })
  const cookie = newToken()
  const now = ctx.now()
  await deleteOldOperatorSessions(ctx.db, now)
  await insertOperatorSession(ctx.db, {
    digest: digestOfSession(cookie, operatorToken),
    created_at: now,
    expires_at: now + OPERATOR_SESSION_TTL_MS,
  })
  ctx.log.info({ event: 'operator.signed_in' }, 'operator signed in')
  reply.setCookie(operatorCookie(ctx), cookie, {
    ...cookieOptions(ctx),
    maxAge: OPERATOR_SESSION_TTL_MS / 1_000,
  })
}

/** Ends the session of the request, if it has one, and removes its cookie. Idempotent. */
export async function endOperatorSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const cookie = request.cookies[operatorCookie(ctx)]
  for (const token of cookie === undefined ? [] : operatorTokens(ctx)) {
    await deleteOperatorSession(ctx.db, digestOfSession(cookie ?? '', token))
  }
  reply.clearCookie(operatorCookie(ctx), cookieOptions(ctx))
}
