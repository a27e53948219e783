import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type { Lead } from '../../../server/leads/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnDatabase('who writes their details in the conversation', (database) => {
  let receiver: Receiver
  let workspace: TestWorkspace

  afterAll(() => receiver.close())
  const product = useProduct(database, {
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })
  beforeAll(async () => {
    receiver = await startReceiver()
    workspace = await addWorkspace(product)
    await product.call('/api/v1/webhooks/rules-engine/rules', {
      token: workspace.token,
      body: { name: 'CRM', event: 'lead.created', url: receiver.url },
    })
  })

  /** Says each in turn, and answers the lead that came of it. */
  async function talk(said: readonly string[], at = workspace): Promise<Lead | undefined> {
    const token = await addVisitor(product, at)
    let session_id: string | undefined
    for (const message of said) {
      const body = { tenant_id: at.tenantId, message, ...(session_id ? { session_id } : {}) }
      const turn = await product.call<Turn>('/api/v1/chatbot/message', {
        token,
        body,
      })
      expect(turn.status, turn.text).toBe(200)
      session_id = turn.body.session_id
    }
    const { body } = await product.call<Page<Lead>>('/api/v1/leads', { token: at.token })
    return body.data.find((lead) => lead.session_id === session_id)
  }

  test.each([
    ['', ['Ayşe Yılmaz, 0532 123 45 67, ayse@example.com']],
    [
      'Diş beyazlatma fiyatınız nedir?',
      [
        'Merhaba! Diş beyazlatma fiyatınız nedir?',
        'Peki, beni arayın',
        'Ayşe Yılmaz, 0532 123 45 67, ayse@example.com',
      ],
    ],
    [
      'implant için randevu istiyorum.',
      ['Adım Ayşe Yılmaz, implant için randevu istiyorum. 0532 123 45 67, ayse@example.com'],
    ],
  ])('says what it was about: %j', async (interest, said) => {
    expect(await talk(said)).toMatchObject({ name: 'Ayşe Yılmaz', interest })
  })

  test.each([
    [['Ayşe Yılmaz, 0532 123 45 67, ayse@example.com']],
    [['Merhaba, adım Ayşe Yılmaz', 'numaram 0532 123 45 67', 'mailim ayse@example.com']],
    [['Beni arayın: +90 (532) 123-45-67', 'ayse@example.com', 'Ayşe Yılmaz']],
    [['E-posta: AYSE@example.com\nTelefon: 05321234567\nAd Soyad: Ayşe Yılmaz']],
  ])('is a lead once all is there: %j', async (said) => {
    const lead = await talk(said)
    expect(lead).toMatchObject({
      name: 'Ayşe Yılmaz',
      phone: '+905321234567',
      email: 'ayse@example.com',
      source: 'conversation',
    })
    expect(lead?.confidence).toBeGreaterThan(0)
    expect(lead?.confidence).toBeLessThan(1)
    await expect
      .poll(
        () => receiver.received.filter(({ body }) => body.includes(lead?.lead_id ?? '?')).length,
      )
      .toBe(1)
  })

  test('may say all of it at once', async () => {
    const at = await addWorkspace(product)
    const token = await addVisitor(product, at)
    const say = (message: string, more = {}) =>
      product.call<Turn>('/api/v1/chatbot/message', {
        token,
        body: { tenant_id: at.tenantId, message, ...more },
      })
    const { session_id } = (await say('Merhaba')).body
    const parts = ['Bir sorum var', 'Adım Ayşe Yılmaz', 'numaram 0532 123 45 67', 'a@example.com']
    const begun = vi.spyOn(product.ctx.turns.opening, 'run')
    const asked = await product.ctx.db.transaction().execute(async (tx) => {
      await sql`update balances set held = held where workspace_id = ${at.id}`.execute(tx)
      const all = parts.map((part) => say(part, { session_id }))
      // They share a transaction, which waits for this one.
      await expect.poll(() => begun.mock.calls.length).toBe(parts.length)
      return { all }
    })
    const turns = await Promise.all(asked.all)
    begun.mockRestore()
    expect(turns.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { body } = await product.call<Page<Lead>>('/api/v1/leads', { token: at.token })
    expect(body.data).toMatchObject([
      { name: 'Ayşe Yılmaz', phone: '+905321234567', email: 'a@example.com' },
    ])
    const summary = await product.call('/api/v1/analytics/summary', { token: at.token })
    expect(summary.body).toMatchObject({
      totals: { sessions: 1, one_message_sessions: 0, visitor_messages: 5, leads: 1 },
    })
  })

  test('may be anywhere in the world', async () => {
    const lead = await talk([
      'Hi, my name is Jane O’Neil',
      'call me at +1 (415) 555-2671 or write to jane@example.com',
    ])
    expect(lead).toMatchObject({ name: 'Jane O’Neil', phone: '+14155552671' })
  })

  test('is no lead while anything is missing or no such number exists', async () => {
    expect(await talk(['Adım Ayşe Yılmaz', 'ayse@example.com'])).toBeUndefined()
    expect(await talk(['Ayşe Yılmaz, 0532 123, ayse@example.com'])).toBeUndefined()
    expect(await talk(['adım adım anlatın', '0532 123 45 67 ayse@example.com'])).toBeUndefined()
  })

  test('is one lead, however often they say it', async () => {
    const all = 'Ayşe Yılmaz, 0532 123 45 67, ayse@example.com'
    const lead = await talk([all, 'Adım Fatma Kaya, 0541 765 43 21', all])
    expect(lead).toMatchObject({ name: 'Ayşe Yılmaz', phone: '+905321234567' })
  })

  test('is left alone where the site has no form, or wants consent or a proof first', async () => {
    const all = ['Ayşe Yılmaz, 0532 123 45 67, ayse@example.com']
    for (const tenant of [
      { forms: { lead: { enabled: false } } },
      { forms: { lead: { verify_email: true } } },
      { privacy: { consent_required: true } },
    ]) {
      expect(await talk(all, await addWorkspace(product, { tenant }))).toBeUndefined()
    }
  })
})
