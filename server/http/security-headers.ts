import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { clientAddress, isListed } from './addresses.ts'
import { AppError } from './errors.ts'

// An import statement would load Node's own `fetch` too (see `STATUS_CODES` in errors.ts).
const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')

const LOOPBACK = ['127.0.0.0/8', '::1']
/** Load balancers check these without TLS. */
const HEALTH = '/health/'

/**
 * Adds Helmet's headers to every response. The headers are built once, because they never change; a
 * route can replace a header.
 */
export function addSecurityHeaders(app: FastifyInstance, options: HelmetOptions): void {
  const headers = headersOf(options)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

function headersOf(options: HelmetOptions): Record<string, string> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(options)(request, response, (error) => {
    if (error) throw new Error('The security headers cannot be made.', { cause: error })
  })
  const entries = Object.entries(response.getHeaders())
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

interface Installation {
  publicUrl: string | undefined
  trustedProxies: readonly string[]
}

/**
 * Refuses what a trusted proxy has received without TLS, where `PUBLIC_URL` is https: pages are
 * redirected, and calls get 403, so that a client that sends its token in the clear notices. Requests
 * from this machine are not affected.
 */
export function requireHttps(
  app: FastifyInstance,
  { publicUrl, trustedProxies }: Installation,
): void {
  if (!publicUrl?.startsWith('https:') || trustedProxies.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!isPlain(request, trustedProxies) || request.url.startsWith(HEALTH)) return
    const isPage = !request.url.startsWith('/api/') && /^(GET|HEAD)$/.test(request.method)
    if (isPage) return reply.redirect(publicUrl + request.url, 308)
    throw new AppError('https_required', `Use HTTPS: ${publicUrl}`)
  })
}

/** Whether a trusted proxy says that the client, which is not this machine, did not use TLS. */
function isPlain(request: FastifyRequest, trustedProxies: readonly string[]): boolean {
  const { 'x-forwarded-proto': said, 'x-forwarded-for': client } = request.headers
  if (said === undefined || request.protocol !== 'http') return false
  if (!isListed(request.socket.remoteAddress ?? '', trustedProxies)) return false
  return client === undefined || !isListed(clientAddress(request), LOOPBACK)
}
