import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
} from 'node:http'
import { text } from 'node:stream/consumers'

/** The fault of one request on its way. */
export type Fault =
  | 'pass'
  /** Breaks the connection after the first event of a stream, or after the head. */
  | 'cut'
  /** Is gone before it answers. */
  | 'drop'
  | { status: number; retryAfter: string }

/** A proxy to the product that causes scripted faults. */
export interface FaultyProxy {
  url: string
  seen: { path: string; headers: IncomingHttpHeaders }[]
  /** Of the next requests; those after them pass. */
  faults: Fault[]
  stop(): Promise<void>
}

/** Starts a proxy before the product. */
export async function startFaultyProxy(target: () => string): Promise<FaultyProxy> {
  const seen: FaultyProxy['seen'] = []
  const proxy: FaultyProxy = { url: '', seen, faults: [], stop: () => Promise.resolve() }
  const server = createServer((request, response) => void relay(request, response))

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    seen.push({ path: request.url ?? '', headers: request.headers })
    const fault = proxy.faults.shift() ?? 'pass'
    const body = await text(request)
    if (fault === 'drop') return void request.socket.destroy()
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'retry-after': fault.retryAfter })
      return void response.end('{}')
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string' && !/^(host|connection|content-length)$/.test(name)) {
        headers.set(name, value)
      }
    }
    const answer = await fetch(target() + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers,
      ...(body === '' ? {} : { body }),
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    for await (const chunk of answer.body ?? []) {
      response.write(chunk)
      if (fault === 'cut') return void setTimeout(() => request.socket.destroy(), 20)
    }
    response.end()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  proxy.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  proxy.stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return proxy
}
