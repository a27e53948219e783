import { ResponseParser, type ParseProgress } from './response-parser.ts'
import type { Connection, ConnectionPool, ConnectionListener } from './connection-pool.ts'

/** Once the status is known, the rest of the answer is only for the log. */
const BODY_GRACE_MS = 250

/** How one request ended. */
export interface HttpResult {
  /** The final HTTP status, or null when none came. */
  status: number | null
  /** Why none came: `timeout`, `broken`, `closed`, or what the connection failed with. */
  failure: Error | 'timeout' | 'broken' | 'closed' | null
  /** Until the status or the failure, in milliseconds. */
  latencyMs: number
  /** The first 1 KiB of the answer. */
  kept: Buffer
  retryAfter: string | undefined
}

/**
 * Sends one request and reads its answer, within one deadline that covers the name, the connection,
 * TLS, the request and the answer. Never rejects. The connection is kept only after an answer that
 * was whole; of any other it is closed.
 */
export function sendRequest(
  connections: ConnectionPool,
  target: URL,
  request: string,
  timeoutMs: number,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    const running = new HttpRequest(connections, timeoutMs, resolve)
    const kept = connections.acquire(target.origin)
    if (kept) running.start(kept, request)
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
  readonly #reader = new ResponseParser()
  // A stopwatch, not the time of day: it must not jump with the clock.
  readonly #started = performance.now()
  #latency = 0
  #timer: NodeJS.Timeout
  #connection: Connection | undefined
  #isOver = false

  constructor(connections: ConnectionPool, timeoutMs: number, settle: (end: HttpResult) => void) {
    this.#connections = connections
    this.#settle = settle
    this.#timer = setTimeout(() => this.#end('timeout'), timeoutMs)
  }

  start(connection: Connection, request: string): void {
    // The deadline passed while the connection was made: nothing may be sent now.
    if (this.#isOver) {
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
    const hadStatus = this.#reader.status !== null
    const progress = this.#reader.push(bytes)
    if (!hadStatus && this.#reader.status !== null) {
      this.#latency = performance.now() - this.#started
      if (progress === 'more') {
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#end('timeout'), BODY_GRACE_MS)
      }
    }
    this.#follow(progress)
  }

  onEnd(): void {
    const progress = this.#reader.end()
    if (progress === 'broken') this.#end('closed')
    else this.#follow(progress)
  }

  onClose(error: Error | undefined): void {
    this.#end(error ?? 'closed')
  }

  #follow(progress: ParseProgress): void {
    if (progress === 'whole') this.#end(null)
    else if (progress !== 'more') this.#end('broken')
  }

  #end(failure: HttpResult['failure']): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    const { status, isReusable, keepAliveMs, retryAfter } = this.#reader
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
      kept: this.#reader.preview(),
      retryAfter,
    })
  }
}
