import { beforeAll, describe, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type { AuditEntry } from '../../../server/platform/schema.ts'
import type { CreditsAnswer, Page, Problem, Run } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { startModelServer } from '../../helpers/servers/model-server.ts'
import { useProduct, useStarted } from '../../helpers/use-product.ts'
import { addKey, connect } from './setup.ts'

const TOOLS = [
  'add_document',
  'ask',
  'get_conversation',
  'list_appointments',
  'list_conversations',
  'list_leads',
  'list_unanswered',
  'reply',
  'run_prompt',
  'search_knowledge',
]
const LEAD = { name: 'Ayşe Yılmaz', phone: '+905321234567', email: 'ayse@example.com' }

describeOnDatabase('an assistant that speaks MCP', (database) => {
  const model = useStarted(async () => {
    const server = await startModelServer({ text: ['Prices start at 900 lira.'] })
    return { server, stop: () => server.close() }
  })
  const product = useProduct(database, () => ({
    settings: {
      MODEL_PROVIDER: 'openai-compatible',
      MODEL_BASE_URL: model().server.url,
      MODEL_NAME: 'test-model',
      MODEL_API_KEY: 'sk-test',
      LIMIT_EXECUTE: '3',
    },
  }))
  let own: TestWorkspace
  let key: string
  let docId: string

  beforeAll(async () => {
    own = await addWorkspace(product, { plan: 'enterprise', credits: 1_000 })
    key = await addKey(product, own)
    docId = await addDocument(product, own, {
      title: 'Cleaning',
      content: '# Cleaning\n\nA dental cleaning takes forty minutes. Prices start at 900 lira.',
    })
  })

  const creditsLeft = async (workspace: TestWorkspace) => {
    const { body } = await product.call<CreditsAnswer>('/api/v1/credits', {
      token: workspace.token,
    })
    return body.remaining
  }

  /** A visitor's conversation that has a lead. */
  async function addConversation(): Promise<string> {
    const visitor = await addVisitor(product, own)
    const asked = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: own.tenantId, message: 'What does a cleaning cost?' },
    })
    const path = `/api/v1/chatbot/sessions/${asked.body.session_id}/lead`
    await product.call(path, { token: visitor, body: LEAD })
    return asked.body.session_id
  }

  test('is told what it may do, with the sites and a schema of each tool', async () => {
    const { client } = await connect(product, { token: key })
    expect(client.getInstructions()).toContain(`- ${own.tenantId}: Site`)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS)
    for (const { inputSchema, outputSchema, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
      expect(description).toMatch(/\.$/)
    }
  })

  test('searches, adds a document, asks and pays for the answer', async () => {
    const { call } = await connect(product, { token: key })
    const site = { tenant_id: own.tenantId }
    const added = await call('add_document', {
      ...site,
      title: 'Whitening',
      content: 'Whitening takes an hour.',
    })
    expect(added.content).toMatchObject({ kind: 'markdown', state: 'ready' })
    const found = await call('search_knowledge', { ...site, query: 'whitening' })
    expect(found.content).toMatchObject({ data: [{ doc_id: added.content.doc_id }] })
    const before = await creditsLeft(own)
    const answer = await call('ask', { ...site, message: 'What does a cleaning cost?' })
    expect(answer.content).toMatchObject({ state: 'bot', reply: { role: 'assistant' } })
    expect(await creditsLeft(own)).toBe(before - Number(answer.content.credits_used))
    const again = await call('ask', {
      ...site,
      message: 'And how long?',
      session_id: answer.content.session_id,
    })
    expect(again.content.session_id).toBe(answer.content.session_id)
  })

  test('works in the inbox, and the audit log says so', async () => {
    const sessionId = await addConversation()
    const { call } = await connect(product, { token: key })
    const listed = await call('list_conversations', { unread: true, limit: 1 })
    expect(listed.content).toMatchObject({ data: [{ session_id: sessionId }] })
    expect((await call('list_leads', { q: 'Yılmaz' })).content).toMatchObject({ data: [LEAD] })
    expect((await call('list_appointments')).content).toEqual({ data: [], next_cursor: null })
    expect((await call('list_unanswered', { tenant_id: own.tenantId })).isError).toBe(false)
    const sent = await call('reply', { session_id: sessionId, text: 'Come on Monday.' })
    expect(sent.content).toMatchObject({ role: 'operator', content: 'Come on Monday.' })
    const read = await call('get_conversation', { session_id: sessionId })
    expect(read.content).toMatchObject({ state: 'operator', lead: LEAD })
    expect(read.text).toContain('Come on Monday.')
    const log = await product.call<Page<AuditEntry>>('/api/v1/audit', { token: own.token })
    const called = log.body.data.find(({ action }) => action === 'mcp.tool_called')
    expect(called).toMatchObject({
      actor: { kind: 'key' },
      details: { tool: 'get_conversation' },
    })
  })

  test('runs a prompt in its pool, and gets the library as prompts', async () => {
    model().server.act = { text: ['Written.'] }
    const { client, call } = await connect(product, { token: key })
    const { prompts } = await client.listPrompts()
    const prompt = prompts.find(({ arguments: inputs }) => inputs?.some((one) => one.required))
    const names = prompt?.arguments?.filter((one) => one.required).map(({ name }) => name) ?? []
    const shown = await product.call<{
      inputs_schema: { properties: Record<string, { enum?: string[] }> }
    }>(`/api/v1/prompts/${prompt?.name}`, { token: own.token })
    const inputs = Object.fromEntries(
      names.map((name) => [
        name,
        shown.body.inputs_schema.properties[name]?.enum?.[0] ?? 'Diş taşı',
      ]),
    )
    const text = await client.getPrompt({ name: prompt?.name ?? '', arguments: inputs })
    expect(JSON.stringify(text.messages)).toContain(Object.values(inputs)[0])
    await expect(client.getPrompt({ name: prompt?.name ?? '' })).rejects.toThrow(
      'Validation failed',
    )
    const run = await call('run_prompt', { prompt_id: prompt?.name, inputs })
    expect(run.content).toMatchObject({ content: 'Written.', prompt_id: prompt?.name })
  })

  test('reads documents as resources', async () => {
    const { client } = await connect(product, { token: key })
    const { resources } = await client.listResources()
    const uri = `sohbet://${own.tenantId}/${docId}`
    expect(resources).toContainEqual(expect.objectContaining({ uri, name: 'Cleaning' }))
    const { contents } = await client.readResource({ uri })
    expect(contents).toEqual([
      { uri, mimeType: 'text/markdown', text: expect.stringContaining('forty minutes') },
    ])
    await expect(client.readResource({ uri: `${uri}x` })).rejects.toThrow('document does not exist')
  })

  test('counts each call in the pool of its route', async () => {
    const limited = await addWorkspace(product)
    const token = await addKey(product, limited)
    const post = (method: string, params: object) =>
      product.call<Problem>('/mcp', {
        token,
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method, params },
      })
    const run = { name: 'run_prompt', arguments: { prompt_id: 'no-such', inputs: {} } }
    const first = await post('tools/call', run)
    expect(first.headers.get('x-ratelimit-limit')).toBe('3')
    for (let count = 1; count < 3; count += 1) await post('tools/call', run)
    const refused = await post('tools/call', run)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await post('tools/list', {})).status).toBe(200)
  })

  describe('is refused', () => {
    test('without a token, or with GET', async () => {
      const { status, body } = await product.call<Problem>('/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      })
      expect([status, body.code]).toEqual([401, 'unauthenticated'])
      const opened = await product.call('/mcp', { token: key })
      expect([opened.status, opened.headers.get('allow')]).toEqual([405, 'POST'])
    })

    test('what a key has no scope for, which it does not see', async () => {
      const token = await addKey(product, own, ['prompts:execute'])
      const { client, call } = await connect(product, { token })
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(['run_prompt'])
      expect(client.getInstructions()).not.toContain(own.tenantId)
      expect(client.getServerCapabilities()).not.toHaveProperty('resources')
      const refused = await call('list_leads')
      expect(refused.isError).toBe(true)
      expect(refused.text).toBe('scope_missing: This key lacks the scope chat:manage.')
    })

    test('what belongs to another workspace', async () => {
      const sessionId = await addConversation()
      const stranger = await addWorkspace(product)
      const { client, call } = await connect(product, { token: await addKey(product, stranger) })
      const site = { tenant_id: own.tenantId }
      const calls = [
        call('search_knowledge', { ...site, query: 'cleaning' }),
        call('ask', { ...site, message: 'Hello?' }),
        call('add_document', { ...site, title: 'Mine', content: 'Mine.' }),
        call('list_unanswered', site),
        call('get_conversation', { session_id: sessionId }),
        call('reply', { session_id: sessionId, text: 'Hello' }),
      ]
      for (const refused of await Promise.all(calls)) {
        expect([refused.isError, refused.text.split(':')[0]]).toEqual([true, 'forbidden'])
      }
      for (const name of ['list_leads', 'list_conversations', 'list_appointments']) {
        expect((await call(name, site)).content).toEqual({ data: [], next_cursor: null })
      }
      expect((await client.listResources()).resources).toEqual([])
      const uri = `sohbet://${own.tenantId}/${docId}`
      await expect(client.readResource({ uri })).rejects.toThrow('another workspace')
    })

    test('input that does not fit, with the fields', async () => {
      const { call } = await connect(product, { token: key })
      const wrong = await call('search_knowledge', {
        tenant_id: own.tenantId,
        limit: 0,
        colour: 'red',
      })
      expect(wrong.isError).toBe(true)
      expect(wrong.text).toContain('/query')
      expect(wrong.text).toContain('/limit')
      expect(wrong.text).toContain('/colour is not a field of this tool')
      expect((await call('no_such_tool')).text).toBe(
        'not_found: The tool no_such_tool does not exist.',
      )
      const body = await product.call<Problem>('/mcp', { token: key, body: { jsonrpc: '1.0' } })
      expect([body.status, body.body.code]).toEqual([422, 'validation_failed'])
    })

    test('an answer without credits, which is not charged', async () => {
      const poor = await addWorkspace(product, { credits: 0 })
      await addDocument(product, poor, { title: 'Hours', content: 'Open at nine.' })
      const { call } = await connect(product, { token: await addKey(product, poor) })
      const refused = await call('ask', { tenant_id: poor.tenantId, message: 'When do you open?' })
      expect([refused.isError, refused.text.split(':')[0]]).toEqual([true, 'credits_exhausted'])
      expect(await creditsLeft(poor)).toBe(0)
    })
  })

  test('cancels a call: the model is stopped, and the hold is given back', async () => {
    model().server.act = 'silence'
    const busy = await addWorkspace(product, { credits: 100 })
    const { call } = await connect(product, { token: await addKey(product, busy) })
    const before = model().server.calls.length
    const cancel = new AbortController()
    const prompt_id = 'slow-one'
    await product.call('/api/v1/prompts', {
      token: busy.token,
      body: {
        prompt_id,
        title: 'Slow',
        kind: 'fixed',
        template: 'Wait.',
        inputs_schema: { type: 'object' },
        credits_cost: 5,
      },
    })
    const running = call('run_prompt', { prompt_id, inputs: {} }, cancel.signal)
    const calls = await model().server.waitFor(before + 1)
    cancel.abort()
    await expect(running).rejects.toThrow('abort')
    await calls.at(-1)?.left
    await expect
      .poll(async () => {
        const { body } = await product.call<Page<Run>>('/api/v1/runs', { token: busy.token })
        return [body.data[0]?.state, await creditsLeft(busy)]
      })
      .toEqual(['failed', 100])
  })

  describe('of anybody', () => {
    async function addSite(tenant: object = {}): Promise<TestWorkspace> {
      const workspace = await addWorkspace(product, { tenant: { mcp: 'public', ...tenant } })
      await addDocument(product, workspace, { title: 'Hours', content: 'Open at nine.' })
      return workspace
    }
    const pathOf = ({ tenantId }: TestWorkspace) => `/mcp/${tenantId}`

    test('finds nothing until the site is public', async () => {
      const path = pathOf(own)
      await expect(connect(product, { path })).rejects.toThrow('No site is available')
      const site = await addSite()
      const connected = await connect(product, { path: pathOf(site) })
      await product.call(`/api/v1/tenants/${site.tenantId}`, {
        method: 'PATCH',
        token: site.token,
        body: { mcp: 'off' },
      })
      await expect(connected.client.listTools()).rejects.toThrow('No site is available')
    })

    test('searches and asks as a visitor, who sees no prices and no other conversation', async () => {
      model().server.act = { text: ['Open at nine.'] }
      const site = await addSite()
      const path = pathOf(site)
      const one = await connect(product, { path })
      const { tools } = await one.client.listTools()
      expect(tools.map(({ name }) => name).toSorted()).toEqual(['ask', 'search_knowledge'])
      const found = await one.call('search_knowledge', { query: 'open' })
      expect(found.content).toMatchObject({ data: [{ text: expect.stringContaining('nine') }] })
      const asked = await one.call('ask', { message: 'When do you open?' })
      expect(asked.content).toMatchObject({ reply: { content: expect.stringContaining('nine') } })
      expect(asked.content).not.toHaveProperty('credits_used')
      const { session_id } = asked.content
      const more = await one.call('ask', { message: 'And on Monday?', session_id })
      expect(more.content.session_id).toBe(session_id)
      const other = await connect(product, { path })
      const refused = await other.call('ask', { message: 'What did they say?', session_id })
      expect(refused.text).toBe('not_found: This session does not exist.')
      expect((await other.call('list_leads')).text).toContain('does not exist')
    })

    test('answers the pages of the site alone, and no forged session', async () => {
      const site = await addSite({ allowed_origins: ['https://shop.example'] })
      const path = pathOf(site)
      const connected = await connect(product, {
        path,
        headers: { origin: 'https://shop.example' },
      })
      expect((await connected.client.listTools()).tools).toHaveLength(2)
      const headers = { origin: 'https://evil.example' }
      await expect(connect(product, { path, headers })).rejects.toThrow('not on the list')
      const forged = await product.call<Problem>(path, {
        headers: { 'mcp-session-id': await addVisitor(product, own) },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      })
      expect([forged.status, forged.body.code]).toEqual([404, 'not_found'])
    })
  })
})
