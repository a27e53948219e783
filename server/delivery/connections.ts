import { Client, type buildConnector } from 'undici'

/** A pooled connection is used no longer than this after its address was judged. */
const LIFE_MS = 5 * 60_000

/** A client with one connection, which sends one request at a time. */
export interface Connection {
  client: Client
  origin: string
  judgedAt: number
}

/**
 * Kept-alive connections by origin. Own and not undici's pool, which looks through all of an
 * origin's connections for every request.
 */
export class Connections {
  readonly #connect: buildConnector.connector
  readonly #idle = new Map<string, Connection[]>()
  readonly #all = new Set<Connection>()

  constructor(connect: buildConnector.connector) {
    this.#connect = connect
  }

  /** A connection that nobody uses, the last one that was given back if there is one. */
  take(origin: string): Connection {
    const idle = this.#idle.get(origin)
    for (;;) {
      const connection = idle?.pop()
      if (!connection) return this.#open(origin)
      if (performance.now() - connection.judgedAt < LIFE_MS) return connection
      this.drop(connection)
    }
  }

  /** Gives a connection back whose answer was read to its end. */
  give(connection: Connection): void {
    if (!this.#all.has(connection)) return
    const idle = this.#idle.get(connection.origin)
    if (idle) idle.push(connection)
    else this.#idle.set(connection.origin, [connection])
  }

  /** Closes a connection, whatever it is doing. */
  drop(connection: Connection): void {
    if (!this.#all.delete(connection)) return
    const rest = this.#idle.get(connection.origin)?.filter((other) => other !== connection) ?? []
    if (rest.length > 0) this.#idle.set(connection.origin, rest)
    else this.#idle.delete(connection.origin)
    void connection.client.destroy()
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    const clients = [...this.#all].map((connection) => connection.client)
    this.#all.clear()
    this.#idle.clear()
    await Promise.all(clients.map((client) => client.destroy()))
  }

  #open(origin: string): Connection {
    const client = new Client(origin, {
      connect: this.#connect,
      allowH2: false,
      // Both are idle timers in undici; the attempt's own deadline covers everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection: Connection = { client, origin, judgedAt: performance.now() }
    this.#all.add(connection)
    client.on('connect', () => {
      connection.judgedAt = performance.now()
    })
    client.on('disconnect', () => this.drop(connection))
    return connection
  }
}
