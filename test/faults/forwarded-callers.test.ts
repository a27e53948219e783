import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../helpers/databases.ts'
import { type TestProcess, startTestProcess } from '../helpers/process.ts'
import { type TestWorkspace, addWorkspace } from '../helpers/product.ts'
import { callsOf } from './cluster.ts'
import { PROXIES, type Proxy, type ProxyOptions } from '../helpers/servers/deployed-proxies.ts'

const LIMIT = 5
const VISITORS = 8
const proxies = (['nginx', 'nginx of compose', 'haproxy'] as const).map((name) => ({ name }))

const running: Proxy[] = []
afterEach(async () => {
  for (const proxy of running.splice(0)) await proxy.stop()
})

async function start(
  name: keyof typeof PROXIES,
  ports: readonly number[],
  options: ProxyOptions = {},
): Promise<Proxy> {
  const proxy = await PROXIES[name](ports, options)
  running.push(proxy)
  return proxy
}

describe('the product behind a proxy', () => {
  const database = useDatabase('sqlite')
  let product: TestProcess
  let workspace: TestWorkspace
  beforeAll(async () => {
    const settings = { TRUSTED_PROXIES: '127.0.0.1', LIMIT_AUTH: String(LIMIT) }
    product = await startTestProcess(await database.create(), settings)
    workspace = await addWorkspace(callsOf(product.url))
  })
  afterAll(() => product.end('SIGTERM'))

  /** New visitors, each of whom names an address of its own. */
  const visit = async (proxy: Proxy, network: string) => {
    const statuses = []
    for (let number = 1; number <= VISITORS; number += 1) {
      const { status } = await callsOf(proxy.url).call('/api/v1/auth/visitor', {
        headers: { 'x-forwarded-for': `192.0.2.1, ${network}.${number}` },
        body: { tenant_id: workspace.tenantId },
      })
      statuses.push(status)
    }
    return statuses
  }

  test.each(proxies)('counts each visitor of a front that ends TLS: $name', async ({ name }) => {
    const proxy = await start(name, portsOf(product.url), { hasFront: true })
    const network = `203.0.${proxies.findIndex((each) => each.name === name)}`
    expect(await visit(proxy, network)).toEqual(Array<number>(VISITORS).fill(200))
  })

  test('counts visitors who feign addresses as one', async () => {
    const statuses = []
    for (const { name } of proxies) {
      const proxy = await start(name, portsOf(product.url))
      statuses.push(...(await visit(proxy, '198.51.100')))
    }
    // The owner has signed in from the same address.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(LIMIT)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(VISITORS)
  })
})

describe('a process behind a proxy', () => {
  let server: Server
  let ports: number[]
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { headers } = request
      response.end([headers['x-forwarded-for'], headers['x-forwarded-proto']].join(' '))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    ports = [addressOf(server).port]
  })
  afterAll(() => server.close())

  const hear = async (
    name: keyof typeof PROXIES,
    options: ProxyOptions,
    calls: readonly Record<string, string>[],
  ) => {
    const proxy = await start(name, ports, options)
    const answers = []
    for (const headers of calls) {
      const response = await fetch(`${proxy.url}/api/v1/auth/me`, { headers })
      answers.push(await response.text())
    }
    const hidden = []
    for (const path of ['/metrics', '/metrics?a=b', '/%6detrics', '/%6Detric%73', '/metrics/a']) {
      hidden.push((await fetch(proxy.url + path)).status)
    }
    expect(hidden).toEqual([404, 404, 404, 404, 200])
    return answers
  }
  const first = { 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https' }
  const second = { 'x-forwarded-for': '192.0.2.1, 2001:db8::2', 'x-forwarded-proto': 'http' }

  test.each(proxies)('hears nothing that a caller feigns: $name', async ({ name }) => {
    const own = '127.0.0.1 http'
    expect(await hear(name, {}, [first, second, {}])).toEqual([own, own, own])
  })

  test.each(proxies)('hears a listed front on caller and protocol: $name', async ({ name }) => {
    // All on one connection, as a front keeps it.
    expect(await hear(name, { hasFront: true }, [first, second, first, {}])).toEqual([
      '203.0.113.1 https',
      '2001:db8::2 http',
      '203.0.113.1 https',
      '127.0.0.1 http',
    ])
  })
})

function portsOf(url: string): number[] {
  return [Number(new URL(url).port)]
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.')
  return address
}
