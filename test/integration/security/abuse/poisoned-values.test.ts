import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import type { Summary } from '../../../../server/analytics/schema.ts'
import type { Slots } from '../../../../server/appointments/schema.ts'
import type { Session } from '../../../../server/chat/schema.ts'
import type { Page } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { ALWAYS_OPEN } from '../access/filled-workspace.ts'

/** JSON texts of numbers, of which some overflow, underflow or have no exact double. */
const NUMBERS = [
  '1.7e308',
  '-1.7e308',
  '1e309',
  '-1e309',
  '1e12',
  '-1e12',
  '1e18',
  '-0',
  '-0.0',
  '5e-324',
  '9007199254740993',
  '18446744073709551616',
  '0.1',
  '"NaN"',
  '"Infinity"',
  'NaN',
  'Infinity',
]
const DATES = [
  '9999-12-31T23:59:59.999+14:00',
  '9999-12-31T23:59:59.999-23:59',
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '1970-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2027-02-29T00:00:00Z',
  `2027-06-15T00:00:00.${'9'.repeat(400)}Z`,
  '+275760-09-13T00:00:00Z',
]
const TEXTS = [
  'x'.repeat(4_000),
  '😀'.repeat(200),
  '😀'.repeat(4_000),
  '\ud800',
  'a\udfffb',
  'a\0b',
  '\u0001\u0008\u001b[2J',
  '\u202e\u2066evil\u2069',
  '\u2028\u2029\u0085\ufeff',
  `e${'\u0301'.repeat(199)}`,
  '\ufdfa'.repeat(200),
  '=HYPERLINK("http://evil.example")',
  '"\r\n,;\t\\',
  '\r\nBEGIN:VEVENT\r\n',
  '\ufffe\uffff\u{10ffff}',
  '__proto__',
  '1e308',
  '{{name}} ${x} <b>',
  'constructor',
]
const MIN_ROUTES = 9
const PAGES = [
  'http://[::1]:99999/',
  'https://user:pw@host.example/%ff%00?q#f',
  'javascript:alert(1)',
  `https://${'a'.repeat(2_000)}`,
  `https://a.example/${'😀'.repeat(300)}`,
  'https://xn--.example/\\..\\',
  'data:,x',
  '\ud800',
]

describeOnBothDatabases('a stranger who wants to break what the owner reads', (database) => {
  const product = useProduct(database)

  /** Sends JSON as text, so that it may hold numbers that no JavaScript value has. */
  async function send(path: string, raw: string, token?: string): Promise<number> {
    const { status, text } = await product.call(path, { raw, ...(token ? { token } : {}) })
    expect(status, `${path} ${raw.slice(0, 200)} ${text}`).toBeLessThan(500)
    return status
  }

  async function openConversation(workspace: TestWorkspace) {
    const token = await addVisitor(product, workspace)
    const opened = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: workspace.tenantId },
    })
    return { token, path: `/api/v1/chatbot/sessions/${opened.body.session_id}` }
  }

  /** Reads every route that shows what strangers wrote; returns how many. */
  async function readAll({ token, tenantId }: TestWorkspace): Promise<number> {
    let count = 0
    const read = async <Body>(path: string) => {
      const { status, text, body } = await product.call<Body>(path, { token })
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
      count += 1
      return body
    }
    const all = async (route: string, shown: (item: Record<string, string>) => string[]) => {
      const { data } = await read<Page<Record<string, string>>>(`/api/v1/${route}?limit=100`)
      for (const item of data) for (const path of shown(item)) await read(`/api/v1/${path}`)
      return data
    }
    await read('/api/v1/analytics/summary')
    await read('/api/v1/analytics/summary.csv')
    await read('/api/v1/leads.csv')
    await read('/api/v1/appointments.csv')
    await read('/api/v1/appointments.ics')
    await read('/api/v1/audit')
    await read(`/api/v1/tenants/${tenantId}/unanswered`)
    await all('leads', ({ lead_id }) => [`leads/${lead_id}`])
    await all('appointments', ({ appointment_id }) => [
      `appointments/${appointment_id}`,
      `appointments/${appointment_id}.ics`,
    ])
    const sessions = await all('inbox', ({ session_id }) => [
      `inbox/${session_id}`,
      `chatbot/sessions/${session_id}/messages`,
      `chatbot/sessions/${session_id}/export`,
    ])
    const visitors = new Set(sessions.map(({ visitor_id }) => visitor_id))
    for (const visitor of visitors) await read(`/api/v1/visitors/${visitor}/export`)
    return count
  }

  test('sends numbers whose sum has no end', async () => {
    const workspace = await addWorkspace(product)
    const at = new Date().toISOString()
    const report = (event: string) =>
      send('/api/v1/analytics/events', `{"tenant_id":"${workspace.tenantId}","events":[${event}]}`)
    for (const value of NUMBERS) {
      for (let times = 0; times < 2; times += 1) {
        await report(`{"type":"seen","at":"${at}","props":{"n":${value}}}`)
      }
    }
    for (const date of DATES) await report(`{"type":"seen","at":"${date}"}`)
    for (const text of TEXTS) {
      await report(JSON.stringify({ type: text, at }))
      await report(JSON.stringify({ type: 'seen', at, props: { [text]: 1, p: text } }))
    }
    await readAll(workspace)
    const { body } = await product.call<Summary>('/api/v1/analytics/summary', workspace)
    expect(body.numbers.map(({ sum }) => Number.isFinite(sum))).not.toContain(false)
  })

  test.each([Infinity, -Infinity, 1.7e308])('has stored %d before', async (amount) => {
    const workspace = await addWorkspace(product)
    const at = new Date().toISOString()
    const report = (type: string) =>
      product.call('/api/v1/analytics/events', {
        body: { tenant_id: workspace.tenantId, events: [{ type, at, props: { n: 1 } }] },
      })
    for (const type of ['one', 'two', 'three']) await report(type)
    const { db } = product.ctx
    const own = db.updateTable('analytics_subjects').where('workspace_id', '=', workspace.id)
    await own.set({ amount }).where('kind', '=', 'number').execute()
    await readAll(workspace)
    // A later event repairs the row.
    expect((await report('one')).status).toBe(202)
    await readAll(workspace)
    const { body } = await product.call<Summary>('/api/v1/analytics/summary', workspace)
    expect(body.numbers.map(({ sum }) => Math.abs(sum))).toEqual([1e18, 1e18, 1e18])
  })

  test('writes extremes into every form and message', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN, credits: 100_000 })
    const { tenantId: tenant_id } = workspace
    for (const text of TEXTS) {
      const { token, path } = await openConversation(workspace)
      const forms = [{ name: text }, { interest: text }, { phone: text }, { email: text }]
      for (const form of forms) {
        const lead = { name: 'Ayşe', phone: '+905321234567', email: 'ayse@example.com', ...form }
        await send(`${path}/lead`, JSON.stringify(lead), token)
      }
      const slots = await product.call<Slots>(`${path}/slots`, { token })
      const start = slots.body.data[0]?.start
      for (const form of [{ service: text }, { phone: text }, { email: text }, { name: text }]) {
        await send(`${path}/appointment`, JSON.stringify({ name: 'Ayşe', start, ...form }), token)
      }
      await send(`${path}/feedback`, JSON.stringify({ rating: 5, comment: text }), token)
      await send(`${path}/handoff`, '{}', token)
      const message = { tenant_id, message: text, page_url: text }
      await send('/api/v1/chatbot/message', JSON.stringify(message), token)
      for (const field of ['name', 'email', 'phone']) {
        await send('/api/v1/chatbot/identify', JSON.stringify({ [field]: text }), token)
      }
    }
    expect(await readAll(workspace)).toBeGreaterThan(MIN_ROUTES)
  })

  test('books, rates and browses at the edges', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    const { tenantId: tenant_id } = workspace
    const { token, path } = await openConversation(workspace)
    for (const start of DATES) {
      await send(`${path}/appointment`, JSON.stringify({ name: 'Ayşe', start }), token)
    }
    for (const value of NUMBERS) {
      await send(`${path}/feedback`, `{"rating":${value}}`, token)
      await send(`${path}/appointment`, `{"name":"Ayşe","start":${value}}`, token)
    }
    for (const page_url of PAGES) {
      await send('/api/v1/chatbot/sessions', JSON.stringify({ tenant_id, page_url }), token)
    }
    expect(await readAll(workspace)).toBeGreaterThan(MIN_ROUTES)
  })

  test('signs up at the site with a name that its server puts into a token', async () => {
    const workspace = await addWorkspace(product)
    // The test opens more conversations than a site has newcomers in a minute.
    await product.call(`/api/v1/tenants/${workspace.tenantId}`, {
      method: 'PATCH',
      token: workspace.token,
      body: { abuse: { proof_of_work: 'off' } },
    })
    const secret = await product.call<{ identity_secret: string }>(
      `/api/v1/tenants/${workspace.tenantId}/identity-secret`,
      workspace,
    )
    const key = new TextEncoder().encode(secret.body.identity_secret)
    for (const text of TEXTS) {
      for (const claims of [{ name: text }, { email: text }, { phone: text }, { sub: text }]) {
        const { token } = await openConversation(workspace)
        const signed = await new SignJWT({ sub: 'customer-7', ...claims })
          .setProtectedHeader({ alg: 'HS256' })
          .setExpirationTime('1h')
          .sign(key)
        await send('/api/v1/chatbot/identify', JSON.stringify({ token: signed }), token)
      }
    }
    expect(await readAll(workspace)).toBeGreaterThan(MIN_ROUTES)
  })
})
