import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { ActionCall } from '../../../server/actions/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { startTestProcess } from '../../helpers/process.ts'
import { addVisitor, addWorkspace, callOver, startTestProduct } from '../../helpers/product.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'
import { PRIVATE, addAction, orderCancellation, originOf, talkOf } from './order-service.ts'

describeOnBothDatabases('after kill -9 behind a yes', (database) => {
  test.each([
    ['while the service has the request', 'http'],
    ['before the request was sent', 'https'],
  ])('%s, it is never sent again, and the visitor is told', async (_when, scheme) => {
    const service = await startReceiver('silence')
    onTestFinished(() => service.close())
    const place = await database.create()
    const first = await startTestProduct(place, { settings: PRIVATE })
    const shop = await addWorkspace(first, { tenant: { locale: 'en' } })
    // Nobody answers the handshake: the connection is there, and the request is not.
    const url = `${originOf(service).replace('http', scheme)}/cancellations`
    const action = await addAction(first, shop, orderCancellation(originOf(service), { url }))
    const visitor = await addVisitor(first, shop)
    await first.stop()

    const running = await startTestProcess(place, PRIVATE)
    const call = <Body>(path: string, options: object = {}) =>
      callOver<Body>(running.url, path, options)
    const before = talkOf({ call }, shop, visitor)
    const asked = await before.turn('Please cancel my order 4711')
    expect(asked.reply?.content).toContain('Shall I go ahead?')
    const ended = once(running.child, 'exit')
    const said = before.turn('yes', 'the-yes').catch(() => undefined)
    await expect.poll(() => service.connections).toBe(1)
    if (scheme === 'http') await service.waitFor(1)
    running.child.kill('SIGKILL')
    await Promise.all([ended, said])

    // What the dead process had in hand on Postgres is free again by then.
    const ahead = database.kind === 'postgres' ? 120_000 : 0
    const product = await startTestProduct(place, {
      settings: PRIVATE,
      clock: new TestClock(Date.now() + ahead),
    })
    onTestFinished(() => product.stop())
    const { session_id } = asked
    const again = (message: string, requestId: string) =>
      product.call<{ reply: { content: string } }>('/api/v1/chatbot/message', {
        token: visitor,
        headers: { 'x-request-id': requestId },
        body: { tenant_id: shop.tenantId, message, session_id },
      })
    const told = await again('yes', 'the-yes')
    expect(told.body.reply.content).toContain('I cannot tell whether this went through')
    expect((await again('yes', 'another-yes')).status).toBe(200)
    expect(service.connections).toBe(1)
    const path = `/api/v1/tenants/${shop.tenantId}/actions/${action.action_id}/calls`
    const { body } = await product.call<Page<ActionCall>>(path, { token: shop.token })
    expect(body.data).toHaveLength(1)
    expect(['running', 'unknown']).toContain(body.data[0]?.state)
  })
})
