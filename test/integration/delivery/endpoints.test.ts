import { afterEach, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { enqueueDeliveries } from '../../../server/delivery/queue/enqueue.ts'
import {
  cancelDeliveries,
  replayFailed,
  resumeDeliveries,
} from '../../../server/delivery/queue/manual-retry.ts'
import { expireDeadLetters } from '../../../server/delivery/queue/retention.ts'
import { platformSignature } from '../../../server/delivery/signature.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../server/lib/durations.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { type Engine, NOON, openEngine, SECRET } from './engine.ts'

describeOnBothDatabases('endpoints', (database) => {
  let engine: Engine
  let receiver: Receiver
  beforeEach(async () => {
    engine = await openEngine(await database.create())
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await engine.close()
    await receiver.close()
  })

  const states = async (id: string) => (await engine.deliveries(id)).map(({ state }) => state)

  test('a subscription gets the same bytes at each attempt, with a new timestamp and signature', async () => {
    receiver.act = 503
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    const id = await engine.enqueue(subscription)
    await worker.idle()
    receiver.act = 200
    engine.clock.move(33 * SECOND_MS)
    await worker.idle()
    const [first, second] = receiver.received
    expect(second?.body).toBe(first?.body)
    for (const [index, request] of receiver.received.entries()) {
      const timestamp = Math.floor(NOON / 1000) + index * 33
      expect(request.headers).toMatchObject({
        'x-svc-event': 'prompt.executed',
        'x-svc-delivery': id,
        'x-svc-timestamp': String(timestamp),
        'x-svc-signature': platformSignature(SECRET, timestamp, request.body),
      })
    }
  })

  test('a subscription that fails for the seventh time gives up once, and the rest is held', async () => {
    receiver.act = 500
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    await engine.enqueue(subscription)
    await engine.enqueue(subscription)
    await worker.idle()
    const waits = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]
    for (const wait of waits) {
      engine.clock.move(wait * 1.1 + 1)
      await worker.idle()
    }
    await engine.enqueue(subscription)
    await worker.idle()
    engine.clock.move(DAY_MS * 1.1 + 1)
    await worker.idle()
    expect(engine.givenUp).toEqual([{ id: subscription, why: 'exhausted' }])
    expect((await states(subscription)).toSorted(byText)).toEqual(['dead', 'dead', 'held'])
    const before = receiver.received.length
    await engine.enqueue(subscription)
    await worker.idle()
    expect(receiver.received).toHaveLength(before)

    receiver.act = 200
    const endpoint = engine.endpoints.get(subscription)
    if (endpoint) endpoint.isActive = true
    expect(await transaction(engine.ctx, (tx) => replayFailed(tx, subscription))).toBe(4)
    await worker.idle()
    expect(await states(subscription)).toEqual(Array.from({ length: 4 }, () => 'delivered'))
  })

  test('a 410 gives up at once, any other 4xx only fails the delivery', async () => {
    const gone = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    receiver.act = 404
    await engine.enqueue(gone)
    await worker.idle()
    expect(engine.givenUp).toEqual([])
    receiver.act = 410
    await engine.enqueue(gone)
    await worker.idle()
    expect(engine.givenUp).toEqual([{ id: gone, why: 'gone' }])
    expect(await states(gone)).toEqual(['dead', 'dead'])
    engine.clock.move(DAY_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
  })

  test('what happens while an endpoint is off is held, and lapses after 7 days', async () => {
    const rule = engine.addEndpoint(receiver.url)
    const endpoint = engine.endpoints.get(rule)
    if (endpoint) endpoint.isActive = false
    const worker = engine.startWorker()
    await engine.enqueue(rule)
    await worker.idle()
    expect(await states(rule)).toEqual(['held'])
    engine.clock.move(7 * DAY_MS + 1)
    await expireDeadLetters(engine.ctx)
    expect(await states(rule)).toEqual(['expired'])
    await engine.enqueue(rule)
    await worker.idle()
    if (endpoint) endpoint.isActive = true
    await transaction(engine.ctx, (tx) => resumeDeliveries(tx, rule))
    await worker.idle()
    expect(await states(rule)).toEqual(['delivered', 'expired'])
    expect(receiver.received).toHaveLength(1)
  })

  test('what was put aside by mistake goes out within a minute or so', async () => {
    const rule = engine.addEndpoint(receiver.url)
    const endpoint = engine.endpoints.get(rule)
    if (endpoint) endpoint.isActive = false
    const worker = engine.startWorker()
    await engine.enqueue(rule)
    await worker.idle()
    if (endpoint) endpoint.isActive = true
    engine.clock.move(61 * SECOND_MS)
    await worker.idle()
    expect(await states(rule)).toEqual(['delivered'])
  })

  test('URL and secret are read at each attempt', async () => {
    const second = await startReceiver()
    receiver.act = 500
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    await engine.enqueue(rule)
    await worker.idle()
    const endpoint = engine.endpoints.get(rule)
    if (endpoint) endpoint.url = second.url
    engine.clock.move(34 * SECOND_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(1)
    expect(second.received).toHaveLength(1)
    await second.close()
  })

  test('deleting an endpoint ends what waits for it, and its history stays', async () => {
    receiver.act = 500
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    const id = await engine.enqueue(rule)
    await worker.idle()
    engine.endpoints.delete(rule)
    await transaction(engine.ctx, (tx) => cancelDeliveries(tx, rule))
    const late = await engine.enqueue(rule)
    await worker.idle()
    engine.clock.move(HOUR_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(1)
    expect(await engine.deliveries(rule)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id, state: 'cancelled', attempts: 1 }),
        expect.objectContaining({ id: late, state: 'cancelled', attempts: 0 }),
      ]),
    )
    expect(await engine.attempts(id)).toHaveLength(1)
  })

  test('an event whose transaction fails is not sent', async () => {
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    const delivery = {
      id: 'wh_1',
      workspaceId: 'ws_test',
      family: 'chat',
      endpointId: rule,
      event: 'lead.created',
      body: '{}',
    } as const
    const failed = transaction(engine.ctx, async (tx) => {
      await enqueueDeliveries(tx, [delivery])
      throw new Error('broken')
    })
    await expect(failed).rejects.toThrow('broken')
    await worker.idle()
    expect(await engine.deliveries(rule)).toEqual([])
  })
})

function byText(a: string, b: string): number {
  return a < b ? -1 : 1
}
