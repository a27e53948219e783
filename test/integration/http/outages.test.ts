import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnBothDatabases, describeOnPostgres } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startModelServer } from '../../helpers/servers/model-server.ts'
import { type TestProxy, startProxy } from '../../helpers/servers/proxy.ts'
import { readToken } from '../platform/forge-tokens.ts'

/** Longer than any answer may take, shorter than a test may. */
const PATIENCE_MS = 40_000

async function within<Value>(coming: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('No answer came.')), PATIENCE_MS)
  return Promise.race([coming, late.promise]).finally(() => clearTimeout(timer))
}

function ask(product: StartedProduct, workspace: TestWorkspace, token: string) {
  return within(
    product.call<Problem>('/api/v1/chatbot/message', {
      token,
      body: { tenant_id: workspace.tenantId, message: 'Hello?' },
    }),
  )
}

describeOnBothDatabases('when the database goes away', (database) => {
  if (database.kind === 'sqlite') {
    test('there is nothing that could go away: it is in the process', async () => {
      const product = await startTestProduct(await database.create())
      expect((await product.call('/health/ready')).status).toBe(200)
      await product.stop()
    })
    return
  }
  let proxy: TestProxy
  let databaseUrl: string
  let product: StartedProduct
  let workspace: TestWorkspace
  let visitor: string

  beforeAll(async () => {
    const place = await database.create()
    databaseUrl = place.databaseUrl ?? ''
    proxy = await startProxy(databaseUrl)
    product = await startTestProduct({ ...place, databaseUrl: proxy.url })
    workspace = await addWorkspace(product)
    visitor = await addVisitor(product, workspace)
  })
  afterAll(async () => {
    await proxy.heal()
    await product.stop()
    await proxy.close()
  })

  const ready = () => within(product.call<Problem>('/health/ready'))

  test('callers are asked to come back, and are served as soon as it is there again', async () => {
    expect((await ask(product, workspace, visitor)).status).toBe(200)
    await proxy.cut()
    const [notReady, refused] = [await ready(), await ask(product, workspace, visitor)]
    expect([notReady.status, notReady.body.code]).toEqual([503, 'unavailable'])
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    for (const answer of [notReady, refused]) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.headers.get('content-type')).toContain('problem+json')
      expect(answer.text).not.toMatch(/ECONN|postgres|127\.0\.0\.1/)
    }
    expect((await product.call('/health/live')).status).toBe(200)
    await proxy.heal()
    expect((await ready()).status).toBe(200)
    expect((await ask(product, workspace, visitor)).status).toBe(200)
  })

  test('readiness says so too when it takes connections and never answers', async () => {
    proxy.stall()
    const answer = await ready()
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    await proxy.heal()
    expect((await ready()).status).toBe(200)
  })

  test('connections that break in mid-work cost an answer at most, never the process', async () => {
    const admin = new pg.Client({ connectionString: databaseUrl })
    await admin.connect()
    const over = new AbortController()
    const statuses = new Set<number>()
    const load = Array.from({ length: 12 }, async () => {
      while (!over.signal.aborted) statuses.add((await ask(product, workspace, visitor)).status)
    })
    for (let count = 0; count < 15; count += 1) {
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      expect((await ask(product, workspace, visitor)).status).toBeOneOf([200, 503])
    }
    over.abort()
    await Promise.all(load)
    await admin.end()
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect((await ask(product, workspace, visitor)).status).toBe(200)
  })
})

describeOnPostgres('a run whose settlement meets an outage', (database) => {
  test('can be sent again under its id as soon as the database is back', async () => {
    const place = await database.create()
    const proxy = await startProxy(place.databaseUrl ?? '')
    const cut = Promise.withResolvers<void>()
    const model = await startModelServer(async (_call, count) => {
      if (count === 1) await cut.promise
      return { text: ['A summary.'] }
    })
    const settings = {
      MODEL_PROVIDER: 'openai-compatible',
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'a-model',
      LOG_LEVEL: 'silent',
    }
    const product = await startTestProduct({ ...place, databaseUrl: proxy.url }, { settings })
    const { token } = await addWorkspace(product)
    const run = async () => {
      const { status } = await product.call('/api/v1/prompts/execute', {
        token,
        headers: { 'x-request-id': 'once' },
        body: { prompt_id: 'summary', inputs: { text: 'Tea is served at five. Be there.' } },
      })
      return status
    }
    const first = run()
    await model.waitFor(1)
    await proxy.cut()
    cut.resolve()
    expect(await within(first)).toBe(503)
    await proxy.heal()
    // The lease of its claim alone would last 90 s.
    await expect.poll(run, { interval: 100 }).toBe(200)
    await product.stop()
    await Promise.all([proxy.close(), model.close()])
  })
})

describe('when Redis goes away', () => {
  let proxy: TestProxy
  let products: StartedProduct[]
  let redis: Redis

  beforeAll(async () => {
    const url = process.env.TEST_REDIS_URL
    if (!url) throw new Error('These tests need Redis: run them by "npm run test:integration".')
    proxy = await startProxy(url)
    redis = new Redis(url)
  })
  afterAll(async () => {
    redis.disconnect()
    await proxy.close()
  })

  describeOnBothDatabases('limits go on', (database) => {
    let workspace: TestWorkspace

    beforeAll(async () => {
      const settings = {
        REDIS_URL: proxy.url,
        LIMIT_MESSAGE: '1000',
        // Processes with one key are one installation: not those of other tests on the same Redis.
        SECRET_KEY: `a-secret-key-of-one-${database.kind}-installation`,
      }
      const place = await database.create()
      const first = await startTestProduct(place, { settings })
      products = [first]
      if (database.kind === 'postgres') products.push(await startTestProduct(place, { settings }))
      workspace = await addWorkspace(first)
    })
    afterAll(async () => {
      await proxy.heal()
      await Promise.all(products.map((product) => product.stop()))
    })

    async function left(visitor: string, product = products[0]): Promise<number> {
      if (!product) throw new Error('There is no such process.')
      const { status, headers } = await ask(product, workspace, visitor)
      expect(status).toBe(200)
      return Number(headers.get('x-ratelimit-remaining'))
    }

    /** The remaining calls that a process counting alone shows: each stands for one per process. */
    const remaining = (calls: number) => 1000 - (calls === 1 ? 1 : calls * products.length)

    async function metric({ ctx }: StartedProduct, name: string): Promise<number | undefined> {
      const values = (await ctx.metrics.getSingleMetric(`sohbet_rate_limit_${name}`)?.get())?.values
      return values?.[0]?.value
    }

    /**
     * Resolves once every process counts in Redis, where a visitor nobody counted is then, and knows
     * of the others.
     */
    async function untilShared(): Promise<void> {
      for (const product of products) {
        const known = () => metric(product, 'processes')
        await expect.poll(known, { interval: 300 }).toBe(products.length)
        await expect.poll(() => isShared(product), { interval: 300 }).toBe(true)
      }
    }

    async function isShared(product: StartedProduct): Promise<boolean> {
      const visitor = await addVisitor(product, workspace)
      await left(visitor, product)
      return (await redis.keys(`*message:${String(readToken(visitor).claims.sub)}`)).length === 1
    }

    test('without a wait for a Redis that takes everything and says nothing', async () => {
      await untilShared()
      const visitor = await addVisitor(products[0] ?? unreachable(), workspace)
      expect(await left(visitor)).toBe(999)
      proxy.stall()
      const answers = []
      for (let count = 0; count < 10; count += 1) answers.push(await left(visitor))
      expect(answers).toEqual(Array.from({ length: 10 }, (_, index) => remaining(index + 1)))
      await proxy.heal()
    })

    test('each process counting its part alone, and together again once it is back', async () => {
      await untilShared()
      const visitor = await addVisitor(products[0] ?? unreachable(), workspace)
      const last = products.at(-1)
      expect([await left(visitor), await left(visitor, last)]).toEqual([999, 998])
      await proxy.cut()
      expect([await left(visitor), await left(visitor)]).toEqual([remaining(1), remaining(2)])
      expect(await left(visitor, last)).toBe(products.length === 2 ? remaining(1) : remaining(3))
      for (const product of products) expect(await metric(product, 'local')).toBe(1)
      await proxy.heal()
      await untilShared()
      expect([await left(visitor), await left(visitor, last)]).toEqual([997, 996])
    })
  })
})

function unreachable(): never {
  throw new Error('There is no such process.')
}
