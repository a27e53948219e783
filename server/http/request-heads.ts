import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

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
