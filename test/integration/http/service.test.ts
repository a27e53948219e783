import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { METRICS_TOKEN, addWorkspace, startTestProduct } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

interface Description {
  openapi: string
  components: { responses: Record<string, unknown> }
  paths: Record<
    string,
    Record<string, { responses: Record<string, unknown>; requestBody?: { required?: boolean } }>
  >
}

const SHOP = { origin: 'https://shop.example' }

describeOnDatabase('the service', (database) => {
  const product = useProduct(database)

  test('says that it lives and that it can answer', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await product.call(path)
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
    }
  })

  test('lets no cache keep what is for one caller', async () => {
    const answer = await product.call('/api/v1/auth/token', {
      body: { email: 'nobody@example.com', password: 'wrong' },
    })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([401, 'no-store'])
  })

  test('shows its metrics to a scraper with the token', async () => {
    const answer = await product.call('/metrics', { token: METRICS_TOKEN })
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.text).toMatch(/^process_resident_memory_bytes \d/m)
  })

  test("gives back the caller's request id, and makes one up for an unusable one", async () => {
    const idFor = async (id: string) =>
      (await product.call('/health/live', { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      )
    expect(await idFor('order-17/ä'.slice(0, 8))).toBe('order-17')
    expect(await idFor('x'.repeat(128))).toBe('x'.repeat(128))
    expect(await idFor('x'.repeat(129))).toMatch(/^req_[0-9A-Za-z]{22,}$/)
    expect(await idFor('two words')).toMatch(/^req_[0-9A-Za-z]{22,}$/)
  })

  test('says in the description which calls may come without a body', async () => {
    const { body } = await product.call<Description>('/api/v1/openapi.json')
    const bodyOf = (path: string) => body.paths[path]?.post?.requestBody?.required
    expect([bodyOf('/api/v1/auth/refresh'), bodyOf('/api/v1/auth/login')]).toEqual([false, true])
  })

  test('describes every route, and what its refusals look like', async () => {
    const { body } = await product.call<Description>('/api/v1/openapi.json')
    expect(body.openapi).toMatch(/^3\.1/)
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/v1/auth/token',
        '/api/v1/auth/visitor',
        '/api/v1/chatbot/message',
        '/api/v1/credits',
        '/api/v1/tenants',
        '/api/v1/tenants/{tenant_id}/knowledge',
        '/api/v1/webhooks/rules-engine/rules',
      ]),
    )
    expect(JSON.stringify(body.components.responses.AnyProblem)).toContain(
      'application/problem+json',
    )
    const page = await product.call('/docs/')
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ])
  })

  test('gives the loader to every site, for five minutes', async () => {
    const first = await product.call('/widget.js', { headers: SHOP })
    expect(first.status).toBe(200)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': expect.stringContaining('max-age=300'),
      'content-type': expect.stringMatching(/javascript/),
    })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await product.call('/widget.js', { headers })).status).toBe(304)
  })

  test('gives its types beside the loader, to every site', async () => {
    const types = await product.call('/widget.d.ts', { headers: SHOP })
    expect(types.status).toBe(200)
    expect(types.text).toContain('declare namespace Sohbet')
    expect(Object.fromEntries(types.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': expect.stringContaining('max-age=300'),
      'content-type': 'application/typescript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })

  test.each(['intercom', 'crisp', 'chatwoot', 'tawk', 'zendesk'])(
    'gives the loader that knows the calls of %s',
    async (name) => {
      const adapter = await product.call(`/adapters/${name}.js`, { headers: SHOP })
      expect(adapter.status).toBe(200)
      expect(adapter.headers.get('cache-control')).toContain('max-age=300')
      expect(adapter.headers.get('access-control-allow-origin')).toBe('*')
      expect(adapter.headers.get('content-type')).toMatch(/javascript/)
    },
  )

  test('tells a site that pins a loader where this version of each stays, and its integrity', async () => {
    interface Pin {
      path: string
      integrity: string
    }
    const { body } = await product.call<Pin & { adapters: Record<string, Pin> }>('/widget.json')
    const names = ['chatwoot', 'crisp', 'intercom', 'tawk', 'zendesk']
    expect(Object.keys(body.adapters).toSorted()).toEqual(names)
    for (const { path, integrity } of [body, ...Object.values(body.adapters)]) {
      const loader = await product.call(path, { headers: SHOP })
      expect(loader.headers.get('cache-control')).toContain('immutable')
      expect(loader.headers.get('access-control-allow-origin')).toBe('*')
      const hash = createHash('sha384').update(loader.text).digest('base64')
      expect(integrity).toBe(`sha384-${hash}`)
    }
  })

  test('lets other sites read what the widget asks for, and nothing else', async () => {
    const workspace = await addWorkspace(product)
    const config = `/api/v1/widget/${workspace.tenantId}/config`
    const preflight = (path: string, origin: string) =>
      product.call(path, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const allowed = async (answer: Promise<{ headers: Headers }>) =>
      (await answer).headers.get('access-control-allow-origin')

    const answer = await product.call(config, { headers: SHOP })
    expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP.origin)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(await allowed(preflight('/api/v1/chatbot/message', SHOP.origin))).toBe(SHOP.origin)
    expect(await allowed(preflight('/api/v1/chatbot/message', 'null'))).toBeNull()
    for (const path of ['/api/v1/tenants', '/api/v1/auth/token', '/api/v1/credits']) {
      expect(await allowed(preflight(path, SHOP.origin)), path).toBeNull()
    }
  })

  test('is not there without the operator token where only the operator may go', async () => {
    const path = '/api/v1/operator/workspaces'
    expect((await product.call(path, { body: {} })).status).toBe(401)
    const other = await startTestProduct(await database.create(), {
      settings: { OPERATOR_TOKEN: '' },
    })
    expect((await other.call(path, { body: {} })).status).toBe(404)
    await other.stop()
  })
})
