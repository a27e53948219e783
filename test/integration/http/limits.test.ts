import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  type Answer,
  type StartedProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'

const START = Date.UTC(2026, 4, 4, 9)

describeOnDatabase('limits', (database) => {
  const running: StartedProduct[] = []
  afterEach(async () => {
    for (const product of running.splice(0)) await product.stop()
  })

  async function start(settings: Record<string, string>) {
    const clock = new TestClock(START)
    const product = await startTestProduct(await database.create(), { clock, settings })
    running.push(product)
    return { product, clock }
  }

  const signIn = (product: StartedProduct, email: string) =>
    product.call('/api/v1/auth/token', { body: { email, password: 'not the password' } })

  function limitOf({ headers }: Answer<unknown>) {
    const read = (name: string) => headers.get(name)
    return {
      limit: read('x-ratelimit-limit'),
      remaining: read('x-ratelimit-remaining'),
      reset: read('x-ratelimit-reset'),
      wait: read('retry-after'),
    }
  }

  test('count signing in per address, say how much is left, and open again', async () => {
    const { product, clock } = await start({ LIMIT_AUTH: '5' })
    for (const remaining of ['4', '3', '2', '1', '0']) {
      const answer = await signIn(product, `${remaining}@example.com`)
      expect(answer.status).toBe(401)
      expect(limitOf(answer)).toEqual({ limit: '5', remaining, reset: '60', wait: null })
    }
    clock.move(20_000)
    const refused = await signIn(product, 'sixth@example.com')
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(limitOf(refused)).toEqual({ limit: '5', remaining: '0', reset: '40', wait: '40' })
    clock.move(40_000)
    expect((await signIn(product, 'sixth@example.com')).status).toBe(401)
  })

  test('count signing in per account as well, wherever it comes from', async () => {
    const { product, clock } = await start({ LIMIT_AUTH: '5', TRUSTED_PROXIES: '127.0.0.1' })
    const from = (address: string) =>
      product.call('/api/v1/auth/token', {
        headers: { 'x-forwarded-for': address },
        body: { email: 'one@example.com', password: 'not the password' },
      })
    for (let n = 1; n <= 20; n += 1) expect((await from(`203.0.113.${n}`)).status).toBe(401)
    expect((await from('203.0.113.21')).status).toBe(429)
    clock.move(MINUTE_MS)
    expect((await from('203.0.113.21')).status).toBe(401)
  })

  test('believe no address that a stranger claims to have', async () => {
    const { product } = await start({ LIMIT_AUTH: '5' })
    const answers: number[] = []
    for (let n = 1; n <= 6; n += 1) {
      const answer = await product.call('/api/v1/auth/token', {
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
        body: { email: `${n}@example.com`, password: 'not the password' },
      })
      answers.push(answer.status)
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('count IPv6 addresses by their network', async () => {
    const { product } = await start({ LIMIT_AUTH: '5', TRUSTED_PROXIES: '127.0.0.1' })
    const from = async (address: string, email: string) => {
      const headers = { 'x-forwarded-for': address }
      const body = { email, password: 'not the password' }
      return (await product.call('/api/v1/auth/token', { headers, body })).status
    }
    for (let n = 1; n <= 5; n += 1) await from(`2a00:1450:4001:80b::${n}`, `${n}@example.com`)
    expect(await from('2a00:1450:4001:80b:ffff::1', 'six@example.com')).toBe(429)
    expect(await from('2a00:1450:4001:80c::1', 'seven@example.com')).toBe(401)
  })

  test('count the messages of each visitor alone', async () => {
    const { product } = await start({ LIMIT_MESSAGE: '2' })
    const workspace = await addWorkspace(product)
    const [first, second] = [
      await addVisitor(product, workspace),
      await addVisitor(product, workspace),
    ]
    const say = (token: string) =>
      product.call('/api/v1/chatbot/message', {
        token,
        body: { tenant_id: workspace.tenantId, message: 'Hello' },
      })
    expect(limitOf(await say(first))).toMatchObject({ limit: '2', remaining: '1' })
    expect((await say(first)).status).toBe(200)
    const refused = await say(first)
    expect(refused.status).toBe(429)
    expect(limitOf(refused)).toMatchObject({ remaining: '0', reset: '60', wait: '60' })
    expect((await say(second)).status).toBe(200)
  })

  test('that are set to 0 are off and send no headers', async () => {
    const { product } = await start({ LIMIT_AUTH: '0' })
    for (let n = 0; n < 8; n += 1) {
      const answer = await signIn(product, 'one@example.com')
      expect(answer.status).toBe(401)
      expect(limitOf(answer)).toEqual({ limit: null, remaining: null, reset: null, wait: null })
    }
  })

  test('are shared by processes that share a Redis', async () => {
    const settings = {
      LIMIT_AUTH: '5',
      REDIS_URL: process.env.TEST_REDIS_URL ?? '',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    const [one, two] = [(await start(settings)).product, (await start(settings)).product]
    // Nobody else who uses this Redis comes from this network.
    const network = randomBytes(6).toString('hex').match(/..../g)?.join(':') ?? ''
    const answers: number[] = []
    for (const [n, product] of [one, two, one, two, one, two].entries()) {
      const answer = await product.call('/api/v1/auth/token', {
        headers: { 'x-forwarded-for': `2a00:${network}::1` },
        body: { email: `${n}@${network.replaceAll(':', '')}.example`, password: 'wrong' },
      })
      answers.push(answer.status)
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 429])
  })
})
