import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ActionTest, ImportedActions } from '../../../server/actions/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type Act, type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import {
  PRIVATE,
  addAction,
  json,
  orderCancellation,
  orderStatus,
  originOf,
  talkOf,
} from './order-service.ts'

/** How a service may hang, flood or lie, and what the owner reads about a GET and about a change. */
const MISDEEDS: [Act, string, string][] = [
  ['stall-in-head', 'failed timeout', 'unknown timeout'],
  ['drip-head', 'failed timeout', 'unknown timeout'],
  ['interim-storm', 'failed timeout', 'unknown timeout'],
  ['drip', 'failed timeout', 'done timeout'],
  ['endless-chunks', 'failed status 500', 'unknown status 500'],
  ['endless-head', 'failed connection_failed', 'unknown connection_failed'],
  ['switch', 'failed connection_failed', 'unknown connection_failed'],
  ['close', 'failed connection_failed', 'unknown connection_failed'],
  ['gzip-bomb', 'failed status 500', 'unknown status 500'],
  [{ status: 200, body: '[]' }, 'failed field_missing: status', 'done null'],
  [{ status: 200, body: '[['.repeat(30_000) }, 'failed not_json', 'done null'],
]

describeOnDatabase('the actions of a site, against strangers', (database) => {
  let service: Receiver
  let shop: TestWorkspace
  const clock = new TestClock(Date.now())
  const settings = { ...PRIVATE, ACTION_TIMEOUT_MS: '1000', LOG_LEVEL: 'fatal' }
  const product = useProduct(database, { settings, clock })
  const base = () => `/api/v1/tenants/${shop.tenantId}/actions`

  beforeAll(async () => {
    service = await startReceiver()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    shop = await addWorkspace(product, { tenant: { locale: 'en' } })
    service.received.length = 0
    service.act = json({ order: { status: 'sent', eta: 'soon' } })
  })

  const visit = async () => talkOf(product, shop, await addVisitor(product, shop))

  test('a service that hangs, floods or lies costs a limited time, and is never misread', async () => {
    const status = await addAction(product, shop, orderStatus(originOf(service)))
    const change = await addAction(product, shop, orderCancellation(originOf(service)))
    const outcome = async (id: string) => {
      const options = { token: shop.token, body: { inputs: { order_id: '4711' } } }
      const { body } = await product.call<ActionTest>(`${base()}/${id}/test`, options)
      return `${body.state} ${body.error}`
    }
    for (const [act, read, changed] of MISDEEDS) {
      service.act = act
      const outcomes = [await outcome(status.action_id), await outcome(change.action_id)]
      expect([act, ...outcomes]).toEqual([act, read, changed])
    }
    service.act = json({ order: { status: 'sent', eta: 'soon' } })
    expect(await outcome(status.action_id)).toBe('done null')
    expect(product.ctx.actionCalls.client.pendingCalls).toBe(0)
  })

  test("a yes is the visitor's own, and counts once, also when it is said ten times", async () => {
    await addAction(product, shop, orderCancellation(originOf(service)))
    const [visitor, other] = [await addVisitor(product, shop), await addVisitor(product, shop)]
    const asked = await talkOf(product, shop, visitor).turn('Please cancel my order 4711')
    expect(asked.reply?.content).toContain('Shall I go ahead?')
    const yes = (token: string, id: string) =>
      product.call<{ reply: { content: string } | null }>('/api/v1/chatbot/message', {
        token,
        headers: { 'x-request-id': id },
        body: { tenant_id: shop.tenantId, message: 'yes', session_id: asked.session_id },
      })
    const stranger = await addWorkspace(product)
    for (const token of [other, await addVisitor(product, stranger)]) {
      expect([403, 404]).toContain((await yes(token, 'stolen-yes')).status)
    }
    expect(await talkOf(product, shop, other).say('yes')).toBeDefined()
    expect(service.received).toEqual([])
    const ids = Array.from({ length: 10 }, (_, index) => `yes-${index}`)
    const said = await Promise.all(ids.map((id) => yes(visitor, id)))
    const answers = said.map(({ status, text }) => `${status} ${text}`).join('\n')
    expect(service.received, answers).toHaveLength(1)
    const told = said.filter(({ text }) => text.includes('Your order was cancelled.'))
    // A yes that comes once the order is cancelled, before anybody was told so, is told it too.
    expect(told.length, answers).toBeGreaterThanOrEqual(1)
  })

  test.each([
    ['was changed', 0, { url: '/refunds' }],
    ['was switched off', 0, { active: false }],
    ['was asked about eleven minutes ago', 11 * 60_000, undefined],
  ])('a yes to what %s does nothing', async (_why, later, patch) => {
    const action = await addAction(product, shop, orderCancellation(originOf(service)))
    const talk = await visit()
    expect((await talk.say('Please cancel my order 4711'))?.content).toContain('Shall I go ahead?')
    if (patch) {
      const body = 'url' in patch ? { url: originOf(service) + patch.url } : patch
      const path = `${base()}/${action.action_id}`
      await product.call(path, { method: 'PATCH', token: shop.token, body })
    }
    clock.move(later)
    expect((await talk.say('yes'))?.content).not.toContain('cancelled')
    expect(service.received).toEqual([])
  })

  test('an id is worth nothing at another site, of the same workspace too', async () => {
    const action = await addAction(product, shop, orderStatus(originOf(service)))
    const second = await product.call<{ tenant_id: string }>('/api/v1/tenants', {
      token: shop.token,
      body: { name: 'Second', allowed_origins: ['https://second.example'] },
    })
    const path = `/api/v1/tenants/${second.body.tenant_id}/actions/${action.action_id}`
    for (const [method, end, body] of [
      ['GET', ''],
      ['PATCH', '', { active: false }],
      ['DELETE', ''],
      ['GET', '/calls'],
      ['POST', '/test', { inputs: { order_id: '4711' } }],
      ['POST', '/rotate-secret', {}],
    ] as const) {
      const call = { method, token: shop.token, ...(body ? { body } : {}) }
      expect([method, end, (await product.call(path + end, call)).status]).toEqual([
        method,
        end,
        404,
      ])
    }
    expect(service.received).toEqual([])
    const { status } = await product.call(`${base()}/${action.action_id}`, { token: shop.token })
    expect(status).toBe(200)
  })

  test('names that every object has are refused for inputs, and kept as headers', async () => {
    const schema = { type: 'object', properties: { constructor: { type: 'string' } } }
    const body = orderStatus(originOf(service), {
      inputs_schema: { ...schema, required: ['constructor'] },
      questions: {},
      url: `${originOf(service)}/standings/{constructor}`,
    })
    const refused = await product.call<Problem>(base(), { token: shop.token, body })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([
      422,
      '/inputs_schema/properties/constructor',
    ])
    const parameter = {
      name: 'constructor',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }
    const document = {
      openapi: '3.1.0',
      info: { title: 'Races', version: '1' },
      servers: [{ url: originOf(service) }],
      paths: {
        '/standings/{constructor}': { get: { operationId: 'get', parameters: [parameter] } },
      },
    }
    const imported = await product.call<ImportedActions>(`${base()}/import`, {
      token: shop.token,
      body: { document },
    })
    expect(imported.body.skipped).toMatchObject([{ operation: 'get' }])
    const headers = { constructor: 'one-of-the-shop', 'X-Key': 'another' }
    const action = await addAction(product, shop, orderStatus(originOf(service), { headers }))
    const path = `${base()}/${action.action_id}`
    const patch = { method: 'PATCH', token: shop.token, body: { headers: { 'X-Key': null } } }
    const changed = await product.call<typeof action>(path, patch)
    expect(changed.body.headers).toEqual({ constructor: '••••••••' })
  })
})
