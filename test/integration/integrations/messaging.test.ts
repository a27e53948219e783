import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tr } from '../../../server/locales/chat.tr.ts'
import type { CreatedIntegration, CreditsAnswer } from '../../helpers/answers.ts'
import { type ChannelServers, startChannelServers } from '../../helpers/servers/channel-servers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { OPERATOR_TOKEN } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { type Apps, QUESTION, openApps } from './apps.ts'
import {
  metaText,
  nextNumber,
  telegramText,
  whatsappMessage,
  whatsappText,
} from './notifications.ts'
import { tell } from './setup.ts'

describeOnDatabase('who writes in a messaging app', (database) => {
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
  const remaining = async () =>
    (
      await product.call<CreditsAnswer>('/api/v1/credits', {
        token: apps.workspace.token,
      })
    ).body.remaining

  test('is answered there by the bot, from the knowledge, in the same inbox', async () => {
    const credits = await remaining()
    await tell(product, apps.whatsapp, whatsappText('905321234567', QUESTION))
    await tell(product, apps.telegram, telegramText(7_001, QUESTION))
    await tell(product, apps.meta, metaText('5550001', QUESTION))
    await arrive(3)
    const byApp = Object.fromEntries(servers.delivered.map(({ app, ...rest }) => [app, rest]))
    const text = expect.stringContaining('09:00')
    expect(byApp).toEqual({
      whatsapp: { to: '905321234567', text },
      telegram: { to: '7001', text },
      meta: { to: '5550001', text },
    })
    const sessions = await apps.inbox()
    expect(sessions.map(({ channel }) => channel).toSorted()).toEqual([
      'meta',
      'telegram',
      'whatsapp',
    ])
    for (const { session_id } of sessions) {
      expect(await apps.said(session_id)).toMatchObject([
        { role: 'visitor', content: QUESTION },
        { role: 'assistant', content: text },
      ])
    }
    expect(await remaining()).toBe(credits - 3)
  })

  test('has one conversation for as long as it is open, and a new one after', async () => {
    await tell(product, apps.whatsapp, whatsappText('905', QUESTION))
    await arrive(1)
    await tell(product, apps.whatsapp, whatsappText('905', QUESTION))
    await arrive(2)
    const [session] = await apps.inbox()
    expect(await apps.inbox()).toHaveLength(1)
    await apps.act(session?.session_id ?? '', 'close')
    await arrive(3)
    await tell(product, apps.whatsapp, whatsappText('905', QUESTION))
    await arrive(4)
    expect(await apps.inbox()).toHaveLength(2)
  })

  test('is answered in the order in which it was said', async () => {
    const { token, tenantId } = apps.workspace
    const body = { handoff: 'off' }
    await product.call(`/api/v1/tenants/${tenantId}`, { method: 'PATCH', token, body })
    const entries = Array.from({ length: 6 }, (_, at) => whatsappText('906', `${QUESTION} ${at}`))
    for (const entry of entries) await tell(product, apps.whatsapp, entry)
    await arrive(6)
    const [session] = await apps.inbox()
    const history = await apps.said(session?.session_id ?? '')
    expect(history.map(({ role }) => role)).toEqual(entries.flatMap(() => ['visitor', 'assistant']))
    expect(
      history.filter(({ role }) => role === 'visitor').map(({ content }) => content.at(-1)),
    ).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  test('hears of 50 deliveries of one message once', async () => {
    const same = whatsappText('907', QUESTION, `wamid.same${nextNumber()}`)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => tell(product, apps.whatsapp, same)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.reduce((sum, { body }) => sum + body.received, 0)).toBe(1)
    await arrive(1)
    await tell(product, apps.whatsapp, whatsappText('907', QUESTION))
    await arrive(2)
    const [session] = await apps.inbox()
    expect(await apps.said(session?.session_id ?? '')).toHaveLength(4)
  })

  test('reaches an operator, whose words go out through the app, while the bot is silent', async () => {
    await tell(product, apps.telegram, telegramText(7_002, 'Talk to a person'))
    await arrive(1)
    const [session] = await apps.inbox()
    expect(session).toMatchObject({ state: 'waiting', channel: 'telegram' })
    const id = session?.session_id ?? ''
    await apps.act(id, 'messages', { text: 'Hello, this is Ada.' })
    await arrive(3)
    expect(servers.delivered.at(-1)).toEqual({
      app: 'telegram',
      to: '7002',
      text: 'Hello, this is Ada.',
    })
    await tell(product, apps.telegram, telegramText(7_002, QUESTION))
    await expect.poll(async () => (await apps.said(id)).at(-1)?.content).toBe(QUESTION)
    await apps.act(id, 'messages', { text: 'Nine to six.' })
    await arrive(4)
    expect(servers.delivered.map(({ text }) => text).at(-1)).toBe('Nine to six.')
  })

  test('reads plain text where a page would show markup', async () => {
    const { token, tenantId } = apps.workspace
    const content = 'İndirim için ödeme sayfasında `KAHVE10` kodunu yazın.'
    const body = { kind: 'markdown', title: 'İndirim kodu', content }
    await product.call(`/api/v1/tenants/${tenantId}/knowledge`, { token, body })
    await tell(product, apps.telegram, telegramText(7_010, 'İndirim kodu nedir?'))
    await arrive(1)
    expect(servers.delivered.at(-1)?.text).toContain('sayfasında KAHVE10 kodunu')
    const [session] = await apps.inbox()
    expect((await apps.said(session?.session_id ?? '')).at(-1)?.content).toContain('`KAHVE10`')
  })

  test('is told the sources, and what a page would show as buttons', async () => {
    const { token, tenantId } = apps.workspace
    const url = 'https://site.example/park'
    const path = `/api/v1/tenants/${tenantId}/knowledge`
    const document = { kind: 'markdown', title: 'Otopark', content: 'Otopark ücretsizdir.', url }
    await product.call(path, { token, body: document })
    await tell(product, apps.whatsapp, whatsappText('914', 'Otopark ücretsiz mi?'))
    await arrive(1)
    expect(servers.delivered[0]?.text).toBe(`Evet. Otopark ücretsizdir.\n\n${url}`)
    for (const question of ['Zürafalar kaç yıl yaşar?', 'Peki filler kaç yıl yaşar?']) {
      await tell(product, apps.whatsapp, whatsappText('914', question))
    }
    await arrive(4)
    expect(servers.delivered[3]?.text).toBe(`Şunu da yazabilirsiniz: “${tr.talkToPerson}”`)
  })

  test('is asked for words when it was a picture or a voice', async () => {
    const credits = await remaining()
    await tell(
      product,
      apps.whatsapp,
      whatsappMessage('908', { type: 'image', image: { id: '1' } }),
    )
    await arrive(1)
    expect(servers.delivered[0]?.text).toContain('Yalnızca metin')
    const [session] = await apps.inbox()
    expect(await apps.said(session?.session_id ?? '')).toMatchObject([
      { role: 'visitor', content: '(metin olmayan bir mesaj)' },
      { role: 'system' },
    ])
    expect(await remaining()).toBe(credits)
    const captioned = { type: 'image', image: { id: '1', caption: QUESTION } }
    await tell(product, apps.whatsapp, whatsappMessage('908', captioned))
    await arrive(2)
    expect(servers.delivered[1]?.text).toContain('09:00')
  })

  test('is greeted by a bot of Telegram in its language, which costs nothing', async () => {
    const credits = await remaining()
    await tell(product, apps.telegram, telegramText(7_003, '/start abc'))
    await arrive(1)
    expect(servers.delivered[0]?.text).toBe('Hello! Ask me anything about Site.')
    expect(await remaining()).toBe(credits)
  })

  test('is not answered for what nobody said to us', async () => {
    const { message, ...edited } = JSON.parse(JSON.stringify(telegramText(7_004, QUESTION)))
    const group = { ...message, chat: { id: -100_1, type: 'supergroup' } }
    const others: [CreatedIntegration, object][] = [
      [apps.telegram, { ...edited, edited_message: message }],
      [apps.telegram, { update_id: nextNumber(), message: group }],
      [apps.telegram, { update_id: nextNumber(), message: { ...message, from: { is_bot: true } } }],
      [apps.whatsapp, whatsappMessage('909', { type: 'reaction', reaction: { emoji: '👍' } })],
      [apps.meta, { object: 'page', entry: [{ id: '77', messaging: [] }] }],
    ]
    const echo = JSON.parse(JSON.stringify(metaText('1906385232743451', 'Our own words')))
    others.push([apps.meta, echo])
    for (const [hook, body] of others) {
      expect(await tell(product, hook, body)).toMatchObject({ status: 200, body: { received: 0 } })
    }
  })

  test('hears that the message arrived when there are no credits for an answer', async () => {
    await product.call(`/api/v1/operator/workspaces/${apps.workspace.id}`, {
      method: 'PATCH',
      token: OPERATOR_TOKEN,
      body: { monthly_credits: 0 },
    })
    await tell(product, apps.whatsapp, whatsappText('912', QUESTION))
    await arrive(1)
    expect(servers.delivered[0]?.text).toContain('size geri döneceğiz')
    const [session] = await apps.inbox()
    expect(await apps.said(session?.session_id ?? '')).toMatchObject([
      { role: 'visitor', content: QUESTION },
      { role: 'system' },
    ])
  })

  test('is left to people where the site has taken the app off its list', async () => {
    const { token, tenantId } = apps.workspace
    const path = `/api/v1/tenants/${tenantId}`
    const tenant = await product.call<{ channels: string[] }>(path, { token })
    expect(tenant.body.channels).toEqual(['widget', 'whatsapp', 'telegram', 'meta'])
    const body = { channels: ['widget', 'telegram'] }
    await product.call(path, { method: 'PATCH', token, body })
    await tell(product, apps.whatsapp, whatsappText('914', QUESTION))
    await expect.poll(async () => (await apps.inbox()).length).toBe(1)
    await expect.poll(() => apps.waiting()).toEqual([])
    const [session] = await apps.inbox()
    const id = session?.session_id ?? ''
    expect(await apps.said(id)).toEqual([{ role: 'visitor', content: QUESTION }])
    await apps.act(id, 'messages', { text: 'Dokuzda.' })
    await arrive(2)
    expect(servers.delivered.at(-1)?.text).toBe('Dokuzda.')
  })

  test('leaves nothing behind once the conversation is erased', async () => {
    await tell(product, apps.whatsapp, whatsappText('9135551234', QUESTION))
    await arrive(1)
    const [session] = await apps.inbox()
    const path = `/api/v1/chatbot/sessions/${session?.session_id}`
    await expect.poll(() => apps.waiting()).toEqual([])
    expect(
      (await product.call(path, { method: 'DELETE', token: apps.workspace.token })).status,
    ).toBe(204)
    const { db } = product.ctx
    for (const table of ['channel_contacts', 'channel_messages', 'inbound_events'] as const) {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .where('workspace_id', '=', apps.workspace.id)
        .execute()
      expect(JSON.stringify(rows)).not.toContain('9135551234')
    }
  })
})
