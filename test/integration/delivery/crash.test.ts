import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { startReceiver } from '../../helpers/receiver.ts'
import { openEngine, SECRET } from './engine.ts'

const COUNT = 40

describeOnBothDatabases('delivery after kill -9', (database) => {
  test('every acknowledged event arrives, what was under way within 30 s and at most once more', async () => {
    const place = await database.create()
    const receiver = await startReceiver((_request, count) => (count <= 10 ? 200 : 'silence'))
    onTestFinished(() => receiver.close())
    const endpoint = { id: 'rule_1', url: receiver.url, secret: SECRET }
    const victim = fork(join(import.meta.dirname, 'victim.ts'), [
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
    const worker = engine.startWorker({ isAlone: database.kind === 'sqlite' })
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
})

function byText(a = '', b = ''): number {
  return a < b ? -1 : 1
}
