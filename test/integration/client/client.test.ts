import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Sohbet, SohbetError, verifyWebhook } from '../../../client/src/index.ts'
import type { CreatedRule, CreatedSubscription, Page, Run } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { startModelServer } from '../../helpers/servers/model-server.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct, useStarted } from '../../helpers/use-product.ts'
import { startFaultyProxy } from './faulty-proxy.ts'

const WORDS = ['Open ', 'at ', 'nine', '.']
const PROMPT = {
  prompt_id: 'greeting',
  title: 'Greeting',
  kind: 'fixed',
  template: 'Greet {{name}}.',
  inputs_schema: { type: 'object', properties: { name: { type: 'string' } } },
  credits_cost: 5,
}
const RUN = { prompt_id: 'greeting', inputs: { name: 'Ada' } }

describeOnDatabase('the client', (database) => {
  const model = useStarted(async () => {
    const server = await startModelServer({ text: WORDS, everyMs: 30 })
    return { server, stop: () => server.close() }
  })
  const product = useProduct(database, () => ({
    settings: {
      MODEL_PROVIDER: 'openai-compatible',
      MODEL_BASE_URL: model().server.url,
      MODEL_NAME: 'test-model',
      MODEL_API_KEY: 'sk-test',
      LIMIT_EXECUTE: '0',
      ALLOW_PRIVATE_TARGETS: 'true',
    },
  }))
  const proxy = useStarted(() => startFaultyProxy(() => product.url))
  let own: TestWorkspace
  let client: Sohbet

  beforeAll(async () => {
    own = await addWorkspace(product, { credits: 1_000 })
    await addDocument(product, own, { title: 'Hours', content: 'Open at nine.' })
    await product.call('/api/v1/prompts', { token: own.token, body: PROMPT })
    client = new Sohbet({ baseUrl: `${proxy().url}/`, apiKey: own.token })
  })
  beforeEach(() => {
    proxy().seen.length = 0
  })

  const idsSeen = () => new Set(proxy().seen.map(({ headers }) => headers['x-request-id']))

  async function readAll<Event extends object>(events: AsyncIterable<Event>) {
    const read: Event[] = []
    for await (const event of events) read.push(event)
    const text = read.map((event) => ('delta' in event ? event.delta : '')).join('')
    return { text, pieces: read.length - 1, last: read.at(-1) }
  }

  test('sends messages, runs prompts, and streams both', async () => {
    const turn = await client.chat.send({ tenant_id: own.tenantId, message: 'When do you open?' })
    expect(turn.reply?.content).toContain('nine')
    const streamed = await readAll(
      client.chat.stream({
        tenant_id: own.tenantId,
        message: 'And on Monday?',
        session_id: turn.session_id,
      }),
    )
    expect(streamed.last).toMatchObject({ done: true, session_id: turn.session_id })
    const run = await client.prompts.execute(RUN)
    expect(run).toMatchObject({ content: WORDS.join(''), credits_used: 5 })
    const { text, pieces, last } = await readAll(client.prompts.stream(RUN))
    expect([text, last]).toEqual([WORDS.join(''), expect.objectContaining({ credits_used: 5 })])
    expect(pieces).toBeGreaterThan(1)
    const history = await readAll(client.chat.history(turn.session_id))
    expect(history.pieces + 1).toBe(4)
  })

  test('goes on where a stream broke off, and pays once', async () => {
    const before = await client.request<{ remaining: number }>('/api/v1/credits')
    proxy().seen.length = 0
    proxy().faults = ['cut', 'drop']
    const { text, last } = await readAll(client.prompts.stream(RUN))
    expect([text, last]).toEqual([WORDS.join(''), expect.objectContaining({ done: true })])
    expect(idsSeen().size).toBe(1)
    expect(proxy().seen.length).toBeGreaterThan(2)
    const after = await client.request<{ remaining: number }>('/api/v1/credits')
    expect(after.remaining).toBe(before.remaining - 5)
    const runs = await product.call<Page<Run>>('/api/v1/runs?limit=1', { token: own.token })
    expect(runs.body.data[0]?.request_id).toBe(proxy().seen[0]?.headers['x-request-id'])
  })

  test('tries again under one id when it is told to wait, and gives up in the end', async () => {
    const busy = { status: 429, retryAfter: '0' }
    proxy().faults = [busy, { status: 503, retryAfter: '0' }, 'drop']
    const run = await client.prompts.execute(RUN)
    expect(run.content).toBe(WORDS.join(''))
    expect([proxy().seen.length, idsSeen().size]).toEqual([4, 1])
    proxy().faults = [busy, busy, busy, busy]
    await expect(client.prompts.execute(RUN)).rejects.toMatchObject({ status: 429 })
    proxy().faults = [{ status: 429, retryAfter: '3600' }]
    await expect(client.prompts.execute(RUN)).rejects.toMatchObject({ status: 429 })
    expect(proxy().seen).toHaveLength(9)
  })

  test('fails with one kind of error, which has the code', async () => {
    const refused = client.prompts.execute({ prompt_id: 'no-such', inputs: {} })
    await expect(refused).rejects.toBeInstanceOf(SohbetError)
    await expect(refused).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
      requestId: proxy().seen[0]?.headers['x-request-id'],
    })
    const poor = await addWorkspace(product, { credits: 0 })
    await product.call('/api/v1/prompts', { token: poor.token, body: PROMPT })
    const theirs = new Sohbet({ baseUrl: product.url, apiKey: poor.token })
    await expect(readAll(theirs.prompts.stream(RUN))).rejects.toMatchObject({
      code: 'credits_exhausted',
      problem: { required: 5, remaining: 0 },
    })
    const gone = new Sohbet({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
    await expect(gone.request('/api/v1/auth/me')).rejects.toMatchObject({ code: 'network' })
    const stop = AbortSignal.abort()
    const aborted = client.prompts.execute(RUN, { signal: stop })
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
  })

  test('lists leads over all pages', async () => {
    const names = ['Ayşe', 'Bora', 'Cem']
    for (const name of names) {
      const visitor = await addVisitor(product, own)
      const session = await product.call<{ session_id: string }>('/api/v1/chatbot/sessions', {
        token: visitor,
        body: { tenant_id: own.tenantId },
      })
      await product.call(`/api/v1/chatbot/sessions/${session.body.session_id}/lead`, {
        token: visitor,
        body: { name, phone: '+905321234567', email: 'someone@example.com' },
      })
    }
    const found: string[] = []
    for await (const { name } of client.leads.list({ tenant_id: own.tenantId })) found.push(name)
    expect(found.toReversed()).toEqual(names)
    const paged: string[] = []
    const all = client.list<{ name: string }>('/api/v1/leads', { limit: 1 })
    for await (const { name } of all) paged.push(name)
    expect(paged).toEqual(found)
  })

  test('follows a conversation across a broken connection, without loss or repetition', async () => {
    const stop = new AbortController()
    const { session_id } = await client.chat.send({ tenant_id: own.tenantId, message: 'Hello' })
    proxy().faults = ['cut', 'pass', 'drop']
    const seen: string[] = []
    const following = (async () => {
      const events = client.chat.live(session_id, { lastEventId: '0', signal: stop.signal })
      for await (const { event, data } of events) {
        if (event === 'message') seen.push(data.content)
        if (seen.at(-1) === 'Second') stop.abort()
      }
    })()
    for (const content of ['First', 'Second']) {
      await product.call(`/api/v1/inbox/${session_id}/messages`, {
        token: own.token,
        body: { text: content },
      })
    }
    await following
    expect(seen.filter((content) => content === 'First')).toHaveLength(1)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.slice(-2)).toEqual(['First', 'Second'])
  })

  test('verifies webhooks of both families, and nothing else', async () => {
    const receiver = await startReceiver()
    const secret = 'a secret of more than thirty-two letters'
    const url = `http://127.0.0.1:${receiver.port}`
    await product.call<CreatedSubscription>('/api/v1/webhooks', {
      token: own.token,
      body: { url: `${url}/subscription`, events: ['chatbot.lead'], secret },
    })
    const rule = await product.call<CreatedRule>('/api/v1/webhooks/rules-engine/rules', {
      token: own.token,
      body: { name: 'Leads', event: 'lead.created', url: `${url}/rule`, secret },
    })
    await product.call(`/api/v1/webhooks/rules-engine/rules/${rule.body.rule_id}/test`, {
      token: own.token,
      method: 'POST',
    })
    const received = await receiver.waitFor(2)
    const isOwn = (name: string) => name.startsWith('x-')
    for (const { body, headers } of received) {
      const event = await verifyWebhook({ body, headers, secret })
      expect(event.id).toBe(headers['webhook-id'])
      const own_headers = Object.fromEntries(
        Object.entries(headers).filter(([name]) => isOwn(name)),
      )
      expect(await verifyWebhook({ body, headers: own_headers, secret })).toMatchObject({
        event: event.event,
      })
      await rejects({ body: `${body} `, headers, secret })
      await rejects({ body, headers, secret: `${secret}!` })
      await rejects({ body, headers: {}, secret })
      await rejects({ body, headers, secret, toleranceSeconds: -1 })
    }
    await receiver.close()
  })

  async function rejects(webhook: Parameters<typeof verifyWebhook>[0]): Promise<void> {
    await expect(verifyWebhook(webhook)).rejects.toMatchObject({ code: 'invalid_signature' })
  }
})
