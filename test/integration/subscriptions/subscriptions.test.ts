import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { platformSignature } from '../../../server/delivery/signature.ts'
import { standardSecret } from '../../../server/lib/standard-webhooks.ts'
import type { Subscription } from '../../../server/subscriptions/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addWorkspace } from '../../helpers/product.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import {
  BASE,
  FAST,
  SECRET,
  type Subscriber,
  openSubscriber,
  requestOf,
  textsOf,
} from './subscriber.ts'

const NEVER = 'A'.repeat(22)

describeOnDatabase('webhook subscriptions', (database) => {
  const product = useProduct(database, { settings: FAST })
  let my: Subscriber
  beforeAll(async () => {
    my = await openSubscriber(product)
  })
  beforeEach(() => my.renew())
  afterEach(() => my.clear())

  test('are pinged when they are saved, and active when the ping is answered with 2xx', async () => {
    my.receiver.act = 204
    const made = await my.subscribe()
    expect(made.status, made.text).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^whs_[0-9A-Za-z]{22,}$/),
      url: my.receiver.url,
      events: ['chatbot.message'],
      active: true,
      state: 'active',
      disabled_reason: null,
      disabled_at: null,
      ping: { status: 204, error: null, latency_ms: expect.any(Number) },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      secret: SECRET,
      standard_secret: standardSecret(SECRET),
    })
    const { headers, body } = requestOf(my.receiver.received)
    expect(JSON.parse(body)).toEqual({
      event: 'ping',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {},
    })
    expect(Object.keys(JSON.parse(body))).toEqual(['event', 'created_at', 'data'])
    const timestamp = Number(headers['x-svc-timestamp'])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-event': 'ping',
      'x-svc-delivery': expect.stringMatching(/^evt_[0-9A-Za-z]{22,}$/),
      'x-svc-signature': platformSignature(SECRET, timestamp, body),
    })
    expect(await my.sentBy(made.body.id)).toMatchObject([
      {
        id: headers['x-svc-delivery'],
        event: 'ping',
        state: 'delivered',
        attempts: [{ number: 1 }],
      },
    ])
    const read = await my.call(`${BASE}/${made.body.id}`)
    const { secret: _secret, standard_secret: _standard, ...shown } = made.body
    expect(read).toMatchObject({ status: 200, body: shown })
    expect(read.text).not.toContain('secret')
  })

  test.each([
    [500, { status: 500, error: null }],
    [302, { status: 302, error: null }],
    ['reset', { status: null, error: 'connection_reset' }],
  ] as const)('are disabled when the ping is answered with %s', async (act, ping) => {
    my.receiver.act = act
    const made = await my.subscribe()
    expect(made).toMatchObject({
      status: 201,
      body: { state: 'disabled', active: true, disabled_reason: 'ping', ping },
    })
    expect(my.receiver.received).toHaveLength(1)
  })

  test('are pinged although they are switched off, and send nothing then', async () => {
    const made = await my.subscribe({ active: false })
    expect(made.body).toMatchObject({ active: false, state: 'active', ping: { status: 200 } })
    await my.say('while switched off')
    const on = await my.call(`${BASE}/${made.body.id}`, { method: 'PATCH', body: { active: true } })
    expect(on.body).toMatchObject({ active: true, state: 'active' })
    await my.say('while switched on')
    await expect.poll(() => textsOf(my.events())).toEqual(['while switched on'])
  })

  test('make a secret when they bring none, and keep no secret readable', async () => {
    const { body } = await my.subscribe({ secret: undefined })
    expect(body.secret.length).toBeGreaterThanOrEqual(32)
    expect(body.standard_secret).toBe(standardSecret(body.secret))
    const rows = await my.product.ctx.db.selectFrom('subscriptions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(body.secret)
  })

  test.each([
    [{ url: 'not a url' }, '/url'],
    [{ url: 'http://user:pass@example.com/' }, '/url'],
    [{ url: undefined }, '/url'],
    [{ events: [] }, '/events'],
    [{ events: ['lead.created'] }, '/events/0'],
    [{ events: 'chatbot.lead' }, '/events'],
    [{ secret: 'x'.repeat(31) }, '/secret'],
    [{ active: 'yes' }, '/active'],
    [{ name: 'CRM' }, '/name'],
  ])('refuse %j', async (wrong, path) => {
    const answer = await my.subscribe(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
    expect(my.receiver.received).toEqual([])
  })

  test('are listed in pages, changed and deleted, by their own workspace only', async () => {
    const ids = []
    for (let count = 0; count < 3; count += 1) ids.push((await my.subscribe()).body.id)
    const first = await my.call<Page<Subscription>>(`${BASE}?limit=2`)
    const second = await my.call<Page<Subscription>>(
      `${BASE}?limit=2&cursor=${first.body.next_cursor}`,
    )
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids.toReversed())
    expect(second.body.next_cursor).toBeNull()

    const path = `${BASE}/${ids[0]}`
    const changes = { events: ['chatbot.lead', 'credits.low'], active: false }
    const pings = my.receiver.received.length
    const changed = await my.call(path, { method: 'PATCH', body: changes })
    expect(changed).toMatchObject({ status: 200, body: changes })
    expect(my.receiver.received).toHaveLength(pings)
    const theirs = await addWorkspace(my.product)
    for (const [method, body] of [['GET'], ['PATCH', { active: true }], ['DELETE']] as const) {
      const foreign = await my.product.call(path, { method, body, token: theirs.token })
      expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      const unknown = await my.call(`${BASE}/whs_${NEVER}`, { method, body })
      expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await my.call(path, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
    expect(await my.call(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await my.call(path, { method: 'DELETE' })).toMatchObject({ status: 404 })
    expect(await my.sentBy(ids[0] ?? '')).toMatchObject([{ event: 'ping', state: 'delivered' }])
  })

  test('are pinged again when their URL changes, and hold events until the ping is answered', async () => {
    const { id } = (await my.subscribe()).body
    const next = await startReceiver(500)
    const moved = await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { url: next.url } })
    expect(moved).toMatchObject({
      status: 200,
      body: { url: next.url, state: 'disabled', ping: { status: 500 } },
    })
    await my.say('held')
    await expect.poll(() => my.sentBy(id)).toMatchObject([{ state: 'held' }, {}, {}])
    const back = await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { url: my.receiver.url } })
    expect(back.body).toMatchObject({ state: 'active', ping: { status: 200 } })
    await expect.poll(() => textsOf(my.events())).toEqual(['held'])
    expect(next.received.map((request) => request.headers['x-svc-event'])).toEqual(['ping'])
    await next.close()
  })

  test('are refused without a token', async () => {
    expect(await my.product.call(BASE)).toMatchObject({ status: 401 })
    expect(await my.product.call(BASE, { headers: { 'x-api-key': 'x' } })).toMatchObject({
      status: 401,
    })
  })
})
