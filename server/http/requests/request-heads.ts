import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '../../lib/ids.ts'
import { AppError } from '../errors.ts'

const VALID_ID = /^[\x21-\x7e]{1,128}$/

/** Options of Node's parser, whose own refusal has neither a request id nor a problem body. */
export const HTTP_PARSER_OPTIONS = { requireHostHeader: false } as const

/** Refuses a request without `Host` (RFC 9112, 3.2) as a problem, and accepts any `Expect`. */
export function checkRequestHeads(app: FastifyInstance): void {
  // A server may ignore an expectation (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw
    const isNameless = headers.host === undefined && httpVersion === '1.1'
    done(isNameless ? new AppError('malformed_request', 'Send a `Host` header.') : undefined)
  })
}

/** Returns the caller's `X-Request-Id` when the id is valid, else a new id. */
export function getRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && VALID_ID.test(given) ? given : newId('req')
}

/** Returns the id that the caller chose, which makes some routes idempotent. */
export function chosenRequestId(request: FastifyRequest): string | undefined {
  return request.headers['x-request-id'] === request.id ? request.id : undefined
}

/** Adds `X-Request-Id` to every response. */
export function addRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
}
