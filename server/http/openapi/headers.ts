import type { ErrorCode } from '../errors.ts'

/** The header components of the API description, by name without dashes. */
export const HEADERS = {
  XRequestId: {
    description: 'The id of the request, from the caller or generated; the logs have it too.',
    schema: { type: 'string' as const },
  },
  XRateLimitLimit: {
    description: 'Calls per window of 60 seconds. Omitted if no limit applies.',
    schema: { type: 'integer' as const },
  },
  XRateLimitRemaining: {
    description: 'Remaining calls in this window.',
    schema: { type: 'integer' as const },
  },
  XRateLimitReset: {
    description: 'Seconds until the window ends.',
    schema: { type: 'integer' as const },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer' as const },
  },
  IdempotentReplayed: {
    description: '`true` if the response is the stored one of an earlier call with the same id.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
}

export type HeaderRefs = Record<string, { $ref: string }>

/** Error codes with `Retry-After`. */
const WAIT: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'unavailable',
  'overloaded',
  'request_in_progress',
  'credits_held',
])
const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Returns the headers of a successful response. */
export function headersOf(route: { isLimited: boolean; isIdempotent: boolean }): HeaderRefs {
  return refsTo([
    'X-Request-Id',
    ...(route.isLimited ? LIMITS : []),
    ...(route.isIdempotent ? ['Idempotent-Replayed'] : []),
  ])
}

/** Returns the headers of a problem with one of these codes. */
export function headersOfProblem(codes: readonly ErrorCode[]): HeaderRefs {
  const isLimit = codes.includes('rate_limited')
  const mayWait = codes.some((code) => WAIT.has(code))
  return refsTo(['X-Request-Id', ...(isLimit ? LIMITS : []), ...(mayWait ? ['Retry-After'] : [])])
}

function refsTo(names: readonly string[]): HeaderRefs {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll('-', '')}` }]),
  )
}
