import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SECOND_MS } from '../../../server/lib/durations.ts'
import type { Page } from '../../helpers/answers.ts'
import {
  type ChannelServers,
  TOO_MUCH,
  startChannelServers,
} from '../../helpers/servers/channel-servers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { type Apps, QUESTION, openApps } from './apps.ts'
import { metaText, telegramText, whatsappText } from './notifications.ts'
import { tell } from './setup.ts'

describeOnBothDatabases('what goes out to a messaging app', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 5, 10))
  let servers: ChannelServers
  let apps: Apps
  beforeAll(async () => {
    servers = await startChannelServers()
  })
  afterAll(() => servers.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true', LIMIT_HOOKS: '0' },
  })
  beforeEach(async () => {
    servers.delivered.length = 0
    servers.calls.length = 0
    servers.refusals.length = 0
    apps = await openApps(product, servers)
  })

  const arrive = (count: number) => expect.poll(() => servers.delivered.length).toBe(count)

  test('waits as long as Telegram asks to be left alone, and gets each message once', async () => {
    servers.refusals.push(TOO_MUCH.telegram(40))
    await tell(product, apps.telegram, telegramText(7_005, QUESTION))
    await expect.poll(() => servers.calls.length).toBe(1)
    await expect.poll(() => apps.waiting()).toEqual([{ attempts: 1, wait: 40 * SECOND_MS }])
    clock.move(39 * SECOND_MS)
    await tell(product, apps.telegram, telegramText(7_006, QUESTION))
    await arrive(1)
    expect(servers.delivered[0]?.to).toBe('7006')
    clock.move(2 * SECOND_MS)
    await arrive(2)
    expect(servers.delivered[1]?.to).toBe('7005')
  })

  test.each([
    ['a code of the Graph API', TOO_MUCH.graph(130_429)],
    ['status 503', { status: 503, body: {} }],
    ['status 429', TOO_MUCH.plain(3)],
  ])('gets the answer later when the provider is busy: %s', async (_name, refusal) => {
    servers.refusals.push(refusal)
    await tell(product, apps.whatsapp, whatsappText('910', QUESTION))
    await expect.poll(() => apps.waiting()).toEqual([{ attempts: 1, wait: 5 * SECOND_MS }])
    clock.move(6 * SECOND_MS)
    await arrive(1)
    expect(servers.calls).toHaveLength(2)
  })

  test('is not written to again and again where the provider refuses for good', async () => {
    const path = `/api/v1/integrations/${apps.whatsapp.integration_id}`
    const settings = { access_token: 'EAAG-revoked-token' }
    await product.call(path, { method: 'PATCH', token: apps.workspace.token, body: { settings } })
    await tell(product, apps.whatsapp, whatsappText('911', QUESTION))
    await expect.poll(() => servers.calls.length).toBe(1)
    await expect.poll(() => apps.waiting()).toEqual([])
    clock.move(600 * SECOND_MS)
    expect(servers.delivered).toEqual([])
    const list = await product.call<Page<object>>(`${path}/messages`, {
      token: apps.workspace.token,
    })
    expect(list.body.data).toMatchObject([
      { state: 'failed', attempts: 1, error: expect.stringContaining('status 401, code 190') },
    ])
    const rows = await product.ctx.db
      .selectFrom('channel_messages')
      .select('text')
      .where('integration_id', '=', apps.whatsapp.integration_id)
      .execute()
    expect(rows).toEqual([{ text: null }])
  })

  test('gets a long answer in pieces that the app takes, in order', async () => {
    await tell(product, apps.meta, metaText('5550002', 'Talk to a person'))
    await arrive(1)
    const [session] = await apps.inbox()
    const words = Array.from({ length: 400 }, (_, at) => `kelime${at}`)
    await apps.act(session?.session_id ?? '', 'messages', { text: words.join(' ') })
    await expect
      .poll(() => servers.delivered.map(({ text }) => text).join(' '))
      .toContain('kelime399')
    const pieces = servers.delivered.slice(2).map(({ text }) => text)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join(' ')).toBe(words.join(' '))
    for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(1_000)
  })
})
