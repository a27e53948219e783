import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { WidgetConfig } from '../../../server/tenants/schema.ts'
import { DAY_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { Problem, VisitorAnswer } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const HOME = 'https://shop.example'

describeOnDatabase('a visitor of a site', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let open: TestWorkspace
  let closed: TestWorkspace

  const product = useProduct(database, {
    clock,
    settings: { LIMIT_AUTH: '5', TRUSTED_PROXIES: '127.0.0.1' },
  })
  beforeAll(async () => {
    open = await addWorkspace(product)
    closed = await addWorkspace(product, { tenant: { allowed_origins: [HOME] } })
  })
  beforeEach(() => clock.move(MINUTE_MS))

  function become(
    tenantId: string,
    more: { origin?: string; token?: string; address?: string } = {},
  ) {
    const { origin, token, address } = more
    return product.call<VisitorAnswer & Problem>('/api/v1/auth/visitor', {
      headers: {
        ...(origin === undefined ? {} : { origin }),
        ...(address ? { 'x-forwarded-for': address } : {}),
      },
      body: { tenant_id: tenantId, ...(token ? { visitor_token: token } : {}) },
    })
  }
  const sessions = (token: string, origin?: string) =>
    product.call<Partial<Problem>>('/api/v1/chatbot/sessions', {
      token,
      ...(origin ? { headers: { origin } } : {}),
    })

  test('gets a token for a day without telling who they are', async () => {
    const { status, body, headers } = await become(open.tenantId, { origin: 'https://any.example' })
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86_400,
      visitor_id: expect.stringMatching(/^vis_[0-9A-Za-z]{22,}$/),
    })
    expect(headers.get('access-control-allow-origin')).toBe('https://any.example')
    clock.move(DAY_MS - 1_000)
    expect((await sessions(body.access_token)).status).toBe(200)
    clock.move(1_000)
    expect((await sessions(body.access_token)).status).toBe(401)
  })

  test('stays the same visitor when a valid token is renewed, and only then', async () => {
    const first = (await become(open.tenantId)).body
    clock.move(MINUTE_MS)
    const again = (await become(open.tenantId, { token: first.access_token })).body
    expect(again.visitor_id).toBe(first.visitor_id)
    expect(again.access_token).not.toBe(first.access_token)
    const elsewhere = (await become(closed.tenantId, { origin: HOME, token: first.access_token }))
      .body
    expect(elsewhere.visitor_id).not.toBe(first.visitor_id)
    const owner = (await become(open.tenantId, { token: open.token })).body
    expect(owner.visitor_id).toMatch(/^vis_/)
    clock.move(DAY_MS)
    const late = (await become(open.tenantId, { token: again.access_token })).body
    expect(late.visitor_id).not.toBe(first.visitor_id)
    expect((await become(open.tenantId, { token: 'nonsense' })).status).toBe(200)
  })

  test('must come from a page on the list of the site', async () => {
    const home = await become(closed.tenantId, { origin: HOME })
    expect(home.status).toBe(200)
    expect(home.headers.get('access-control-allow-origin')).toBe(HOME)
    expect(home.headers.get('access-control-allow-credentials')).toBeNull()
    const strangers = [
      'https://evil.example',
      'https://shop.example.evil.example',
      'http://shop.example',
      'https://shop.example:8443',
      'null',
    ]
    for (const [index, origin] of strangers.entries()) {
      const answer = await become(closed.tenantId, { origin, address: `203.0.113.${index}` })
      expect([origin, answer.status, answer.body.code]).toEqual([origin, 403, 'origin_not_allowed'])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    const nowhere = await become(closed.tenantId, { address: '203.0.113.99' })
    expect([nowhere.status, nowhere.body.code]).toEqual([403, 'origin_not_allowed'])
    const token = home.body.access_token
    expect((await sessions(token, HOME)).status).toBe(200)
    expect((await sessions(token, 'https://evil.example')).body.code).toBe('origin_not_allowed')
    expect((await sessions(token, 'null')).body.code).toBe('origin_not_allowed')
  })

  test('never comes from an opaque origin, even where every page is welcome', async () => {
    const answer = await become(open.tenantId, { origin: 'null' })
    expect([answer.status, answer.body.code]).toEqual([403, 'origin_not_allowed'])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is told when there is no such site, or the chat is switched off', async () => {
    const nobody = await become('no-such-site')
    expect([nobody.status, nobody.body.code]).toEqual([404, 'not_found'])
    expect((await become('No Such Site!')).status).toBe(422)
    const path = `/api/v1/tenants/${open.tenantId}`
    const signedIn = await product.call<TokenAnswer>('/api/v1/auth/token', {
      body: { email: open.email, password: 'a long password' },
    })
    const change = (active: boolean) =>
      product.call(path, { method: 'PATCH', token: signedIn.body.access_token, body: { active } })
    expect((await change(false)).status).toBe(200)
    const off = await become(open.tenantId)
    expect([off.status, off.body.code]).toEqual([403, 'forbidden'])
    await change(true)
    expect((await become(open.tenantId)).status).toBe(200)
  })

  test('is told the same where the site answers elsewhere only', async () => {
    const before = await become(open.tenantId)
    const signedIn = await product.call<TokenAnswer>('/api/v1/auth/token', {
      body: { email: open.email, password: 'a long password' },
    })
    const change = (channels: string[]) =>
      product.call(`/api/v1/tenants/${open.tenantId}`, {
        method: 'PATCH',
        token: signedIn.body.access_token,
        body: { channels },
      })
    await change(['whatsapp'])
    expect((await become(open.tenantId)).status).toBe(403)
    const session = { tenant_id: open.tenantId }
    const token = before.body.access_token
    expect((await product.call('/api/v1/chatbot/sessions', { token, body: session })).status).toBe(
      403,
    )
    const config = await product.call<WidgetConfig>(`/api/v1/widget/${open.tenantId}/config`)
    expect(config.body.active).toBe(false)
    expect((await product.call(`/chat/${open.tenantId}`)).status).toBe(404)
    await change(['widget'])
    expect((await become(open.tenantId)).status).toBe(200)
  })

  test('is counted per site and address, apart from people who sign in', async () => {
    for (let count = 1; count <= 5; count += 1) {
      const answer = await become(open.tenantId)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(5 - count))
    }
    const sixth = await become(open.tenantId)
    expect([sixth.status, sixth.body.code]).toEqual([429, 'rate_limited'])
    expect(sixth.headers.get('retry-after')).toBe(sixth.headers.get('x-ratelimit-reset'))
    expect((await become(closed.tenantId, { origin: HOME })).status).toBe(200)
    expect((await become(open.tenantId, { address: '203.0.113.50' })).status).toBe(200)
    const body = { email: open.email, password: 'a long password' }
    expect((await product.call('/api/v1/auth/token', { body })).status).toBe(200)
  })
})
