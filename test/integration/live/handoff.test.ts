import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Handoff, HistoryMessage, Turn } from '../../../server/chat/schema.ts'
import type { InboxSession } from '../../../server/inbox/schema.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** A Wednesday, 12:00 in Istanbul. */
const NOON = Date.UTC(2026, 10, 25, 9)

describeOnBothDatabases('a person is asked for', (database) => {
  const clock = new TestClock(NOON)
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })

  /** A site with a visitor, and a rule that hears of handoffs. */
  async function openSite(tenant: Record<string, unknown> = {}) {
    const workspace = await addWorkspace(product, {
      tenant: { locale: 'en', time_zone: 'Europe/Istanbul', ...tenant },
    })
    await product.call('/api/v1/webhooks/rules-engine/rules', {
      token: workspace.token,
      body: { name: 'Handoffs', event: 'handoff.requested', url: receiver.url },
    })
    const visitor = await addVisitor(product, workspace)
    return { workspace, visitor }
  }
  type Site = { workspace: TestWorkspace; visitor: string }

  async function say({ workspace, visitor }: Site, message: string, sessionId?: string) {
    const answer = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: {
        tenant_id: workspace.tenantId,
        message,
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
      },
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const ask = ({ visitor }: Site, sessionId: string, token = visitor) =>
    product.call<Handoff & Problem>(`/api/v1/chatbot/sessions/${sessionId}/handoff`, {
      method: 'POST',
      token,
    })
  const history = async ({ visitor }: Site, sessionId: string) =>
    (
      await product.call<Page<HistoryMessage>>(
        `/api/v1/chatbot/sessions/${sessionId}/messages?limit=100`,
        {
          token: visitor,
        },
      )
    ).body.data
  /** The handoffs of a session that the receiver heard of. */
  const heard = (sessionId: string) =>
    receiver.received
      .map(({ body }): { data: { session_id: string; reason: string; confidence: number } } =>
        JSON.parse(body),
      )
      .filter(({ data }) => data.session_id === sessionId)
      .map(({ data }) => data)

  test('by the visitor: the bot is silent from then on, and rules hear of it once', async () => {
    const site = await openSite()
    const { session_id } = await say(site, 'Hello')
    const first = await ask(site, session_id)
    expect([first.status, first.body]).toEqual([
      200,
      {
        session_id,
        state: 'waiting',
        available: true,
        message: null,
        form: null,
        opens_at: null,
      },
    ])
    expect((await ask(site, session_id)).body.state).toBe('waiting')
    const silent = await say(site, 'Is anybody there?', session_id)
    expect(silent).toMatchObject({ state: 'waiting', reply: null })
    await receiver.waitFor(1)
    expect(heard(session_id)).toEqual([
      expect.objectContaining({ reason: 'visitor', confidence: expect.any(Number) }),
    ])
    const said = await history(site, session_id)
    expect(said.find(({ role }) => role === 'system')?.content).toContain('told our team')
  })

  test('after two answers in a row that say nothing, when the quick reply is taken', async () => {
    const site = await openSite()
    const first = await say(site, 'What is the capital of Peru?')
    expect(first.reply?.quick_replies).toEqual([])
    const second = await say(site, 'And what of Chile?', first.session_id)
    expect(second.reply?.quick_replies).toEqual(['Talk to a person'])
    const taken = await say(site, 'Talk to a person', first.session_id)
    expect(taken).toMatchObject({ state: 'waiting', reply: null })
  })

  test('in the language of the conversation', async () => {
    const site = await openSite({ locale: 'tr' })
    const { session_id } = await say(site, "Peru'nun başkenti neresi?")
    const { reply } = await say(site, 'Peki ya Şili?', session_id)
    expect(reply?.quick_replies).toEqual(['Müşteri temsilcisine bağlan'])
    expect((await say(site, 'bir yetkiliyle görüş', session_id)).state).toBe('waiting')
    const said = await history(site, session_id)
    expect(said.at(-1)).toMatchObject({
      role: 'system',
      content: expect.stringContaining('haber verdik'),
    })
  })

  test('at once after two such answers where the site wants that', async () => {
    const site = await openSite({ handoff: 'auto' })
    const { session_id } = await say(site, 'What is the capital of Peru?')
    const second = await say(site, 'And what of Chile?', session_id)
    expect(second.state).toBe('waiting')
    expect(second.reply).not.toBeNull()
    await expect
      .poll(() => heard(session_id))
      .toEqual([expect.objectContaining({ reason: 'low_confidence' })])
  })

  test('never where the site has nobody', async () => {
    const site = await openSite({ handoff: 'off' })
    const { session_id } = await say(site, 'What is the capital of Peru?')
    const second = await say(site, 'And what of Chile?', session_id)
    expect([second.state, second.reply?.quick_replies]).toEqual(['bot', []])
    const refused = await ask(site, session_id)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect((await say(site, 'Talk to a person', session_id)).state).toBe('bot')
  })

  test('and a good answer in between starts the count again', async () => {
    const site = await openSite()
    await product.call(`/api/v1/tenants/${site.workspace.tenantId}/knowledge`, {
      token: site.workspace.token,
      body: {
        kind: 'markdown',
        title: 'Opening hours',
        content: '# Opening hours\n\nThe shop is open from nine to six on weekdays.',
      },
    })
    const { session_id } = await say(site, 'What is the capital of Peru?')
    const good = await say(site, 'What are the opening hours of the shop?', session_id)
    expect(good.reply?.content).toContain('nine to six')
    const low = await say(site, 'And what of Chile?', session_id)
    expect(low.reply?.quick_replies).not.toContain('Talk to a person')
  })

  describe('outside office hours', () => {
    const weekdays = [{ from: '09:00', to: '18:00' }]
    const office_hours = { mon: weekdays, tue: weekdays, wed: weekdays, thu: weekdays }

    test('the bot says so, offers the form and goes on', async () => {
      const site = await openSite({ office_hours })
      const { session_id } = await say(site, 'Hello')
      clock.move(7 * HOUR_MS)
      const late = await ask(site, session_id)
      expect([late.status, late.body]).toEqual([
        200,
        {
          session_id,
          state: 'bot',
          available: false,
          form: 'lead',
          // The next morning at nine, in Istanbul.
          opens_at: '2026-11-26T06:00:00.000Z',
          message: expect.objectContaining({ role: 'assistant' }),
        },
      ])
      const asked = await say(site, 'Talk to a person', session_id)
      expect(asked.state).toBe('bot')
      expect(asked.reply?.form).toBe('lead')
      await say(site, 'What is the capital of Peru?', session_id)
      const low = await say(site, 'And what of Chile?', session_id)
      expect(low.reply?.quick_replies).toEqual([])
      expect(heard(session_id)).toEqual([])
      clock.move(14 * HOUR_MS)
      expect((await ask(site, session_id)).body.state).toBe('waiting')
      clock.move(-21 * HOUR_MS)
    })

    test('which they also are on holidays', async () => {
      const site = await openSite({ office_hours: { ...office_hours, holidays: ['2026-11-25'] } })
      const { session_id } = await say(site, 'Hello')
      const asked = await ask(site, session_id)
      expect(asked.body).toMatchObject({ available: false, opens_at: '2026-11-26T06:00:00.000Z' })
    })

    test('an operator may still take over', async () => {
      const site = await openSite({ office_hours: { mon: weekdays } })
      const { session_id } = await say(site, 'Hello')
      const asked = await ask(site, session_id, site.workspace.token)
      expect(asked.body.state).toBe('waiting')
      await expect
        .poll(() => heard(session_id))
        .toEqual([expect.objectContaining({ reason: 'operator' })])
    })
  })

  test('in a conversation that is over: 409', async () => {
    const site = await openSite()
    const { session_id } = await say(site, 'Hello')
    await product.call(`/api/v1/inbox/${session_id}/close`, {
      method: 'POST',
      token: site.workspace.token,
    })
    expect((await ask(site, session_id)).status).toBe(409)
  })

  test('and who begins a new conversation waits in the old one no more', async () => {
    const site = await openSite()
    const { session_id } = await say(site, 'Hello')
    await ask(site, session_id)
    await say(site, 'Something else')
    const sessions = await product.call<Page<InboxSession>>('/api/v1/chatbot/sessions', {
      token: site.visitor,
    })
    expect(sessions.body.data.find((one) => one.session_id === session_id)?.state).toBe('closed')
  })
})
