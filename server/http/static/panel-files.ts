import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BUILT_PANEL } from '../../lib/built-files.ts'
import { PUBLIC } from '../access.ts'
import type { App } from '../app-type.ts'
import { isNotModified, sendNotModified } from '../caching.ts'
import { readBuilt } from './built-file.ts'
import { panelPreloads } from './panel-preloads.ts'

/**
 * Nothing inline and no markup from text. Pictures may come from other sites, which the logos of
 * tenants and the pages of visitors do.
 */
const PANEL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The address of the service worker alone; markup and scripts from text stay impossible.
  'trusted-types panel-worker',
].join('; ')

/** The preview runs the widget, as a page of a customer does. */
const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const page = {
  config: { access: PUBLIC, pool: null },
  schema: { hide: true },
} as const

/**
 * Registers the panel: its immutable files, and its one page at every address below `/panel` that no
 * other route has.
 */
export async function panelFileRoutes(app: App): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(BUILT_PANEL, 'assets'),
    prefix: '/panel/assets/',
    decorateReply: false,
    immutable: true,
    preCompressed: true,
    maxAge: '1y',
  })
  app.get('/', page, async (_request, reply) => reply.redirect('/panel', 302))
  app.get('/panel', page, async (request, reply) =>
    sendPage(request, reply, 'index.html', PANEL_POLICY),
  )
  app.get('/panel/preview', page, async (request, reply) =>
    sendPage(request, reply, 'preview.html', PREVIEW_POLICY),
  )
  app.get('/panel/worker.js', page, async (request, reply) => {
    const { bytes, etag, headers } = readBuilt(BUILT_PANEL, 'worker.js', request)
    reply.headers({
      ...headers,
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-cache',
    })
    if (isNotModified(request, etag)) return sendNotModified(reply)
    return reply.type('text/javascript; charset=utf-8').send(bytes)
  })
  app.get('/panel/*', page, async (request, reply) =>
    sendPage(request, reply, 'index.html', PANEL_POLICY),
  )
}

/** Sends a page, never cached without asking. */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  file: string,
  policy: string,
): Promise<FastifyReply> {
  const { bytes, etag, headers } = readBuilt(BUILT_PANEL, file, request)
  reply.headers({
    ...headers,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-cache',
    ...(file === 'index.html' && isSignedIn(request)
      ? { link: panelPreloads(pathOf(request), request.headers['accept-language']) }
      : {}),
  })
  if (isNotModified(request, etag)) return sendNotModified(reply)
  return reply.type('text/html; charset=utf-8').send(bytes)
}

/** The address below `/panel`, without its query. */
function pathOf({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?')
  return path.replace(/^\/panel\/?/, '')
}

/** Whether the browser has the cookie of a login, valid or not. */
function isSignedIn({ headers }: FastifyRequest): boolean {
  return headers.cookie?.includes('svc_session=') ?? false
}
