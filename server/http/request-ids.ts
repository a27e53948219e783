import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '../lib/ids.ts'

const USABLE = /^[\x21-\x7e]{1,128}$/

/** The caller's `X-Request-Id` when it fits, else a new id. */
export function getRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && USABLE.test(given) ? given : newId('req')
}

/** The id that the caller chose, which makes some routes idempotent; never a generated one. */
export function chosenRequestId(request: FastifyRequest): string | undefined {
  return request.headers['x-request-id'] === request.id ? request.id : undefined
}

/** Every answer carries its id. */
export function addRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
}
