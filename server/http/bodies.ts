import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type FieldError, invalidFields, pointer } from './errors.ts'

/** Largest body of a route that says nothing else, in bytes. */
export const MAX_BODY = 256 * 1_024

/** More levels than any honest body has, and few enough for whoever walks down a body by recursion. */
const MAX_DEPTH = 100

const SUSPICIOUS = /\\u0000|\\u[dD][89a-fA-F]/

/**
 * Reads JSON strictly: UTF-8 without errors, no nesting without end, and no string with NUL or half a
 * surrogate pair, which neither database nor any receiver could keep. Nothing else is parsed.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  addParser(app, 'application/json')
  app.addHook('preValidation', (request, _reply, done) => {
    const hasNul = request.raw.url?.includes('%00') ?? false
    done(hasNul ? new AppError('malformed_request', 'The address contains NUL.') : undefined)
  })
}

/**
 * Reads `text/plain` as JSON too, for the routes of `scope`: so that a page that is being left can
 * report with `sendBeacon`, which asks for no permission for plain text.
 */
export function parsePlainJson(scope: FastifyInstance): void {
  addParser(scope, 'text/plain')
}

/** Reads the forms of pages that work without scripts, for the routes of `scope`; `most` is in bytes. */
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
      if (body.length === 0 && needsNoBody(request)) {
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

/** Some clients name the type of a body with every call, also where they send none. */
function needsNoBody({ routeOptions }: FastifyRequest): boolean {
  const body = routeOptions.schema?.body
  return body === undefined || (body instanceof z.ZodType && body.safeParse(undefined).success)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** Every string, names of fields included, with NUL or a lone surrogate, by JSON Pointer. */
function findMalformedText(body: unknown): FieldError[] {
  const bad: FieldError[] = []
  const waiting: { value: unknown; path: string }[] = [{ value: body, path: '' }]
  for (const { value, path } of waiting) {
    if (typeof value === 'string' && !isWellFormedText(value)) {
      bad.push({ path, message: 'contains NUL or half a surrogate pair' })
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!isWellFormedText(key)) bad.push({ path, message: 'has a field whose name is not text' })
      else waiting.push({ value: inner, path: `${path}/${pointer(key)}` })
    }
  }
  return bad
}

function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
