import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectBooksInOrder } from './books.ts'
import { type Cluster, type Customer, startCluster } from './cluster.ts'
import { PROXIES, type Proxy, startHaproxy } from '../helpers/servers/deployed-proxies.ts'
import { type Outcome, ask, countStatuses, durationAt, startTraffic } from './traffic.ts'

const ROUNDS = 2
const CUSTOMERS = 8
const PATIENCE_MS = 3_000
const POLL = { timeout: 60_000, interval: 50 }

describe('two processes behind a proxy', () => {
  let cluster: Cluster
  let customers: Customer[]
  const all: Outcome[] = []
  beforeAll(async () => {
    cluster = await startCluster(2)
    customers = await cluster.addCustomers(CUSTOMERS)
  })
  afterAll(() => cluster.stop())

  test.each(['nginx', 'haproxy'] as const)(
    'are restarted one after the other under traffic, and no caller notices: %s',
    async (name) => {
      const proxy: Proxy = await PROXIES[name](cluster.ports)
      const traffic = startTraffic([proxy.url], customers)
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const index of cluster.ports.keys()) {
          const before = traffic.outcomes.length
          await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(before + 50)
          expect(await cluster.processes[index]?.end('SIGTERM')).toBe(0)
          await cluster.start(index)
          await expect.poll(() => cluster.answeredBy(index), POLL).toBeGreaterThan(10)
        }
      }
      const outcomes = await traffic.stop()
      const errors = await proxy.errors()
      await proxy.stop()
      all.push(...outcomes)
      console.log(name, countStatuses(outcomes), `p99 ${durationAt(outcomes, 0.99).toFixed(0)} ms`)
      const failed = outcomes.filter(({ status }) => status !== 200)
      expect(
        failed.map(({ status, text }) => [status, text]),
        errors,
      ).toEqual([])
      expect(await expectBooksInOrder(cluster.postgres, all)).toMatchObject({
        acknowledged: all.filter(({ status }) => status === 200).length,
      })
    },
  )

  test('answer for a workspace within 10 s when one freezes in the middle of a transaction', async () => {
    const proxy = await startHaproxy(cluster.ports)
    const traffic = startTraffic([proxy.url], customers)
    await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(100)
    // Transactions are open nearly all the time: it is frozen within some.
    cluster.processes[0]?.child.kill('SIGSTOP')
    const frozenAt = performance.now()
    await Promise.all(
      customers.map(async (customer) => {
        const direct = await ask(cluster.processes[1]?.url ?? '', customer)
        expect(direct).toMatchObject({ status: 200 })
        expect(direct.ms).toBeLessThan(10_000)
      }),
    )
    // Until the proxy has noticed, it sends some of them to the process that does not answer.
    const routed = async () => {
      const answers = customers.map((customer) => ask(proxy.url, customer, PATIENCE_MS))
      return (await Promise.all(answers)).every(({ status }) => status === 200)
    }
    await expect.poll(routed, POLL).toBe(true)
    const noticedMs = performance.now() - frozenAt
    cluster.processes[0]?.child.kill('SIGCONT')
    const outcomes = await traffic.stop()
    await proxy.stop()
    all.push(...outcomes)
    console.log('frozen', countStatuses(outcomes), `all answered ${noticedMs.toFixed(0)} ms after`)
    expect(
      outcomes.filter(({ status }) => status >= 500 && status !== 503 && status !== 504),
    ).toEqual([])
    await expectBooksInOrder(cluster.postgres, all)
  })
})
