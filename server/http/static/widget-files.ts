import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PUBLIC } from '../access.ts'
import type { App } from '../app-type.ts'
import { BUILT_WIDGET } from '../../lib/built-files.ts'
import { isNotModified, sendNotModified } from '../caching.ts'
import { readBuilt } from './built-file.ts'

const LOADER_CACHE = 'public, max-age=300, must-revalidate'
/** The strictest policy, which proves that the widget runs under any policy. */
const DEMO_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
const open = { access: PUBLIC, pool: null } as const
const cached = { ...open, isCached: true } as const

const loader = {
  config: cached,
  schema: { summary: "The widget's loader", tags: ['Widget'], produces: ['text/javascript'] },
} as const

const pinned = {
  config: cached,
  schema: {
    summary: "Immutable addresses of this version's loaders, with their integrity",
    tags: ['Widget'],
    produces: ['application/json'],
  },
} as const

/** Widgets whose JavaScript API has an adapter, each with its own loader. */
const ADAPTERS = ['intercom', 'crisp', 'chatwoot', 'tawk', 'zendesk']

const adapter = {
  config: cached,
  schema: {
    summary: 'The loader with the JavaScript API of another widget',
    tags: ['Widget'],
    produces: ['text/javascript'],
  },
} as const

const types = {
  config: cached,
  schema: {
    summary: "TypeScript declarations of the widget's JavaScript API",
    tags: ['Widget'],
    produces: ['application/typescript'],
  },
} as const

const demo = {
  config: open,
  schema: { summary: 'A shop page with the script tag', tags: ['Widget'], produces: ['text/html'] },
} as const

/**
 * Registers the widget's files: the loader, its immutable content-hashed assets, and the demo page.
 */
export async function widgetFileRoutes(app: App): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(BUILT_WIDGET, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    immutable: true,
    preCompressed: true,
    maxAge: '1y',
    setHeaders: (reply) => {
      reply.header('access-control-allow-origin', '*')
      reply.header('cross-origin-resource-policy', 'cross-origin')
      // Lets the owner of a page measure the widget's load time.
      reply.header('timing-allow-origin', '*')
    },
  })

  app.get('/widget.js', loader, async (request, reply) => sendLoader('widget.js', request, reply))

  for (const name of ADAPTERS) {
    app.get(`/adapters/${name}.js`, adapter, async (request, reply) =>
      sendLoader(`adapters/${name}.js`, request, reply),
    )
  }

  app.get('/widget.d.ts', types, async (request, reply) => {
    reply.type('application/typescript; charset=utf-8')
    return sendLoader('widget.d.ts', request, reply)
  })

  app.get('/widget.json', pinned, async (request, reply) => {
    const { bytes, etag, headers } = readBuilt(BUILT_WIDGET, 'widget.json', request)
    reply.headers({
      ...headers,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (isNotModified(request, etag)) return sendNotModified(reply)
    return reply.type('application/json; charset=utf-8').send(bytes)
  })

  app.get('/demo', demo, async (request, reply) => {
    const { bytes, etag, headers } = readBuilt(BUILT_WIDGET, 'demo.html', request)
    reply.headers({
      ...headers,
      'content-security-policy': DEMO_POLICY,
      'cache-control': 'no-cache',
    })
    if (isNotModified(request, etag)) return sendNotModified(reply)
    return reply.type('text/html; charset=utf-8').send(bytes)
  })
}

/** Sends a file with a stable URL, which is cached for a while and then revalidated. */
async function sendLoader(
  file: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { bytes, etag, headers } = readBuilt(BUILT_WIDGET, file, request)
  reply.headers({
    ...headers,
    'cache-control': LOADER_CACHE,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
  })
  if (isNotModified(request, etag)) return sendNotModified(reply)
  if (!reply.hasHeader('content-type')) reply.type('text/javascript; charset=utf-8')
  return reply.send(bytes)
}
