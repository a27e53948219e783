import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import type { SubscriptionDelivery } from '../../../server/subscriptions/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { BASE, SLOW, type Subscriber, openSubscriber, textsOf } from './subscriber.ts'

describeOnDatabase('deliveries sent again by hand', (database) => {
  const product = useProduct(database, { settings: SLOW })
  let my: Subscriber
  beforeAll(async () => {
    my = await openSubscriber(product)
  })
  beforeEach(() => my.renew())
  afterEach(() => my.clear())

  const retry = (id: string, delivery: string) =>
    my.call(`${BASE}/${id}/deliveries/${delivery}/retry`, { method: 'POST' })

  /** A subscription to messages, and the delivery of one whose first attempt was answered so. */
  async function sent(status: number): Promise<{ id: string; delivery: string }> {
    const { id } = (await my.subscribe()).body
    my.receiver.act = status
    await my.say('by hand')
    await expect
      .poll(() => my.sentBy(id))
      .toMatchObject([{ event: 'chatbot.message', attempts: [{ status }] }, {}])
    my.receiver.act = 200
    return { id, delivery: (await my.sentBy(id))[0]?.id ?? '' }
  }

  test.each([
    ['was refused', 400, 'failed'],
    ['waits for its next attempt', 500, 'waiting'],
  ])('go out at once when one %s, under the same id', async (_, status, state) => {
    const { id, delivery } = await sent(status)
    expect(await my.sentBy(id)).toMatchObject([{ state }, {}])
    expect(await retry(id, delivery)).toMatchObject({
      status: 202,
      body: { ok: true, id: delivery },
    })
    await expect
      .poll(() => my.sentBy(id))
      .toMatchObject([
        { id: delivery, state: 'delivered', attempts: [{ status }, { status: 200 }] },
        {},
      ])
    const [first, second] = my.events()
    expect(second?.headers['x-svc-delivery']).toBe(delivery)
    expect(second?.body).toBe(first?.body)
    expect(await retry(id, delivery)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('are refused while an attempt is under way', async () => {
    const { id } = (await my.subscribe()).body
    my.receiver.act = 'silence'
    await my.say('slow')
    await expect.poll(() => my.events()).toHaveLength(1)
    const delivery = (await my.sentBy(id))[0]?.id ?? ''
    expect(await retry(id, delivery)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(my.events()).toHaveLength(1)
  })

  test('are refused while the subscription is switched off or disabled', async () => {
    const { id, delivery } = await sent(400)
    await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { active: false } })
    expect(await retry(id, delivery)).toMatchObject({ status: 409 })
    await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { active: true } })
    expect(await retry(id, delivery)).toMatchObject({ status: 202 })
    await expect.poll(() => my.sentBy(id)).toMatchObject([{ state: 'delivered' }, {}])
  })

  test('are refused for pings, for others and for what nobody has', async () => {
    const { id, delivery } = await sent(400)
    const ping = (await my.sentBy(id))[1]?.id ?? ''
    expect(await retry(id, ping)).toMatchObject({ status: 409 })
    const other = (await my.subscribe()).body
    expect(await retry(other.id, delivery)).toMatchObject({ status: 404 })
    const unknown = `evt_${'A'.repeat(22)}`
    expect(await retry(id, unknown)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const theirs = await addWorkspace(my.product)
    const path = `${BASE}/${id}/deliveries/${delivery}/retry`
    const foreign = await my.product.call(path, { method: 'POST', token: theirs.token })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  test('are all that failed since a time, when everything is to be recovered', async () => {
    const { id } = await sent(400)
    my.receiver.act = 500
    await my.say('waits')
    await expect.poll(() => my.sentBy(id)).toMatchObject([{ attempts: [{ status: 500 }] }, {}, {}])
    my.receiver.act = 200
    const recover = (since: string) => my.call(`${BASE}/${id}/recover`, { body: { since } })
    const none = await recover(new Date(Date.now() + HOUR_MS).toISOString())
    expect(none).toMatchObject({ status: 202, body: { ok: true, resent: 0, finished: true } })
    const all = await recover(new Date(Date.now() - HOUR_MS).toISOString())
    expect(all).toMatchObject({ status: 202, body: { ok: true, resent: 2, finished: true } })
    await expect
      .poll(() => my.sentBy(id))
      .toMatchObject([{ state: 'delivered' }, { state: 'delivered' }, {}])
    expect(await recover('yesterday')).toMatchObject({ status: 422 })
    await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { active: false } })
    expect(await recover('2026-11-21T00:00:00+03:00')).toMatchObject({ status: 409 })
  })

  test('are listed by their state, in pages', async () => {
    const { id } = await sent(500)
    await my.say('arrives')
    await expect.poll(() => my.sentBy(id)).toMatchObject([{ state: 'delivered' }, {}, {}])
    my.receiver.act = 404
    await my.say('refused')
    await expect.poll(() => my.sentBy(id)).toMatchObject([{ state: 'failed' }, {}, {}, {}])
    const list = (query: string) =>
      my.call<Page<SubscriptionDelivery>>(`${BASE}/${id}/deliveries?${query}`)
    for (const [state, count] of Object.entries({ waiting: 1, delivered: 2, failed: 1, held: 0 })) {
      const { body } = await list(`state=${state}`)
      expect(body.data.map((delivery) => delivery.state)).toEqual(Array(count).fill(state))
    }
    const first = await list('state=delivered&limit=1')
    const next = await list(`state=delivered&limit=1&cursor=${first.body.next_cursor}`)
    expect(next.body).toMatchObject({ data: [{ event: 'ping' }], next_cursor: null })
    expect(await list('state=sent')).toMatchObject({ status: 422 })
  })

  test('are held while a subscription is switched off, and go out when it is on again', async () => {
    const { id, delivery } = await sent(500)
    await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { active: false } })
    expect(await my.call(`${BASE}/${id}/retry`, { method: 'POST' })).toMatchObject({
      body: { ok: true, subscription: { state: 'active', active: false } },
    })
    expect(my.events()).toHaveLength(1)
    await my.call(`${BASE}/${id}`, { method: 'PATCH', body: { active: true } })
    await retry(id, delivery)
    await expect.poll(() => textsOf(my.events())).toEqual(['by hand', 'by hand'])
  })
})
