import { createHmac } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import type { CreatedIntegration } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace, startTestProduct } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { openIntegration, pathOf, signed, tell } from './setup.ts'

const NOW = Date.UTC(2027, 0, 5, 10)
const WHATSAPP = { object: 'whatsapp_business_account', entry: [] }
const BODIES: Record<string, object> = {
  whatsapp: WHATSAPP,
  meta: { object: 'page', entry: [] },
  telegram: { update_id: 1 },
  stripe: { id: 'evt_1', type: 'ping', created: 1, data: { object: {} } },
  generic: {
    event: 'subscription.cancelled',
    data: { plan: 'gold', ends_at: '2027-02-01T00:00:00.000Z' },
  },
}
const KINDS = Object.keys(BODIES)

describeOnDatabase('a hook', (database) => {
  const clock = new TestClock(NOW)
  let workspace: TestWorkspace
  const opened = new Map<string, CreatedIntegration>()
  const product = useProduct(database, {
    clock,
    settings: { LIMIT_HOOKS: '0' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    for (const kind of KINDS) opened.set(kind, await openIntegration(product, workspace, kind))
  })

  const of = (kind: string): CreatedIntegration => {
    const found = opened.get(kind)
    if (!found) throw new Error(`No ${kind}.`)
    return found
  }
  const bodyOf = (kind: string) => JSON.stringify(BODIES[kind])

  test.each(KINDS)('takes what %s signs, and nothing else', async (kind) => {
    const hook = of(kind)
    const body = bodyOf(kind)
    expect(await tell(product, hook, body)).toMatchObject({ status: 200 })
    const wrong = { status: 401, body: { code: 'unauthenticated' } }
    expect(await tell(product, hook, body, { secret: 'another secret' })).toMatchObject(wrong)
    expect(await tell(product, hook, body, { headers: {} })).toMatchObject(wrong)
  })

  test.each(KINDS.filter((kind) => kind !== 'telegram'))(
    'refuses what was changed on the way: %s',
    async (kind) => {
      const hook = of(kind)
      const body = bodyOf(kind)
      const right = await tell(product, hook, body)
      expect(right.status).toBe(200)
      const others = { whatsapp: 'meta', meta: 'whatsapp', stripe: 'generic', generic: 'stripe' }
      expect(Object.keys(others)).toContain(kind)
      const changed = `${body} `
      const key = hook.secret
      const headers =
        kind === 'stripe'
          ? signed.stripe(key, body, NOW)
          : kind === 'generic'
            ? signed.generic(key, body, NOW)
            : signed.meta(key, body)
      expect((await tell(product, hook, changed, { headers })).status).toBe(401)
    },
  )

  test.each(['stripe', 'generic'])(
    'refuses a signature of more than five minutes: %s',
    async (kind) => {
      const hook = of(kind)
      const at = (ms: number) => tell(product, hook, bodyOf(kind), { at: NOW + ms })
      expect((await at(-5 * MINUTE_MS)).status).toBe(200)
      expect((await at(-5 * MINUTE_MS - 1_000)).status).toBe(401)
      expect((await at(6 * MINUTE_MS)).status).toBe(401)
    },
  )

  test('takes one of several signatures of Stripe, as while a secret is replaced', async () => {
    const hook = of('stripe')
    const body = bodyOf('stripe')
    const [time, right] = signed.stripe(hook.secret, body, NOW)['stripe-signature'].split(',')
    const headers = { 'stripe-signature': `${time},v1=${'0'.repeat(64)},v0=1,${right}` }
    expect((await tell(product, hook, body, { headers })).status).toBe(200)
    const twoTimes = { 'stripe-signature': `t=1,${time},${right}` }
    expect((await tell(product, hook, body, { headers: twoTimes })).status).toBe(401)
  })

  test('takes a signature of Standard Webhooks from a program', async () => {
    const hook = of('generic')
    const body = bodyOf('generic')
    const seconds = Math.floor(NOW / 1_000)
    const mac = createHmac('sha256', hook.secret)
      .update(`msg_1.${seconds}.${body}`)
      .digest('base64')
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,AAAA v1,${mac}`,
    }
    expect(await tell(product, hook, body, { headers })).toMatchObject({
      status: 200,
      body: { received: 1 },
    })
    expect(await tell(product, hook, body, { headers })).toMatchObject({
      status: 200,
      body: { received: 0 },
    })
  })

  test.each(['whatsapp', 'meta'])(
    'answers the challenge of %s, if the token is right',
    async (kind) => {
      const hook = of(kind)
      const ask = (token: string) =>
        product.call(
          `${pathOf(hook)}?hub.mode=subscribe&hub.challenge=%3Cb%3E1158201444&hub.verify_token=${token}`,
        )
      const right = await ask(hook.secret)
      expect(right).toMatchObject({ status: 200, text: '<b>1158201444' })
      expect(right.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await ask('wrong')).toMatchObject({ status: 401 })
    },
  )

  test('has no challenge where its provider knows none', async () => {
    expect((await product.call(pathOf(of('stripe')))).status).toBe(405)
  })

  test('is nothing under the name of another kind, nor once it is off or deleted', async () => {
    const hook = await openIntegration(product, workspace, 'generic')
    const body = bodyOf('generic')
    for (const kind of ['stripe', 'whatsapp', 'nonsense', 'constructor']) {
      const url = hook.url.replace('/generic/', `/${kind}/`)
      expect((await tell(product, { ...hook, url }, body)).status).toBe(404)
    }
    const path = `/api/v1/integrations/${hook.integration_id}`
    const { token } = workspace
    await product.call(path, { method: 'PATCH', token, body: { active: false } })
    expect((await tell(product, hook, body)).status).toBe(404)
    await product.call(path, { method: 'PATCH', token, body: { active: true } })
    expect((await tell(product, hook, body)).status).toBe(200)
    expect((await product.call(path, { method: 'DELETE', token })).status).toBe(204)
    expect((await tell(product, hook, body)).status).toBe(404)
  })

  test.each(['{', '', '[1', '"\ud800'])('refuses a body that is no JSON: %j', async (body) => {
    for (const kind of KINDS) {
      const answer = await tell(product, of(kind), body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_request' } })
    }
  })

  test('refuses JSON that its provider would never send', async () => {
    for (const kind of ['whatsapp', 'telegram', 'meta', 'stripe']) {
      expect((await tell(product, of(kind), [])).status).toBe(400)
    }
    expect(await tell(product, of('generic'), { event: 'nonsense', data: {} })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/event' }] },
    })
  })

  test('counts 500 genuine calls a minute for each integration', async () => {
    const limited = await startTestProduct(await database.create(), {
      clock,
      settings: { LIMIT_HOOKS: '2' },
    })
    const site = await addWorkspace(limited)
    const [one, other] = [
      await openIntegration(limited, site, 'generic'),
      await openIntegration(limited, site, 'generic'),
    ]
    // Another time makes another call.
    const call = (hook: typeof one, seconds: number) =>
      tell(limited, hook, bodyOf('generic'), { at: clock.now() + seconds * 1_000 })
    const first = await call(one, 0)
    expect(first.status).toBe(200)
    expect(first.headers.get('x-ratelimit-limit')).toBe('2')
    expect((await tell(limited, one, bodyOf('generic'), { headers: {} })).status).toBe(401)
    expect((await call(one, 1)).status).toBe(200)
    const third = await call(one, 2)
    expect(third).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(third.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await call(other, 0)).status).toBe(200)
    // What is rightly signed and cannot be read counts neither as genuine nor as a stranger's.
    const bodyless = await tell(limited, other, { event: 'nonsense', data: {} })
    expect(bodyless.status).toBe(422)
    expect(bodyless.headers.get('x-ratelimit-limit')).toBe('2')
    expect((await call(other, 1)).headers.get('x-ratelimit-remaining')).toBe('0')
    await limited.stop()
  })
})
