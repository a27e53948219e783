import type { Dispatcher } from 'undici'
import { Connections } from './connections.ts'
import { type ConnectorOptions, guardedConnector } from './connector.ts'
import { readableText } from './readable-text.ts'
import { type Signable, signedHeaders, type SigningSecrets } from './signature.ts'
import { judgeTarget } from './target.ts'

/** One attempt may take so long, from the name's look-up to the final status. */
export const ATTEMPT_MS = 10_000
const MOST_ANSWER_BYTES = 16 * 1024
const KEPT_ANSWER_BYTES = 1024
/** Once the status is known, the rest of the answer is only for the log. */
const BODY_GRACE_MS = 1_000

/** Why no final status came. */
export type AttemptError =
  | 'address_not_allowed'
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'tls_failed'
  | 'bad_answer'

/** The result of one attempt, as customers may see it. */
export interface AttemptResult {
  /** The final HTTP status, or null when none came. */
  status: number | null
  error: AttemptError | null
  /** Until the status or the failure; null where timing would tell about an internal network. */
  latency_ms: number | null
  /** The first 1 KiB of the answer, made safe to show; null when there was no answer. */
  answer: string | null
  retryAfter: string | undefined
}

/** Sends attempts, with one pool of kept-alive connections per origin. */
export interface Sender {
  /** Makes one attempt. Never rejects: every failure is a result. */
  send(url: string, sent: Signable, secrets: SigningSecrets): Promise<AttemptResult>
  /** Closes every connection. What is still under way fails; wait for it first. */
  close(): Promise<void>
}

export interface SenderOptions extends ConnectorOptions {
  /** The version in `User-Agent`. */
  version: string
  /** Told the details that customers must not see. */
  onRefused?: (url: string, detail: string) => void
  timeoutMs?: number
}

/** Opens a sender. Environment variables for proxies are ignored. */
export function openSender(options: SenderOptions): Sender {
  const { policy, version, onRefused, timeoutMs = ATTEMPT_MS } = options
  const connections = new Connections(guardedConnector(options))
  return {
    send: (url, sent, secrets) => {
      const judged = judgeTarget(url, policy)
      if (!judged.ok) {
        onRefused?.(url, judged.refusal)
        return Promise.resolve(notAllowed())
      }
      const request: Dispatcher.DispatchOptions = {
        path: judged.url.pathname + judged.url.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': `Sohbet-Webhooks/${version}`,
          accept: '*/*',
          'accept-encoding': 'identity',
          ...signedHeaders(sent, secrets),
        },
        body: sent.body,
      }
      return new Promise((resolve) => {
        const connection = connections.take(judged.url.origin)
        const attempt = new Attempt(timeoutMs, (result, { isReusable, refused }) => {
          if (isReusable) connections.give(connection)
          else connections.drop(connection)
          if (refused !== undefined) onRefused?.(url, refused)
          resolve(result)
        })
        try {
          connection.client.dispatch(request, attempt)
        } catch (error) {
          attempt.onResponseError(undefined, error)
        }
      })
    },
    close: () => connections.close(),
  }
}

/** Told the result, whether the connection can be used again, and what only the operator may know. */
type Settle = (result: AttemptResult, end: { isReusable: boolean; refused?: string }) => void

/** One request's course, as undici reports it. Settles exactly once. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #settle: Settle
  // A stopwatch, not the time of day: it must not jump with the clock.
  readonly #started = performance.now()
  #timer: NodeJS.Timeout
  #status: number | null = null
  #latency = 0
  #retryAfter: string | undefined
  #isOver = false
  #bytes = 0
  readonly #kept: Buffer[] = []

  constructor(timeoutMs: number, settle: Settle) {
    this.#settle = settle
    this.#timer = setTimeout(() => this.#end('timeout'), timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline passed while the request waited for its connection: nothing may be sent now.
    if (this.#isOver) controller.abort(new Error('Too late'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.#isOver) return
    this.#status = status
    this.#latency = this.#elapsed()
    const asked = headers['retry-after']
    this.#retryAfter = Array.isArray(asked) ? asked[0] : asked
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end('timeout'), BODY_GRACE_MS)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = KEPT_ANSWER_BYTES - Math.min(this.#bytes, KEPT_ANSWER_BYTES)
    if (room > 0) this.#kept.push(Buffer.from(chunk.subarray(0, room)))
    this.#bytes += chunk.length
    if (this.#bytes > MOST_ANSWER_BYTES) this.#end('bad_answer')
  }

  onResponseEnd(): void {
    this.#end(this.#status === null ? 'bad_answer' : null, { isReusable: this.#status !== null })
  }

  onResponseError(_controller: unknown, error: unknown): void {
    const code = errorOf(error)
    this.#end(code, code === 'address_not_allowed' ? { refused: messageOf(error) } : {})
  }

  /** Ends the attempt; its connection is closed unless it can be used again. */
  #end(error: AttemptError | null, end: { isReusable?: boolean; refused?: string } = {}): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#settle(this.#result(error), { isReusable: false, ...end })
  }

  #result(error: AttemptError | null): AttemptResult {
    if (error === 'address_not_allowed') return notAllowed()
    const hasStatus = this.#status !== null
    return {
      status: this.#status,
      error: hasStatus ? null : error,
      latency_ms: Math.round(hasStatus ? this.#latency : this.#elapsed()),
      answer: hasStatus ? readableText(Buffer.concat(this.#kept)) : null,
      retryAfter: this.#retryAfter,
    }
  }

  #elapsed(): number {
    return performance.now() - this.#started
  }
}

/** What customers see of a target that is refused: the same for a bad address and an unknown name. */
function notAllowed(): AttemptResult {
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
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_answer',
}
/** Node names TLS failures after OpenSSL: many codes, few prefixes, no list that stays complete. */
const TLS_CODES = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|CRL_)/

function errorOf(error: unknown): AttemptError {
  const code = codeOf(error)
  if (TLS_CODES.test(code)) return 'tls_failed'
  // undici's parser sets no code of its own.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'bad_answer'
  return ERRORS_BY_CODE[code] ?? 'connection_failed'
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
