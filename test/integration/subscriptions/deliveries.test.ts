import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { platformSignature, standardSignature } from '../../../server/delivery/signature.ts'
import { standardSecret } from '../../../server/lib/standard-webhooks.ts'
import type { CreatedSubscription, Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
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

describeOnDatabase('deliveries to subscriptions', (database) => {
  const product = useProduct(database, { settings: FAST })
  let my: Subscriber
  beforeAll(async () => {
    my = await openSubscriber(product)
  })
  beforeEach(() => my.renew())
  afterEach(() => my.clear())

  test('send each event of the workspace, once and signed', async () => {
    const { id } = (await my.subscribe()).body
    await my.subscribe({ events: ['chatbot.lead'] })
    await my.say('Merhaba, açık mısınız?')
    await expect.poll(() => my.events()).toHaveLength(1)
    const { headers, body } = requestOf(my.events())
    expect(JSON.parse(body)).toEqual({
      event: 'chatbot.message',
      created_at: expect.any(String),
      data: {
        tenant_id: my.workspace.tenantId,
        chatbot_id: expect.stringMatching(/^bot_/),
        session_id: expect.stringMatching(/^ses_/),
        message_id: expect.stringMatching(/^msg_/),
        text: 'Merhaba, açık mısınız?',
        channel: 'widget',
        received_at: expect.any(String),
      },
    })
    const timestamp = Number(headers['x-svc-timestamp'])
    expect(headers['x-svc-signature']).toBe(platformSignature(SECRET, timestamp, body))
    expect(headers['webhook-id']).toBe(headers['x-svc-delivery'])
    await expect
      .poll(() => my.sentBy(id))
      .toMatchObject([
        { id: headers['x-svc-delivery'], event: 'chatbot.message', state: 'delivered' },
        { event: 'ping' },
      ])
  })

  test('are disabled after seven failed attempts, hold what follows, and send it all after a retry', async () => {
    const { id } = (await my.subscribe()).body
    my.receiver.act = 503
    await my.say('first')
    await expect.poll(() => my.stateOf(id)).toBe('disabled')
    expect(my.events()).toHaveLength(7)
    expect(new Set(my.events().map((request) => request.headers['x-svc-delivery'])).size).toBe(1)
    await my.say('second')
    expect(await my.sentBy(id)).toMatchObject([
      { state: 'held', attempts: [] },
      {
        state: 'failed',
        attempts: [1, 2, 3, 4, 5, 6, 7].map((number) => ({ number, status: 503 })),
      },
      { event: 'ping' },
    ])

    const vain = await my.call(`${BASE}/${id}/retry`, { method: 'POST' })
    expect(vain).toMatchObject({
      status: 200,
      body: { ok: false, resent: 0, subscription: { state: 'disabled', ping: { status: 503 } } },
    })
    const before = my.events()
    my.receiver.act = 200
    const retried = await my.call(`${BASE}/${id}/retry`, { method: 'POST' })
    expect(retried).toMatchObject({
      status: 200,
      body: { ok: true, resent: 2, subscription: { state: 'active', disabled_reason: null } },
    })
    await expect.poll(() => my.events()).toHaveLength(9)
    const again = my.events().slice(7)
    expect(textsOf(again).toSorted()).toEqual(['first', 'second'])
    const first = again.find((request) => textsOf([request])[0] === 'first')
    expect(first?.headers['x-svc-delivery']).toBe(before[0]?.headers['x-svc-delivery'])
    expect(first?.body).toBe(before[0]?.body)
  })

  test('are disabled by 410, and keep a delivery that was refused otherwise', async () => {
    const { id } = (await my.subscribe()).body
    my.receiver.act = 404
    await my.say('refused')
    await expect.poll(() => my.sentBy(id)).toMatchObject([{ state: 'failed' }, {}])
    expect(await my.stateOf(id)).toBe('active')
    my.receiver.act = 410
    await my.say('gone')
    await expect
      .poll(() => my.call(`${BASE}/${id}`))
      .toMatchObject({
        body: { state: 'disabled', disabled_reason: 'gone' },
      })
    expect(my.events()).toHaveLength(2)
  })

  test('send a sample at once when they are tested, of any event', async () => {
    const { id } = (await my.subscribe()).body
    my.receiver.act = { status: 418, body: 'short and stout' }
    const tested = await my.call(`${BASE}/${id}/test`, { method: 'POST' })
    expect(tested).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^evt_/),
        event: 'chatbot.message',
        ok: false,
        status: 418,
        error: null,
        answer: 'short and stout',
      },
    })
    my.receiver.act = 200
    const other = await my.call(`${BASE}/${id}/test`, {
      body: { event: 'social.comment.received' },
    })
    expect(other.body).toMatchObject({ event: 'social.comment.received', ok: true })
    expect(Object.keys(JSON.parse(my.receiver.received[2]?.body ?? '').data)).toEqual([
      'platform',
      'account_id',
      'post_id',
      'comment_id',
      'author',
      'text',
    ])
    expect(await my.sentBy(id)).toMatchObject([{ state: 'delivered' }, { state: 'failed' }, {}])
  })

  test('sign with every secret of the last day, and with the newest in their own header', async () => {
    const { id } = (await my.subscribe()).body
    const rotate = (body?: object) =>
      my.call<CreatedSubscription>(`${BASE}/${id}/rotate-secret`, { method: 'POST', body })
    const second = await rotate()
    expect(second).toMatchObject({
      status: 200,
      body: { id, standard_secret: standardSecret(second.body.secret) },
    })
    const third = await rotate({ secret: 'the third secret of thirty-two characters or more' })
    await my.say('signed')
    await expect.poll(() => my.events()).toHaveLength(1)
    const { headers, body } = requestOf(my.events())
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(3)
    const timestamp = Number(headers['x-svc-timestamp'])
    expect(headers['x-svc-signature']).toBe(platformSignature(third.body.secret, timestamp, body))
  })

  test('keep the secret of one of two rotations at once, and tell the other', async () => {
    const { id } = (await my.subscribe()).body
    const rotations = await Promise.all(
      [1, 2, 3].map(() =>
        my.call<CreatedSubscription>(`${BASE}/${id}/rotate-secret`, { method: 'POST', body: {} }),
      ),
    )
    const done = rotations.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(rotations.filter(({ status }) => status === 409)).toHaveLength(3 - done.length)
    await my.say('signed')
    await expect.poll(() => my.events()).toHaveLength(1)
    const { headers, body } = requestOf(my.events())
    // Every secret that was handed out signs, and so does the first.
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(done.length + 1)
    const timestamp = Number(headers['webhook-timestamp'])
    for (const secret of [SECRET, ...done.map((rotation) => rotation.body.secret)]) {
      const signature = standardSignature(secret, headers['webhook-id'] ?? '', timestamp, body)
      expect(headers['webhook-signature']).toContain(signature)
    }
  })

  test('are in the audit log when somebody changes where they go, and when they stop', async () => {
    const { id } = (await my.subscribe()).body
    await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { events: ['chatbot.message'] } })
    await my.call(`${BASE}/${id}/rotate-secret`, { method: 'POST' })
    my.receiver.act = 410
    await my.say('gone')
    await expect.poll(() => my.stateOf(id)).toBe('disabled')
    await my.call(`${BASE}/${id}`, { method: 'DELETE' })
    const log =
      await my.call<Page<{ action: string; subject: { id: string } | null }>>(
        '/api/v1/audit?limit=100',
      )
    const own = log.body.data.filter(({ subject }) => subject?.id === id)
    expect(own.map(({ action }) => action).toReversed()).toEqual([
      'subscription.created',
      'subscription.changed',
      'subscription.secret_rotated',
      'subscription.disabled',
      'subscription.deleted',
    ])
    expect(own.at(-1)).toMatchObject({
      actor: { kind: 'user' },
      details: { url: new URL(my.receiver.url).origin, events: ['chatbot.message'] },
    })
    expect(own[1]).toMatchObject({ actor: { kind: 'system' }, details: { reason: 'gone' } })
    expect(log.text).not.toContain(SECRET)
    const host = new URL(my.receiver.url).host
    await expect
      .poll(async () => (await my.product.call(`${my.product.devPath}/mail`)).text)
      .toContain(`<dd>${host} webhook'u devre dışı</dd>`)
  })
})
