import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { emit } from '../../../server/events.ts'
import { DAY_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import type { DeadLetter } from '../../../server/rules/schema.ts'
import type { CreatedApiKey, CreatedRule, Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { eventually } from '../../helpers/eventually.ts'

const BASE = '/api/v1/webhooks/rules-engine'

describeOnDatabase('dead letters', (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 21))
  let mine: TestWorkspace
  let strangerToken: string
  let receiver: Receiver
  let starts: string
  let quotas: string
  let between: string
  let token: string
  afterAll(() => receiver.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })
  beforeAll(async () => {
    receiver = await startReceiver(500)
    mine = await addWorkspace(product)
    // Keys, because they outlive what the clock does here.
    token = await makeKey(mine)
    strangerToken = await makeKey(await addWorkspace(product))
    starts = await addRule('session.started')
    quotas = await addRule('quota.threshold_reached')
    await start()
    await die(1)
    clock.move(MINUTE_MS)
    between = new Date(clock.now()).toISOString()
    await start()
    await reachQuota()
    await die(3)
  })

  const call = <Body>(path: string, options: { method?: string; body?: unknown } = {}) =>
    product.call<Body>(BASE + path, { token, ...options })

  async function makeKey(workspace: TestWorkspace): Promise<string> {
    const made = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'A program' },
    })
    return made.body.key
  }

  async function addRule(event: string): Promise<string> {
    const body = { name: event, event, url: receiver.url, secret: 'a secret of my own' }
    return (await call<CreatedRule>('/rules', { body })).body.rule_id
  }

  const start = () =>
    transaction(product.ctx, (tx) =>
      emit(tx, 'session.started', {
        workspaceId: mine.id,
        data: {
          tenant_id: mine.tenantId,
          chatbot_id: 'bot_1',
          session_id: 'ses_1',
          channel: 'widget',
          locale: 'tr',
          page_url: null,
          started_at: new Date(clock.now()).toISOString(),
        },
      }),
    )

  const reachQuota = () =>
    transaction(product.ctx, (tx) =>
      emit(tx, 'quota.threshold_reached', {
        workspaceId: mine.id,
        data: {
          threshold: 0.8,
          used: 80,
          monthly_limit: 100,
          reset_at: '2026-12-01T00:00:00.000Z',
        },
      }),
    )

  const letters = async (query = '') =>
    (await call<Page<DeadLetter>>(`/dead-letters${query}`)).body.data

  /** Lets every attempt fail, until there are so many letters. */
  async function die(count: number): Promise<void> {
    await eventually(async () => {
      clock.move(10 * MINUTE_MS)
      if ((await letters()).length < count) throw new Error('Some attempts are still to come.')
    })
  }

  test('are listed by rule, by event and by when they failed', async () => {
    const all = await letters()
    expect(all.map(({ event }) => event).toSorted()).toEqual([
      'quota.threshold_reached',
      'session.started',
      'session.started',
    ])
    for (const { died_at, expires_at } of all) {
      expect(Date.parse(expires_at) - Date.parse(died_at)).toBe(7 * DAY_MS)
    }
    expect(await letters(`?rule_id=${starts}`)).toHaveLength(2)
    expect(await letters('?event=quota.threshold_reached')).toMatchObject([{ rule_id: quotas }])
    expect(await letters(`?since=${between}`)).toHaveLength(2)
    expect(await letters(`?since=${between}&rule_id=${starts}`)).toHaveLength(1)
    expect(await letters(`?rule_id=${quotas}&event=session.started`)).toEqual([])
  })

  test('of a rule that is not yours are not told, nor sent', async () => {
    const foreign = { token: strangerToken }
    const path = `${BASE}/dead-letters`
    const list = await product.call(`${path}?rule_id=${starts}`, foreign)
    expect(list).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const retry = await product.call(`${path}/retry`, { ...foreign, body: { rule_id: starts } })
    expect(retry).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const all = await product.call(`${path}/retry`, { ...foreign, body: {} })
    expect(all).toMatchObject({ status: 202, body: { ok: true, retried: 0 } })
    const unknown = await call(`/dead-letters?rule_id=rule_${'A'.repeat(22)}`)
    expect(unknown).toMatchObject({ status: 404 })
    expect(await call('/dead-letters?since=yesterday')).toMatchObject({ status: 422 })
    expect(await call('/dead-letters/retry', { body: { tenant_id: 'x' } })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/tenant_id' }] },
    })
  })

  test('go out again by filter, each under its own id, but not those of a rule that is off', async () => {
    const before = await letters()
    const count = receiver.received.length
    receiver.act = 200
    const retried = await call('/dead-letters/retry', {
      body: { event: 'session.started', since: between },
    })
    expect(retried).toMatchObject({ status: 202, body: { ok: true, retried: 1 } })
    const requests = await receiver.waitFor(count + 1)
    const sent = JSON.parse(requests.at(-1)?.body ?? '').webhook_id
    expect(before.map(({ webhook_id }) => webhook_id)).toContain(sent)
    await call(`/rules/${quotas}`, { method: 'PATCH', body: { active: false } })
    const rest = await call('/dead-letters/retry', { method: 'POST' })
    expect(rest).toMatchObject({ status: 202, body: { retried: 1 } })
    await receiver.waitFor(count + 2)
    expect(await letters()).toMatchObject([{ rule_id: quotas }])
  })

  test('are gone after seven days', async () => {
    const [letter] = await letters()
    clock.move(7 * DAY_MS)
    await call(`/rules/${quotas}`, { method: 'PATCH', body: { active: true } })
    expect(await letters()).toEqual([])
    const one = await call(`/dead-letters/${letter?.webhook_id}/retry`, { method: 'POST' })
    expect(one).toMatchObject({ status: 409 })
    expect(await call('/dead-letters/retry', { body: {} })).toMatchObject({ body: { retried: 0 } })
  })
})
