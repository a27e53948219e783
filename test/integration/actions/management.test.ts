import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { expireActionCalls } from '../../../server/actions/calls.ts'
import type { Action, CreatedAction, ImportedActions } from '../../../server/actions/schema.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  type TestWorkspace,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { freePort } from '../../services/free-port.ts'
import {
  INPUTS,
  PRIVATE,
  addAction,
  orderStatus,
  originOf,
  signIn,
  talkOf,
} from './order-service.ts'

describeOnDatabase('the actions of a workspace', (database) => {
  let service: Receiver
  let shop: TestWorkspace
  const product = useProduct(database, { settings: PRIVATE })
  const base = () => `/api/v1/tenants/${shop.tenantId}/actions`

  beforeAll(async () => {
    service = await startReceiver()
    shop = await addWorkspace(product, { tenant: { locale: 'en' } })
  })
  afterAll(() => service.close())
  beforeEach(() => {
    service.received.length = 0
  })

  const addStatus = () => addAction(product, shop, orderStatus(originOf(service)))

  test('are made, shown without secrets, changed, counted and deleted', async () => {
    const made = await addStatus()
    expect(made).toMatchObject({
      active: true,
      confirm: false,
      headers: { Authorization: '••••••••' },
    })
    expect(made.secret).toMatch(/^\w{40}$/)
    const path = `${base()}/${made.action_id}`
    const { token } = shop
    const read = await product.call<Action>(path, { token })
    expect(read.text).not.toContain(made.secret)
    expect(read.text).not.toContain('the-key-of-the-shop')
    const stored = await product.ctx.db.selectFrom('actions').selectAll().execute()
    const rows = JSON.stringify(stored)
    expect(rows).not.toContain('the-key-of-the-shop')
    expect(rows).not.toContain(made.secret)
    const body = { name: 'Where is it?', headers: { 'X-Shop': 'one', Authorization: null } }
    const changed = await product.call<Action>(path, { method: 'PATCH', token, body })
    expect(changed.body).toMatchObject({ name: 'Where is it?', headers: { 'X-Shop': '••••••••' } })
    const rotated = await product.call<CreatedAction>(`${path}/rotate-secret`, { token, body: {} })
    expect(rotated.body.secret).not.toBe(made.secret)
    expect((await product.call<Page<Action>>(base(), { token })).body.data).toHaveLength(1)
    expect((await product.call(path, { method: 'DELETE', token })).status).toBe(204)
    expect((await product.call(path, { token })).status).toBe(404)
    const audit = await product.call<Page<{ action: string }>>('/api/v1/audit', { token })
    expect(audit.body.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'action.created',
        'action.changed',
        'action.secret_rotated',
        'action.deleted',
      ]),
    )
  })

  test.each<[string, object]>([
    ['/url', { url: 'https://{order_id}.example/orders' }],
    ['/url', { url: 'https://shop.example{order_id}/orders' }],
    ['/url', { url: 'https://{order_id}@shop.example/orders' }],
    ['/url', { url: '{order_id}://shop.example/orders' }],
    ['/url', { url: 'https://shop.example/orders?{order_id}=1' }],
    ['/url', { url: 'https://shop.example/orders#{order_id}' }],
    ['/url', { url: 'https://shop.example/orders/{unknown}' }],
    ['/url', { url: 'https://shop.example/orders/{order id}' }],
    ['/url', { url: 'https://shop.example/orders/{{order_id}' }],
    ['/url', { url: 'ftp://shop.example/{order_id}' }],
    ['/url', { url: 'https://a:b@shop.example/{order_id}' }],
    ['/url', { inputs_schema: { ...INPUTS, required: [] } }],
    ['/inputs_schema', { inputs_schema: { ...INPUTS, $recursiveRef: '#' } }],
    [
      '/inputs_schema/properties/order_id',
      { inputs_schema: { ...INPUTS, properties: { order_id: { type: 'array' } } } },
    ],
    ['/confirm', { method: 'POST', confirm: false }],
    ['/body', { method: 'POST', body: { id: '{other}' } }],
    ['/body', { body: { id: '{order_id}' } }],
    ['/answer/say', { answer: { say: 'It is {{status}}.' } }],
    ['/answer/say', { answer: { fields: { status: '/status' }, say: { en: 'It is {status}.' } } }],
    ['/questions/other', { questions: { other: 'Which?' } }],
    ['/headers/Host', { headers: { Host: 'evil.example' } }],
    ['/headers/webhook-id', { headers: { 'webhook-id': 'x' } }],
    ['/headers/X-Key', { headers: { 'X-Key': 'a\r\nX-Other: b' } }],
    ['/unknown', { unknown: true }],
  ])('are refused at %s: %j', async (path, more) => {
    const { token } = shop
    const body = orderStatus(originOf(service), more)
    const answer = await product.call<Problem>(base(), { token, body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors?.map((error) => error.path)).toContain(path)
  })

  test('come from an OpenAPI document, switched off', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: `${originOf(service)}/v1` }],
      components: {
        schemas: {
          Order: { type: 'object', required: ['state'], properties: { state: { type: 'string' } } },
          Loop: { $ref: '#/components/schemas/Loop' },
        },
      },
      paths: {
        '/orders/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: {
            operationId: 'getOrder',
            summary: 'Get an order',
            parameters: [{ name: 'lang', in: 'query', schema: { type: 'string', enum: ['en'] } }],
            responses: {
              200: {
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
              },
            },
          },
          patch: {
            operationId: 'changeOrder',
            requestBody: {
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { note: { type: 'string' } } },
                },
              },
            },
          },
          put: {
            operationId: 'loop',
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Loop' } } },
            },
          },
        },
      },
    }
    const { token } = shop
    const imported = await product.call<ImportedActions>(`${base()}/import`, {
      token,
      body: { document },
    })
    expect(imported.status).toBe(201)
    expect(imported.body.data).toMatchObject([
      {
        name: 'Get an order',
        active: false,
        url: `${originOf(service)}/v1/orders/{id}?lang={lang}`,
        answer: { fields: { state: '/state' }, say: 'state: {{state}}' },
      },
      { method: 'PATCH', confirm: true, body: { note: '{note}' } },
    ])
    expect(imported.body.skipped).toEqual([
      { operation: 'loop', reason: 'needs a body that is not JSON' },
    ])
    const talk = talkOf(product, shop, await addVisitor(product, shop))
    await talk.say('Get an order 4711')
    expect(service.received).toEqual([])
    const bad = await product.call(`${base()}/import`, {
      token,
      body: { document: { openapi: '2' } },
    })
    expect(bad.status).toBe(422)
  })

  test('are at most twenty a site', async () => {
    const { token } = shop
    const { data } = (await product.call<Page<Action>>(`${base()}?limit=100`, { token })).body
    const room = 20 - data.length
    await Promise.all(Array.from({ length: room }, () => addStatus()))
    const body = orderStatus(originOf(service))
    expect((await product.call(base(), { token, body })).status).toBe(409)
  })

  test('slow down who asks too often, and forget their calls after 30 days', async () => {
    const clock = new TestClock(Date.now())
    const settings = { ...PRIVATE, LIMIT_DEFAULT: '1000', LOG_LEVEL: 'fatal' }
    const limited = await startTestProduct(await database.create(), { clock, settings })
    onTestFinished(() => limited.stop())
    const site = await addWorkspace(limited, { tenant: { locale: 'en' } })
    await addAction(limited, site, orderStatus(originOf(service)))
    const talk = talkOf(limited, site, await addVisitor(limited, site))
    for (let count = 0; count < 10; count += 1) await talk.say('Where is my order 4711?')
    expect((await talk.say('Where is my order 4711?'))?.content).toContain('a lot in a short time')
    const stored = () => limited.ctx.db.selectFrom('action_calls').select('id').execute()
    expect(await stored()).toHaveLength(10)
    clock.move(29 * DAY_MS)
    await expireActionCalls(limited.ctx)
    expect(await stored()).toHaveLength(10)
    clock.move(2 * DAY_MS)
    await expireActionCalls(limited.ctx)
    expect(await stored()).toEqual([])
  })

  test('reach the receiver of the documentation, which knows its customers', async () => {
    const text = await readFile('docs/actions.md', 'utf8')
    const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(text) ?? []
    const site = await addWorkspace(product, { tenant: { locale: 'en' } })
    const port = await freePort()
    const action = await addAction(product, site, orderStatus(originOf({ port }), { headers: {} }))
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      env: { SECRET: action.secret, PORT: String(port) },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill())
    const reached = () =>
      fetch(originOf({ port })).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(reached).toBe(401)
    const ask = async (sub: string) => {
      const visitor = await addVisitor(product, site)
      await signIn(product, site, visitor, sub)
      return (await talkOf(product, site, visitor).say('Where is my order 4711?'))?.content
    }
    const url = `${originOf({ port })}/orders/{order_id}`
    const path = `/api/v1/tenants/${site.tenantId}/actions/${action.action_id}`
    await product.call(path, { method: 'PATCH', token: site.token, body: { url } })
    expect(await ask('customer-1')).toBe('Your order is on its way, expected 24 November.')
    expect(await ask('customer-2')).toContain('could not find anything')
  })
})
