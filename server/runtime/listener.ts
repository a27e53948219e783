import { once } from 'node:events'
import { type ListenOptions, Server as NetServer } from 'node:net'
import type { App } from '../http/app-type.ts'
import { maxOpenFiles } from './connections.ts'

/**
 * Sockets that listen on one port. The event loop accepts one connection of each in a turn, and the
 * kernel spreads new connections over them.
 */
const MAX_SOCKETS = 128
/** A socket is a file. */
const SHARE_OF_FILES = 1 / 64
/** Connections that wait to be accepted; with Node's 511 a rush of callers tries again after seconds. */
const BACKLOG = 4_096
/** Of each socket that shares the port; connections are not spread evenly. */
const SHARED_BACKLOG = 512

/** Accepts the connections of an application. */
export class Listener {
  /** The base URL; with the actual port when the port is 0. */
  readonly url: string
  /** Resolves once nothing listens and the last connection has ended. */
  readonly closed: Promise<void>
  readonly #servers: NetServer[]

  private constructor(url: string, servers: readonly NetServer[]) {
    this.url = url
    this.#servers = [...servers]
    const { promise, resolve } = Promise.withResolvers<void>()
    let open = servers.length
    for (const server of servers) {
      server.once('close', () => {
        open -= 1
        if (open === 0) resolve()
      })
    }
    this.closed = promise
  }

  /** Throws when the port is taken, by another process of the product as well. */
  static async open(app: App, address: { host: string; port: number }): Promise<Listener> {
    const locks = await lockPort(address)
    if (!locks) {
      const url = await app.listen({ ...address, backlog: BACKLOG })
      return new Listener(url, [app.server])
    }
    const shared = { backlog: SHARED_BACKLOG, reusePort: true }
    try {
      const url = await app.listen({ ...address, ...shared })
      const bound = app.server.address()
      const servers = [app.server, ...locks]
      if (bound === null || typeof bound === 'string') return new Listener(url, servers)
      const options = { ...shared, host: bound.address, port: bound.port }
      const count = Math.min(MAX_SOCKETS, Math.floor(maxOpenFiles() * SHARE_OF_FILES))
      const further = Array.from({ length: Math.max(0, count - 1) }, () => listenFor(app, options))
      return new Listener(url, [...servers, ...(await Promise.all(further))])
    } catch (error) {
      for (const lock of locks) lock.close()
      throw error
    }
  }

  /**
   * Closes one more of the sockets; open connections stay, those that were not accepted are reset. Returns
   * whether another one listens.
   */
  closeNext(): boolean {
    const server = this.#servers.pop()
    // The server for HTTP would close the connections whose first request has not been read.
    if (server) NetServer.prototype.close.call(server)
    return this.#servers.length > 0
  }

  /** Closes the sockets that are left. */
  closeAll(): void {
    while (this.closeNext());
  }
}

/** Listens beside the application's server, which serves the connections as its own. */
function listenFor({ server }: App, options: ListenOptions): Promise<NetServer> {
  const beside = new NetServer({ allowHalfOpen: true, noDelay: true })
  beside.on('connection', (connection) => server.emit('connection', connection))
  return listen(beside, options)
}

/**
 * Returns what keeps other processes of the product from the port while sockets share it: a name that
 * is gone when its process is. Undefined where one socket has to listen alone: the port is in use or
 * locked, or the system cannot share ports.
 */
async function lockPort({
  host,
  port,
}: {
  host: string
  port: number
}): Promise<NetServer[] | undefined> {
  if (process.platform !== 'linux') return undefined
  // The port that the system chooses is in use by no other socket.
  if (port === 0) return []
  const lock = new NetServer((connection) => connection.destroy())
  try {
    // An abstract name of the network namespace, which is where the port counts.
    await listen(lock, { path: `\0sohbet/listener/${port}` })
    const alone = await listen(new NetServer(), { host, port })
    alone.close()
    await once(alone, 'close')
    return [lock]
  } catch {
    lock.close()
    return undefined
  }
}

async function listen(server: NetServer, options: ListenOptions): Promise<NetServer> {
  server.listen(options)
  await once(server, 'listening')
  return server
}
