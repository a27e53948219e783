import { beforeAll, expect, test } from 'vitest'
import type { HistoryMessage, Turn } from '../../../server/chat/schema.ts'
import type { CreditsAnswer, Page, Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  OPERATOR_TOKEN,
  type TestProduct,
  type TestWorkspace,
  addDocument,
  addVisitor,
  addWorkspace,
} from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const RETURNS = `# Returns

## Return period

You can return a product within 30 days of delivery without giving a reason.

## Refunds

We refund the card that you paid with within 3 working days.`

describeOnDatabase('a visitor asks', (database) => {
  let workspace: TestWorkspace
  let visitor: string

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    await addDocument(product, workspace, {
      title: 'Returns',
      content: RETURNS,
      url: 'https://shop.example/returns',
    })
    visitor = await addVisitor(product, workspace)
  })

  function ask<Body = Turn>(
    message: string,
    more: { token?: string; headers?: Record<string, string>; [field: string]: unknown } = {},
  ) {
    const { token = visitor, headers = {}, ...fields } = more
    return product.call<Body>('/api/v1/chatbot/message', {
      token,
      headers,
      body: { tenant_id: workspace.tenantId, message, ...fields },
    })
  }

  test('and is answered from the documents, with the page and heading', async () => {
    const answer = await ask('What is the return period?')
    expect(answer.status).toBe(200)
    expect(answer.body.reply?.content).toContain('30 days')
    expect(answer.body.reply?.citations[0]).toMatchObject({
      title: 'Returns',
      url: 'https://shop.example/returns',
      heading: 'Return period',
    })
    expect(answer.body.state).toBe('bot')
    expect(answer.body).not.toHaveProperty('credits_used')
  })

  test('something unrelated, and is told honestly that nobody knows, with the form', async () => {
    const answer = await ask('What is the capital of Peru?')
    expect(answer.body.reply).toMatchObject({ citations: [], form: 'lead' })
  })

  test('as a stream: pieces, then the whole turn, which add up to the same text', async () => {
    const answer = await ask('When is my card refunded?', { stream: true })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const events = answer.text
      .split('\n\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)))
    const last = events.at(-1)
    expect(last).toMatchObject({ done: true, state: 'bot' })
    const text = events
      .slice(0, -1)
      .map(({ delta }) => delta)
      .join('')
    expect(text).toBe(last.reply.content)
    expect(text).toContain('3 working days')
  })

  test('and the history has both messages, oldest first, for this visitor alone', async () => {
    const { body } = await ask('What is the return period?')
    const path = `/api/v1/chatbot/sessions/${body.session_id}/messages`
    const history = await product.call<Page<HistoryMessage>>(path, {
      token: visitor,
    })
    expect(history.body.data.map(({ role }) => role)).toEqual(['visitor', 'assistant'])
    const stranger = await addVisitor(product, workspace)
    expect((await product.call(path, { token: stranger })).status).toBe(404)
    const foreign = await ask<Problem>('Hello', { token: stranger, session_id: body.session_id })
    expect(foreign.status).toBe(404)
  })

  test('twice with one X-Request-Id, and is answered once', async () => {
    const headers = { 'x-request-id': 'order-1' }
    const first = await ask('What is the return period?', { headers })
    const second = await ask('What is the return period?', { headers, stream: false })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    const other = await ask<Problem>('Something else', { headers })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  })

  test('fifty times at once with one X-Request-Id, and one answer is paid', async () => {
    const before = await creditsOf(product, workspace)
    const headers = { 'x-request-id': 'order-2' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        ask<Turn & Problem>('What is the return period?', { headers }),
      ),
    )
    const sessions = new Set(
      answers.filter(({ status }) => status === 200).map(({ body }) => body.session_id),
    )
    expect(sessions.size).toBe(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(others.filter(({ body }) => body.code !== 'request_in_progress')).toEqual([])
    expect((await creditsOf(product, workspace)).remaining).toBe(before.remaining - 1)
  })

  test('and nothing is left to do for the turn once it is answered', async () => {
    await ask('How long can I return a product?')
    await ask('How long can I return a product?', { stream: true })
    await ask('How long can I return a product?', { headers: { 'x-request-id': 'left-to-do' } })
    await expect(product.ctx.inFlight.ended()).resolves.toBeUndefined()
  })

  test('and a stream is replayed as a stream', async () => {
    const options = { headers: { 'x-request-id': 'order-3' }, stream: true }
    await ask('What is the return period?', options)
    const replay = await ask('What is the return period?', options)
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    expect(replay.headers.get('content-type')).toContain('text/event-stream')
    expect(replay.text).toContain('30 days')
    expect(replay.text).toContain('"done":true')
  })

  test('200 at once with 10 credits left: the paid ones are answered, never below zero', async () => {
    const poor = await addWorkspace(product, { credits: 10 })
    const guest = await addVisitor(product, poor)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        product.call<Turn & Problem>('/api/v1/chatbot/message', {
          token: guest,
          body: { tenant_id: poor.tenantId, message: 'Hello?' },
        }),
      ),
    )
    const paid = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 402)
    expect(paid.length + refused.length).toBe(200)
    expect(paid.length).toBe(10)
    const credits = await creditsOf(product, poor)
    expect(credits).toMatchObject({ remaining: 0, held: 0 })
    for (const { body } of refused) {
      expect(['credits_exhausted', 'credits_held']).toContain(body.code)
      expect(body.session_id).toMatch(/^ses_/)
    }
    const kept = await product.call<Page<HistoryMessage>>(
      `/api/v1/chatbot/sessions/${refused[0]?.body.session_id}/messages`,
      { token: guest },
    )
    expect(kept.body.data).toMatchObject([{ role: 'visitor' }])
    expect(await ledgerSum(product, poor)).toBe(0)
  })

  test('what is refused for credits names its session, and a retry is answered without a second message', async () => {
    const poor = await addWorkspace(product, { credits: 0 })
    const guest = await addVisitor(product, poor)
    const headers = { 'x-request-id': 'poor-1' }
    const body = { tenant_id: poor.tenantId, message: 'Hello?' }
    const sessions = new Set<string | undefined>()
    for (const _ of [1, 2, 3]) {
      const answer = await product.call<Turn & Problem>('/api/v1/chatbot/message', {
        token: guest,
        headers,
        body,
      })
      expect(answer.status).toBe(402)
      expect(answer.body).toMatchObject({ code: 'credits_exhausted' })
      expect(answer.body.reset_at).toMatch(/-01T00:00:00\.000Z$/)
      sessions.add(answer.body.session_id)
    }
    const [session, ...others] = sessions
    expect(others).toEqual([])
    const messages = await product.call<Page<HistoryMessage>>(
      `/api/v1/chatbot/sessions/${session}/messages`,
      { token: guest },
    )
    expect(messages.body.data).toMatchObject([{ role: 'visitor' }])

    await product.call(`/api/v1/operator/workspaces/${poor.id}/addons`, {
      token: OPERATOR_TOKEN,
      body: { credits: 1, reference: 'pack-1' },
    })
    const answered = await product.call<Turn>('/api/v1/chatbot/message', {
      token: guest,
      headers,
      body,
    })
    expect([answered.status, answered.body.session_id]).toEqual([200, session])
  })

  test("another workspace's people, and visitors of other sites, are refused", async () => {
    const other = await addWorkspace(product)
    const asked = await ask<Problem>('Hello', { token: other.token })
    expect([asked.status, asked.body.code]).toEqual([403, 'forbidden'])
    const guest = await addVisitor(product, other)
    const guested = await ask<Problem>('Hello', { token: guest })
    expect([guested.status, guested.body.code]).toEqual([403, 'forbidden'])
    const nobody = await ask<Problem>('Hello', { token: workspace.token, tenant_id: 'nobody-here' })
    expect([nobody.status, nobody.body.code]).toEqual([404, 'not_found'])
  })

  test('a member of the workspace sees what the turn cost', async () => {
    const before = await creditsOf(product, workspace)
    const { body } = await ask('What is the return period?', { token: workspace.token })
    expect(body.credits_used).toBe(1)
    expect(body.credits_remaining).toBe(before.remaining - 1)
  })
})

async function creditsOf(product: TestProduct, { token }: TestWorkspace) {
  const { body } = await product.call<CreditsAnswer>('/api/v1/credits', {
    token,
  })
  return body
}

async function ledgerSum(product: TestProduct, { token }: TestWorkspace): Promise<number> {
  let sum = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { body: { data: { amount: number }[]; next_cursor: string | null } } =
      await product.call(`/api/v1/credits/ledger?limit=100${cursor ? `&cursor=${cursor}` : ''}`, {
        token,
      })
    for (const { amount } of page.body.data) sum += amount
    cursor = page.body.next_cursor
  }
  return sum
}
