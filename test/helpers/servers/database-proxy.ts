import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

/** A proxy in front of Postgres that counts the round trips of all connections. */
export interface DatabaseProxy {
  /** The `DATABASE_URL` through the proxy. */
  url: string
  /** Returns the round trips since the last call: whatever is sent after something was received. */
  takeRoundTrips(): number
  stop(): Promise<void>
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let isAnswered = true
    client.on('data', (data) => {
      if (isAnswered) roundTrips += 1
      isAnswered = false
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      isAnswered = true
      client.write(data)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    takeRoundTrips() {
      const taken = roundTrips
      roundTrips = 0
      return taken
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
