import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { chatBody, hexSignature } from '../../../server/delivery/signature.ts'
import { standardSecret } from '../../../server/lib/standard-webhooks.ts'
import type { DataOf } from '../../../server/events/registry.ts'
import { emit } from '../../../server/events.ts'
import type { CatalogueEntry, RuleDelivery } from '../../../server/rules/schema.ts'
import type { CreatedApiKey, CreatedRule, Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'

const BASE = '/api/v1/webhooks/rules-engine'
const RULES = `${BASE}/rules`
const SECRET = 'a secret of my own'

describeOnDatabase('webhook rules', (database) => {
  let mine: TestWorkspace
  let theirs: TestWorkspace
  let receiver: Receiver
  const product = useProduct(database, {
    // Retries follow within milliseconds.
    settings: { ALLOW_PRIVATE_TARGETS: 'true', DELIVERY_TIME_SCALE: '0.00001' },
  })
  beforeAll(async () => {
    mine = await addWorkspace(product)
    theirs = await addWorkspace(product)
  })
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  const call = <Body>(path: string, options: { method?: string; body?: unknown } = {}) =>
    product.call<Body>(path, { token: mine.token, ...options })

  async function addRule(more: object = {}) {
    const body = {
      name: 'CRM',
      event: 'lead.created',
      url: receiver.url,
      secret: SECRET,
      conditions: { tenant_id: mine.tenantId },
      ...more,
    }
    return call<CreatedRule>(RULES, { body })
  }

  function lead(name: string, confidence = 1): DataOf<'lead.created'> {
    return {
      lead_id: 'lead_1',
      chatbot_id: 'bot_1',
      session_id: 'ses_1',
      sector: 'saglik',
      name,
      phone: '+905321234567',
      email: 'ayse@example.com',
      interest: '',
      source: 'widget_form',
      captured_at: '2026-11-21T12:00:00.000Z',
      confidence,
    }
  }

  const happen = (data: DataOf<'lead.created'>) =>
    transaction(product.ctx, (tx) =>
      emit(tx, 'lead.created', {
        workspaceId: mine.id,
        tenantId: mine.tenantId,
        sector: data.sector,
        source: data.source,
        data,
      }),
    )

  const sentBy = async (ruleId: string) =>
    (await call<Page<RuleDelivery>>(`${RULES}/${ruleId}/deliveries`)).body.data

  async function removeAll() {
    const { body } = await call<Page<CreatedRule>>(`${RULES}?limit=100`)
    for (const { rule_id } of body.data) await call(`${RULES}/${rule_id}`, { method: 'DELETE' })
  }
  afterEach(removeAll)

  test("wait for sites of one's own only", async () => {
    const foreign = await addRule({ conditions: { tenant_id: theirs.tenantId } })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const own = await addRule()
    const body = { conditions: { tenant_id: theirs.tenantId } }
    const patched = await call(`${RULES}/${own.body.rule_id}`, { method: 'PATCH', body })
    expect(patched.status).toBe(403)
  })

  test('do not wait for a site that is not there', async () => {
    const nowhere = { conditions: { tenant_id: 'no-such-site' } }
    const added = await addRule(nowhere)
    expect(added).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const { rule_id } = (await addRule()).body
    const patched = await call(`${RULES}/${rule_id}`, { method: 'PATCH', body: nowhere })
    expect(patched.status).toBe(404)
  })

  test('are made with an API key, and receive what they wait for, signed', async () => {
    const key = await call<CreatedApiKey>('/api/v1/api-keys', { body: { name: 'CRM' } })
    const made = await product.call<CreatedRule>(RULES, {
      headers: { 'x-api-key': key.body.key },
      body: { name: 'CRM', event: 'lead.created', url: receiver.url, secret: SECRET },
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      ok: true,
      rule_id: expect.stringMatching(/^rule_[0-9A-Za-z]{22,}$/),
      event: 'lead.created',
      active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    await happen(lead('Çağrı'))
    const [request] = await receiver.waitFor(1)
    const body = JSON.parse(request?.body ?? '')
    expect(body).toMatchObject({ event: 'lead.created', data: lead('Çağrı') })
    const { webhook_id: id, timestamp, data } = body
    const at = Date.parse(timestamp)
    expect(request?.body).toBe(chatBody(SECRET, { event: 'lead.created', id, at, data }))
    expect(request?.headers['x-chat-signature']).toBe(hexSignature(SECRET, request?.body ?? ''))
    await expect
      .poll(() => sentBy(made.body.rule_id))
      .toMatchObject([{ webhook_id: id, state: 'delivered', attempts: [{ status: 200 }] }])
  })

  test('get a secret when they bring none, and show it this once', async () => {
    const made = await addRule({ secret: undefined })
    const { secret = '', standard_secret, rule_id } = made.body
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect(standard_secret).toBe(standardSecret(secret))
    const read = await call(`${RULES}/${rule_id}`)
    expect(read.text).not.toContain(secret)
    const rows = await product.ctx.db.selectFrom('rules').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test.each([
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(121) }, '/name'],
    [{ event: 'lead.deleted' }, '/event'],
    [{ url: 'not a url' }, '/url'],
    [{ url: 'http://user:pass@example.com/' }, '/url'],
    [{ secret: 'fifteen letters' }, '/secret'],
    [{ secret: `sixteen letters\n` }, '/secret'],
    [{ conditions: { min_confidence: 1.1 } }, '/conditions/min_confidence'],
    [{ conditions: { confidence: 1 } }, '/conditions/confidence'],
    [{ conditions: [] }, '/conditions'],
    [{ active: 'yes' }, '/active'],
    [{ color: 'red' }, '/color'],
  ])('refuse %j', async (wrong, path) => {
    const answer = await addRule(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })

  test('hold their conditions against each event', async () => {
    await addRule({ name: 'sure', conditions: { min_confidence: 0.7 } })
    await call('/api/v1/tenants', { body: { tenant_id: 'another', name: 'Another site' } })
    await addRule({ name: 'other site', conditions: { tenant_id: 'another' } })
    await addRule({ name: 'sector', conditions: { sector: 'saglik', source: 'widget_form' } })
    await addRule({ name: 'off', active: false })
    await happen(lead('unsure', 0.5))
    await happen(lead('sure', 0.7))
    const requests = await receiver.waitFor(3)
    const names = requests.map((request): string => JSON.parse(request.body).data.name)
    expect(names.toSorted()).toEqual(['sure', 'sure', 'unsure'])
  })

  test('become dead letters after four attempts, and go out again by hand under the same id', async () => {
    receiver.act = 500
    const { rule_id } = (await addRule()).body
    await happen(lead('Ayşe'))
    await expect
      .poll(() => sentBy(rule_id))
      .toMatchObject([{ state: 'dead_letter', attempts: [{}, {}, {}, { status: 500 }] }])
    const letters = await call<Page<RuleDelivery & { body: string }>>(`${BASE}/dead-letters`)
    const [letter] = letters.body.data
    expect(letter?.body).toBe(receiver.received[0]?.body)
    const retry = `${BASE}/dead-letters/${letter?.webhook_id}/retry`
    const foreign = await product.call(retry, { method: 'POST', token: theirs.token })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    receiver.act = 200
    const again = await call(retry, { method: 'POST' })
    expect(again).toMatchObject({ status: 202, body: { ok: true, webhook_id: letter?.webhook_id } })
    const requests = await receiver.waitFor(5)
    expect(new Set(requests.map((request) => request.body)).size).toBe(1)
    await expect.poll(() => sentBy(rule_id)).toMatchObject([{ state: 'delivered' }])
    expect(await call(retry, { method: 'POST' })).toMatchObject({ status: 409 })
    const unknown = await call(`${BASE}/dead-letters/wh_unknown/retry`, { method: 'POST' })
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('send a sample at once when they are tested', async () => {
    receiver.act = { status: 418, body: 'short and stout' }
    const { rule_id } = (await addRule({ active: false })).body
    const tested = await call(`${RULES}/${rule_id}/test`, { method: 'POST' })
    expect(tested).toMatchObject({
      status: 200,
      body: { ok: false, status: 418, error: null, answer: 'short and stout' },
    })
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ event: 'lead.created' })
    expect(await sentBy(rule_id)).toMatchObject([{ state: 'failed', attempts: [{ status: 418 }] }])
  })

  test('sign with both secrets for a day after a rotation, and with the new one in their own header', async () => {
    const { rule_id } = (await addRule()).body
    const rotated = await call<{ secret: string }>(`${RULES}/${rule_id}/rotate-secret`, {
      method: 'POST',
    })
    expect(rotated).toMatchObject({
      status: 200,
      body: { rule_id, standard_secret: standardSecret(rotated.body.secret) },
    })
    await happen(lead('Ayşe'))
    const [request] = await receiver.waitFor(1)
    expect(request?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    const body = request?.body ?? ''
    expect(request?.headers['x-chat-signature']).toBe(hexSignature(rotated.body.secret, body))
  })

  test('are listed in pages, changed and deleted, by their own workspace only', async () => {
    const ids = []
    for (let count = 0; count < 3; count += 1) ids.push((await addRule()).body.rule_id)
    const first = await call<Page<CreatedRule>>(`${RULES}?limit=2`)
    const second = await call<Page<CreatedRule>>(
      `${RULES}?limit=2&cursor=${first.body.next_cursor}`,
    )
    const listed = [...first.body.data, ...second.body.data].map((rule) => rule.rule_id)
    expect(listed.toSorted()).toEqual(ids.toSorted())
    expect(second.body.next_cursor).toBeNull()

    const path = `${RULES}/${ids[0]}`
    const patch = { method: 'PATCH', body: { name: 'New', active: false } }
    expect(await call(path, patch)).toMatchObject({ status: 200, body: patch.body })
    for (const [method, body] of [['GET'], ['PATCH', { name: 'X' }], ['DELETE']] as const) {
      const foreign = await product.call(path, { method, body, token: theirs.token })
      expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      const unknown = await call(`${RULES}/rule_unknown`, { method, body })
      expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await call(path, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
    expect(await call(path)).toMatchObject({ status: 404 })
    expect(await call(`${path}/deliveries`)).toMatchObject({ status: 200, body: { data: [] } })
  })

  test('wait for one event or for a list, and show what was given', async () => {
    const events = ['session.closed', 'operator.message']
    const make = (body: object) =>
      call<CreatedRule>(RULES, {
        body: { name: 'Several', url: receiver.url, ...body },
      })
    const made = await make({ events })
    expect(made).toMatchObject({ status: 201, body: { events } })
    expect(made.body).not.toHaveProperty('event')
    const path = `${RULES}/${made.body.rule_id}`
    expect((await call<CreatedRule>(path)).body).toMatchObject({ events })
    for (const given of [{}, { event: 'session.closed', events }, { events: [] }]) {
      expect((await make(given)).status).toBe(422)
    }
    const single = { method: 'PATCH', body: { event: 'lead.created' } }
    const changed = await call<CreatedRule>(path, single)
    expect(changed.body).toMatchObject({ event: 'lead.created' })
    expect(changed.body).not.toHaveProperty('events')
  })

  test('know thirteen events, each with a priority and a sample', async () => {
    const { body } = await call<Page<CatalogueEntry>>(`${BASE}/events`)
    expect(body.data.map(({ event, priority }) => `${event} ${priority}`)).toEqual([
      'session.started info',
      'lead.created high',
      'appointment.created high',
      'payment.succeeded critical',
      'payment.failed critical',
      'subscription.plan_changed high',
      'handoff.requested medium',
      'quota.threshold_reached medium',
      'appointment.changed info',
      'appointment.cancelled info',
      'session.closed info',
      'feedback.given info',
      'operator.message info',
    ])
    expect(body.data[1]).toMatchObject({ sample: { data: { name: 'Ayşe Yılmaz' } } })
  })

  test('are refused to the outside without a token', async () => {
    expect(await product.call(RULES)).toMatchObject({ status: 401 })
    const wrong = await product.call(RULES, { headers: { 'x-api-key': 'svc_live_wrong' } })
    expect(wrong).toMatchObject({ status: 401 })
  })
})
