import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '../lib/ids.ts'
import { AppError } from './errors.ts'

const USABLE = /^[\x21-\x7e]{1,128}$/

/** For the server's settings: Node's own refusal would have neither an id nor a body. */
export const HTTP_PARSER_OPTIONS = { requireHostHeader: false } as const

/** Judges by itself what Node would else refuse: no host (RFC 9112, 3.2), an unknown expectation. */
export function checkRequestHeads(app: FastifyInstance): void {
  // To go on as if nothing had been expected is allowed (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw
    const isNameless = headers.host === undefined && httpVersion === '1.1'
    done(isNameless ? new AppError('malformed_request', 'Send a `Host` header.') : undefined)
  })
}

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
