import { expect, onTestFinished, test } from 'vitest'
import type { CreatedRule, RuleTestResult } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { EVERY_HOSTILE_URL } from '../../helpers/hostile/urls.ts'
import {
  METRICS_TOKEN,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'

const RULES = '/api/v1/webhooks/rules-engine/rules'
const SUBSCRIPTIONS = '/api/v1/webhooks'

const rule = (url: string) => ({ name: 'Rule', event: 'lead.created', url })
const subscription = (url: string) => ({ url, events: ['chatbot.lead'], active: false })

describeOnDatabase('targets', (database) => {
  async function start(settings: Record<string, string> = {}, place?: Place) {
    const product = await startTestProduct(place ?? (await database.create()), { settings })
    onTestFinished(() => product.stop())
    return product
  }
  type Place = Awaited<ReturnType<typeof database.create>>
  type Product = Awaited<ReturnType<typeof start>>

  async function addRule(product: Product, { token }: TestWorkspace, url: string) {
    const made = await product.call<CreatedRule>(RULES, { token, body: rule(url) })
    expect(made.status).toBe(201)
    return `${RULES}/${made.body.rule_id}`
  }

  async function sendTest(product: Product, { token }: TestWorkspace, path: string) {
    const options = { method: 'POST', token }
    return product.call<RuleTestResult>(`${path}/test`, options)
  }

  test('no hostile URL can be saved, neither when it is made nor when it is changed', async () => {
    const product = await start()
    const workspace = await addWorkspace(product)
    const { token } = workspace
    const path = await addRule(product, workspace, 'https://hooks.example.com/')
    // They are judged before a database is asked: on the second one a part of them will do.
    const step = database.kind === 'sqlite' ? 1 : 10
    const hostile = EVERY_HOSTILE_URL.filter((_, index) => index % step === 0)
    const accepted: string[] = []
    for (const url of hostile) {
      const answers = await Promise.all([
        product.call(RULES, { token, body: rule(url) }),
        product.call(SUBSCRIPTIONS, { token, body: subscription(url) }),
        product.call(path, { method: 'PATCH', token, body: { url } }),
      ])
      if (answers.some(({ status }) => status !== 422)) accepted.push(url)
    }
    expect(accepted).toEqual([])
  })

  test('what was saved under looser settings is refused at each test and attempt', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const place = await database.create()
    const loose = await start({ ALLOW_PRIVATE_TARGETS: 'true' }, place)
    const workspace = await addWorkspace(loose)
    const path = await addRule(loose, workspace, receiver.url)
    expect(await sendTest(loose, workspace, path)).toMatchObject({ body: { status: 200 } })
    await loose.stop()

    const strict = await start({}, place)
    expect(await sendTest(strict, workspace, path)).toMatchObject({
      body: { status: null, error: 'address_not_allowed', latency_ms: null },
    })
    expect(receiver.received).toHaveLength(1)
  })

  test('networks that the operator lists are reached, and no other', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const product = await start({ ALLOWED_TARGET_CIDRS: '127.0.0.1/32' })
    const workspace = await addWorkspace(product)
    const { token } = workspace
    const path = await addRule(product, workspace, receiver.url)
    expect(await sendTest(product, workspace, path)).toMatchObject({ body: { status: 200 } })
    for (const host of ['127.0.0.2', '10.0.0.1', '[::1]']) {
      const body = rule(`https://${host}:${receiver.port}/`)
      expect(await product.call(RULES, { token, body })).toMatchObject({ status: 422 })
    }
    const named = await addRule(product, workspace, `http://localhost:${receiver.port}/`)
    const answer = await sendTest(product, workspace, named)
    expect([200, null]).toContain(answer.body.status)
  })

  test('deliveries of a product show up in its metrics', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const product = await start({ ALLOW_PRIVATE_TARGETS: 'true' })
    const workspace = await addWorkspace(product)
    const body = { ...rule(receiver.url), event: 'session.started' }
    await product.call(RULES, { token: workspace.token, body })
    await product.call('/api/v1/chatbot/message', {
      token: workspace.token,
      body: { tenant_id: workspace.tenantId, message: 'Merhaba' },
    })
    await receiver.waitFor(1)
    const shown = async () => (await product.call('/metrics', { token: METRICS_TOKEN })).text
    await expect
      .poll(shown)
      .toContain('sohbet_delivery_attempts_total{family="chat",outcome="delivered"} 1')
    expect(await shown()).toContain('sohbet_delivery_queue_depth{state="scheduled"} 0')
    expect(await shown()).toContain('sohbet_delivery_queue_delay_seconds_count{family="chat"} 1')
    expect(await shown()).toContain('sohbet_delivery_endpoints_disabled{family="platform"} 0')
    expect(await shown()).toContain('sohbet_delivery_queue_oldest_age_seconds 0')
  })
})
