import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type FieldError, invalidFields, pointer } from '../errors.ts'

/** The default body limit in bytes. */
export const MAX_BODY = 256 * 1_024

/** More levels than a legitimate body has, and few enough for recursive functions. */
const MAX_DEPTH = 100

const SUSPICIOUS = /\\u0000|\\u[dD][89a-fA-F]/

/**
 * Parses JSON strictly: valid UTF-8, bounded nesting, and strings without NUL and lone surrogates, which
 * databases and receivers cannot store. Other media types are refused.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  addParser(app, 'application/json')
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (/^identity$/i.test(encoding)) done(null, payload)
    else done(new AppError('unsupported_media_type', 'Send the body without `Content-Encoding`.'))
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const hasNul = request.raw.url?.includes('%00') ?? false
    done(hasNul ? new AppError('malformed_request', 'The address contains NUL.') : undefined)
  })
}

/**
 * Parses `text/plain` as JSON too, for the routes of `scope`: `sendBeacon` sends plain text without a
 * preflight request while a page unloads.
 */
export function parsePlainJson(scope: FastifyInstance): void {
  addParser(scope, 'text/plain')
}

/** Parses the forms of pages without scripts, for the routes of `scope`; `max` is in bytes. */
export function parseForms(scope: FastifyInstance, max: number): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: max },
    (_request, body, done) => {
      const fields = Object.fromEntries(new URLSearchParams(String(body)))
      const isClean = !Object.values(fields).some((value) => value.includes('\0'))
      if (isClean) done(null, fields)
      else done(new AppError('malformed_request', 'A field contains NUL.'))
    },
  )
}

function addParser(app: FastifyInstance, type: 'application/json' | 'text/plain'): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  app.addContentTypeParser(
    type,
    { parseAs: 'buffer', bodyLimit: MAX_BODY },
    (request: FastifyRequest, body: Buffer, done) => {
      if (body.length === 0 && isBodyOptional(request)) {
        done(null, undefined)
        return
      }
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
      void parse(request, text, (error, value) => {
        if (!error && isDeeper(value, MAX_DEPTH)) {
          const message = `is nested more than ${MAX_DEPTH} levels deep`
          done(invalidFields([{ path: '', message }]), undefined)
          return
        }
        const bad = !error && SUSPICIOUS.test(text) ? findMalformedText(value) : []
        if (bad.length > 0) done(invalidFields(bad), undefined)
        else done(error, value)
      })
    },
  )
}

/** Returns whether the route accepts an empty body: some clients always send a content type. */
function isBodyOptional({ routeOptions }: FastifyRequest): boolean {
  const body = routeOptions.schema?.body
  return body === undefined || (body instanceof z.ZodType && body.safeParse(undefined).success)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** Returns every string, field names included, with NUL or a lone surrogate, by JSON Pointer. */
function findMalformedText(body: unknown): FieldError[] {
  const errors: FieldError[] = []
  const pending: { value: unknown; path: string }[] = [{ value: body, path: '' }]
  for (const { value, path } of pending) {
    if (typeof value === 'string' && !isWellFormedText(value)) {
      errors.push({ path, message: 'contains NUL or half a surrogate pair' })
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!isWellFormedText(key))
        errors.push({ path, message: 'has a field whose name is not text' })
      else pending.push({ value: inner, path: `${path}/${pointer(key)}` })
    }
  }
  return errors
}

function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
