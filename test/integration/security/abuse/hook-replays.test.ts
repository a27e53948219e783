import { beforeAll, expect, test } from 'vitest'
import { createHmac } from 'node:crypto'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { openIntegration, signed, tell } from '../../integrations/setup.ts'

const NOW = Date.UTC(2027, 0, 5, 10)
const SECONDS = String(Math.floor(NOW / 1_000))
const BODY = JSON.stringify({
  event: 'subscription.cancelled',
  data: { plan: 'gold', ends_at: '2027-02-01T00:00:00.000Z' },
})

describeOnDatabase('a recorded call of a program', (database) => {
  const clock = new TestClock(NOW)
  let workspace: TestWorkspace
  const product = useProduct(database, { clock, settings: { LIMIT_HOOKS: '0' } })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  const standard = (secret: string, id: string) => ({
    'webhook-id': id,
    'webhook-timestamp': SECONDS,
    'webhook-signature': `v1,${createHmac('sha256', secret)
      .update(`${id}.${SECONDS}.${BODY}`)
      .digest('base64')}`,
  })

  test('counts once, whichever ids a replay claims', async () => {
    const hook = await openIntegration(product, workspace, 'generic')
    const proof = signed.generic(hook.secret, BODY, NOW)
    const received = []
    for (let replay = 0; replay < 20; replay += 1) {
      const name = replay % 2 === 0 ? 'webhook-id' : 'x-svc-delivery'
      const headers = { ...proof, [name]: `made-up-${replay}` }
      received.push((await tell(product, hook, BODY, { headers })).body.received)
    }
    expect(received).toEqual([1, ...Array.from({ length: 19 }, () => 0)])
  })

  test('counts once, also without one of its two signatures', async () => {
    const hook = await openIntegration(product, workspace, 'generic')
    const svc = signed.generic(hook.secret, BODY, NOW)
    const both = { ...svc, ...standard(hook.secret, 'evt_both') }
    const calls = [both, svc, standard(hook.secret, 'evt_both'), { ...svc, 'webhook-id': 'evt_x' }]
    const received = []
    for (const headers of calls) {
      received.push((await tell(product, hook, BODY, { headers })).body.received)
    }
    expect(received).toEqual([1, 0, 0, 0])
  })

  test('is another one at another time, and the marks stay out of the list', async () => {
    const hook = await openIntegration(product, workspace, 'generic')
    expect((await tell(product, hook, BODY, { at: NOW })).body.received).toBe(1)
    expect((await tell(product, hook, BODY, { at: NOW + 1_000 })).body.received).toBe(1)
    const path = `/api/v1/integrations/${hook.integration_id}/events`
    const { body } = await product.call<{ data: object[] }>(path, { token: workspace.token })
    expect(body.data).toHaveLength(2)
  })
})
