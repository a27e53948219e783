import { type Problem, SohbetError } from './error.ts'

export interface SohbetOptions {
  /** The service's origin, such as `https://chat.example.com`. */
  baseUrl: string
  /** An API key, or a token of a user or a visitor. */
  apiKey?: string | undefined
  /** How often a call is tried again; 3 by default. */
  maxRetries?: number | undefined
  /** How long one try may take until its answer begins; 90 s by default. */
  timeoutMs?: number | undefined
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof fetch | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** An id of your own: the same call under the same id is one call, for 24 hours. */
  requestId?: string | undefined
}

/** A call as the transport makes it. */
export interface Call extends CallOptions {
  method?: string | undefined
  query?: Record<string, string | number | boolean | undefined> | undefined
  body?: unknown
  headers?: Record<string, string> | undefined
  /** The route answers a repetition from what was stored, or only reads: it is safe to try again. */
  isRepeatable?: boolean | undefined
}

const DEFAULT_RETRIES = 3
const DEFAULT_TIMEOUT_MS = 90_000
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 8_000
/** A longer `Retry-After` is for the caller to wait out. */
const MAX_RETRY_AFTER_MS = 120_000
/** The service did nothing yet. */
const UNTOUCHED = new Set([425, 429, 503])
/** The service may have done something: only a repeatable call is tried again. */
const TRANSIENT = new Set([408, 502, 504])
/** Codes of other statuses that are temporary. */
const PASSING = new Set(['request_in_progress', 'credits_held'])

/** Makes calls, and tries them again under one id where that is safe. */
export class Transport {
  readonly #base: string
  readonly #key: string | undefined
  readonly #maxRetries: number
  readonly #timeoutMs: number
  readonly #fetch: typeof fetch

  constructor(options: SohbetOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, '')
    this.#key = options.apiKey
    this.#maxRetries = options.maxRetries ?? DEFAULT_RETRIES
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const given = options.fetch
    // A browser's `fetch` wants to be called without an owner.
    this.#fetch = given ?? ((...request) => fetch(...request))
  }

  /** Returns the JSON of an answer; null for an empty one. Throws a `SohbetError`. */
  async json<Answer>(path: string, call: Call = {}): Promise<Answer> {
    const response = await this.open(path, call)
    const text = await response.text().catch((cause: unknown) => {
      throw failureOf(cause, call)
    })
    try {
      return JSON.parse(text || 'null')
    } catch (cause) {
      throw new SohbetError('unexpected_answer', 'The answer is not JSON.', {
        status: response.status,
        cause,
      })
    }
  }

  /** Returns a successful answer whose body is not read yet. Throws a `SohbetError`. */
  async open(path: string, call: Call): Promise<Response> {
    const tries = this.attempts(call)
    for (;;) {
      try {
        return await this.#try(path, call, tries.requestId)
      } catch (error) {
        await tries.next(error)
      }
    }
  }

  /** Begins the attempts of a call, which share an id. */
  attempts(call: Call): Attempts {
    return new Attempts(call, this.#maxRetries)
  }

  async #try(path: string, call: Call, requestId: string): Promise<Response> {
    const { body, query = {}, signal } = call
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), this.#timeoutMs)
    const stop = () => late.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    const address = new URL(this.#base + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value))
    }
    try {
      signal?.throwIfAborted()
      const response = await this.#fetch(address, {
        method: call.method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          accept: 'application/json, text/event-stream',
          'x-request-id': requestId,
          ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: late.signal,
      })
      if (response.ok) return response
      throw await refusalOf(response, requestId)
    } catch (error) {
      if (error instanceof SohbetError) throw error
      if (late.signal.aborted && !signal?.aborted) {
        throw new SohbetError('timeout', 'The service did not answer in time.', {
          requestId,
          cause: error,
        })
      }
      throw failureOf(error, { signal, requestId })
    } finally {
      // The signal goes on: it also ends the reading of the body.
      clearTimeout(timer)
    }
  }
}

/** The tries of one call. */
export class Attempts {
  readonly requestId: string
  readonly #call: Call
  #left: number
  #count = 0

  constructor(call: Call, maxRetries: number) {
    this.#call = call
    this.#left = maxRetries
    this.requestId = call.requestId ?? crypto.randomUUID()
  }

  /** Waits for the next try. Throws the error when there is none: it is final, or the tries are used up. */
  async next(error: unknown): Promise<void> {
    const { signal } = this.#call
    const waitMs = this.#left > 0 && !signal?.aborted ? this.#waitAfter(error) : undefined
    if (waitMs === undefined) throw error
    this.#left -= 1
    this.#count += 1
    await pause(waitMs, signal)
  }

  #waitAfter(error: unknown): number | undefined {
    if (!(error instanceof SohbetError)) return undefined
    const { status, code } = error
    const isTransient = status === 0 ? code !== 'aborted' : TRANSIENT.has(status)
    const mayRepeat =
      UNTOUCHED.has(status) || PASSING.has(code) || (isTransient && this.#call.isRepeatable)
    if (!mayRepeat) return undefined
    const asked = retryAfterOf(error)
    if (asked !== undefined) return asked > MAX_RETRY_AFTER_MS ? undefined : asked
    const most = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#count)
    return most / 2 + (Math.random() * most) / 2
  }
}

const retryAfters = new WeakMap<SohbetError, number>()

function retryAfterOf(error: SohbetError): number | undefined {
  return retryAfters.get(error)
}

/** Returns the error of an answer that is no success. */
async function refusalOf(response: Response, requestId: string): Promise<SohbetError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  const problem = problemIn(text)
  const error = new SohbetError(
    problem?.code ?? 'unexpected_answer',
    problem?.detail ?? `The service answered ${status}.`,
    {
      status,
      requestId: response.headers.get('x-request-id') ?? requestId,
      ...(problem && { problem }),
    },
  )
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (seconds >= 0) retryAfters.set(error, seconds * 1_000)
  return error
}

function problemIn(text: string): Problem | undefined {
  try {
    const problem: Problem | null = JSON.parse(text)
    return typeof problem?.code === 'string' ? problem : undefined
  } catch {
    return undefined
  }
}

/** Returns the error of a call without an answer, or whose answer broke off. */
export function failureOf(cause: unknown, { signal, requestId }: CallOptions): SohbetError {
  if (cause instanceof SohbetError) return cause
  const about = { cause, ...(requestId === undefined ? {} : { requestId }) }
  return signal?.aborted
    ? new SohbetError('aborted', 'The call was aborted.', about)
    : new SohbetError('network', 'The service could not be reached.', about)
}

/** Waits, or throws as soon as the signal aborts. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(failureOf(signal?.reason, { signal }))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
