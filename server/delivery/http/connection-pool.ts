import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { MINUTE_MS } from '../../lib/durations.ts'

/** Lifetime of a connection after the check of its address. */
const MAX_CONNECTION_AGE_MS = 5 * MINUTE_MS
/** Keep-alive of an idle connection, unless its receiver announces a shorter one. */
const IDLE_TIMEOUT_MS = 4_000
/** Safety margin, so that a request does not race the receiver's own idle timeout. */
const MARGIN_MS = 1_000
const SWEEP_INTERVAL_MS = 1_000
const LARGE_BYTES = 16 * 1024

/** The current user of a connection, which receives its events. */
export interface ConnectionListener {
  onData(bytes: Buffer): void
  /** The receiver ended its side. */
  onEnd(): void
  /** The connection is closed; the last event. */
  onClose(error: Error | undefined): void
}

/** An open connection, which carries one request at a time. */
export class Connection {
  readonly socket: Socket
  readonly origin: string
  user: ConnectionListener | undefined
  /** Monotonic times, in milliseconds. */
  readonly checkedAt = performance.now()
  idleUntil = Infinity
  #error: Error | undefined

  constructor(socket: Socket, origin: string) {
    this.socket = socket
    this.origin = origin
    socket.on('data', (bytes: Buffer) => {
      if (this.user) this.user.onData(bytes)
      // Unsolicited bytes must not be parsed as the response to the next request.
      else socket.destroy()
      freeBuffer(bytes)
    })
    socket.on('end', () => {
      if (this.user) this.user.onEnd()
      else socket.destroy()
    })
    socket.on('error', (error: Error) => (this.#error = error))
    socket.on('close', () => this.user?.onClose(this.#error))
  }

  isReusable(now: number): boolean {
    const { destroyed, writable } = this.socket
    return (
      !destroyed && writable && now < this.idleUntil && now - this.checkedAt < MAX_CONNECTION_AGE_MS
    )
  }
}

/**
 * Frees the memory of a large read at once: a thousand endless responses would hold 64 KiB each until
 * the next garbage collection. The parser has copied its preview by now.
 */
function freeBuffer({ buffer, byteLength }: Buffer): void {
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isOwn && byteLength >= LARGE_BYTES) buffer.transfer(0)
}

/** A pool of keep-alive connections by origin. */
export class ConnectionPool {
  readonly #connect: buildConnector.connector
  readonly #idle = new Map<string, Connection[]>()
  readonly #all = new Set<Socket>()
  #sweep: NodeJS.Timeout | undefined

  constructor(connect: buildConnector.connector) {
    this.#connect = connect
  }

  /** Returns the idle connection that was released last; `undefined` without one. */
  acquire(origin: string): Connection | undefined {
    const idle = this.#idle.get(origin)
    const now = performance.now()
    for (;;) {
      const connection = idle?.pop()
      if (!connection || connection.isReusable(now)) return connection
      connection.socket.destroy()
    }
  }

  /** Opens a connection, exclusive to the caller until its release. */
  open({ hostname, host, protocol, port, origin }: URL): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.#connect({ hostname, host, protocol, port }, (...[error, socket]) => {
        if (error) {
          reject(error)
          return
        }
        this.#all.add(socket)
        socket.on('close', () => this.#all.delete(socket))
        resolve(new Connection(socket, origin))
      })
    })
  }

  /** Returns a connection to the pool, after its response was read to the end. */
  release(connection: Connection, keepAliveMs = IDLE_TIMEOUT_MS + MARGIN_MS): void {
    connection.idleUntil =
      performance.now() + Math.min(keepAliveMs - MARGIN_MS, MAX_CONNECTION_AGE_MS)
    if (!connection.isReusable(performance.now())) {
      connection.socket.destroy()
      return
    }
    const idle = this.#idle.get(connection.origin)
    if (idle) idle.push(connection)
    else this.#idle.set(connection.origin, [connection])
    this.#sweep ??= setTimeout(() => this.#closeIdle(), SWEEP_INTERVAL_MS).unref()
  }

  /** Closes every connection. */
  close(): void {
    clearTimeout(this.#sweep)
    for (const socket of this.#all) socket.destroy()
    this.#idle.clear()
  }

  #closeIdle(): void {
    const now = performance.now()
    for (const [origin, idle] of this.#idle) {
      const reusable = idle.filter((connection) => connection.isReusable(now))
      for (const connection of idle) if (!connection.isReusable(now)) connection.socket.destroy()
      if (reusable.length > 0) this.#idle.set(origin, reusable)
      else this.#idle.delete(origin)
    }
    const isEmpty = this.#idle.size === 0
    this.#sweep = isEmpty
      ? undefined
      : setTimeout(() => this.#closeIdle(), SWEEP_INTERVAL_MS).unref()
  }
}
