import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/** A connection is used no longer than this after its address was judged. */
const LIFE_MS = 5 * 60_000
/** How long an idle connection is kept, unless its receiver says that it closes sooner. */
const IDLE_MS = 4_000
/** A request must not meet the receiver's own closing of an idle connection. */
const MARGIN_MS = 1_000
const SWEEP_MS = 1_000
const LARGE_BYTES = 16 * 1024

/** Who uses a connection at the moment, and is told what happens on it. */
export interface ConnectionListener {
  onData(bytes: Buffer): void
  /** The other side sends no more. */
  onEnd(): void
  /** The connection is gone; nothing follows. */
  onClose(error: Error | undefined): void
}

/** An open connection, which carries one request at a time. */
export class Connection {
  readonly socket: Socket
  readonly origin: string
  user: ConnectionListener | undefined
  /** Stopwatch times, in milliseconds. */
  readonly judgedAt = performance.now()
  idleUntil = Infinity
  #error: Error | undefined

  constructor(socket: Socket, origin: string) {
    this.socket = socket
    this.origin = origin
    socket.on('data', (bytes: Buffer) => {
      if (this.user) this.user.onData(bytes)
      // Nobody asked: it must not be taken for the answer to the next request.
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

  isGood(now: number): boolean {
    const { destroyed, writable } = this.socket
    return !destroyed && writable && now < this.idleUntil && now - this.judgedAt < LIFE_MS
  }
}

/**
 * Frees what a large read took, at once: a thousand endless answers would wait for the garbage
 * collector with 64 KiB each. Whoever keeps a part of what arrived has a copy by now.
 */
function freeBuffer({ buffer, byteLength }: Buffer): void {
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isOwn && byteLength >= LARGE_BYTES) buffer.transfer(0)
}

/** Kept-alive connections by origin. */
export class ConnectionPool {
  readonly #connect: buildConnector.connector
  readonly #idle = new Map<string, Connection[]>()
  readonly #all = new Set<Socket>()
  #sweep: NodeJS.Timeout | undefined

  constructor(connect: buildConnector.connector) {
    this.#connect = connect
  }

  /** A connection that nobody uses, the last one that was given back if there is one. */
  acquire(origin: string): Connection | undefined {
    const idle = this.#idle.get(origin)
    const now = performance.now()
    for (;;) {
      const connection = idle?.pop()
      if (!connection || connection.isGood(now)) return connection
      connection.socket.destroy()
    }
  }

  /** Opens a connection, which nobody else is given before it is given back. */
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

  /** Gives a connection back whose answer was read to its end. */
  release(connection: Connection, keepAliveMs = IDLE_MS + MARGIN_MS): void {
    connection.idleUntil = performance.now() + Math.min(keepAliveMs - MARGIN_MS, LIFE_MS)
    if (!connection.isGood(performance.now())) {
      connection.socket.destroy()
      return
    }
    const idle = this.#idle.get(connection.origin)
    if (idle) idle.push(connection)
    else this.#idle.set(connection.origin, [connection])
    this.#sweep ??= setTimeout(() => this.#closeIdle(), SWEEP_MS).unref()
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
      const good = idle.filter((connection) => connection.isGood(now))
      for (const connection of idle) if (!connection.isGood(now)) connection.socket.destroy()
      if (good.length > 0) this.#idle.set(origin, good)
      else this.#idle.delete(origin)
    }
    const isEmpty = this.#idle.size === 0
    this.#sweep = isEmpty ? undefined : setTimeout(() => this.#closeIdle(), SWEEP_MS).unref()
  }
}
