import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'

/** A person's access token, where a browser keeps it and no script can read it. */
export const SESSION_COOKIE = 'svc_session'
/** What the session is renewed with; sent to no other route. */
export const REFRESH_COOKIE = 'svc_refresh'
const REFRESH_PATH = '/api/v1/auth'
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Gives a browser its session: both cookies, out of reach of scripts and of other sites' posts. */
export function setCookies(
  ctx: Context,
  reply: FastifyReply,
  session: { accessToken: string; refreshToken: string; seconds: number; refreshSeconds: number },
): void {
  const kind = kindOf(ctx)
  reply.setCookie(SESSION_COOKIE, session.accessToken, {
    ...kind,
    path: '/',
    maxAge: session.seconds,
  })
  reply.setCookie(REFRESH_COOKIE, session.refreshToken, {
    ...kind,
    path: REFRESH_PATH,
    maxAge: session.refreshSeconds,
  })
}

/** Takes both cookies away again. */
export function clearCookies(ctx: Context, reply: FastifyReply): void {
  const kind = kindOf(ctx)
  reply.clearCookie(SESSION_COOKIE, { ...kind, path: '/' })
  reply.clearCookie(REFRESH_COOKIE, { ...kind, path: REFRESH_PATH })
}

/**
 * Throws 403 where a browser may have been made to send its cookie by another site: a call that
 * changes something must show, by what no page can forge, that it comes from our own origin.
 */
export function assertSameOrigin(ctx: Context, request: FastifyRequest): void {
  const { method, headers } = request
  if (SAFE_METHODS.has(method)) return
  const site = headers['sec-fetch-site']
  if (site === undefined ? isOwnOrigin(ctx, request) : site === 'same-origin') return
  throw new AppError(
    'forbidden',
    'A call with the session cookie must come from our own pages. Send a token as Bearer instead.',
  )
}

/**
 * Whether the page is one of `PUBLIC_URL` or of the address that it called, such as 127.0.0.1 where
 * links say localhost. A page can choose neither header, and has cookies of its own address alone.
 */
function isOwnOrigin({ config }: Context, { headers, protocol, host }: FastifyRequest): boolean {
  const { origin } = headers
  if (origin === undefined) return false
  const own = [
    `${protocol}://${host}`,
    ...(config.publicUrl ? [new URL(config.publicUrl).origin] : []),
  ]
  return own.includes(origin)
}

function kindOf({ config }: Context) {
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  return { httpOnly: true, sameSite: 'lax', secure: isHttps } as const
}
