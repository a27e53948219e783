import { ResponseParser, type ParseProgress } from './response-parser.ts'
import type { Connection, ConnectionPool, ConnectionListener } from './connection-pool.ts'

/** Deadline of the body after the status; the body is only shown in the log of attempts. */
const BODY_TIMEOUT_MS = 250

/** The result of one request. */
export interface HttpResult {
  /** The final HTTP status, or null without one. */
  status: number | null
  /** Why there is no status: `timeout`, `malformed`, `closed`, or the connection's error. */
  failure: Error | 'timeout' | 'malformed' | 'closed' | null
  /** Until the status or the failure, in milliseconds. */
  latencyMs: number
  /** The first 1 KiB of the body. */
  preview: Buffer
  retryAfter: string | undefined
}

/**
 * Sends one request and reads its response, within one deadline that covers the DNS lookup, the
 * connection, TLS, the request and the response. Never rejects. The connection returns to the pool
 * after a complete response only, and is closed otherwise.
 */
export function sendRequest(
  connections: ConnectionPool,
  target: URL,
  request: string,
  timeoutMs: number,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    const running = new HttpRequest(connections, timeoutMs, resolve)
    const idle = connections.acquire(target.origin)
    if (idle) running.start(idle, request)
    else {
      connections.open(target).then(
        (opened) => running.start(opened, request),
        (error: unknown) => running.fail(error),
      )
    }
  })
}

class HttpRequest implements ConnectionListener {
  readonly #connections: ConnectionPool
  readonly #settle: (end: HttpResult) => void
  readonly #parser = new ResponseParser()
  // The monotonic clock, which does not jump.
  readonly #started = performance.now()
  #latency = 0
  #timer: NodeJS.Timeout
  #connection: Connection | undefined
  #isEnded = false

  constructor(connections: ConnectionPool, timeoutMs: number, settle: (end: HttpResult) => void) {
    this.#connections = connections
    this.#settle = settle
    this.#timer = setTimeout(() => this.#end('timeout'), timeoutMs)
  }

  start(connection: Connection, request: string): void {
    // The deadline passed while the connection was opened: the request must not be sent.
    if (this.#isEnded) {
      connection.socket.destroy()
      return
    }
    this.#connection = connection
    connection.user = this
    connection.socket.write(request, 'utf8')
  }

  fail(error: unknown): void {
    this.#end(error instanceof Error ? error : new Error(String(error)))
  }

  onData(bytes: Buffer): void {
    const hadStatus = this.#parser.status !== null
    const progress = this.#parser.push(bytes)
    if (!hadStatus && this.#parser.status !== null) {
      this.#latency = performance.now() - this.#started
      if (progress === 'incomplete') {
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#end('timeout'), BODY_TIMEOUT_MS)
      }
    }
    this.#handleProgress(progress)
  }

  onEnd(): void {
    const progress = this.#parser.end()
    if (progress === 'malformed') this.#end('closed')
    else this.#handleProgress(progress)
  }

  onClose(error: Error | undefined): void {
    this.#end(error ?? 'closed')
  }

  #handleProgress(progress: ParseProgress): void {
    if (progress === 'complete') this.#end(null)
    else if (progress !== 'incomplete') this.#end('malformed')
  }

  #end(failure: HttpResult['failure']): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#timer)
    const { status, isReusable, keepAliveMs, retryAfter } = this.#parser
    const connection = this.#connection
    if (connection) {
      connection.user = undefined
      if (failure === null && isReusable) this.#connections.release(connection, keepAliveMs)
      else connection.socket.destroy()
    }
    if (status === null) this.#latency = performance.now() - this.#started
    this.#settle({
      status,
      failure: status === null ? failure : null,
      latencyMs: Math.round(this.#latency),
      preview: this.#parser.preview(),
      retryAfter,
    })
  }
}
