import { beforeAll, expect, test } from 'vitest'
import { createHmac } from 'node:crypto'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { ACCESS_TOKEN } from '../../../helpers/servers/channel-servers.ts'
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

/** A genuine call of each kind, another one, and one that reports nothing to do. */
const GENUINE: Record<string, { calls: [object, object]; empty?: object }> = {
  generic: {
    calls: [
      JSON.parse(BODY),
      { event: 'subscription.cancelled', data: { plan: 'x', ends_at: '2027-02-02T00:00:00.000Z' } },
    ],
  },
  stripe: {
    calls: [
      { id: 'evt_1', type: 'ping', created: 1, data: { object: {} } },
      { id: 'evt_2', type: 'ping', created: 1, data: { object: {} } },
    ],
  },
  telegram: { calls: [telegramOf(1), telegramOf(2)], empty: { update_id: 3 } },
  whatsapp: {
    calls: [whatsappOf('wamid.1'), whatsappOf('wamid.2')],
    empty: { object: 'whatsapp_business_account', entry: [] },
  },
}

function telegramOf(id: number): object {
  const person = { id: 7, is_bot: false, first_name: 'Ayşe' }
  const chat = { id: 7, type: 'private' }
  return {
    update_id: id,
    message: { message_id: id, date: 1, text: 'Merhaba', from: person, chat },
  }
}

function whatsappOf(id: string): object {
  const message = { id, from: '905321234567', timestamp: '1', type: 'text', text: { body: 'Hi' } }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '1', phone_number_id: '106540352242922' },
    messages: [message],
  }
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  }
}

describeOnDatabase('one recorded call, sent again and again', (database) => {
  const clock = new TestClock(NOW)
  let workspace: TestWorkspace
  const product = useProduct(database, {
    clock,
    settings: { LIMIT_HOOKS: '3', TRUSTED_PROXIES: '127.0.0.0/8', LOG_LEVEL: 'silent' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  const SETTINGS: Record<string, object> = {
    telegram: { bot_token: '123456:abcdefghijklmnopqrstuvwxyzABCDEFGHI' },
    whatsapp: { phone_number_id: '106540352242922', access_token: ACCESS_TOKEN },
  }

  test.each(Object.keys(GENUINE))('keeps no genuine call of %s out', async (kind) => {
    const { calls, empty } = GENUINE[kind] ?? { calls: [{}, {}] }
    const hook = await openIntegration(product, workspace, kind, { ...SETTINGS[kind] })
    const send = async (body: object, address: string) => {
      const raw = JSON.stringify(body)
      const sign = signed[kind === 'generic' || kind === 'stripe' ? kind : 'telegram']
      const own = kind === 'whatsapp' ? signed.whatsapp : sign
      const headers = { ...own(hook.secret, raw, clock.now()), 'x-forwarded-for': address }
      const { status, body: answer } = await tell(product, hook, raw, { headers })
      return [status, answer.received]
    }
    const [first, second] = calls
    expect(await send(first, '203.0.113.1')).toEqual([200, 1])
    const replays: (number | undefined)[] = []
    for (let at = 0; at < 6; at += 1) {
      replays.push((await send(at % 2 ? first : (empty ?? first), '203.0.113.2'))[0])
    }
    expect(replays).toEqual([200, 200, 200, 429, 429, 429])
    expect(await send(second, '203.0.113.1')).toEqual([200, 1])
  })
})
