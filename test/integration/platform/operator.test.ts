import { beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import type { InstallationHealth } from '../../../server/operator/schema.ts'
import type { AuditEntry, TokenAnswer } from '../../../server/platform/schema.ts'
import type { WidgetConfig } from '../../../server/tenants/schema.ts'
import type {
  CreatedApiKey,
  CreatedIntegration,
  CreatedRule,
  Page,
  Problem,
  VisitorAnswer,
  Workspace,
} from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { cookiesOf } from '../../helpers/cookies.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  type CallOptions,
  OPERATOR_TOKEN,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const OPERATOR = '/api/v1/operator'
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

describeOnDatabase("the installation's operator", (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let workspace: TestWorkspace

  const product = useProduct(database, { clock, settings: { ALLOW_PRIVATE_TARGETS: 'true' } })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })
  beforeEach(() => clock.move(MINUTE_MS))

  const call = <Body = Problem>(path: string, options: CallOptions = {}) =>
    product.call<Body>(OPERATOR + path, { token: OPERATOR_TOKEN, ...options })
  const suspend = (suspended: boolean) =>
    call<Workspace>(`/workspaces/${workspace.id}`, { method: 'PATCH', body: { suspended } })

  test('signs in to a cookie that pages of other origins cannot use', async () => {
    const signIn = (token: string) =>
      product.call<Problem>(`${OPERATOR}/session`, { body: { token } })
    expect((await signIn('a guess')).status).toBe(401)
    const { status, headers } = await signIn(OPERATOR_TOKEN)
    expect(status).toBe(204)
    const cookie = cookiesOf(headers).get('svc_operator')
    expect(cookie?.attributes.toSorted()).toEqual(
      ['httponly', 'max-age=43200', 'path=/', 'samesite=strict'].toSorted(),
    )
    const as = (path: string, options: CallOptions = {}) =>
      product.call<Problem>(OPERATOR + path, {
        ...options,
        headers: { cookie: `svc_operator=${cookie?.value}`, ...options.headers },
      })
    expect((await as('/workspaces')).status).toBe(200)
    const path = `/workspaces/${workspace.id}/addons`
    const body = { credits: 5, reference: 'by-cookie' }
    expect((await as(path, { body })).status).toBe(403)
    expect((await as(path, { body, headers: SAME_ORIGIN })).status).toBe(201)
    // A wrong token is not saved by a right cookie.
    expect((await as('/workspaces', { token: 'a-guess' })).status).toBe(401)

    const second = cookiesOf((await signIn(OPERATOR_TOKEN)).headers).get('svc_operator')?.value
    expect((await as('/session', { method: 'DELETE', headers: SAME_ORIGIN })).status).toBe(204)
    expect((await as('/workspaces')).status).toBe(401)
    const later = () =>
      product.call(`${OPERATOR}/workspaces`, { headers: { cookie: `svc_operator=${second}` } })
    expect((await later()).status).toBe(200)
    clock.move(12 * HOUR_MS)
    expect((await later()).status).toBe(401)
  })

  test('sees what each workspace has and uses', async () => {
    const { body } = await call<Page<Workspace>>('/workspaces')
    expect(body.data.find(({ ws_id }) => ws_id === workspace.id)).toMatchObject({
      plan: 'klinik_pro',
      members: 1,
      sites: 1,
      credits_used: 0,
      suspended: false,
    })
  })

  test('suspends a workspace on every way in, and lets it go on as it was', async () => {
    const { email, tenantId } = workspace
    const password = 'a long password'
    const signIn = () =>
      product.call<TokenAnswer>('/api/v1/auth/token', { body: { email, password } })
    const login = await signIn()
    const token = login.body.access_token
    const own = <Body>(path: string, body: object) => product.call<Body>(path, { token, body })
    const { body: key } = await own<CreatedApiKey>('/api/v1/api-keys', { name: 'CRM' })
    const { body: hook } = await own<CreatedIntegration>('/api/v1/integrations', {
      kind: 'telegram',
      tenant_id: tenantId,
    })
    const visitor = await addVisitor(product, workspace)
    const message = { tenant_id: tenantId, message: 'Hello' }
    const refused: [way: string, ask: () => Promise<{ status: number }>][] = [
      ['a session', () => product.call('/api/v1/auth/me', { token })],
      ['a key', () => product.call('/api/v1/tenants', { token: key.key })],
      ['a sign-in', signIn],
      [
        'a visitor',
        () => product.call('/api/v1/chatbot/message', { token: visitor, body: message }),
      ],
      ['a newcomer', () => product.call('/api/v1/auth/visitor', { body: { tenant_id: tenantId } })],
      [
        'a hook',
        () =>
          product.call(new URL(hook.url).pathname, {
            body: { update_id: 1 },
            headers: { 'x-telegram-bot-api-secret-token': hook.secret },
          }),
      ],
      [
        'a refresh',
        () =>
          product.call('/api/v1/auth/refresh', {
            body: { refresh_token: login.body.refresh_token },
          }),
      ],
    ]
    const answers = async () => {
      const seen: Record<string, number> = {}
      for (const [way, ask] of refused) seen[way] = (await ask()).status
      return seen
    }
    const all = (status: number) => Object.fromEntries(refused.map(([way]) => [way, status]))
    const isActive = async () =>
      (await product.call<WidgetConfig>(`/api/v1/widget/${tenantId}/config`)).body.active
    const live = await fetch(`${product.url}/api/v1/live`, {
      headers: { authorization: `Bearer ${token}` },
    })

    expect((await suspend(true)).body.suspended).toBe(true)
    expect(await answers()).toEqual(all(403))
    expect(await isActive()).toBe(false)
    expect((await product.call(`/chat/${tenantId}`)).status).toBe(404)
    // The stream that was open has ended, and is refused when it comes back.
    expect(await live.text()).toContain('"reason":"ended"')

    expect((await suspend(false)).body.suspended).toBe(false)
    expect(await answers()).toEqual(all(200))
    expect(await isActive()).toBe(true)
    const { body: audit } = await product.call<Page<AuditEntry>>('/api/v1/audit?limit=100', {
      token,
    })
    expect(audit.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['workspace.suspended', 'workspace.resumed']),
    )
    expect((await suspend(true)).status).toBe(200)
    expect((await product.call('/api/v1/auth/logout', { method: 'POST', token })).status).toBe(204)
    await suspend(false)
  })

  test('sees webhooks and integrations of every workspace, and sends a dead letter again', async () => {
    const { token, tenantId, id } = await addWorkspace(product)
    const own = <Body>(path: string, body: object) => product.call<Body>(path, { token, body })
    const url = 'http://127.0.0.1:9/'
    const { body: rule } = await own<CreatedRule>('/api/v1/webhooks/rules-engine/rules', {
      name: 'Leads',
      event: 'lead.created',
      url,
    })
    await own('/api/v1/webhooks', { url, events: ['chatbot.lead'] })
    await own('/api/v1/integrations', { kind: 'generic', tenant_id: tenantId })
    const letter = `wh_${'a'.repeat(29)}`
    const now = clock.now()
    await product.ctx.db
      .insertInto('dead_letters')
      .values({
        id: letter,
        workspace_id: id,
        family: 'chat',
        endpoint_id: rule.rule_id,
        event: 'lead.created',
        body: '{"data":{"name":"Ayşe"}}',
        attempts: 4,
        created_at: now,
        died_at: now,
        expires_at: now + HOUR_MS,
        session_id: null,
      })
      .execute()
    const letters = await call<Page<Record<string, unknown>>>('/dead-letters')
    expect(letters.body.data).toEqual([
      expect.objectContaining({ webhook_id: letter, ws_id: id, rule_id: rule.rule_id, url }),
    ])
    expect(letters.text).not.toContain('Ayşe')
    for (const [path, expected] of [
      ['/subscriptions', { ws_id: id, url, active: true }],
      ['/integrations', { ws_id: id, kind: 'generic', tenant_id: tenantId, active: true }],
    ] as const) {
      const { body } = await call<Page<Record<string, unknown>>>(path)
      expect(body.data).toEqual(expect.arrayContaining([expect.objectContaining(expected)]))
    }
    const retry = () => call(`/dead-letters/${letter}/retry`, { method: 'POST' })
    expect((await retry()).status).toBe(202)
    expect((await retry()).status).toBe(409)
    expect((await call('/dead-letters')).text).not.toContain(letter)
    const unknown = await call(`/dead-letters/wh_${'b'.repeat(29)}/retry`, { method: 'POST' })
    expect(unknown.status).toBe(404)
  })

  test('sees how the installation is, without a secret', async () => {
    const { status, body, text } = await call<InstallationHealth>('/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({ node: process.version, database: database.kind })
    expect(body.queues.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['delivery', 'mail', 'knowledge_job', 'inbound_event']),
    )
    const checks = new Map(body.checks.map(({ name, ok }) => [name, ok]))
    expect([checks.get('database'), checks.get('mail'), checks.get('webhook_targets')]).toEqual([
      true,
      false,
      false,
    ])
    expect(text).not.toContain(OPERATOR_TOKEN)
  })

  test('is shown where the tag of a site is, by the pages that carry it', async () => {
    const { token, tenantId } = await addWorkspace(product)
    interface Seen {
      seen: boolean
      origins: { origin: string }[]
    }
    const read = async () =>
      (await product.call<Seen>(`/api/v1/tenants/${tenantId}/installation`, { token })).body
    const open = (headers: Record<string, string>) =>
      product.call(`/api/v1/widget/${tenantId}/config`, { headers })
    expect(await read()).toEqual({
      seen: false,
      first_seen_at: null,
      last_seen_at: null,
      origins: [],
    })
    await open({ origin: 'https://shop.example' })
    await expect.poll(async () => (await read()).seen).toBe(true)
    const at = new Date(clock.now()).toISOString()
    expect(await read()).toEqual({
      seen: true,
      first_seen_at: at,
      last_seen_at: at,
      origins: [{ origin: 'https://shop.example', first_seen_at: at, last_seen_at: at }],
    })
    clock.move(10 * MINUTE_MS)
    await open({ origin: 'null' })
    await open({ referer: `${product.url}/demo?x=1` })
    await expect
      .poll(async () => (await read()).origins.map(({ origin }) => origin))
      .toEqual([product.url, 'https://shop.example'])
    clock.move(MINUTE_MS)
    for (let page = 0; page < 60; page += 1) await open({ origin: `https://p${page}.example` })
    await expect.poll(async () => (await read()).origins.length).toBe(50)
  })

  test('keeps visitors of other workspaces untouched', async () => {
    const other = await addWorkspace(product)
    await suspend(true)
    const visitor = await product.call<VisitorAnswer>('/api/v1/auth/visitor', {
      body: { tenant_id: other.tenantId },
    })
    expect(visitor.status).toBe(200)
    await suspend(false)
  })
})
