import Fastify, { type RouteShorthandOptions } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { PUBLIC, guardRoutes } from '../../../server/http/access.ts'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import type { CreatedApiKey, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const MESSAGE = '/api/v1/chatbot/message'
const PAGE = 'https://shop.example'

describeOnDatabase('every caller can rely on', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let workspace: TestWorkspace
  let enterprise: TestWorkspace
  let visitor: string

  const product = useProduct(database, {
    clock,
    settings: { LIMIT_MESSAGE: '3', LIMIT_DEFAULT: '6', TRUSTED_PROXIES: '127.0.0.1' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    enterprise = await addWorkspace(product, { plan: 'enterprise' })
    visitor = await addVisitor(product, workspace)
  })
  beforeEach(() => clock.move(MINUTE_MS))

  const message = (more: {
    token?: string
    body?: object
    raw?: string
    headers?: Record<string, string>
  }) => {
    const { token = visitor, ...rest } = more
    return product.call<Problem>(MESSAGE, { token, ...rest })
  }
  const hello = (fields: object = {}) => ({
    tenant_id: workspace.tenantId,
    message: 'Hi',
    ...fields,
  })

  test('one order of refusals: who, may they, how often, what shape, whose, in which state', async () => {
    const key = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: enterprise.token,
      body: { name: 'k', scopes: ['credits:read'] },
    })
    expect((await message({ token: 'x', raw: '{' })).status).toBe(401)
    const scoped = await message({ token: key.body.key, raw: '{' })
    expect([scoped.status, scoped.body.code]).toEqual([403, 'scope_missing'])
    expect((await message({ raw: '{' })).status).toBe(400)
    expect((await message({ body: { tenant_id: enterprise.tenantId } })).status).toBe(422)
    const foreign = await message({ body: { tenant_id: enterprise.tenantId, message: 'Hi' } })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden'])
    const limited = await message({ raw: '{' })
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited'])
    const poor = await addWorkspace(product, { credits: 0 })
    const guest = await addVisitor(product, poor)
    const ask = (body: object, id: string) =>
      message({
        token: guest,
        body: { tenant_id: poor.tenantId, ...body },
        headers: { 'x-request-id': id },
      })
    const nobody = await ask({ message: 'Hi', session_id: `ses_${'0'.repeat(22)}` }, 'a')
    expect([nobody.status, nobody.body.code]).toEqual([404, 'not_found'])
    expect((await ask({ message: 'Hi' }, 'b')).status).toBe(402)
  })

  test('limits on every answer of a limited route, streams and refusals included', async () => {
    const stream = await message({ body: hello({ stream: true }) })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    const broken = await message({ raw: '{' })
    const last = await message({ body: hello() })
    const full = await message({ body: hello({ stream: true }) })
    const shown = [stream, broken, last, full].map(({ status, headers }) => [
      status,
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
      headers.get('x-ratelimit-reset'),
      headers.get('retry-after'),
    ])
    expect(shown).toEqual([
      [200, '3', '2', '60', null],
      [400, '3', '1', '60', null],
      [200, '3', '0', '60', null],
      [429, '3', '0', '60', '60'],
    ])
    clock.move(59_001)
    expect((await message({ body: hello() })).headers.get('retry-after')).toBe('1')
    clock.move(999)
    expect((await message({ body: hello() })).status).toBe(200)
  })

  test('60 calls a minute per person, keys and all, and none counted on Enterprise', async () => {
    const key = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'k' },
    })
    expect(key.headers.get('x-ratelimit-remaining')).toBe('5')
    const byKey = await product.call('/api/v1/tenants', { token: key.body.key })
    expect(byKey.headers.get('x-ratelimit-remaining')).toBe('4')
    for (let count = 0; count < 4; count += 1)
      await product.call('/api/v1/credits', { token: workspace.token })
    expect((await product.call('/api/v1/leads', { token: workspace.token })).status).toBe(429)
    expect((await product.call('/api/v1/leads', { token: key.body.key })).status).toBe(429)
    for (let count = 0; count < 8; count += 1) {
      const { status, headers } = await product.call('/api/v1/leads', { token: enterprise.token })
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null])
    }
    const sessions = await product.call('/api/v1/chatbot/sessions', { token: visitor })
    expect(sessions.headers.get('x-ratelimit-remaining')).toBe('5')
    expect((await product.call('/health/live')).headers.get('x-ratelimit-limit')).toBeNull()
  })

  test('an id on every answer: the caller’s when it fits, else a new one', async () => {
    for (const id of ['a', '~!@#$%^&*()', 'x'.repeat(128)]) {
      const { headers } = await product.call('/api/v1/nothing', { headers: { 'x-request-id': id } })
      expect(headers.get('x-request-id')).toBe(id)
    }
    const made = new Set<string>()
    for (const id of ['a b', 'x'.repeat(129), 'é', '']) {
      const { headers } = await product.call('/health/live', { headers: { 'x-request-id': id } })
      made.add(headers.get('x-request-id') ?? '')
    }
    expect(made.size).toBe(4)
    for (const id of made) expect(id).toMatch(/^req_[0-9A-Za-z]{22,}$/)
    const preflight = await product.call(MESSAGE, {
      method: 'OPTIONS',
      headers: { origin: PAGE, 'access-control-request-method': 'POST', 'x-request-id': 'pre' },
    })
    expect(preflight.headers.get('x-request-id')).toBe('pre')
  })

  test('being read from other pages where visitors are, refusals included, and nowhere else', async () => {
    const preflight = await product.call(MESSAGE, {
      method: 'OPTIONS',
      headers: {
        origin: PAGE,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-request-id',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toMatch(
      /authorization.*content-type.*x-request-id/,
    )
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    expect(preflight.headers.get('access-control-max-age')).toBe('600')
    for (const [token, status] of [
      ['bad', 401],
      [visitor, 422],
    ] as const) {
      const refused = await message({ token, body: {}, headers: { origin: PAGE } })
      expect(refused.status).toBe(status)
      expect(refused.headers.get('access-control-allow-origin')).toBe(PAGE)
      expect(refused.headers.get('access-control-allow-credentials')).toBeNull()
      expect(refused.headers.get('vary')?.toLowerCase()).toContain('origin')
      for (const name of [
        'Retry-After',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'X-Request-Id',
        'Idempotent-Replayed',
      ]) {
        expect(refused.headers.get('access-control-expose-headers')).toContain(name)
      }
    }
    for (const path of [
      '/api/v1/leads',
      '/api/v1/auth/me',
      '/api/v1/auth/refresh',
      '/api/v1/operator/workspaces',
    ]) {
      const answer = await product.call(path, { headers: { origin: PAGE } })
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
  })

  test('a description in which every reference leads somewhere and every path field is named', async () => {
    interface Operation {
      responses: Record<string, { description: string }>
      parameters?: { name: string; in: string }[]
    }
    interface Description {
      openapi: string
      paths: Record<string, Record<string, Operation>>
    }
    const { body, text } = await product.call<Description>('/api/v1/openapi.json')
    expect(body.openapi).toMatch(/^3\.1\./)
    for (const [, target = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = target.split('/').reduce<unknown>((at, name) => Object(at)[name], body)
      expect([target, typeof found]).toEqual([target, 'object'])
    }
    for (const [path, operations] of Object.entries(body.paths)) {
      expect(path).not.toContain(':')
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const [method, { responses, parameters = [] }] of Object.entries(operations)) {
        const named = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
        expect([path, method, named]).toEqual([path, method, names])
        expect(Object.keys(responses).length).toBeGreaterThan(0)
        const url = path.replaceAll(/\{\w+\}/g, 'x')
        const answer = await product.call<Problem>(url, { method: method.toUpperCase() })
        expect([path, method, answer.status]).not.toEqual([path, method, 405])
      }
    }
    const docs = await product.call('/docs')
    expect([docs.status, docs.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
  })

  test('no route that forgot to say who may call it, in which pool, and with what', async () => {
    const gate = { authenticate: async () => undefined, count: async () => undefined }
    const schema = { response: {} }
    const complete = { config: { access: PUBLIC, pool: null }, schema }
    const lacking: Record<string, RouteShorthandOptions> = {
      access: { config: { pool: null }, schema },
      'limit pool': { config: { access: PUBLIC }, schema },
      schema: { config: { access: PUBLIC, pool: null } },
    }
    for (const [name, options] of Object.entries(lacking)) {
      const app = Fastify()
      guardRoutes(app, gate)
      expect(() => app.get('/fine', complete, async () => '')).not.toThrow()
      expect(() => app.get('/bad', options, async () => '')).toThrow(
        `GET /bad declares no ${name}.`,
      )
      await app.close()
    }
  })
})
