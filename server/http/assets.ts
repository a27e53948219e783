import { existsSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { PUBLIC } from './access.ts'
import type { App } from './app-type.ts'
import { AppError } from './errors.ts'

/** What `npm run build` makes. */
export const BUILT_WIDGET = join(import.meta.dirname, '../../dist/widget')
const LOADER_CACHE = 'public, max-age=300, must-revalidate'
const open = { access: PUBLIC, pool: null } as const

const loader = {
  config: open,
  schema: { summary: "The widget's loader", tags: ['Widget'], produces: ['text/javascript'] },
} as const

const demo = {
  config: open,
  schema: { summary: 'A shop page with the script tag', tags: ['Widget'], produces: ['text/html'] },
} as const

/** The widget's files: a loader that changes, everything behind it content-hashed for ever, a demo. */
export async function assetRoutes(app: App): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(BUILT_WIDGET, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    immutable: true,
    maxAge: '1y',
    setHeaders: (reply) => {
      reply.header('access-control-allow-origin', '*')
      reply.header('cross-origin-resource-policy', 'cross-origin')
    },
  })

  app.get('/widget.js', loader, async (request, reply) => {
    const { text, etag } = readBuilt('widget.js')
    reply.headers({
      etag,
      'cache-control': LOADER_CACHE,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('text/javascript; charset=utf-8').send(text)
  })

  app.get('/demo', demo, async (_request, reply) => {
    const { text } = readBuilt('demo.html')
    return reply.type('text/html; charset=utf-8').send(text)
  })
}

function readBuilt(file: string): { text: string; etag: string } {
  const path = join(BUILT_WIDGET, file)
  if (!existsSync(path))
    throw new AppError('not_found', 'The widget is not built. Run `npm run build`.')
  const text = readFileSync(path, 'utf8')
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}
