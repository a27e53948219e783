import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import type { Clock } from '../lib/clock.ts'
import { isRecord } from './json.ts'
import { ModelFailure } from './model.ts'

/** More than this, in UTF-16 units, is not read ahead of the reader. */
const READ_AHEAD = 65_536
/** What may still come once the answer is known to be whole, before the connection is given up. */
const LONGEST_END_MS = 1_000
const MAX_ERROR_LENGTH = 16_384
/** A provider's word for an error, such as `invalid_api_key`: nothing else of it is repeated. */
const ERROR_WORD = /^[a-z][a-z_]{1,60}$/i

/** How providers are reached. */
export interface Upstream {
  /** Decides which addresses may be reached, and keeps the connections. */
  dispatcher: Dispatcher
  clock: Clock
  /** A provider that says nothing for so long is given up. */
  timeoutMs: number
}

/** What is sent. */
export interface Post {
  url: URL
  headers: Record<string, string>
  body: string
  /** What is asked for, and what an answer that does not say its type is taken for. */
  isStream?: boolean
}

/**
 * One request to a provider and its answer, as text, no further ahead of the reader than it must
 * be. All that goes wrong is a `ModelFailure`; once the signal stops it, it simply ends.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  isJson = false
  readonly #upstream: Upstream
  readonly #signal: AbortSignal
  readonly #decoder = new StringDecoder('utf8')
  readonly #onAbort = (): void => this.close()
  #controller: Dispatcher.DispatchController | undefined
  #isStream = false
  #status = 0
  #text = ''
  /** Nothing more comes: it ended, it failed, or nobody wants it any more. */
  #isOver = false
  #isClosed = false
  #isWhole = false
  #failure: ModelFailure | undefined
  #wake: (() => void) | undefined
  #heardAt = 0
  #cancelTimer: (() => void) | undefined

  private constructor(upstream: Upstream, signal: AbortSignal) {
    this.#upstream = upstream
    this.#signal = signal
  }

  /** Sends and waits for the head of the answer. Any status but 2xx is a failure. */
  static async open(upstream: Upstream, post: Post, signal: AbortSignal): Promise<Exchange> {
    const exchange = new Exchange(upstream, signal)
    exchange.#send(post)
    while (exchange.#status === 0 && !exchange.#isOver) await exchange.#news()
    exchange.#throwFailure()
    if (exchange.#status >= 300) throw await exchange.#refusal()
    return exchange
  }

  /** Whether it was ended by the signal or by `close`, and not by the provider. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** What has come since; undefined once everything was read. */
  async read(): Promise<string | undefined> {
    while (this.#text === '' && !this.#isOver) await this.#news()
    if (this.#text === '') {
      this.#throwFailure()
      return undefined
    }
    const text = this.#text
    this.#text = ''
    if (this.#controller?.paused && !this.#isOver) {
      this.#heardAt = this.#upstream.clock.now()
      this.#controller.resume()
    }
    return text
  }

  /** The whole answer. Fails when it is longer than `most`, in UTF-16 units. */
  async readAll(most: number): Promise<string> {
    const parts: string[] = []
    let length = 0
    for (;;) {
      const text = await this.read()
      if (text === undefined) return parts.join('')
      length += text.length
      if (length > most) {
        this.close()
        throw new ModelFailure('failed', 'The model provider answered with too much.')
      }
      parts.push(text)
    }
  }

  /** The answer is whole: what follows is thrown away, so that the connection can be used again. */
  finish(): void {
    if (this.#isOver) return
    this.#isWhole = true
    this.#text = ''
    if (this.#controller?.paused) this.#controller.resume()
    this.#cancelTimer?.()
    this.#cancelTimer = this.#upstream.clock.after(LONGEST_END_MS, () => this.close())
  }

  /** Gives the answer up and closes its connection; does nothing after the end or `finish`. */
  close(): void {
    if (this.#isOver) return
    this.#isClosed = true
    this.#end(undefined)
    this.#controller?.abort(new Error('Nobody waits for this answer.'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('Nobody waits for this answer.'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#heardAt = this.#upstream.clock.now()
    if (status < 200) return
    this.#status = status
    const type = String(headers['content-type'])
    this.isJson = type.includes('json') || !(this.#isStream || type.includes('event-stream'))
    this.#wakeUp()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isWhole || this.#isOver) return
    this.#heardAt = this.#upstream.clock.now()
    this.#text += this.#decoder.write(chunk)
    if (this.#text.length > READ_AHEAD) controller.pause()
    this.#wakeUp()
  }

  onResponseEnd(): void {
    this.#end(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(brokenConnection(error))
  }

  #send({ url, headers, body, isStream = false }: Post): void {
    this.#isStream = isStream
    if (this.#signal.aborted) {
      this.close()
      return
    }
    this.#signal.addEventListener('abort', this.#onAbort)
    this.#heardAt = this.#upstream.clock.now()
    this.#listen(this.#upstream.timeoutMs)
    const path = url.pathname + url.search
    const { origin } = url
    const { dispatcher } = this.#upstream
    // Silence is measured here, by a clock that does not run while the reader makes us wait.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 }
    dispatcher.dispatch({ origin, path, method: 'POST', headers, body, ...timeouts }, this)
  }

  #listen(ms: number): void {
    this.#cancelTimer = this.#upstream.clock.after(ms, () => {
      const now = this.#upstream.clock.now()
      if (this.#controller?.paused) this.#heardAt = now
      const left = this.#heardAt + this.#upstream.timeoutMs - now
      if (left > 0) {
        this.#listen(left)
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
    if (this.#isOver) return
    this.#isOver = true
    this.#failure = failure
    this.#cancelTimer?.()
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#wakeUp()
  }

  #news(): Promise<void> {
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
    const word = errorWordOf(body)
    const isTransient = status === 408 || status === 409 || status === 429 || status >= 500
    const reason = word === undefined ? `status ${status}` : `status ${status} (${word})`
    return new ModelFailure('failed', `The model provider answered with ${reason}.`, {
      isTransient,
      status,
    })
  }
}

/** The provider's sentence may repeat parts of the key or of the prompt: only its code is told. */
function errorWordOf(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = isRecord(parsed) ? parsed.error : undefined
    if (!isRecord(error)) return undefined
    const words = [error.code, error.type].filter((word) => typeof word === 'string')
    return words.find((word) => ERROR_WORD.test(word))
  } catch {
    return undefined
  }
}

function brokenConnection(error: Error): ModelFailure {
  const isRefused = 'code' in error && error.code === 'address_not_allowed'
  const message = isRefused
    ? 'The address of the model provider is not allowed.'
    : 'The connection to the model provider broke.'
  return new ModelFailure('failed', message, { isTransient: !isRefused, cause: error })
}
