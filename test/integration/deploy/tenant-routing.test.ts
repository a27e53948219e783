import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, createServer, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../helpers/databases.ts'
import { startTestProduct } from '../../helpers/product.ts'
import { useRouteTable } from '../../helpers/route-table.ts'
import { PROXIES, type Proxy } from '../../helpers/servers/deployed-proxies.ts'
import { freePort } from '../../services/free-port.ts'

const BACKENDS = 3
const TENANTS = Array.from({ length: 240 }, (_, index) => `site-${index}`)
/** The part of an even share that each backend has at least. */
const MIN_SHARE = 0.5
const MESSAGE = '/api/v1/chatbot/message'
const HEADER = 'X-Sohbet-Tenant'
/** What a configuration, a log or a header could take for its own. */
const ODD_VALUES = [
  '"',
  "'",
  '\\',
  ';',
  '{}',
  '$remote_addr',
  '%[src]',
  '%00',
  '../..',
  ' a b ',
  '\t',
  '\0',
  '\u00E7\u00FC\u0131',
  '\u{1F600}',
  '<script>',
  'a,b',
  'x'.repeat(4_000),
]

/** A process that says which one it is. */
interface Backend {
  port: number
  start(): Promise<void>
  stop(): Promise<void>
}

const routes = useRouteTable()
const database = useDatabase('sqlite')
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

describe.each(['nginx', 'haproxy'] as const)('%s in front of three processes', (name) => {
  let backends: Backend[]
  beforeAll(async () => {
    backends = []
    while (backends.length < BACKENDS) backends.push(await startBackend(await freePort()))
  })
  afterAll(async () => {
    for (const backend of backends) await backend.stop()
  })

  const start = async (hasFront = false): Promise<Proxy> => {
    const proxy = await PROXIES[name](
      backends.map(({ port }) => port),
      { hasFront },
    )
    stops.push(() => proxy.stop())
    return proxy
  }
  const ports = () => backends.map(({ port }) => String(port))

  test('sends a tenant to one of them, wherever a request names it, and tenants to all', async () => {
    const proxy = await start()
    const homes = await findHomes(proxy)
    expect(countShares(homes.values())).toEqual(ports().toSorted())
    const paths = await readTenantPaths()
    expect(paths.length).toBeGreaterThan(20)
    for (const [index, path] of paths.entries()) {
      const tenant = TENANTS[index % TENANTS.length] ?? ''
      const named = path.replace(':tenant_id', tenant)
      expect([path, await findBackend(proxy, named)]).toEqual([path, homes.get(tenant)])
    }
    for (const tenant of TENANTS.slice(0, 20)) {
      const query = `/api/v1/leads?limit=5&tenant_id=${tenant}`
      expect(await findBackend(proxy, query)).toBe(homes.get(tenant))
      // The header comes before the path.
      expect(await findBackend(proxy, '/chat/another', { [HEADER]: tenant })).toBe(
        homes.get(tenant),
      )
    }
  })

  test('moves the tenants of one that is gone, no other, and moves them back', async () => {
    const proxy = await start()
    const before = await findHomes(proxy)
    const [gone] = backends
    await gone?.stop()
    const others = ports().slice(1)
    const settled = async () => [...new Set((await findHomes(proxy)).values())].toSorted()
    await expect.poll(settled).toEqual(others.toSorted())
    const between = await findHomes(proxy)
    const stayed = ([, home]: [string, string]) => home !== ports()[0]
    expect([...between].filter(([tenant]) => before.get(tenant) !== ports()[0])).toEqual(
      [...before].filter(stayed),
    )
    expect([...between].every(stayed)).toBe(true)
    await gone?.start()
    await expect.poll(() => findHomes(proxy)).toEqual(before)
  })

  test('spreads requests that name no tenant by the address of their caller', async () => {
    const proxy = await start(true)
    const homes = new Map<string, string>()
    for (let index = 0; index < TENANTS.length; index += 1) {
      const address = `192.0.2.${index}`
      const from = { 'x-forwarded-for': address }
      const home = await findBackend(proxy, '/api/v1/auth/me', from)
      homes.set(address, home)
      for (const path of ['/panel', '/chat/', '/api/v1/tenants', '/api/v1/leads?tenant_id=']) {
        expect([path, await findBackend(proxy, path, from)]).toEqual([path, home])
      }
      expect(await findBackend(proxy, '/panel', { ...from, [HEADER]: '' })).toBe(home)
    }
    expect(countShares(homes.values())).toEqual(ports().toSorted())
  })

  test('takes any header, and goes by the path where it is empty', async () => {
    const proxy = await start()
    for (const value of ODD_VALUES) {
      const statuses = [await sendRaw(proxy, value), await sendRaw(proxy, value)]
      // Only a character that HTTP forbids is refused, by the proxy or by the process.
      const right = value === '\0' ? 400 : 200
      expect([value, ...statuses]).toEqual([value, right, right])
    }
    expect(await sendRaw(proxy, 'x'.repeat(100_000))).toBe(400)
    const homes = await findHomes(proxy)
    for (const [tenant, home] of homes) {
      expect(await findBackend(proxy, `/chat/${tenant}`, { [HEADER]: '' })).toBe(home)
    }
    expect(await proxy.errors()).not.toMatch(/\[(?:emerg|alert|crit)\]/)
  })

  test('passes each event of a stream on before the next one is written', async () => {
    const proxy = await start()
    const response = await get(proxy, '/stream', { [HEADER]: 'site-1' })
    const events = response.setEncoding('utf8').iterator()
    const seen: string[] = []
    for (let number = 1; number <= 3; number += 1) {
      const { value }: IteratorResult<string> = await events.next()
      seen.push(value)
      // The backend writes the next one when it hears of this one.
      await findBackend(proxy, '/heard', { [HEADER]: 'site-1' })
    }
    response.destroy()
    expect(seen).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n'])
  })
})

/** Starts a process that answers everything with its port. */
async function startBackend(port: number): Promise<Backend> {
  let heard: () => void = () => undefined
  const server = createServer((incoming, response) => {
    if (incoming.url === '/heard') heard()
    if (incoming.url !== '/stream') {
      response.end(String(port))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    let number = 0
    heard = () => {
      number += 1
      response.write(`data: ${number}\n\n`)
    }
    heard()
  })
  const backend: Backend = {
    port,
    async start() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  await backend.start()
  return backend
}

/** Every path of the product that names a tenant. */
async function readTenantPaths(): Promise<string[]> {
  if (routes.length === 0) await (await startTestProduct(await database.create())).stop()
  const urls = routes.map(({ url }) => url).filter((url) => url.includes(':tenant_id'))
  return [...new Set(urls)].map((url) => url.replaceAll(/:(?!tenant_id)\w+/g, 'x'))
}

async function get(
  proxy: Proxy,
  path: string,
  headers: RequestOptions['headers'] = {},
): Promise<IncomingMessage> {
  const call = request(proxy.url + path, { headers }).end()
  const [response]: IncomingMessage[] = await once(call, 'response')
  if (!response) throw new Error('There is no response.')
  return response
}

/** Returns the port of the process that answers. */
async function findBackend(
  proxy: Proxy,
  path: string,
  headers: RequestOptions['headers'] = {},
): Promise<string> {
  return text(await get(proxy, path, headers))
}

async function findHomes(proxy: Proxy): Promise<Map<string, string>> {
  const homes = new Map<string, string>()
  for (const tenant of TENANTS) {
    homes.set(tenant, await findBackend(proxy, MESSAGE, { [HEADER]: tenant }))
  }
  return homes
}

/** The processes that have their share. */
function countShares(homes: Iterable<string>): string[] {
  const shares = Object.entries(Object.groupBy(homes, (port) => port))
  const least = (TENANTS.length / BACKENDS) * MIN_SHARE
  return shares.filter(([, { length } = []]) => (length ?? 0) >= least).map(([port]) => port)
}

/** Sends the header byte for byte, which no client would; returns the status. */
async function sendRaw(proxy: Proxy, value: string): Promise<number> {
  const { hostname, port } = new URL(proxy.url)
  const lines = [
    `GET ${MESSAGE} HTTP/1.1`,
    `Host: ${hostname}`,
    `${HEADER}: ${value}`,
    'Connection: close',
  ]
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [head]: Buffer[] = await once(socket, 'data')
  socket.destroy()
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(head))?.[1])
}
