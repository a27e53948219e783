import { beforeAll, expect, test } from 'vitest'
import type { CreatedIntegration } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { openIntegration } from './setup.ts'

const BASE = '/api/v1/integrations'
const APP_SECRET = 'f00dcafe-app-secret'
const TOKEN = 'EAAG-very-secret-token'
const WHATSAPP = { phone_number_id: '106540352242922', access_token: TOKEN, app_secret: APP_SECRET }

describeOnDatabase('an integration', (database) => {
  let workspace: TestWorkspace
  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  const ask = <Body = { errors: { path: string }[]; code: string }>(
    path: string,
    options: { method?: string; body?: object; token?: string } = {},
  ) => product.call<Body>(path, { token: workspace.token, ...options })

  test('is opened with an address and a secret that is shown this once', async () => {
    const made = await ask<CreatedIntegration & Record<string, unknown>>(BASE, {
      body: { kind: 'whatsapp', tenant_id: workspace.tenantId, settings: WHATSAPP },
    })
    const id = made.body.integration_id
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      integration_id: expect.stringMatching(/^itg_[0-9A-Za-z]{22,}$/),
      kind: 'whatsapp',
      tenant_id: workspace.tenantId,
      name: 'whatsapp',
      settings: { phone_number_id: '106540352242922' },
      secrets_set: ['access_token', 'app_secret'],
      url: `http://localhost:3000/api/v1/hooks/whatsapp/${id}`,
      active: true,
      billing: false,
      secret: expect.stringMatching(/^\w{40}$/),
      standard_secret: expect.stringMatching(/^whsec_/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const { secret } = made.body
    const { text } = await ask(`${BASE}/${id}`)
    const stored = JSON.stringify(
      await product.ctx.db.selectFrom('integrations').selectAll().execute(),
    )
    const audit = (await ask('/api/v1/audit')).text
    for (const hidden of [secret, APP_SECRET, TOKEN]) {
      expect(text).not.toContain(hidden)
      expect(stored).not.toContain(hidden)
      expect(audit).not.toContain(hidden)
    }
    expect(audit).toContain('integration.created')
  })

  test('takes the secret that the customer has chosen', async () => {
    const verify_token = 'my-own-verify-token'
    const made = await openIntegration(product, workspace, 'meta', { verify_token })
    expect(made.secret).toBe(verify_token)
  })

  test('is changed in part, listed, and deleted', async () => {
    const { integration_id: id } = await openIntegration(product, workspace, 'whatsapp', WHATSAPP)
    const changed = await ask(`${BASE}/${id}`, {
      method: 'PATCH',
      body: { name: 'Klinik hattı', active: false, settings: { phone_number_id: '2' } },
    })
    expect(changed.body).toMatchObject({
      name: 'Klinik hattı',
      active: false,
      settings: { phone_number_id: '2' },
      secrets_set: ['access_token', 'app_secret'],
    })
    const list = await ask<{ data: CreatedIntegration[] }>(`${BASE}?limit=1`)
    expect(list.body.data.map(({ integration_id }) => integration_id)).toEqual([id])
    expect((await ask(`${BASE}/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(`${BASE}/${id}`)).status).toBe(404)
  })

  test('does not send a token to another address than it was given for', async () => {
    const { integration_id: id } = await openIntegration(product, workspace, 'whatsapp', WHATSAPP)
    const patch = (settings: object) =>
      ask(`${BASE}/${id}`, { method: 'PATCH', body: { settings } })
    const api_base_url = 'https://example.com/graph/'
    expect(await patch({ api_base_url })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/settings/access_token' }] },
    })
    expect(await patch({ api_base_url, access_token: 'EAAG-their-own' })).toMatchObject({
      status: 200,
      body: { settings: { api_base_url: 'https://example.com/graph' } },
    })
  })

  test.each([
    ['another kind', { kind: 'sms' }, '/kind'],
    [
      'a setting of another kind',
      { settings: { bot_token: '1:aaaaaaaaaa' } },
      '/settings/bot_token',
    ],
    ['an unknown field', { color: 'red' }, '/color'],
    ['a tenant that is none', { tenant_id: 'A B' }, '/tenant_id'],
    [
      'an inner address',
      { settings: { api_base_url: 'https://127.0.0.1/' } },
      '/settings/api_base_url',
    ],
    [
      'a plain address',
      { settings: { api_base_url: 'http://example.com/' } },
      '/settings/api_base_url',
    ],
    [
      'a secret with a line break',
      { settings: { access_token: 'token\r\nHost: x' } },
      '/settings/access_token',
    ],
  ])('is refused with %s', async (_name, wrong, path) => {
    const body = { kind: 'whatsapp', tenant_id: workspace.tenantId, ...wrong }
    expect(await ask(BASE, { body })).toMatchObject({ status: 422, body: { errors: [{ path }] } })
  })

  test("names a tenant of one's own", async () => {
    const other = await addWorkspace(product)
    const named = (tenant_id: string) => ask(BASE, { body: { kind: 'generic', tenant_id } })
    expect((await named(other.tenantId)).status).toBe(403)
    expect((await named('nobody-here')).status).toBe(404)
  })

  test('keeps its settings when a patch does not fit its kind', async () => {
    const { integration_id: id } = await openIntegration(product, workspace, 'stripe')
    const answer = await ask(`${BASE}/${id}`, {
      method: 'PATCH',
      body: { settings: { access_token: 'not-of-stripe' } },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/settings/access_token' }] },
    })
  })
})
