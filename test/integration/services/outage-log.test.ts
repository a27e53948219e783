import { afterEach, expect, test } from 'vitest'
import { DatabaseClock } from '../../../server/runtime/database-clock.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnPostgres, useDatabase } from '../../helpers/databases.ts'
import {
  type LogLine,
  METRICS_TOKEN,
  type ProductOptions,
  type StartedProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startProxy } from '../../helpers/servers/proxy.ts'

const ERROR = 50
const CALLERS = 20
/** The shortest step after which every process has measured its clock and judged it. */
const STEP_MS = 10_000

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function start(
  place: { dataDir: string; databaseUrl: string | undefined },
  { settings, ...options }: ProductOptions = {},
): Promise<{ product: StartedProduct; lines: LogLine[]; count: (event: string) => number }> {
  const lines: LogLine[] = []
  const product = await startTestProduct(place, {
    ...options,
    settings: { LOG_LEVEL: 'info', ...settings },
    onLog: (line) => lines.push(line),
  })
  stops.push(() => product.stop())
  const count = (event: string) => lines.filter((line) => line.event === event).length
  return { product, lines, count }
}

describeOnPostgres('an outage of the database', (database) => {
  test('is a line in the log when it begins, and one when it is over', async () => {
    const place = await database.create()
    const proxy = await startProxy(place.databaseUrl ?? '')
    stops.push(() => proxy.close())
    const { product, lines, count } = await start({ ...place, databaseUrl: proxy.url })
    const workspace = await addWorkspace(product)
    const visitor = await addVisitor(product, workspace)
    const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const ask = () => product.call('/api/v1/chatbot/message', { token: visitor, body })
    for (const outage of [1, 2]) {
      await proxy.cut()
      const answers = await Promise.all([
        ...Array.from({ length: CALLERS }, ask),
        product.call('/health/ready'),
        product.call('/metrics', { token: METRICS_TOKEN }),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503, 200]))
      await proxy.heal()
      await expect.poll(() => count('outage.ended'), { timeout: 10_000 }).toBe(outage)
      expect(lines.filter(({ level }) => level >= ERROR).map(({ event }) => event)).toEqual(
        Array.from({ length: outage }, () => 'outage.began'),
      )
      expect((await ask()).status).toBe(200)
    }
  })
})

describeOnPostgres('the clock of a machine that goes wrong', (database) => {
  test('is in the log without anybody asking for the readiness', async () => {
    const system = new TestClock(Date.now())
    const clock = new DatabaseClock(system)
    const { lines, count } = await start(await database.create(), { clock })
    expect(count('clock.skewed')).toBe(0)
    const step = (ms: number) => () => {
      system.move(ms)
      return lines.map(({ event }) => event)
    }
    await expect.poll(step(STEP_MS), { interval: 100 }).toContain('clock.skewed')
    await expect.poll(step(STEP_MS), { interval: 100 }).toContain('clock.skewed')
    expect(count('clock.skewed')).toBe(1)
  })
})

test('probes of a process that stops are no errors', async () => {
  const place = await useDatabase('sqlite').create()
  const { product, lines } = await start(place, { settings: { SHUTDOWN_DELAY_MS: '500' } })
  stops.pop()
  const stopped = product.stop()
  expect((await product.call('/health/ready')).status).toBe(503)
  await stopped
  expect(lines.filter(({ level }) => level >= ERROR)).toEqual([])
})

test('an outage of Redis is a line when it begins, and one when it is over', async () => {
  const proxy = await startProxy(process.env.TEST_REDIS_URL ?? '')
  stops.push(() => proxy.close())
  const place = await useDatabase('sqlite').create()
  const settings = { REDIS_URL: proxy.url, LOG_LEVEL: 'debug' }
  const { product, lines, count } = await start(place, { settings })
  const states = async () => {
    const { text } = await product.call('/metrics', { token: METRICS_TOKEN })
    return [...text.matchAll(/^sohbet_redis_connections\{state="(\w+)"\} 1$/gm)].map(
      ([, state]) => state,
    )
  }
  await expect.poll(states).toEqual(['ready'])
  await proxy.cut()
  // The subscriber is a connection of its own, which tries again in the same pace.
  const attempts = () => lines.filter(({ msg }) => msg.includes('subscriber waits')).length
  await expect.poll(attempts, { timeout: 10_000 }).toBeGreaterThan(4)
  expect(await states()).toEqual(['broken'])
  await proxy.heal()
  await expect.poll(() => count('redis.connected'), { timeout: 10_000 }).toBe(1)
  expect(count('redis.connection_failed')).toBe(1)
})
