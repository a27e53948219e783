import { afterEach, expect, test } from 'vitest'
import { useDatabase } from '../../helpers/databases.ts'
import {
  type LogLine,
  METRICS_TOKEN,
  type ProductOptions,
  type StartedProduct,
  startTestProduct,
} from '../../helpers/product.ts'
import { startProxy } from '../../helpers/servers/proxy.ts'

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
