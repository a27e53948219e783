import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'
import { openEngine, SECRET } from './engine.ts'
import { runKills } from './kill-run.ts'

const COUNT = 40

describeOnBothDatabases('delivery after kill -9', (database) => {
  test('every acknowledged event arrives, what was under way within 30 s and at most once more', async () => {
    const place = await database.create()
    const receiver = await startReceiver((_request, count) => (count <= 10 ? 200 : 'silence'))
    onTestFinished(() => receiver.close())
    const endpoint = { id: 'rule_1', url: receiver.url, secret: SECRET }
    const victim = fork(join(import.meta.dirname, 'crash-target.ts'), [
      JSON.stringify({ place, endpoint, count: COUNT }),
    ])
    const [message] = await once(victim, 'message')
    const acknowledged = z.array(z.string()).parse(message)
    await receiver.waitFor(11)
    victim.kill('SIGKILL')
    await once(victim, 'exit')

    receiver.act = 200
    const engine = await openEngine(place)
    onTestFinished(() => engine.close())
    const secrets = { current: SECRET }
    engine.endpoints.set('rule_1', { ...endpoint, family: 'chat', secrets, isActive: true })
    const worker = engine.startWorker({ isSingleProcess: database.kind === 'sqlite' })
    await worker.idle()
    if (database.kind === 'postgres') {
      engine.clock.move(30_000)
      await worker.idle()
    }
    expect(await engine.deliveries('rule_1')).toEqual(
      acknowledged.map(() => expect.objectContaining({ state: 'delivered' })),
    )
    const times = Map.groupBy(receiver.received, (request) => request.headers['webhook-id'])
    expect([...times.keys()].toSorted(byText)).toEqual(acknowledged.toSorted(byText))
    expect([...times.values()].every((requests) => requests.length <= 2)).toBe(true)
  })

  test('no event is lost by kills at random moments, and none repeated that was not under way', async () => {
    const report = await runKills({
      place: await database.create(),
      count: 1_500,
      kills: 5,
      lifeMs: 600,
      aheadMs: 30_000,
      patienceMs: 30_000,
    })
    expect(report).toMatchObject({ kills: 5, lost: 0, repeatedWithoutCause: 0 })
    expect(report.acknowledged).toBeGreaterThanOrEqual(1_500)
  })

  // Only Postgres has several processes.
  if (database.kind === 'sqlite') return
  test('a process that is paused past its lease cannot overwrite its successor', async () => {
    const place = await database.create()
    let answer: () => void = () => undefined
    const receiver = await startReceiver((_request, count) =>
      count === 1 ? new Promise((resolve) => (answer = () => resolve(200))) : 500,
    )
    onTestFinished(() => receiver.close())
    const engine = await openEngine(place)
    onTestFinished(() => engine.close())
    const rule = engine.addEndpoint(receiver.url)
    const id = await engine.enqueue(rule)
    const order = { ...place, endpoint: { id: rule, url: receiver.url } }
    const paused = fork(join(import.meta.dirname, 'pause-target.ts'), [JSON.stringify(order)])
    onTestFinished(() => void paused.kill('SIGKILL'))
    await receiver.waitFor(1)
    paused.kill('SIGSTOP')

    engine.clock.move(30_000)
    const worker = engine.startWorker()
    await worker.idle()
    const before = await engine.deliveries(rule)
    expect(before).toMatchObject([{ id, state: 'waiting', attempts: 1 }])

    answer()
    const written = once(paused, 'message')
    paused.kill('SIGCONT')
    await written
    expect(await engine.deliveries(rule)).toEqual(before)
    expect(await engine.attempts(id)).toMatchObject([{ number: 1, status: 500 }])
  })
})

function byText(a = '', b = ''): number {
  return a < b ? -1 : 1
}
