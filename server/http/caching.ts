import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sets `no-store` on API responses, which are for their caller alone; a route can replace the
 * header.
 */
export function noStoreByDefault(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    done()
  })
}

const TAG_LENGTH = 22

/** Returns the `ETag` of a content. */
export function etagOf(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, TAG_LENGTH)}"`
}

/**
 * Returns whether `If-None-Match` has this ETag (RFC 9110, section 13.1.2), `*`, or the weak form that
 * a compressing proxy made of the ETag.
 */
export function isNotModified({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',') ?? []
  return known.some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}

/** Sends a 304 without a body. */
export function sendNotModified(reply: FastifyReply): FastifyReply {
  return reply.code(304).removeHeader('content-type').send()
}
