import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Answers of the API are for their caller alone: no cache keeps them, unless a route says more. */
export function noStoreByDefault(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    done()
  })
}

const TAG_LENGTH = 22

/** The `ETag` of an answer with this content. */
export function etagOf(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, TAG_LENGTH)}"`
}

/**
 * Whether the reader has this version (RFC 9110, section 13.1.2): one of several, any at all, or one
 * that a compressing proxy on the way has called weak.
 */
export function isNotModified({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',') ?? []
  return known.some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}

/** Tells the reader that what they have is still so; nothing else is sent. */
export function sendNotModified(reply: FastifyReply): FastifyReply {
  return reply.code(304).removeHeader('content-type').send()
}
