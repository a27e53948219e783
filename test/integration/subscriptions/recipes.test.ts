import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Session } from '../../../server/chat/schema.ts'
import { useDatabase } from '../../helpers/databases.ts'
import { addVisitor } from '../../helpers/product.ts'
import type { Received } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { BASE, FAST, type Subscriber, openSubscriber, requestOf } from './subscriber.ts'

type Delivered = Record<string, unknown> & { data: Record<string, unknown> }

const VISITOR = {
  name: 'Deniz Kaya',
  phone: '+905321234567',
  email: 'deniz@example.com',
  interest: 'Two-day course',
}
/** Values that differ from one installation and moment to the next. */
const CHANGING = /^(?:lead_id|chatbot_id|session_id|captured_at|created_at)$/
const WITHOUT = new Set(['host', 'connection', 'content-length', 'accept', 'accept-encoding'])

const product = useProduct(useDatabase('sqlite'), { settings: FAST })
let my: Subscriber
let text: string

beforeAll(async () => {
  text = await readFile('docs/recipes.md', 'utf8')
  my = await openSubscriber(product)
  await my.renew()
})
afterAll(() => my.clear())

const blocks = (language: string) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  )
const bodyOf = (request: Received): Delivered => JSON.parse(request.body)
const shapeOf = (value: object) =>
  Object.entries(value).map(([name, one]) => [name, CHANGING.test(name) ? typeof one : one])

async function leaveLead(): Promise<void> {
  const token = await addVisitor(product, my.workspace)
  const body = { tenant_id: my.workspace.tenantId }
  const session = await product.call<Session>('/api/v1/chatbot/sessions', { token, body })
  const path = `/api/v1/chatbot/sessions/${session.body.session_id}/lead`
  const left = await product.call(path, { token, body: VISITOR })
  expect(left.status, left.text).toBe(201)
}

test('the recipes for n8n, Make and Zapier show what really arrives', async () => {
  const [subscribing = '', testing = ''] = blocks('bash')
  const given = JSON.parse(/-d '(.*)'/.exec(subscribing)?.[1] ?? '')
  const made = await my.call<{ id: string }>(BASE, { body: { ...given, url: my.receiver.url } })
  expect(made.status).toBe(201)
  const ping = requestOf(await my.receiver.waitFor(1))
  expect(bodyOf(ping)).toEqual({ event: 'ping', created_at: expect.any(String), data: {} })
  expect(text).toContain('`{"event":"ping","created_at":"…","data":{}}`')

  const sample = JSON.parse(/-d '(.*)'/.exec(testing)?.[1] ?? '')
  expect((await my.call(`${BASE}/${made.body.id}/test`, { body: sample })).status).toBe(200)
  await leaveLead()
  const [, tried, real] = await my.receiver.waitFor(3)
  if (!tried || !real) throw new Error('Too little arrived.')
  const [shown] = blocks('json').map((code): Delivered => JSON.parse(code))
  expect(shapeOf(bodyOf(real).data)).toEqual(shapeOf(shown?.data ?? {}))
  expect(Object.keys(bodyOf(real))).toEqual(Object.keys(shown ?? {}))
  expect(Object.keys(bodyOf(tried).data)).toEqual(Object.keys(bodyOf(real).data))
  const [head = ''] = blocks('http')
  const named = [...head.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase())
  const arrived = Object.keys(real.headers).filter((name) => !WITHOUT.has(name))
  expect(arrived.toSorted()).toEqual(named.toSorted())
  expect(head).toContain(`User-Agent: ${real.headers['user-agent']}`)
})

test('a rule for complete leads sends the same data', async () => {
  await my.renew()
  const rule = { name: 'Leads', event: 'lead.created', url: my.receiver.url }
  const made = await my.call(`${BASE}/rules-engine/rules`, { body: rule })
  expect(made.status, made.text).toBe(201)
  await leaveLead()
  const [shown] = blocks('json').map((code): Delivered => JSON.parse(code))
  const sent = bodyOf(requestOf(await my.receiver.waitFor(1)))
  expect(shapeOf(sent.data)).toEqual(shapeOf(shown?.data ?? {}))
  expect(sent).toMatchObject({
    webhook_id: expect.any(String),
    timestamp: expect.anything(),
    signature: expect.any(String),
  })
})

test('the requests to other services are JSON, with the values of that lead', () => {
  const [, ...requests] = blocks('http')
  expect(requests).toHaveLength(4)
  for (const request of requests) {
    const [, body = ''] = request.split('\n\n')
    expect(() => JSON.parse(body)).not.toThrow()
    for (const value of [VISITOR.name, VISITOR.email, VISITOR.phone]) expect(body).toContain(value)
  }
})
