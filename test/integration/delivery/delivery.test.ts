import { afterEach, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import type { AttemptResult } from '../../../server/delivery/attempt-result.ts'
import type { Sender } from '../../../server/delivery/http/attempt.ts'
import { retryDeadLetter } from '../../../server/delivery/queue/manual-retry.ts'
import { expireAttempts, expireDeadLetters } from '../../../server/delivery/queue/retention.ts'
import { hexSignature } from '../../../server/delivery/signature.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../server/lib/durations.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { type Engine, openEngine, SECRET } from './engine.ts'

const DELIVERED: AttemptResult = {
  status: 200,
  error: null,
  latency_ms: 1,
  answer: '',
  retryAfter: undefined,
}

describeOnBothDatabases('delivery', (database) => {
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

  test('an event arrives at once, signed, and its attempt is kept', async () => {
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    const id = await engine.enqueue(rule, { name: 'Çağrı' })
    await worker.idle()
    const [request] = receiver.received
    expect(request?.headers['x-chat-signature']).toBe(hexSignature(SECRET, request?.body ?? ''))
    expect(await engine.deliveries(rule)).toMatchObject([{ id, state: 'delivered', attempts: 1 }])
    expect(await engine.attempts(id)).toMatchObject([{ number: 1, status: 200, error: null }])
  })

  test('a failing one is sent after 30 s, 5 min and 30 min, then kept as a dead letter for 7 days', async () => {
    receiver.act = { status: 500, body: 'broken' }
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    const id = await engine.enqueue(rule)
    await worker.idle()
    expect(receiver.received).toHaveLength(1)
    for (const [index, wait] of [30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS].entries()) {
      engine.clock.move(wait - 1)
      await worker.idle()
      expect(receiver.received).toHaveLength(index + 1)
      engine.clock.move(wait * 0.1 + 2)
      await worker.idle()
      expect(receiver.received).toHaveLength(index + 2)
    }
    expect(new Set(receiver.received.map((request) => request.body)).size).toBe(1)
    expect(await engine.deliveries(rule)).toMatchObject([{ id, state: 'dead', attempts: 4 }])
    expect(await engine.attempts(id)).toMatchObject([
      { number: 1, status: 500, answer: 'broken' },
      { number: 2, status: 500 },
      { number: 3, status: 500 },
      { number: 4, status: 500 },
    ])
    engine.clock.move(7 * DAY_MS - SECOND_MS)
    await expireDeadLetters(engine.ctx)
    expect(await engine.deliveries(rule)).toMatchObject([{ id, state: 'dead' }])
    engine.clock.move(2 * SECOND_MS)
    await expireDeadLetters(engine.ctx)
    expect(await engine.deliveries(rule)).toMatchObject([{ id, state: 'expired' }])
    engine.clock.move(31 * DAY_MS)
    await expireAttempts(engine.ctx)
    expect(await engine.deliveries(rule)).toEqual([])
    expect(await engine.attempts(id)).toEqual([])
  })

  test('a dead letter that is sent again by hand begins a new cycle with the same bytes', async () => {
    receiver.act = 500
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    const id = await engine.enqueue(rule)
    await worker.idle()
    for (const wait of [34 * SECOND_MS, 6 * MINUTE_MS, 34 * MINUTE_MS]) {
      engine.clock.move(wait)
      await worker.idle()
    }
    expect(await engine.deliveries(rule)).toMatchObject([{ state: 'dead' }])
    const letter = { id, workspaceId: 'ws_test', family: 'chat' } as const
    const twice = await Promise.all(
      [1, 2].map(() => transaction(engine.ctx, (tx) => retryDeadLetter(tx, letter))),
    )
    expect(new Set(twice)).toEqual(new Set([true, false]))
    await worker.idle()
    expect(receiver.received).toHaveLength(5)
    receiver.act = 200
    engine.clock.move(34 * SECOND_MS)
    await worker.idle()
    expect(await engine.deliveries(rule)).toMatchObject([{ id, state: 'delivered', attempts: 6 }])
    expect(new Set(receiver.received.map((request) => request.body)).size).toBe(1)
  })

  test('deliveries of a dead worker go out again within 30 s, and its late result changes nothing', async () => {
    let answer: (result: AttemptResult) => void = () => undefined
    const stuck: Sender = {
      send: () => new Promise((resolve) => (answer = resolve)),
      close: async () => undefined,
    }
    const rule = engine.addEndpoint(receiver.url)
    const id = await engine.enqueue(rule)
    const stalled = engine.startStalledWorker(stuck)
    await expect.poll(() => engine.deliveries(rule)).toMatchObject([{ state: 'sending' }])
    receiver.act = 500
    const second = engine.startWorker()
    await second.idle()
    engine.clock.move(24 * SECOND_MS)
    await second.idle()
    expect(receiver.received).toHaveLength(0)
    engine.clock.move(6 * SECOND_MS)
    await second.idle()
    expect(await engine.attempts(id)).toMatchObject([{ number: 1, status: 500 }])
    answer(DELIVERED)
    await stalled.stop()
    expect(await engine.deliveries(rule)).toMatchObject([{ state: 'waiting' }])
    expect(await engine.attempts(id)).toHaveLength(1)
  })

  test('a single process takes over the deliveries of its predecessor at once', async () => {
    let answer: (result: AttemptResult) => void = () => undefined
    const stuck: Sender = {
      send: () => new Promise((resolve) => (answer = resolve)),
      close: async () => undefined,
    }
    const rule = engine.addEndpoint(receiver.url)
    const id = await engine.enqueue(rule)
    engine.startStalledWorker(stuck)
    await expect.poll(() => engine.deliveries(rule)).toMatchObject([{ state: 'sending' }])
    await engine.startWorker({ isSingleProcess: true }).idle()
    expect(await engine.deliveries(rule)).toMatchObject([{ id, state: 'delivered' }])
    answer(DELIVERED)
  })

  test('two workers share the work and send nothing twice', async () => {
    const rules = [1, 2, 3].map(() => engine.addEndpoint(receiver.url))
    const workers = [engine.startWorker(), engine.startWorker()]
    await Promise.all(
      Array.from({ length: 150 }, (_, index) => engine.enqueue(rules[index % 3] ?? '')),
    )
    for (const worker of workers) await worker.idle()
    const ids = receiver.received.map((request) => request.headers['webhook-id'])
    expect(ids).toHaveLength(150)
    expect(new Set(ids).size).toBe(150)
  })

  test('a receiver that never answers delays no other', async () => {
    const dead = await startReceiver('silence')
    const slow = engine.addEndpoint(dead.url)
    const quick = engine.addEndpoint(receiver.url)
    for (let count = 0; count < 100; count += 1) await engine.enqueue(slow)
    const worker = engine.startWorker({ timeoutMs: 60_000 })
    await dead.waitFor(1)
    for (let count = 0; count < 20; count += 1) await engine.enqueue(quick)
    await receiver.waitFor(20)
    expect(dead.received.length).toBeLessThanOrEqual(8)
    await dead.close()
    void worker
  })

  test('stopping finishes what is under way and starts nothing new', async () => {
    let release: () => void = () => undefined
    receiver.act = () => new Promise((resolve) => (release = () => resolve(200)))
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker({ timeoutMs: 5_000 })
    const first = await engine.enqueue(rule)
    await receiver.waitFor(1)
    const stopped = worker.stop()
    const second = await engine.enqueue(rule)
    release()
    await stopped
    expect(await engine.deliveries(rule)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: first, state: 'delivered' }),
        expect.objectContaining({ id: second, state: 'waiting' }),
      ]),
    )
  })

  test('a clock that jumps back loses nothing', async () => {
    receiver.act = 500
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    await engine.enqueue(rule)
    await worker.idle()
    receiver.act = 200
    engine.clock.move(-60 * MINUTE_MS)
    const later = await engine.enqueue(rule)
    await worker.idle()
    expect(await engine.deliveries(rule)).toContainEqual(
      expect.objectContaining({ id: later, state: 'delivered' }),
    )
    engine.clock.move(61 * MINUTE_MS)
    await worker.idle()
    expect(await engine.deliveries(rule)).toMatchObject([
      { state: 'delivered', attempts: 2 },
      { state: 'delivered', attempts: 1 },
    ])
  })
})
