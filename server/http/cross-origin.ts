import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Routes that the widget calls from pages of other origins. All other routes are same-origin only.
 */
const OPEN_PATHS = [
  '/api/v1/chatbot/',
  '/api/v1/attachments/',
  '/api/v1/auth/visitor',
  '/api/v1/widget/',
  '/api/v1/analytics/events',
]
const EXPOSED = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Idempotent-Replayed',
]
/** The tenant is for proxies alone: the product never reads it. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'X-Request-Id',
  'Last-Event-ID',
  'X-Sohbet-Tenant',
]
const PREFLIGHT_SECONDS = 600

/** Sends CORS headers on visitor routes, without credentials and never for the origin `null`. */
export async function allowOrigins(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    hook: 'onRequest',
    delegator: (request, done) => {
      const isOpen = OPEN_PATHS.some((path) => request.url?.startsWith(path))
      const { origin = '' } = request.headers
      done(null, {
        origin: isOpen && origin !== '' && origin !== 'null' ? origin : false,
        methods: ['GET', 'POST', 'DELETE'],
        allowedHeaders: ALLOWED,
        exposedHeaders: EXPOSED,
        maxAge: PREFLIGHT_SECONDS,
        credentials: false,
      })
    },
  })
}

/**
 * Throws 403 for an origin that is not on the tenant's list. An empty list allows every origin. Pages
 * of the product are always allowed: the panel's preview shows the widget of every site.
 */
export function rejectOrigin(
  reply: FastifyReply,
  allowed: readonly string[],
  options: { isRequired: boolean },
): void {
  const { origin, 'sec-fetch-site': site } = reply.request.headers
  // Browsers set this header, and pages cannot.
  if (site === 'same-origin') return
  if (allowed.length === 0 && origin !== 'null') return
  if (origin === undefined ? !options.isRequired : allowed.includes(origin)) return
  reply.removeHeader('access-control-allow-origin')
  throw new AppError('origin_not_allowed', 'This page is not on the list of the site it asks for.')
}
