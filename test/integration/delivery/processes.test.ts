import { expect, onTestFinished, test } from 'vitest'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { addWorkspace, startTestProduct } from '../../helpers/product.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'

describeOnBothDatabases('deliveries between processes', (database) => {
  // Only Postgres has several processes.
  if (database.kind === 'sqlite') {
    test('one process publishes and sends', async () => {
      const receiver = await startReceiver()
      onTestFinished(() => receiver.close())
      await publish(await start(), receiver.url)
      expect(await receiver.waitFor(1)).toHaveLength(1)
    })
  } else {
    test('a process that only answers wakes the one that sends through Redis', async () => {
      const receiver = await startReceiver()
      onTestFinished(() => receiver.close())
      const place = await database.create()
      const shared = { REDIS_URL: process.env.TEST_REDIS_URL ?? '' }
      // Its clock stands, so that it never polls.
      const clock = new TestClock(Date.now())
      await start({ ...shared, ROLE: 'worker' }, { place, clock })
      const api = await start({ ...shared, ROLE: 'api' }, { place })
      await publish(api, receiver.url)
      expect(await receiver.waitFor(1)).toHaveLength(1)
    })
  }

  type Place = Awaited<ReturnType<typeof database.create>>
  async function start(
    settings: Record<string, string> = {},
    { place, clock }: { place?: Place; clock?: TestClock } = {},
  ) {
    const product = await startTestProduct(place ?? (await database.create()), {
      settings: { ALLOW_PRIVATE_TARGETS: 'true', ...settings },
      ...(clock ? { clock } : {}),
    })
    onTestFinished(() => product.stop())
    return product
  }

  async function publish(product: Awaited<ReturnType<typeof start>>, url: string) {
    const { token, tenantId } = await addWorkspace(product)
    const rule = { name: 'Rule', event: 'session.started', url }
    const made = await product.call('/api/v1/webhooks/rules-engine/rules', { token, body: rule })
    expect(made.status).toBe(201)
    const body = { tenant_id: tenantId, message: 'Merhaba' }
    await product.call('/api/v1/chatbot/message', { token, body })
  }
})
