import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

/** A TCP proxy in front of a server, so that the server can go away and come back. */
export interface TestProxy {
  /** The server's URL, led through the proxy. */
  url: string
  /** Cuts every connection and refuses new ones. */
  cut(): Promise<void>
  /** Takes connections and bytes, and passes nothing on: a network that swallows everything. */
  stall(): void
  /** Everything passes again. */
  heal(): Promise<void>
  close(): Promise<void>
}

/** Opens a proxy to the server that a URL names. */
export async function startProxy(target: string): Promise<TestProxy> {
  const to = new URL(target)
  const sockets = new Set<Socket>()
  let isStalled = false
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => isStalled || upstream.write(bytes))
    upstream.on('data', (bytes) => isStalled || client.write(bytes))
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    async cut() {
      server.close()
      drop()
      await once(server, 'close')
    },
    stall() {
      isStalled = true
    },
    async heal() {
      isStalled = false
      drop()
      if (!server.listening) await listen(port)
    },
    async close() {
      drop()
      if (!server.listening) return
      server.close()
      drop()
      await once(server, 'close')
    },
  }
}
