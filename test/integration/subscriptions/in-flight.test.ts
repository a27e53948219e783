import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SubscriptionDelivery } from '../../../server/subscriptions/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type Received, type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { BASE, FAST, type Subscriber, openSubscriber } from './subscriber.ts'

const COUNT = 50
const FEW = 5

const idOf = ({ headers }: Received): string => headers['x-svc-delivery'] ?? ''
const isPing = ({ headers }: Received): boolean => headers['x-svc-event'] === 'ping'

/** A gate that keeps every answer back until it opens, with the status that is then given. */
function closedGate() {
  let open: (status: number) => void = () => undefined
  const opened = new Promise<number>((resolve) => {
    open = resolve
  })
  return { open, answer: (request: Received) => (isPing(request) ? 200 : opened) }
}

describeOnBothDatabases('with fifty deliveries under way or next in line', (database) => {
  const product = useProduct(database, { settings: FAST })
  let my: Subscriber
  let id: string
  let gate: ReturnType<typeof closedGate>
  beforeAll(async () => {
    my = await openSubscriber(product)
  })
  beforeEach(async () => {
    await my.renew()
    id = (await my.subscribe()).body.id
    gate = closedGate()
    my.receiver.act = gate.answer
    await Promise.all(Array.from({ length: COUNT }, (_, index) => my.say(`message ${index}`)))
    // An endpoint that does not answer gets only a few at a time.
    await my.receiver.waitFor(1 + FEW)
  })
  afterEach(() => my.clear())

  const change = (body: object) => my.call(`${BASE}/${id}`, { method: 'PATCH', body })
  const retry = () => my.call<{ ok: boolean }>(`${BASE}/${id}/retry`, { method: 'POST' })
  const inState = async (state: string): Promise<SubscriptionDelivery[]> =>
    (await my.call<Page<SubscriptionDelivery>>(`${BASE}/${id}/deliveries?limit=100&state=${state}`))
      .body.data
  const messagesIn = async (state: string) =>
    (await inState(state)).filter(({ event }) => event !== 'ping').length
  const eventually = (state: string, count: number) =>
    expect.poll(() => messagesIn(state)).toBe(count)
  const distinct = (requests: readonly Received[]) =>
    new Set(requests.filter((request) => !isPing(request)).map(idOf)).size

  /** The subscription's entries in the audit log, newest first. */
  async function noted(): Promise<string[]> {
    const { body } =
      await my.call<Page<{ action: string; subject: { id: string } | null }>>(
        '/api/v1/audit?limit=100',
      )
    return body.data.filter(({ subject }) => subject?.id === id).map(({ action }) => action)
  }

  test('deleting the subscription lets those under way end, and sends nothing more', async () => {
    await my.call(`${BASE}/${id}`, { method: 'DELETE' })
    gate.open(500)
    await eventually('cancelled', COUNT)
    // Requests that were on their way have arrived by now, and no others.
    const count = my.events().length
    expect(count).toBeLessThan(COUNT)
    expect(distinct(my.events())).toBe(count)
  })

  test('another URL gets what was not delivered to the old one, each once', async () => {
    const next: Receiver = await startReceiver(200)
    const moved = await change({ url: next.url })
    expect(moved).toMatchObject({ status: 200, body: { state: 'active' } })
    gate.open(503)
    await eventually('delivered', COUNT)
    const events = next.received.filter((request) => !isPing(request))
    expect(events).toHaveLength(COUNT)
    expect(distinct(events)).toBe(COUNT)
    expect(my.events().length).toBeLessThan(COUNT)
    await next.close()
  })

  test('a retry by hand makes none a second time, and none is lost', async () => {
    const retried = await Promise.all([retry(), retry(), retry()])
    expect(retried.every(({ status }) => status === 200)).toBe(true)
    gate.open(200)
    await eventually('delivered', COUNT)
    expect(my.events()).toHaveLength(COUNT)
    expect(distinct(my.events())).toBe(COUNT)
  })

  test('the switch holds what has not arrived, and lets it go when it is on again', async () => {
    await change({ active: false })
    gate.open(500)
    await eventually('held', COUNT)
    // Requests that were on their way at the switch have arrived by now, and no others.
    const count = my.events().length
    expect(count).toBeLessThan(COUNT)
    const [held] = await inState('held')
    my.receiver.act = 200
    await change({ active: true })
    await eventually('delivered', COUNT)
    // The body is shown as it is sent, and deleted with the delivery.
    const sent = my.events().findLast((request) => idOf(request) === held?.id)
    expect(held?.body).toBe(sent?.body)
    expect((await inState('delivered')).every(({ body }) => body === null)).toBe(true)
    expect(my.events()).toHaveLength(count + COUNT)
    expect(distinct(my.events())).toBe(COUNT)
  })

  test('one 410 disables once, and all of them go out after a retry by hand', async () => {
    gate.open(410)
    my.receiver.act = (request) => (isPing(request) ? 200 : 410)
    await expect.poll(() => my.stateOf(id)).toBe('disabled')
    await expect
      .poll(async () => (await messagesIn('failed')) + (await messagesIn('held')))
      .toBe(COUNT)
    expect(await noted()).toEqual(['subscription.disabled', 'subscription.created'])
    my.receiver.act = 200
    expect((await retry()).body).toMatchObject({ ok: true, resent: COUNT })
    await eventually('delivered', COUNT)
    expect(distinct(my.events())).toBe(COUNT)
  })

  test('that they run out of attempts together disables once', async () => {
    my.receiver.act = (request) => (isPing(request) ? 200 : 500)
    gate.open(500)
    await expect.poll(() => my.stateOf(id)).toBe('disabled')
    await expect
      .poll(async () => (await messagesIn('failed')) + (await messagesIn('held')))
      .toBe(COUNT)
    expect(await noted()).toEqual(['subscription.disabled', 'subscription.created'])
  })
})
