import type { Access } from '../access.ts'
import { type HeaderRefs, headersOfProblem } from './headers.ts'
import { type ErrorCode, STATUS_OF } from '../errors.ts'

/** The declarations of a route that imply error codes. */
interface RouteDeclaration {
  access: Access
  isLimited: boolean
  hasBody: boolean
  hasParams: boolean
  hasQuery: boolean
  isIdempotent: boolean
  /** Error codes that the other declarations do not imply. */
  mayFail: readonly ErrorCode[]
}

/** The schema of a problem, the component `Problem`. */
export const PROBLEM_SCHEMA = {
  type: 'object' as const,
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' as const },
    title: { type: 'string' as const },
    status: { type: 'integer' as const },
    detail: { type: 'string' as const },
    code: { type: 'string' as const, enum: Object.keys(STATUS_OF) },
    request_id: { type: 'string' as const },
    errors: {
      type: 'array' as const,
      description: 'On 422: each invalid field, by JSON Pointer into the body.',
      items: {
        type: 'object' as const,
        required: ['path', 'message'],
        properties: { path: { type: 'string' as const }, message: { type: 'string' as const } },
      },
    },
    required: {
      type: 'number' as const,
      description: 'On 402: the credits that the call needs.',
    },
    remaining: { type: 'number' as const, description: 'On 402: the credits that are left.' },
    reset_at: {
      type: 'string' as const,
      format: 'date-time',
      description: 'On 402: when credits are granted again.',
    },
    required_plan: {
      type: 'string' as const,
      description: 'On 402: the lowest plan that includes this.',
    },
    session_id: {
      type: 'string' as const,
      description: 'On 402: the conversation in which the message is stored.',
    },
  },
}

/** A response object of OpenAPI. */
export interface ProblemResponse {
  description: string
  headers: HeaderRefs
  content: Record<string, { schema: { $ref: string } }>
}

/** Problem responses by their names, which routes refer to. */
export type ProblemResponses = Record<string, ProblemResponse>

/**
 * Returns references to the problem responses of a route, by status; the responses are added to
 * `components`, named after their codes.
 */
export function describeProblems(
  route: RouteDeclaration,
  components: ProblemResponses,
): Record<string, { $ref: string }> {
  const byStatus = Map.groupBy(new Set(codesOf(route)), (code) => STATUS_OF[code])
  const answers = [...byStatus].map(([status, codes]) => {
    const sorted = codes.toSorted()
    const name = sorted.map((code) => pascalCase(code)).join('Or')
    components[name] ??= problemResponse(sorted.map((code) => `\`${code}\``).join(', '), sorted)
    return [String(status), { $ref: `#/components/responses/${name}` }] as const
  })
  components.AnyProblem ??= problemResponse('A problem (RFC 9457)', [])
  return {
    ...Object.fromEntries(answers),
    default: { $ref: '#/components/responses/AnyProblem' },
  }
}

function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function problemResponse(description: string, codes: readonly ErrorCode[]): ProblemResponse {
  const schema = { $ref: '#/components/schemas/Problem' }
  const headers = headersOfProblem(codes)
  return { description, headers, content: { 'application/problem+json': { schema } } }
}

/** Codes that any route may answer; 405 is for the other methods of its address. */
const ALWAYS: readonly ErrorCode[] = [
  'malformed_request',
  'method_not_allowed',
  'internal',
  'unavailable',
  'overloaded',
]

function codesOf({ access, mayFail, ...route }: RouteDeclaration): ErrorCode[] {
  const codes: ErrorCode[] = [...ALWAYS, ...mayFail]
  if (access.kind === 'installation') codes.push('unauthenticated', 'not_found', 'rate_limited')
  if (access.kind === 'caller') {
    codes.push('unauthenticated', 'forbidden')
    if (access.keys) codes.push('ip_not_allowed')
    if (access.keys || access.feature || access.needsApiKeyPlan) codes.push('not_in_plan')
    if (access.keys && access.scope) codes.push('scope_missing')
  }
  if (route.isLimited) codes.push('rate_limited')
  if (route.hasBody) codes.push('payload_too_large', 'unsupported_media_type')
  if (route.hasBody || route.hasQuery) codes.push('validation_failed')
  if (route.isIdempotent) codes.push('idempotency_conflict', 'request_in_progress')
  if (route.hasParams) codes.push('not_found')
  return codes
}
