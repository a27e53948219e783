import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, type FieldError, invalidFields } from './errors.ts'

/** Largest body of a route that says nothing else, in bytes. */
export const MAX_BODY = 256 * 1_024

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for digests. */
    rawBody: string
  }
}

const SUSPICIOUS = /\\u0000|\\u[dD][89a-fA-F]/

/**
 * Reads JSON strictly: UTF-8 without errors, and no string with NUL or half a surrogate pair, which
 * neither database nor any receiver could keep. Nothing else is parsed.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('rawBody', '')
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY },
    (request: FastifyRequest, body: Buffer, done) => {
      let text: string
      try {
        text = decoder.decode(body)
      } catch (cause) {
        done(
          new AppError('malformed_request', 'The body is not valid UTF-8.', { cause }),
          undefined,
        )
        return
      }
      request.rawBody = text
      void parse(request, text, (error, value) => {
        const bad = !error && SUSPICIOUS.test(text) ? findBadText(value, '') : []
        if (bad.length > 0) done(invalidFields(bad), undefined)
        else done(error, value)
      })
    },
  )
  app.addHook('preValidation', async (request) => {
    const { url } = request.raw
    if (url?.includes('%00')) throw new AppError('malformed_request', 'The address contains NUL.')
  })
}

/** Every string that contains NUL or a lone surrogate, by JSON Pointer. */
function findBadText(value: unknown, path: string): FieldError[] {
  if (typeof value === 'string') {
    return value.isWellFormed() && !value.includes('\0')
      ? []
      : [{ path, message: 'contains NUL or half a surrogate pair' }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    findBadText(inner, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}
