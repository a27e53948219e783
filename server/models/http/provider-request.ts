import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../lib/clock.ts'
import { isRecord } from '../json.ts'
import { ModelFailure } from '../model.ts'

/** Buffered text, in UTF-16 units, above which the connection is paused. */
const MAX_BUFFERED_LENGTH = 65_536
/** Time for the rest of a complete answer to arrive, so that its connection can be reused. */
const DRAIN_TIMEOUT_MS = 1_000
const MAX_ERROR_LENGTH = 16_384
/** A provider's error code, such as `invalid_api_key`, the only part of an error that is shown. */
const ERROR_CODE = /^[a-z][a-z_]{1,60}$/i

/** The connections to providers. */
export interface Upstream {
  /** The connection pool, with or without the SSRF guard. */
  dispatcher: Dispatcher
  clock: Clock
  /** Longest silence of a provider before the request fails. */
  timeoutMs: number
  /** Counts the calls that have not been answered to their end. */
  pending?: { calls: number }
}

/** A POST request. */
export interface HttpPost {
  url: URL
  headers: Record<string, string>
  body: string
  /** Whether a stream is requested, and assumed for an answer without a content type. */
  isStream?: boolean
}

/**
 * One request to a provider and its answer as text, with backpressure. Every error is a
 * `ModelFailure`; after an abort the answer ends without an error.
 */
export class ProviderRequest implements Dispatcher.DispatchHandler {
  isJson = false
  readonly #upstream: Upstream
  readonly #signal: AbortSignal
  readonly #decoder = new StringDecoder('utf8')
  readonly #onAbort = (): void => this.close()
  #controller: Dispatcher.DispatchController | undefined
  #isStream = false
  #status = 0
  #text = ''
  /** The answer has ended, failed or been closed. */
  #isEnded = false
  #isClosed = false
  #isDraining = false
  #isCounted = false
  #failure: ModelFailure | undefined
  #wake: (() => void) | undefined
  #lastByteAt = 0
  #cancelTimer: (() => void) | undefined

  private constructor(upstream: Upstream, signal: AbortSignal) {
    this.#upstream = upstream
    this.#signal = signal
  }

  /**
   * Sends the request and waits for the response head. Throws `ModelFailure` for a status but 2xx.
   */
  static async open(
    upstream: Upstream,
    post: HttpPost,
    signal: AbortSignal,
  ): Promise<ProviderRequest> {
    const request = new ProviderRequest(upstream, signal)
    request.#send(post)
    while (request.#status === 0 && !request.#isEnded) await request.#nextChunk()
    request.#throwFailure()
    if (request.#status >= 300) throw await request.#refusal()
    return request
  }

  /** Whether the signal or `close` ended the request, and not the provider. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The text since the last read; undefined at the end. Throws `ModelFailure`. */
  async read(): Promise<string | undefined> {
    while (this.#text === '' && !this.#isEnded) await this.#nextChunk()
    if (this.#text === '') {
      this.#throwFailure()
      return undefined
    }
    const text = this.#text
    this.#text = ''
    if (this.#controller?.paused && !this.#isEnded) {
      this.#lastByteAt = this.#upstream.clock.now()
      this.#controller.resume()
    }
    return text
  }

  /** The whole answer. Throws `ModelFailure` above `maxLength` UTF-16 units. */
  async readAll(maxLength: number): Promise<string> {
    const parts: string[] = []
    let length = 0
    for (;;) {
      const text = await this.read()
      if (text === undefined) return parts.join('')
      length += text.length
      if (length > maxLength) {
        this.close()
        throw new ModelFailure('failed', 'The model provider answered with too much.')
      }
      parts.push(text)
    }
  }

  /** Discards the rest of a complete answer, so that the connection can be reused. Idempotent. */
  finish(): void {
    if (this.#isEnded) return
    this.#isDraining = true
    this.#text = ''
    if (this.#controller?.paused) this.#controller.resume()
    this.#cancelTimer?.()
    this.#cancelTimer = this.#upstream.clock.after(DRAIN_TIMEOUT_MS, () => this.close())
  }

  /** Aborts the request and closes its connection. Does nothing after the end. Idempotent. */
  close(): void {
    if (this.#isEnded) return
    this.#isClosed = true
    this.#end(undefined)
    this.#controller?.abort(new Error('Nobody waits for this answer.'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isEnded) controller.abort(new Error('Nobody waits for this answer.'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#lastByteAt = this.#upstream.clock.now()
    if (status < 200) return
    this.#status = status
    const type = String(headers['content-type'])
    this.isJson = type.includes('json') || !(this.#isStream || type.includes('event-stream'))
    this.#wakeUp()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDraining || this.#isEnded) return
    this.#lastByteAt = this.#upstream.clock.now()
    this.#text += this.#decoder.write(chunk)
    if (this.#text.length > MAX_BUFFERED_LENGTH) controller.pause()
    this.#wakeUp()
  }

  onResponseEnd(): void {
    this.#end(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(connectionFailure(error))
  }

  #send({ url, headers, body, isStream = false }: HttpPost): void {
    this.#isStream = isStream
    if (this.#signal.aborted) {
      this.close()
      return
    }
    this.#signal.addEventListener('abort', this.#onAbort)
    this.#count(1)
    this.#lastByteAt = this.#upstream.clock.now()
    this.#startTimer(this.#upstream.timeoutMs)
    const path = url.pathname + url.search
    const { origin } = url
    const { dispatcher } = this.#upstream
    // Timeouts are measured here, by a clock that stops while backpressure pauses the connection.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 }
    dispatcher.dispatch({ origin, path, method: 'POST', headers, body, ...timeouts }, this)
  }

  #count(change: 1 | -1): void {
    const { pending } = this.#upstream
    if (!pending || this.#isCounted === change > 0) return
    this.#isCounted = change > 0
    pending.calls += change
  }

  #startTimer(ms: number): void {
    this.#cancelTimer = this.#upstream.clock.after(ms, () => {
      const now = this.#upstream.clock.now()
      if (this.#controller?.paused) this.#lastByteAt = now
      const left = this.#lastByteAt + this.#upstream.timeoutMs - now
      if (left > 0) {
        this.#startTimer(left)
        return
      }
      this.#end(
        new ModelFailure('timeout', 'The model provider did not answer in time.', {
          isTransient: true,
        }),
      )
      this.#controller?.abort(new Error('The provider was silent.'))
    })
  }

  #end(failure: ModelFailure | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#count(-1)
    this.#failure = failure
    this.#cancelTimer?.()
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#wakeUp()
  }

  #nextChunk(): Promise<void> {
    return new Promise((done) => {
      this.#wake = done
    })
  }

  #wakeUp(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure
  }

  async #refusal(): Promise<ModelFailure> {
    const status = this.#status
    const body = await this.readAll(MAX_ERROR_LENGTH).catch(() => '')
    this.close()
    const word = errorCode(body)
    const isTransient = status === 408 || status === 409 || status === 429 || status >= 500
    const reason = word === undefined ? `status ${status}` : `status ${status} (${word})`
    return new ModelFailure('failed', `The model provider answered with ${reason}.`, {
      isTransient,
      status,
    })
  }
}

/** The error's code alone: the message may repeat parts of the key or of the prompt. */
function errorCode(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = isRecord(parsed) ? parsed.error : undefined
    if (!isRecord(error)) return undefined
    const words = [error.code, error.type].filter((word) => typeof word === 'string')
    return words.find((word) => ERROR_CODE.test(word))
  } catch {
    return undefined
  }
}

function connectionFailure(error: Error): ModelFailure {
  const isRefused = 'code' in error && error.code === 'address_not_allowed'
  const message = isRefused
    ? 'The address of the model provider is not allowed.'
    : 'The connection to the model provider broke.'
  return new ModelFailure('failed', message, { isTransient: !isRefused, cause: error })
}
