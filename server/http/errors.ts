import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { newId } from '../lib/ids.ts'
import { sendErrorPage, wantsPage } from './error-page.ts'

/**
 * Reason phrases of HTTP statuses. An import statement reads every export of `node:http`, and with that
 * loads Node's own `fetch` and `WebSocket` at each start.
 */
export const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Every code of a problem answer, with its HTTP status. */
export const STATUS_OF = {
  malformed_request: 400,
  unauthenticated: 401,
  two_factor_required: 401,
  credits_exhausted: 402,
  credits_held: 402,
  plan_insufficient: 402,
  quota_exceeded: 402,
  not_in_plan: 403,
  forbidden: 403,
  ip_not_allowed: 403,
  scope_missing: 403,
  origin_not_allowed: 403,
  proof_required: 403,
  https_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_in_progress: 409,
  idempotency_conflict: 409,
  conflict: 409,
  model_required: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  price_missing: 500,
  model_failed: 502,
  unavailable: 503,
  overloaded: 503,
  model_timeout: 504,
} as const

export type ErrorCode = keyof typeof STATUS_OF

/**
 * The body of every error response (RFC 9457). Some codes add members, such as `required` on 402.
 */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

/** An invalid field: its JSON Pointer into the body, and the reason. */
export interface FieldError {
  path: string
  message: string
}

/** An error that the caller can act on: a code, a sentence, and further members of the problem. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly more: Record<string, unknown>
  readonly headers: Record<string, string>
  /** Whether the log has a line of the error already. */
  readonly isLogged: boolean

  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      more?: Record<string, unknown>
      headers?: Record<string, string>
      cause?: unknown
      isLogged?: boolean
    } = {},
  ) {
    super(detail, { cause: options.cause })
    this.code = code
    this.isLogged = options.isLogged ?? false
    this.more = options.more ?? {}
    this.headers = options.headers ?? {}
  }
}

/** Returns a 422 for fields that a schema cannot check, such as a phone number. */
export function invalidFields(errors: FieldError[]): AppError {
  return new AppError('validation_failed', 'Validation failed: see `errors` for each field.', {
    more: { errors },
  })
}

/** Converts a handler's error to the problem that the caller receives. */
export function toAppError(error: FastifyError | Error): AppError {
  if (error instanceof AppError) return error
  if ('validation' in error && Array.isArray(error.validation)) {
    return isTooLongForId(error, error.validation)
      ? new AppError('not_found', 'This address does not exist.')
      : fromValidation(error.validation)
  }
  const status = 'statusCode' in error ? error.statusCode : undefined
  // The plugin for static files refuses a path outside its folder with 403.
  if (status === 403 || status === 404) {
    return new AppError('not_found', 'This address does not exist.')
  }
  if (status === 413)
    return new AppError('payload_too_large', 'The body is larger than this route accepts.')
  if (status === 415) {
    return new AppError(
      'unsupported_media_type',
      'Send the body as `Content-Type: application/json`.',
    )
  }
  if (status === 400) {
    return new AppError(
      'malformed_request',
      'The request could not be read. Send valid JSON in UTF-8.',
    )
  }
  if (POOL_TIMEOUT.test(error.message)) {
    return new AppError('overloaded', 'The service is overloaded. Try again shortly.', {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }
  if (status === 503 || isStorageFault(error)) {
    return new AppError(
      'unavailable',
      'The service is temporarily unavailable. Try again shortly.',
      {
        headers: { 'retry-after': '5' },
        cause: error,
      },
    )
  }
  if ('code' in error && FOREIGN_KEY_VIOLATIONS.has(error.code)) {
    return new AppError('not_found', 'Another request removed the parent of this object.', {
      cause: error,
    })
  }
  return new AppError('internal', 'An internal error occurred and was logged. Try again later.', {
    cause: error,
  })
}

/** Foreign key violations: another call deleted the parent after the parent was found. */
const FOREIGN_KEY_VIOLATIONS = new Set(['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY'])
/**
 * The storage is unavailable: gone, full, read-only, out of memory or out of connections. By
 * the code of the system, of SQLite (with its extended codes), or of Postgres: the classes 08
 * (connection), 53 (resources) and 58 (system), 25006 (read-only), 57P01 to 57P05 (shutdown), and the
 * time limits of locks (55P03), of idle transactions (25P03) and of statements (57014).
 */
const STORAGE_FAULT =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOSPC|EDQUOT|EROFS|EIO|SQLITE_(?:FULL|IOERR|READONLY|NOMEM|CANTOPEN)(?:_\w+)?|(?:08|53|58)[0-9A-Z]{3}|25006|25P03|55P03|57014|57P0[1-5])$/
/** The message of `pg` where every connection stayed busy: the database itself answers. */
const POOL_TIMEOUT = /timeout exceeded when trying to connect/
const CONNECTION_FAULT =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error/

/** The time limits of locks and of statements, which a database that works has enforced. */
const TIME_LIMIT = /^(?:55P03|57014)$/

/** The error, and those that it was caused by. */
function* causesOf(error: unknown): Generator<Error> {
  for (let one = error; one instanceof Error; one = one.cause) yield one
}

function hasCode(error: Error, pattern: RegExp): boolean {
  return 'code' in error && typeof error.code === 'string' && pattern.test(error.code)
}

/** Whether the error, or one that it was caused by, is a time limit of the database. */
export function isTimeLimit(error: unknown): boolean {
  return causesOf(error).some((one) => hasCode(one, TIME_LIMIT))
}

/** Whether the error, or one that it was caused by, is a fault of the storage. */
export function isStorageFault(error: unknown): boolean {
  return causesOf(error).some(
    (one) => hasCode(one, STORAGE_FAULT) || CONNECTION_FAULT.test(one.message),
  )
}

interface Issue {
  instancePath?: string
  message?: string
  keyword?: string
  params?: { keys?: readonly string[] }
}

/** Returns whether a path parameter is longer than any id, which is a 404 like any unknown id. */
function isTooLongForId(error: Error, issues: readonly Issue[]): boolean {
  return (
    'validationContext' in error &&
    error.validationContext === 'params' &&
    issues.every(({ keyword }) => keyword === 'too_big')
  )
}

function fromValidation(issues: readonly Issue[]): AppError {
  return invalidFields(
    issues.flatMap((found) => {
      const path = found.instancePath === '/' ? '' : (found.instancePath ?? '')
      if (found.keyword === 'unrecognized_keys' && found.params?.keys) {
        return found.params.keys.map((key) => ({
          path: `${path}/${pointer(key)}`,
          message: 'is not a field of this request',
        }))
      }
      return [{ path, message: found.message ?? 'does not fit' }]
    }),
  )
}

/** Escapes a field name as a token of a JSON Pointer (RFC 6901). */
export function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the problem document of an error. */
export function problemOf(error: AppError, requestId: string): z.infer<typeof Problem> {
  const status = STATUS_OF[error.code]
  return {
    type: `urn:sohbet:problem:${error.code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...error.more,
  }
}

/** Logs an outage as a whole. */
interface OutageLog {
  /** Returns whether the error belongs to an outage, and needs no line of its own. */
  note(error: unknown): boolean
}

/** Installs the handler that sends every error as a problem. */
export function installErrorHandler(app: FastifyInstance, outage: OutageLog): void {
  app.setErrorHandler((error: Error, request, reply) => {
    logProblem(error, request, outage)
    return sendProblem(error, request, reply)
  })
}

/** Refuses a URL that Fastify cannot route, before any hook has run. */
export function rejectUnroutable(
  { code }: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const error =
    code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? new AppError('not_found', 'This address does not exist.')
      : new AppError('malformed_request', 'The address could not be read.')
  void sendProblem(error, request, reply.header('x-request-id', request.id))
}

/** Refuses bytes that are not HTTP, which never reach a hook, and closes the connection. */
export function rejectMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const id = newId('req')
  const problem = new AppError('malformed_request', 'The request is not valid HTTP.')
  const body = JSON.stringify(problemOf(problem, id))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Failures of the model provider, which are logged as warnings. */
const UPSTREAM: ReadonlySet<ErrorCode> = new Set(['model_failed', 'model_timeout'])

/** Logs errors of the service, and failures of the model provider as warnings. */
function logProblem(error: Error, { log }: FastifyRequest, outage: OutageLog): void {
  const { code, isLogged, message } = toAppError(error)
  if (UPSTREAM.has(code)) {
    log.warn({ event: 'http.upstream_failed', code }, message)
    return
  }
  // The shedder logs an overload once, not each refusal.
  if (STATUS_OF[code] < 500 || code === 'overloaded' || isLogged || outage.note(error)) return
  log.error({ event: 'http.request_failed', err: error }, message)
}

function sendProblem(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error)
  reply.code(STATUS_OF[known.code]).headers(known.headers)
  if (wantsPage(request)) return sendErrorPage(request, reply)
  return reply
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(problemOf(known, request.id))
}

/** Throws 404 for an unknown id, and 403 for an id of another workspace. */
export function assertOwned(owner: string | undefined, workspaceId: string, noun: string): void {
  if (owner === undefined) throw new AppError('not_found', `This ${noun} does not exist.`)
  if (owner !== workspaceId) {
    throw new AppError('forbidden', `This ${noun} belongs to another workspace.`)
  }
}
