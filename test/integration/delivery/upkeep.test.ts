import { afterEach, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { eraseDeliveries } from '../../../server/delivery/queue/erase.ts'
import { retryDelivery } from '../../../server/delivery/queue/manual-retry.ts'
import { continueRecoveries, recoverSince } from '../../../server/delivery/queue/recover.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../server/lib/durations.ts'
import { newId } from '../../../server/lib/ids.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { type Engine, NOON, openEngine } from './engine.ts'

const MANY = 1_234

describeOnBothDatabases('upkeep of deliveries', (database) => {
  let place: DatabasePlace
  let engine: Engine
  let receiver: Receiver
  beforeEach(async () => {
    place = await database.create()
    engine = await openEngine(place)
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await engine.close()
    await receiver.close()
  })

  const states = async (id: string) => (await engine.deliveries(id)).map(({ state }) => state)

  async function addDeadLetters(endpointId: string, count: number, diedAt: number) {
    const ids = Array.from({ length: count }, () => newId('wh'))
    for (let at = 0; at < count; at += 100) {
      const rows = ids.slice(at, at + 100).map((id) => ({
        id,
        workspace_id: 'ws_test',
        family: 'chat' as const,
        endpoint_id: endpointId,
        event: 'lead.created',
        body: '{}',
        attempts: 4,
        session_id: null,
        created_at: diedAt - DAY_MS,
        died_at: diedAt,
        expires_at: diedAt + 7 * DAY_MS,
      }))
      await engine.ctx.db.insertInto('dead_letters').values(rows).execute()
    }
    return ids
  }

  test('everything that failed since a time goes out again, any number of it, once', async () => {
    const rule = engine.addEndpoint(receiver.url)
    const old = await addDeadLetters(rule, 3, NOON - 3 * DAY_MS)
    const ids = await addDeadLetters(rule, MANY, NOON - MINUTE_MS)
    const other = engine.addEndpoint(receiver.url)
    await addDeadLetters(other, 2, NOON - MINUTE_MS)
    const order = await transaction(engine.ctx, (tx) =>
      recoverSince(tx, { endpointId: rule, since: NOON - DAY_MS }),
    )
    expect(order).toMatchObject({ isFinished: false })
    const worker = engine.startWorker()
    await worker.idle()
    const received = receiver.received.map((request) => request.headers['webhook-id'])
    expect(received).toHaveLength(MANY)
    expect(new Set(received)).toEqual(new Set(ids))
    expect(old.some((id) => received.includes(id))).toBe(false)
    expect(await states(other)).toEqual(['dead', 'dead'])
  })

  test('sending again goes on after a restart in the middle of it', async () => {
    const rule = engine.addEndpoint(receiver.url)
    const ids = await addDeadLetters(rule, MANY, NOON - MINUTE_MS)
    await transaction(engine.ctx, (tx) => recoverSince(tx, { endpointId: rule, since: 0 }))
    await continueRecoveries(engine.ctx, () => true)
    await engine.close()

    const restarted = await openEngine(place)
    restarted.endpoints.set(rule, {
      id: rule,
      url: receiver.url,
      family: 'chat',
      secrets: { current: 'a secret' },
      isActive: true,
    })
    await restarted.startWorker().idle()
    const received = receiver.received.map((request) => request.headers['webhook-id'])
    expect(received).toHaveLength(MANY)
    expect(new Set(received)).toEqual(new Set(ids))
    engine = restarted
  })

  test('what fails again while everything is sent again is not sent a third time', async () => {
    const rule = engine.addEndpoint(receiver.url, 'platform')
    receiver.act = 404
    const worker = engine.startWorker()
    await engine.enqueue(rule)
    await worker.idle()
    engine.clock.move(SECOND_MS)
    await transaction(engine.ctx, (tx) => recoverSince(tx, { endpointId: rule, since: 0 }))
    await worker.idle()
    engine.clock.move(MINUTE_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
    expect(await states(rule)).toEqual(['dead'])
  })

  test('what waits for a retry goes out with what failed, in a new cycle', async () => {
    receiver.act = 500
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    await engine.enqueue(rule)
    await worker.idle()
    await transaction(engine.ctx, (tx) =>
      recoverSince(tx, { endpointId: rule, since: NOON - MINUTE_MS }),
    )
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
    for (const wait of [33 * SECOND_MS, 331 * SECOND_MS, 34 * MINUTE_MS]) {
      engine.clock.move(wait)
      await worker.idle()
    }
    expect(receiver.received).toHaveLength(5)
    expect(await states(rule)).toEqual(['dead'])
  })

  test('a failed subscription delivery keeps its body and can be sent again for 30 days', async () => {
    receiver.act = 404
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    const id = await engine.enqueue(subscription)
    await worker.idle()
    engine.clock.move(29 * DAY_MS)
    await worker.idle()
    receiver.act = 200
    const again = () =>
      transaction(engine.ctx, (tx) =>
        retryDelivery(tx, { id, workspaceId: 'ws_test', family: 'platform' }),
      )
    expect(await again()).toBe('queued')
    await worker.idle()
    const [first, second] = receiver.received
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['x-svc-delivery']).toBe(id)
    expect(await again()).toBe('over')
  })

  test('sent by hand while an attempt is under way does not make two', async () => {
    let answer: () => void = () => undefined
    receiver.act = () => new Promise((resolve) => (answer = () => resolve(500)))
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    const id = await engine.enqueue(rule)
    await receiver.waitFor(1)
    const again = () =>
      transaction(engine.ctx, (tx) =>
        retryDelivery(tx, { id, workspaceId: 'ws_test', family: 'chat' }),
      )
    expect(await again()).toBe('sending')
    answer()
    await worker.idle()
    expect(receiver.received).toHaveLength(1)
    receiver.act = 200
    expect(await Promise.all([again(), again()])).toContain('queued')
    await worker.idle()
    engine.clock.move(MINUTE_MS)
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
    expect(await engine.deliveries(rule)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('erasing a conversation leaves no word of it in queue, dead letters and log', async () => {
    receiver.act = { status: 500, body: 'no place for Ayşe' }
    const rule = engine.addEndpoint(receiver.url)
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const worker = engine.startWorker()
    const data = { session_id: 'ses_1', name: 'Ayşe' }
    const waiting = await engine.enqueue(rule, data)
    const kept = await engine.enqueue(rule, { session_id: 'ses_2', name: 'Ali' })
    await worker.idle()
    receiver.act = { status: 404, body: 'who is Ayşe?' }
    const dead = await engine.enqueue(subscription, data)
    await worker.idle()
    receiver.act = { status: 200, body: 'hello Ayşe' }
    const arrived = await engine.enqueue(rule, data)
    await worker.idle()

    await transaction(engine.ctx, (tx) =>
      eraseDeliveries(tx, { workspaceId: 'ws_other', sessionIds: ['ses_1'] }),
    )
    expect(await everything(engine)).toContain('Ayşe')
    await transaction(engine.ctx, (tx) =>
      eraseDeliveries(tx, { workspaceId: 'ws_test', sessionIds: ['ses_1'] }),
    )
    expect(await everything(engine)).not.toContain('who is Ayşe')
    expect(await everything(engine)).not.toContain('hello Ayşe')
    expect(await everything(engine)).not.toContain('ses_1')
    const before = receiver.received.length
    engine.clock.move(DAY_MS)
    await worker.idle()
    expect(receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([
      kept,
    ])
    expect(await engine.deliveries(rule)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: waiting, state: 'cancelled', attempts: 1 }),
        expect.objectContaining({ id: arrived, state: 'delivered' }),
      ]),
    )
    expect(await engine.deliveries(subscription)).toMatchObject([{ id: dead, state: 'cancelled' }])
  })

  test('erasing a conversation takes what is held too, and what was never sent', async () => {
    const off = engine.addEndpoint(receiver.url)
    const rule = engine.addEndpoint(receiver.url)
    const closed = engine.endpoints.get(off)
    if (closed) closed.isActive = false
    const data = { session_id: 'ses_1', name: 'Ayşe' }
    const holder = engine.startWorker()
    await engine.enqueue(off, data)
    await holder.idle()
    await holder.stop()
    expect(await engine.deliveries(off)).toMatchObject([{ state: 'held' }])
    await engine.enqueue(rule, data)
    const kept = await engine.enqueue(rule, { session_id: 'ses_2', name: 'Ali' })

    await transaction(engine.ctx, (tx) =>
      eraseDeliveries(tx, { workspaceId: 'ws_test', sessionIds: ['ses_1', 'ses_3'] }),
    )
    expect(await everything(engine)).not.toMatch(/Ayşe|ses_1/)
    await engine.startWorker().idle()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([kept])
  })

  test('erasing a workspace leaves nothing', async () => {
    receiver.act = { status: 404, body: 'Ayşe' }
    const subscription = engine.addEndpoint(receiver.url, 'platform')
    const rule = engine.addEndpoint(receiver.url)
    const worker = engine.startWorker()
    await engine.enqueue(subscription, { name: 'Ayşe' })
    await engine.enqueue(rule, { name: 'Ayşe' })
    await worker.idle()
    await transaction(engine.ctx, (tx) => eraseDeliveries(tx, { workspaceId: 'ws_test' }))
    expect(await everything(engine)).toBe('[[],[],[],[]]')
  })
})

/** All that the database keeps of deliveries, as one text. */
async function everything({ ctx }: Engine): Promise<string> {
  const tables = ['deliveries', 'dead_letters', 'delivery_attempts', 'finished_deliveries'] as const
  const found = await Promise.all(
    tables.map((table) => ctx.db.selectFrom(table).selectAll().execute()),
  )
  return JSON.stringify(found)
}
