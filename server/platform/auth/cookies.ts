import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'

const REFRESH_PATH = '/api/v1/auth'
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns the name of the cookie with the access token. On HTTPS the prefix keeps other subdomains and
 * plain HTTP from setting the cookie.
 */
export function sessionCookie(ctx: Context): string {
  return isHttps(ctx) ? '__Host-svc_session' : 'svc_session'
}

/** Returns the name of the cookie with the refresh token, which only the auth routes receive. */
export function refreshCookie(ctx: Context): string {
  return isHttps(ctx) ? '__Secure-svc_refresh' : 'svc_refresh'
}

/** Sets both cookies: HttpOnly against scripts, SameSite against cross-site posts. */
export function setCookies(
  ctx: Context,
  reply: FastifyReply,
  session: { accessToken: string; refreshToken: string; seconds: number; refreshSeconds: number },
): void {
  const kind = kindOf(ctx)
  reply.setCookie(sessionCookie(ctx), session.accessToken, {
    ...kind,
    path: '/',
    maxAge: session.seconds,
  })
  reply.setCookie(refreshCookie(ctx), session.refreshToken, {
    ...kind,
    path: REFRESH_PATH,
    maxAge: session.refreshSeconds,
  })
}

/** Removes both cookies. */
export function clearCookies(ctx: Context, reply: FastifyReply): void {
  const kind = kindOf(ctx)
  reply.clearCookie(sessionCookie(ctx), { ...kind, path: '/' })
  reply.clearCookie(refreshCookie(ctx), { ...kind, path: REFRESH_PATH })
}

/**
 * Throws 403 for a possible cross-site request forgery: an unsafe method with the session cookie must
 * prove the same origin by a header that a page cannot forge.
 */
export function assertSameOrigin(ctx: Context, request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method) || isSameOrigin(ctx, request)) return
  throw new AppError(
    'forbidden',
    'The session cookie is accepted from pages of this origin only. Send a Bearer token instead.',
  )
}

/**
 * Returns whether the origin is that of `PUBLIC_URL` or of the requested host, for example 127.0.0.1
 * where links say localhost. A page can choose neither header, and has cookies of its own host alone.
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

/**
 * Returns whether `Sec-Fetch-Site`, or else `Origin`, proves that the request has the same origin.
 */
export function isSameOrigin(ctx: Context, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === undefined ? isOwnOrigin(ctx, request) : site === 'same-origin'
}

function kindOf(ctx: Context) {
  return { httpOnly: true, sameSite: 'lax', secure: isHttps(ctx) } as const
}

/** Returns whether browsers reach the installation over HTTPS. */
export function isHttps({ config }: Context): boolean {
  return config.publicUrl?.startsWith('https:') ?? false
}
