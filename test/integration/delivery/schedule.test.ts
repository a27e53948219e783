import { afterEach, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { cancelDeliveries, replayFailed } from '../../../server/delivery/queue/manual-retry.ts'
import { expireDeadLetters } from '../../../server/delivery/queue/retention.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../server/lib/durations.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { type Engine, NOON, openEngine } from './engine.ts'

const IN_FLIGHT = 50

/** When requests come without jitter, after the first one. */
const PLATFORM = [30, 150, 750, 4_350, 25_950, 112_350].map((seconds) => seconds * SECOND_MS)
const CHAT = [30, 330, 2_130].map((seconds) => seconds * SECOND_MS)

describeOnBothDatabases('schedules', (database) => {
  let engine: Engine
  let receiver: Receiver
  beforeEach(async () => {
    engine = await openEngine(await database.create())
    receiver = await startReceiver(500)
  })
  afterEach(async () => {
    await engine.close()
    await receiver.close()
  })

  const states = async (id: string) => (await engine.deliveries(id)).map(({ state }) => state)

  /** Moves the clock to each next attempt, and returns when the requests came, after the first. */
  async function follow(endpoint: string, worker: { idle(): Promise<void> }): Promise<number[]> {
    const times: number[] = []
    for (;;) {
      const [delivery] = await engine.deliveries(endpoint)
      if (delivery?.next_at === null || delivery?.next_at === undefined) return times
      const before = receiver.received.length
      engine.clock.move(delivery.next_at - engine.clock.now() - 1)
      await worker.idle()
      expect(receiver.received).toHaveLength(before)
      engine.clock.move(1)
      await worker.idle()
      expect(receiver.received).toHaveLength(before + 1)
      times.push(engine.clock.now() - NOON)
    }
  }

  function expectSchedule(times: readonly number[], planned: readonly number[]): void {
    expect(times).toHaveLength(planned.length)
    for (const [index, at] of times.entries()) {
      expect(at).toBeGreaterThanOrEqual(planned[index] ?? 0)
      expect(at).toBeLessThanOrEqual((planned[index] ?? 0) * 1.1 + planned.length)
    }
  }

  test('a subscription gets 7 requests until 31 h 12 min 30 s and is disabled once', async () => {
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    await engine.enqueue(subscription)
    await worker.idle()
    expectSchedule(await follow(subscription, worker), PLATFORM)
    expect(receiver.received).toHaveLength(7)
    expect(engine.givenUp).toEqual([{ id: subscription, why: 'exhausted' }])
    expect(await states(subscription)).toEqual(['dead'])
    engine.clock.move(30 * DAY_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(7)
  })

  test('a rule gets 4 requests, then there is a dead letter that is gone after 7 days', async () => {
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    await engine.enqueue(rule)
    await worker.idle()
    expectSchedule(await follow(rule, worker), CHAT)
    expect(receiver.received).toHaveLength(4)
    engine.clock.move(7 * DAY_MS - 1)
    await expireDeadLetters(engine.ctx)
    expect(await states(rule)).toEqual(['dead'])
    engine.clock.move(1)
    await expireDeadLetters(engine.ctx)
    expect(await states(rule)).toEqual(['expired'])
  })

  test('20 that run out together disable their subscription once, and nothing is sent twice', async () => {
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    await Promise.all(Array.from({ length: 20 }, () => engine.enqueue(subscription)))
    await worker.idle()
    for (const wait of [
      30 * SECOND_MS,
      2 * MINUTE_MS,
      10 * MINUTE_MS,
      HOUR_MS,
      6 * HOUR_MS,
      DAY_MS,
    ]) {
      engine.clock.move(wait * 1.1 + 1)
      await worker.idle()
    }
    expect(receiver.received).toHaveLength(7 * 20)
    expect(engine.givenUp).toHaveLength(1)
    expect(new Set(await states(subscription))).toEqual(new Set(['dead']))
  })

  test.each([
    ['429 in seconds', 429, '3000', 50 * MINUTE_MS, 50 * MINUTE_MS],
    ['503 in seconds', 503, '3000', 50 * MINUTE_MS, 50 * MINUTE_MS],
    [
      '503 as a date',
      503,
      new Date(NOON + 40 * MINUTE_MS).toUTCString(),
      40 * MINUTE_MS,
      40 * MINUTE_MS,
    ],
    ['more than an hour', 429, '86400', HOUR_MS, HOUR_MS],
    ['less than the wait', 429, '1', 30 * SECOND_MS, 33 * SECOND_MS],
    ['a 500, which may not ask', 500, '3000', 30 * SECOND_MS, 33 * SECOND_MS],
    ['nonsense', 503, 'soon', 30 * SECOND_MS, 33 * SECOND_MS],
    ['the past', 503, new Date(NOON - DAY_MS).toUTCString(), 30 * SECOND_MS, 33 * SECOND_MS],
  ])('Retry-After only lengthens, up to an hour: %s', async (_name, status, value, from, to) => {
    receiver.act = { status, headers: { 'retry-after': value } }
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    await engine.enqueue(subscription)
    await worker.idle()
    const [delivery] = await engine.deliveries(subscription)
    const wait = (delivery?.next_at ?? 0) - NOON
    expect(wait).toBeGreaterThanOrEqual(from)
    expect(wait).toBeLessThanOrEqual(to + 1)
  })

  /** Begins 50 attempts on several endpoints and holds the answers back until `answer` is called. */
  async function beginMany(family: 'chat' | 'platform') {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    receiver.act = () => answered.then(() => 500)
    const endpoints = Array.from({ length: 10 }, () => engine.addEndpoint(receiver.url, family))
    const worker = engine.startWorker({ timeoutMs: 30_000 })
    for (const endpoint of endpoints) {
      for (let count = 0; count < IN_FLIGHT / 10; count += 1) await engine.enqueue(endpoint)
    }
    await receiver.waitFor(IN_FLIGHT)
    return { endpoints, worker, answer }
  }

  test('deleting while 50 are under way: they end with their attempt', async () => {
    const { endpoints, worker, answer } = await beginMany('chat')
    for (const id of endpoints) {
      engine.endpoints.delete(id)
      await transaction(engine.ctx, (tx) => cancelDeliveries(tx, id))
    }
    answer()
    await worker.idle()
    const found = (await Promise.all(endpoints.map(states))).flat()
    expect(found).toEqual(Array.from({ length: IN_FLIGHT }, () => 'cancelled'))
    engine.clock.move(DAY_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(IN_FLIGHT)
  })

  test('disabling while 50 are under way: they wait, and go out once when it is active again', async () => {
    const { endpoints, worker, answer } = await beginMany('platform')
    for (const id of endpoints) setActive(engine, id, false)
    answer()
    await worker.idle()
    const found = (await Promise.all(endpoints.map(states))).flat()
    expect(found).toEqual(Array.from({ length: IN_FLIGHT }, () => 'held'))
    receiver.act = 200
    for (const id of endpoints) {
      setActive(engine, id, true)
      await transaction(engine.ctx, (tx) => replayFailed(tx, id))
    }
    await worker.idle()
    expect(receiver.received).toHaveLength(2 * IN_FLIGHT)
    const times = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id'])
    expect([...times.values()].every((requests) => requests.length === 2)).toBe(true)
  })

  test('editing and sending again while 50 are under way: nothing is sent twice, retries go to the new URL', async () => {
    const { endpoints, worker, answer } = await beginMany('chat')
    const second = await startReceiver()
    for (const id of endpoints) {
      const endpoint = engine.endpoints.get(id)
      if (endpoint) endpoint.url = second.url
      await transaction(engine.ctx, (tx) => replayFailed(tx, id))
    }
    answer()
    await worker.idle()
    expect(receiver.received).toHaveLength(IN_FLIGHT)
    expect(second.received).toHaveLength(0)
    engine.clock.move(34 * SECOND_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(IN_FLIGHT)
    expect(second.received).toHaveLength(IN_FLIGHT)
    await second.close()
  })
})

function setActive(engine: Engine, id: string, isActive: boolean): void {
  const endpoint = engine.endpoints.get(id)
  if (endpoint) endpoint.isActive = isActive
}
