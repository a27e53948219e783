import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LedgerRow } from '../../../server/credits/schema.ts'
import type { CreditsAnswer, Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ask, eventsOf, openShop, readBy, settingsOf } from './answering-visitor.ts'

const QUESTION = 'What is the return period?'
const USAGE = { input: 700, output: 100 }

describeOnDatabase('a model that answers visitors', (database) => {
  let server: ModelServer
  let shop: TestWorkspace

  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())
  const product = useProduct(database, () => ({
    settings: { ...settingsOf(server), LOG_LEVEL: 'fatal' },
  }))
  beforeAll(async () => {
    shop = await openShop(product)
  })
  beforeEach(() => {
    server.calls.splice(0)
    server.act = {
      text: ['You have time. With', 'in 30 days', ' of delivery [1', '].'],
      usage: USAGE,
    }
  })

  const ledgerOf = async ({ token }: TestWorkspace) => {
    const { body } = await product.call<Page<LedgerRow>>('/api/v1/credits/ledger?limit=100', {
      token,
    })
    return body.data
  }

  test('writes from the passages, streams, and cites what it used', async () => {
    const answer = await ask(product, shop, QUESTION, { stream: true })
    const events = eventsOf(answer.text)
    expect(events.map(({ delta }) => delta).filter(Boolean)).toEqual([
      'You have time.',
      ' Within 30 days of delivery.',
    ])
    const last = events.at(-1)
    expect(last).toMatchObject({ done: true, state: 'bot', credits_used: 1 })
    expect(last?.reply).toMatchObject({
      content: 'You have time. Within 30 days of delivery.',
      citations: [{ title: 'Returns', heading: 'Return period' }],
      form: null,
    })
    const read = readBy(server.calls[0]?.body ?? {})
    expect(read.document.question).toBe(QUESTION)
    expect(read.document.passages[0]).toMatchObject({
      number: 1,
      heading: 'Returns › Return period',
    })
    expect(read.instructions).not.toContain(QUESTION)
  })

  test('is paid by its tokens, with three credits at most', async () => {
    server.act = { text: ['Within 30 days [1].'], usage: { input: 900, output: 300 } }
    expect((await ask(product, shop, QUESTION)).body.credits_used).toBe(2)
    server.act = { text: ['Within 30 days [1].'], usage: { input: 90_000, output: 3_000 } }
    expect((await ask(product, shop, QUESTION)).body.credits_used).toBe(3)
  })

  test('cites nothing that the answer does not rest on', async () => {
    server.act = { text: ['We are open on Sundays [1]. See [30] and [3].'] }
    const { body } = await ask(product, shop, QUESTION)
    expect(body.reply?.content).toBe('We are open on Sundays. See [30] and [3].')
    expect(body.reply?.citations).toEqual([])
  })

  test('says that it does not know, and the form is offered', async () => {
    server.act = { text: ['I am sorry, I do not know that. [', '?]'] }
    const { body } = await ask(product, shop, 'What is the capital of Peru?')
    expect(body.reply).toMatchObject({
      content: 'I am sorry, I do not know that.',
      citations: [],
      form: 'lead',
    })
    expect(body.reply?.confidence).toBeLessThan(0.35)
  })

  test.each([
    { status: 401 },
    { status: 500 },
    { text: ['Within'], cutAfter: 0 },
    { text: ['Within ', '30 days'], cutAfter: 1 },
    { text: [] },
    'drop' as const,
  ])(
    'that fails before the first word leaves it to the passages, for one charge: %o',
    async (act) => {
      server.act = act
      const own = await openShop(product)
      const { body } = await ask(product, own, QUESTION)
      expect(body.reply?.content).toContain('30 days')
      expect(body.reply?.citations).toHaveLength(1)
      expect(body.credits_used).toBe(1)
      const settled = (await ledgerOf(own)).filter(({ type }) => type === 'settle')
      expect(settled).toHaveLength(1)
    },
  )

  test('that breaks off later fails, and nothing is charged', async () => {
    const own = await openShop(product)
    server.act = { text: ['Within 30 days. And', ' then'], cutAfter: 1, everyMs: 5 }
    const events = eventsOf((await ask(product, own, QUESTION, { stream: true })).text)
    expect(events.at(-1)).toMatchObject({
      error: { code: 'model_failed' },
      done: true,
      credits_used: 0,
    })
    const { body } = await product.call<CreditsAnswer>('/api/v1/credits', { token: own.token })
    expect(body).toMatchObject({ held: 0, remaining: body.monthly_limit })
  })

  test('is not asked when there are no credits, and costs no more than is left', async () => {
    const poor = await openShop(product, { credits: 1 })
    server.act = { text: ['Within 30 days [1].'], usage: { input: 2_000, output: 300 } }
    expect((await ask(product, poor, QUESTION)).body).toMatchObject({
      credits_used: 1,
      credits_remaining: 0,
    })
    const refused = await ask(product, poor, QUESTION)
    expect(refused.status).toBe(402)
    expect(refused.body.code).toBe('credits_exhausted')
    expect(server.calls).toHaveLength(1)
  })

  test('reads what was said before, and a summary of what was said long before', async () => {
    server.act = { text: ['I see.'] }
    const first = await ask(product, shop, 'My name is Zerrin and I bought a blue kettle.')
    const { session_id } = first.body
    for (let turn = 0; turn < 8; turn += 1) {
      await ask(product, shop, `And another thing, number ${turn}.`, { session_id })
    }
    const { document } = readBy(server.calls.at(-1)?.body ?? {})
    expect(document.summary).toContain('Zerrin')
    expect(document.conversation).toHaveLength(8)
    expect(document.conversation.at(-2)?.text).toBe('And another thing, number 6.')
    expect(document.question).toBe('And another thing, number 7.')
  })

  test('finds what a message is about from what was said before', async () => {
    const first = await ask(product, shop, 'Do you refund my card?')
    await ask(product, shop, 'And how long will that be?', { session_id: first.body.session_id })
    const { document } = readBy(server.calls.at(-1)?.body ?? {})
    expect(document.passages[0]).toMatchObject({ heading: 'Refunds' })
  })

  test('knows the facts of its own workspace only', async () => {
    const other = await addWorkspace(product)
    for (const [place, value] of [
      [shop, 'Open from nine'],
      [other, 'A secret of others'],
    ] as const) {
      const { token } = place
      const path = '/api/v1/memory/hours'
      const kept = await product.call(path, { method: 'PUT', token, body: { value, public: true } })
      expect(kept.status).toBeLessThan(300)
    }
    await ask(product, shop, 'When do you open?')
    expect(readBy(server.calls[0]?.body ?? {}).document.facts).toEqual({ hours: 'Open from nine' })
  })

  test('is stopped when the reader leaves, and what it wrote is paid', async () => {
    const own = await openShop(product)
    server.act = { text: ['Within ', '30 days. Of', ' delivery'], silentAfter: 2 }
    const body = JSON.stringify({ tenant_id: own.tenantId, message: QUESTION, stream: true })
    const reader = request(`${product.url}/api/v1/chatbot/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' },
    })
    reader.on('error', () => undefined)
    reader.end(body)
    const text = Promise.withResolvers<void>()
    let seen = ''
    reader.on('response', (response) =>
      response.on('data', (chunk: Buffer) => {
        seen += chunk.toString()
        if (seen.includes('30 days')) text.resolve()
      }),
    )
    await text.promise
    reader.destroy()
    const [call] = await server.waitFor(1)
    await call?.left
    await expect.poll(async () => (await ledgerOf(own)).map(({ type }) => type)).toContain('settle')
  })

  test.each([
    ['Can I talk to a human, please?'],
    ['Bir yetkiliyle görüşmek istiyorum'],
    ['My kettle is broken.', 'Yes please'],
  ])('hands over to a person when the visitor wants one: %s', async (...messages) => {
    const own = await openShop(product)
    server.act = ({ body }) => {
      const { document, results } = readBy(body)
      if (results.length > 0) return { text: ['A colleague will answer here.'] }
      if (document.question.startsWith('My')) return { text: ['Shall I call a person?'] }
      return { calls: [{ id: 'c1', name: 'handoff', input: '{}' }] }
    }
    let session_id: string | undefined
    let state = ''
    for (const message of messages) {
      const { body } = await ask(product, own, message, session_id ? { session_id } : {})
      ;({ session_id, state } = body)
      expect(body.reply).not.toBeNull()
    }
    expect(state).toBe('waiting')
  })

  test('hands over to nobody who was not asked for, nor where nobody takes over', async () => {
    const own = await openShop(product)
    server.act = ({ body }) =>
      readBy(body).results.length > 0
        ? { text: ['I can help you here.'] }
        : { calls: [{ id: 'c1', name: 'handoff', input: '{}' }] }
    expect((await ask(product, own, QUESTION)).body.state).toBe('bot')
    const { token, tenantId } = own
    const path = `/api/v1/tenants/${tenantId}`
    await product.call(path, { method: 'PATCH', token, body: { handoff: 'off' } })
    expect((await ask(product, own, 'A human, please.')).body.state).toBe('bot')
    const { tools } = server.calls.at(-1)?.body ?? {}
    expect(JSON.stringify(tools ?? [])).not.toContain('handoff')
  })

  test('keeps a lead that the visitor has written over several messages', async () => {
    const own = await openShop(product)
    const lead = { name: 'Ayşe Yılmaz', phone: '+90 532 123 45 67', email: 'ayse@example.com' }
    server.act = ({ body }) =>
      readBy(body).results.length > 0
        ? { text: ['Thank you, we will call you.'], usage: USAGE }
        : { calls: [{ id: 'c1', name: 'capture_lead', input: JSON.stringify(lead) }] }
    const { body } = await ask(product, own, 'I am Ayşe Yılmaz, please ring me')
    expect(body.reply?.form).toBe('lead')
    const { session_id } = body
    await ask(product, own, 'at 0532 123 45 67', { session_id })
    const last = await ask(product, own, 'or write to ayse@example.com', { session_id })
    expect(last.body.reply).toMatchObject({ content: 'Thank you, we will call you.', form: null })
    const leads = await product.ctx.db
      .selectFrom('leads')
      .select(['phone', 'source'])
      .where('session_id', '=', session_id)
      .execute()
    expect(leads).toEqual([{ phone: '+905321234567', source: 'conversation' }])
  })
  test('may write NUL, which no database keeps: it is left out', async () => {
    const own = await openShop(product)
    const lead = { name: 'Ayşe Yılmaz', phone: '+90 532 123 45 67', email: 'ayse@example.com' }
    const input = JSON.stringify({ ...lead, interest: 'A ke\u0000ttle' })
    server.act = ({ body }) =>
      readBy(body).results.length > 0
        ? { text: ['Thank', '\u0000 you.'], usage: USAGE }
        : { calls: [{ id: 'c1', name: 'capture_lead', input }] }
    const { status, body } = await ask(product, own, Object.values(lead).join(', '))
    expect([status, body.reply?.content]).toEqual([200, 'Thank you.'])
    const leads = await product.ctx.db
      .selectFrom('leads')
      .select('interest')
      .where('session_id', '=', body.session_id)
      .execute()
    expect(leads).toEqual([{ interest: 'A kettle' }])
  })
})
