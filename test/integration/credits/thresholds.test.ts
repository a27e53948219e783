import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../../server/context.ts'
import type { EventHandlers } from '../../../server/events.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ask, buy, freshToken } from './ledger.ts'

describeOnBothDatabases('a workspace that uses its credits up', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 10))
  let receiver: Receiver
  let low: { workspaceId: string; data: object }[]

  afterAll(() => receiver.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })
  beforeAll(async () => {
    receiver = await startReceiver()
    low = listen(product.ctx)
  })

  /** `credits.low` has no receiver outside yet, so it is caught where it is announced. */
  function listen(ctx: Context): { workspaceId: string; data: object }[] {
    const heard: { workspaceId: string; data: object }[] = []
    const hear: EventHandlers<'credits.low'>[number] = async (
      tx,
      _event,
      { workspaceId, data },
    ) => {
      tx.afterCommit.push(() => heard.push({ workspaceId, data }))
    }
    Object.assign(ctx.reactions, { 'credits.low': [...ctx.reactions['credits.low'], hear] })
    return heard
  }

  const lowOf = ({ id }: TestWorkspace) => low.filter(({ workspaceId }) => workspaceId === id)

  async function askTimes(workspace: TestWorkspace, times: number): Promise<void> {
    const token = await freshToken(product, workspace)
    for (let count = 0; count < times; count += 1) {
      expect((await ask(product, workspace, token)).status).toBe(200)
    }
  }

  test('is told once a month by webhook when 80 % are used', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    const made = await product.call('/api/v1/webhooks/rules-engine/rules', {
      token: workspace.token,
      body: { name: 'Quota', event: 'quota.threshold_reached', url: receiver.url },
    })
    expect(made.status).toBe(201)
    await askTimes(workspace, 7)
    expect(receiver.received.length).toBe(0)
    await askTimes(workspace, 3)
    const [sent] = await receiver.waitFor(1)
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      event: 'quota.threshold_reached',
      webhook_id: expect.stringMatching(/^wh_/),
      data: { threshold: 0.8, used: 8, monthly_limit: 10, reset_at: '2027-07-01T00:00:00.000Z' },
    })
    await buy(product, workspace, 5, 'more')
    await askTimes(workspace, 2)
    clock.move(Date.UTC(2027, 6, 1) - clock.now())
    await askTimes(workspace, 8)
    const both = await receiver.waitFor(2)
    expect(JSON.parse(both[1]?.body ?? '').data.reset_at).toBe('2027-08-01T00:00:00.000Z')
    await askTimes(workspace, 2)
    expect(receiver.received.length).toBe(2)
  })

  test('is told once even when the turns end at the same moment', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    const token = await freshToken(product, workspace)
    await Promise.all(Array.from({ length: 10 }, () => ask(product, workspace, token)))
    expect(lowOf(workspace).length).toBe(1)
  })

  test('is told that credits run low once below 10 %, and again only after they were above', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    await askTimes(workspace, 9)
    expect(lowOf(workspace)).toEqual([])
    await askTimes(workspace, 1)
    expect(lowOf(workspace).map(({ data }) => data)).toEqual([
      { remaining: 0, monthly_limit: 10, addons: 0, reset_at: expect.any(String) },
    ])
    await buy(product, workspace, 0.5, 'too little')
    await buy(product, workspace, 0.49, 'still too little')
    await buy(product, workspace, 2.01, 'enough')
    await askTimes(workspace, 2)
    expect(lowOf(workspace).length).toBe(1)
    await askTimes(workspace, 1)
    expect(lowOf(workspace).length).toBe(2)
    await buy(product, workspace, 1, 'just above')
    await askTimes(workspace, 1)
    expect(lowOf(workspace).length).toBe(3)
  })

  test('without any monthly credits is told nothing', async () => {
    const workspace = await addWorkspace(product, { credits: 0 })
    await buy(product, workspace, 1, 'one')
    await askTimes(workspace, 1)
    expect(lowOf(workspace)).toEqual([])
  })
})
