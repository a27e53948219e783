import type { AttemptError, AttemptResult } from '../attempt-result.ts'
import { ConnectionPool } from './connection-pool.ts'
import { type ConnectorOptions, guardedConnector } from '../../net/ssrf-guard.ts'
import { ATTEMPT_TIMEOUT_MS } from '../retry-policy.ts'
import { sendRequest, type HttpResult } from './http-request.ts'
import { type SignedPayload, signedHeaders, type SigningSecrets } from '../signature.ts'
import { type TargetCheck, checkTarget } from '../../net/target.ts'

/** Sends attempts over a connection pool. */
export interface Sender {
  /** Sends one attempt. Never rejects: a failure is a result too. `more` are further headers. */
  send(
    url: string,
    sent: SignedPayload,
    secrets: SigningSecrets,
    more?: Readonly<Record<string, string>>,
  ): Promise<AttemptResult>
  /** Closes every connection. Attempts in flight fail. */
  close(): Promise<void>
}

export interface SenderOptions extends ConnectorOptions {
  /** The version in `User-Agent`. */
  version: string
  /** Receives the details of a blocked target, which customers must not see. */
  onRefused?: (url: string, detail: string) => void
  timeoutMs?: number
}

/** The cached part of every request to a URL. The check depends on the URL alone. */
interface Target {
  check: TargetCheck
  /** The request up to the headers of an attempt. */
  head: string
}

const MAX_TARGETS = 2_000
const SAFE_VALUE = /^[\x20-\x7e]*$/

/** Opens a sender, which ignores proxy settings of the environment. */
export function openSender(options: SenderOptions): Sender {
  const { policy, version, onRefused, timeoutMs = ATTEMPT_TIMEOUT_MS } = options
  const connections = new ConnectionPool(guardedConnector(options))
  const targets = new Map<string, Target>()

  function getTarget(url: string): Target {
    const known = targets.get(url)
    if (known) return known
    const check = checkTarget(url, policy)
    const target = { check, head: check.ok ? requestHead(check.url, version) : '' }
    if (targets.size >= MAX_TARGETS) targets.clear()
    targets.set(url, target)
    return target
  }

  return {
    async send(url, sent, secrets, more = {}) {
      const { check, head } = getTarget(url)
      if (!check.ok) {
        onRefused?.(url, check.refusal)
        return blockedResult()
      }
      const headers = Object.entries({ ...more, ...signedHeaders(sent, secrets) })
      if (!headers.every(([, value]) => SAFE_VALUE.test(value))) return blockedResult()
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const length = Buffer.byteLength(sent.body)
      const request = `${head}${lines}content-length: ${length}\r\n\r\n${sent.body}`
      const end = await sendRequest(connections, check.url, request, timeoutMs)
      const error = toAttemptError(end.failure)
      if (error === 'address_not_allowed') {
        onRefused?.(url, end.failure instanceof Error ? end.failure.message : '')
        return blockedResult()
      }
      return {
        status: end.status,
        error,
        latency_ms: end.latencyMs,
        answer: end.status === null ? null : sanitizePreview(end.preview),
        retryAfter: end.retryAfter,
      }
    },
    async close() {
      connections.close()
    },
  }
}

function requestHead(url: URL, version: string): string {
  return [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    'connection: keep-alive',
    'content-type: application/json',
    `user-agent: Sohbet-Webhooks/${version}`,
    'accept: */*',
    'accept-encoding: identity',
    '',
  ].join('\r\n')
}

/** Returns the result of a blocked target: the same for a forbidden address and an unknown name. */
function blockedResult(): AttemptResult {
  return {
    status: null,
    error: 'address_not_allowed',
    latency_ms: null,
    answer: null,
    retryAfter: undefined,
  }
}

const ERRORS_BY_CODE: Record<string, AttemptError> = {
  address_not_allowed: 'address_not_allowed',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}
/** Node's TLS error codes follow OpenSSL: many codes with few prefixes. */
const TLS_CODES = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|CRL_)/

function toAttemptError(failure: HttpResult['failure']): AttemptError | null {
  if (failure === null || failure === 'timeout') return failure
  if (failure === 'malformed') return 'bad_answer'
  if (failure === 'closed') return 'connection_reset'
  const code = errorCode(failure)
  return TLS_CODES.test(code) ? 'tls_failed' : (ERRORS_BY_CODE[code] ?? 'connection_failed')
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * Returns a response's bytes as text that can be stored and shown anywhere: invalid UTF-8, control
 * characters and direction marks become U+FFFD (Postgres stores no NUL), and angle brackets become
 * single guillemets, so that a page cannot mistake the text for markup.
 */
export function sanitizePreview(bytes: Buffer): string {
  return new TextDecoder('utf-8')
    .decode(bytes)
    .replaceAll(/[^\P{Cc}\t\n\r]|\p{Bidi_Control}/gu, '\uFFFD')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
}
