import { beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import { Passwords } from '../../../server/platform/auth/passwords.ts'
import type { CreatedApiKey, Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const RULES = '/api/v1/webhooks/rules-engine/rules'

describeOnDatabase('a program with an API key', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let workspace: TestWorkspace
  let enterprise: TestWorkspace

  const product = useProduct(database, {
    clock,
    settings: { TRUSTED_PROXIES: '127.0.0.1' },
    passwords: new Passwords(),
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    enterprise = await addWorkspace(product, { plan: 'enterprise' })
  })
  beforeEach(() => clock.move(MINUTE_MS))

  const create = (of: TestWorkspace, fields: object = {}) =>
    product.call<CreatedApiKey & Problem>('/api/v1/api-keys', {
      token: of.token,
      body: { name: 'CRM', ...fields },
    })
  const listTenants = (token: string, address = '192.0.2.1') =>
    product.call<CreatedApiKey & Problem>('/api/v1/tenants', {
      token,
      headers: { 'x-forwarded-for': address },
    })
  const listRules = (key: string, address = '192.0.2.1') =>
    product.call<CreatedApiKey & Problem>(RULES, {
      headers: { 'x-api-key': key, 'x-forwarded-for': address },
    })

  test('sees the key once, and a list that never shows it', async () => {
    const { status, body } = await create(workspace)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{22,}$/),
      name: 'CRM',
      key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{40,}$/),
      prefix: expect.stringMatching(/^svc_live_/),
      scopes: null,
      ip_allowlist: null,
      created_at: expect.stringMatching(/^2026-05-11T09:.*Z$/),
      expires_at: null,
    })
    expect(body.prefix.length).toBeLessThan(20)
    const list = await product.call<Page<object>>('/api/v1/api-keys', {
      token: workspace.token,
    })
    expect(list.text).not.toContain(body.key)
    expect(list.body.data).toContainEqual(
      expect.objectContaining({ id: body.id, last_used_at: null }),
    )
    expect(list.body.data[0]).not.toHaveProperty('key')
    expect(list.text).not.toMatch(/secret|hash|argon/)
    expect((await listTenants(body.key)).status).toBe(200)
    const used = await product.call<Page<object>>('/api/v1/api-keys', {
      token: workspace.token,
    })
    expect(used.body.data).toContainEqual(
      expect.objectContaining({ id: body.id, last_used_at: new Date(clock.now()).toISOString() }),
    )
  })

  test('may send it as X-API-Key to the webhook rules, and nowhere else', async () => {
    const { key } = (await create(workspace)).body
    expect((await listRules(key)).status).toBe(200)
    expect((await product.call(RULES, { token: key })).status).toBe(200)
    expect((await product.call(RULES, { token: workspace.token })).status).toBe(200)
    expect((await product.call(RULES)).status).toBe(401)
    for (const path of ['/api/v1/tenants', '/api/v1/auth/me', '/api/v1/credits', '/api/v1/leads']) {
      const answer = await product.call(path, { headers: { 'x-api-key': key } })
      expect([path, answer.status]).toEqual([path, 401])
    }
  })

  test('is shut out the moment the key is destroyed', async () => {
    const { id, key } = (await create(workspace)).body
    expect((await listTenants(key)).status).toBe(200)
    const foreign = await product.call<CreatedApiKey & Problem>(`/api/v1/api-keys/${id}`, {
      token: enterprise.token,
      method: 'DELETE',
    })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden'])
    const gone = () =>
      product.call(`/api/v1/api-keys/${id}`, { token: workspace.token, method: 'DELETE' })
    expect((await gone()).status).toBe(204)
    const late = await listTenants(key)
    expect([late.status, late.body.code]).toEqual([401, 'unauthenticated'])
    expect((await gone()).status).toBe(404)
  })

  test('is shut out when the key expires', async () => {
    const expires_at = new Date(clock.now() + 60_000).toISOString()
    const { body } = await create(workspace, { expires_at })
    expect(body).toMatchObject({ expires_at })
    expect((await listTenants(body.key)).status).toBe(200)
    clock.move(MINUTE_MS)
    expect((await listTenants(body.key)).status).toBe(401)
    for (const wrong of ['tomorrow', new Date(clock.now()).toISOString(), 5]) {
      expect((await create(workspace, { expires_at: wrong })).status).toBe(422)
    }
  })

  test('cannot manage keys', async () => {
    const { key, id } = (await create(enterprise)).body
    for (const call of [
      { method: 'GET', path: '/api/v1/api-keys' },
      { method: 'POST', path: '/api/v1/api-keys', body: { name: 'another' } },
      { method: 'DELETE', path: `/api/v1/api-keys/${id}` },
    ]) {
      const { path, ...options } = call
      const answer = await product.call<CreatedApiKey & Problem>(path, { token: key, ...options })
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    }
  })

  test('needs a plan above Starter, to make a key and to use one', async () => {
    const starter = await addWorkspace(product, { plan: 'starter' })
    for (const fields of [{}, { name: '' }, { scopes: ['credits:read'] }]) {
      const refused = await create(starter, fields)
      expect([refused.status, refused.body.code]).toEqual([403, 'not_in_plan'])
    }
    const list = await product.call<CreatedApiKey & Problem>('/api/v1/api-keys', {
      token: starter.token,
    })
    expect([list.status, list.body.code]).toEqual([403, 'not_in_plan'])
    const leaving = await addWorkspace(product, { plan: 'ajans_pro' })
    const { key, id } = (await create(leaving)).body
    expect((await listTenants(key)).status).toBe(200)
    await product.call(`/api/v1/operator/workspaces/${leaving.id}`, {
      token: 'operator-token-for-tests',
      method: 'PATCH',
      body: { plan: 'starter' },
    })
    const late = await listTenants(key)
    expect([late.status, late.body.code]).toEqual([403, 'not_in_plan'])
    const destroyed = await product.call(`/api/v1/api-keys/${id}`, {
      token: leaving.token,
      method: 'DELETE',
    })
    expect(destroyed.status).toBe(204)
    expect((await listTenants(key)).status).toBe(401)
  })

  test('stays as narrow as it was when Enterprise ends', async () => {
    const leaving = await addWorkspace(product, { plan: 'enterprise' })
    const { key, id } = (
      await create(leaving, { scopes: ['chat:manage'], ip_allowlist: ['192.0.2.1'] })
    ).body
    await product.call(`/api/v1/operator/workspaces/${leaving.id}`, {
      token: 'operator-token-for-tests',
      method: 'PATCH',
      body: { plan: 'klinik_pro' },
    })
    expect((await listTenants(key)).status).toBe(200)
    expect((await listTenants(key, '192.0.2.2')).body.code).toBe('ip_not_allowed')
    const rules = await product.call<CreatedApiKey & Problem>(RULES, {
      headers: { 'x-api-key': key, 'x-forwarded-for': '192.0.2.1' },
    })
    expect(rules.body.code).toBe('scope_missing')
    const audit = await product.call<CreatedApiKey & Problem>('/api/v1/audit', {
      token: key,
      headers: { 'x-forwarded-for': '192.0.2.1' },
    })
    expect(audit.body.code).toBe('scope_missing')
    const list = await product.call<Page<object>>('/api/v1/api-keys', {
      token: leaving.token,
    })
    expect(list.body.data).toMatchObject([{ id, scopes: ['chat:manage'] }])
  })

  test('is bound to its scopes and addresses, on Enterprise alone', async () => {
    for (const fields of [{ scopes: ['credits:read'] }, { ip_allowlist: ['10.0.0.0/8'] }]) {
      const refused = await create(workspace, fields)
      expect([refused.status, refused.body.code]).toEqual([403, 'not_in_plan'])
    }
    const { body } = await create(enterprise, {
      scopes: ['chat:manage'],
      ip_allowlist: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'],
    })
    for (const address of ['192.0.2.255', '2001:db8::1', '198.51.100.7', '::ffff:192.0.2.9']) {
      expect([address, (await listTenants(body.key, address)).status]).toEqual([address, 200])
    }
    for (const address of ['192.0.3.1', '2001:db9::1', '198.51.100.8']) {
      const answer = await listTenants(body.key, address)
      expect([address, answer.status, answer.body.code]).toEqual([address, 403, 'ip_not_allowed'])
    }
    const rules = await listRules(body.key)
    expect([rules.status, rules.body.code]).toEqual([403, 'scope_missing'])
    const runner = await create(enterprise, { scopes: ['prompts:execute'] })
    const asRunner = { token: runner.body.key }
    const prompts = await product.call<Page<{ prompt_id: string }>>('/api/v1/prompts', asRunner)
    expect(prompts.status).toBe(200)
    const one = `/api/v1/prompts/${prompts.body.data[0]?.prompt_id}`
    expect((await product.call(one, asRunner)).status).toBe(200)
    expect((await product.call(one, { ...asRunner, method: 'DELETE' })).status).toBe(403)
    const me = await product.call('/api/v1/auth/me', {
      token: body.key,
      headers: { 'x-forwarded-for': '192.0.2.1' },
    })
    expect(me.status).toBe(200)
    for (const fields of [
      { scopes: ['everything'] },
      { scopes: [] },
      { ip_allowlist: ['300.1.1.1'] },
      { ip_allowlist: ['10.0.0.0/33'] },
    ]) {
      expect((await create(enterprise, fields)).status).toBe(422)
    }
  })

  test('that guesses keys is stopped after 20 a minute; others from elsewhere are not', async () => {
    const { key } = (await create(workspace)).body
    const known = (await create(workspace)).body.key
    expect((await listTenants(known, '192.0.2.66')).status).toBe(200)
    const guesses = [
      'svc_live_',
      'svc_live_x',
      `${key.slice(0, -1)}!`,
      `${key.slice(0, 30)}${'a'.repeat(29)}`,
    ]
    for (let count = 0; count < 20; count += 1) {
      const guess = guesses[count % guesses.length] ?? ''
      const answer = await listTenants(guess, '192.0.2.66')
      expect([guess, answer.status]).toEqual([guess, 401])
    }
    const more = await listTenants('svc_live_x', '192.0.2.66')
    expect([more.status, more.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await listTenants(key, '192.0.2.66')).status).toBe(200)
    expect((await listTenants(known, '192.0.2.66')).status).toBe(200)
    expect((await listTenants(key, '192.0.2.67')).status).toBe(200)
    clock.move(MINUTE_MS)
    expect((await listTenants('svc_live_x', '192.0.2.66')).status).toBe(401)
    for (let count = 1; count < 20; count += 1) {
      expect((await listRules('no key at all', '192.0.2.66')).status).toBe(401)
    }
    expect((await listRules('no key at all', '192.0.2.66')).status).toBe(429)
    const byToken = await listRules(workspace.token, '192.0.2.66')
    expect(byToken.status).toBe(200)
  })
})
