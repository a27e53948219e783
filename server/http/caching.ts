import type { FastifyInstance } from 'fastify'

/** Answers of the API are for their caller alone: no cache keeps them, unless a route says more. */
export function keepPrivate(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
}
