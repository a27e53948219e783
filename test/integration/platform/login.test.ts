import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import { Passwords } from '../../../server/platform/auth/passwords.ts'
import type { CreatedApiKey, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { cookiesOf } from '../../helpers/cookies.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  type CallOptions,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { eventually } from '../../helpers/eventually.ts'

interface Session {
  session: string
  refresh: string
}

const PASSWORD = 'a long password'
const ORIGIN = 'http://localhost:3000'
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

describeOnDatabase('a person in a browser', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let workspace: TestWorkspace

  const product = useProduct(database, {
    clock,
    passwords: new Passwords(),
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })
  beforeEach(() => clock.move(MINUTE_MS))

  const login = (password = PASSWORD, email = workspace.email) =>
    product.call<Problem>('/api/v1/auth/login', { body: { email, password } })
  async function signIn(): Promise<Session> {
    const cookies = cookiesOf((await login()).headers)
    return {
      session: cookies.get('svc_session')?.value ?? '',
      refresh: cookies.get('svc_refresh')?.value ?? '',
    }
  }
  const as = (session: string, path: string, options: CallOptions = {}) =>
    product.call<Problem>(path, {
      ...options,
      headers: { cookie: `svc_session=${session}`, ...options.headers },
    })
  const me = (session: string) => as(session, '/api/v1/auth/me')
  const refresh = (token: string, headers: Record<string, string> = SAME_ORIGIN) =>
    product.call<Problem>('/api/v1/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `svc_refresh=${token}`, ...headers },
    })

  test('signs in to two cookies that no script can read, and sees who they are', async () => {
    const { status, headers, body } = await login()
    expect(status).toBe(200)
    const cookies = cookiesOf(headers)
    expect([...cookies.keys()]).toEqual(['svc_session', 'svc_refresh'])
    expect(cookies.get('svc_session')?.attributes.toSorted()).toEqual(
      ['httponly', 'max-age=900', 'path=/', 'samesite=lax'].toSorted(),
    )
    expect(cookies.get('svc_refresh')?.attributes.toSorted()).toEqual(
      ['httponly', 'max-age=2592000', 'path=/api/v1/auth', 'samesite=lax'].toSorted(),
    )
    const session = cookies.get('svc_session')?.value ?? ''
    const seen = await me(session)
    expect(seen.status).toBe(200)
    expect(body).toEqual(seen.body)
    expect(JSON.stringify(body)).not.toContain(session)
    expect((await product.call('/api/v1/auth/me', { token: session })).status).toBe(200)
    clock.move(15 * MINUTE_MS)
    expect((await me(session)).status).toBe(401)
  })

  test('cannot learn from the answer whether an e-mail is known', async () => {
    const answers = [await login('wrong'), await login(PASSWORD, 'nobody@example.com')]
    const shown = answers.map(({ status, headers, body }) => ({
      status,
      cookies: headers.getSetCookie(),
      ...Object(body),
      request_id: undefined,
    }))
    expect(shown[0]).toMatchObject({ status: 401, code: 'unauthenticated', cookies: [] })
    expect(shown[0]).toEqual(shown[1])
  })

  test('changes nothing from a page of another site', async () => {
    const { session } = await signIn()
    const create = (headers: Record<string, string>) =>
      as(session, '/api/v1/api-keys', { headers, body: { name: 'CRM' } })
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${ORIGIN}.evil.example` },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ]) {
      const answer = await create(headers)
      expect([headers, answer.status, answer.body.code]).toEqual([headers, 403, 'forbidden'])
    }
    expect((await create({ 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect((await create({ origin: ORIGIN })).status).toBe(201)
    expect((await as(session, '/api/v1/api-keys')).status).toBe(200)
    const bearer = { token: session, body: { name: 'CRM' } }
    expect((await product.call('/api/v1/api-keys', bearer)).status).toBe(201)
  })

  test('is not let in by anything else in the cookie', async () => {
    const { session } = await signIn()
    const { body: key } = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: session,
      body: { name: 'CRM' },
    })
    const visitor = await addVisitor(product, workspace)
    for (const value of ['', 'x', 'x.y.z', `${session}x`, key.key, visitor, '%00', '%']) {
      const answer = await me(value)
      expect([value, answer.status, answer.body.code]).toEqual([value, 401, 'unauthenticated'])
    }
    const other = await product.call('/api/v1/auth/me', {
      token: 'not-a-token',
      headers: { cookie: `svc_session=${session}` },
    })
    expect(other.status).toBe(401)
  })

  test('stays signed in with the refresh cookie, which is good once', async () => {
    const first = await signIn()
    const renewed = await refresh(first.refresh)
    expect(renewed.status).toBe(200)
    expect(renewed.body).toEqual({ expires_in: 900 })
    const cookies = cookiesOf(renewed.headers)
    expect((await me(cookies.get('svc_session')?.value ?? '')).status).toBe(200)
    expect(cookies.get('svc_refresh')?.value).not.toBe(first.refresh)
    clock.move(DAY_MS)
    const later = cookiesOf((await refresh(cookies.get('svc_refresh')?.value ?? '')).headers)
    expect(later.get('svc_refresh')?.attributes).toContain(`max-age=${29 * 86_400}`)

    const stolen = await refresh(first.refresh)
    expect([stolen.status, stolen.body.code]).toEqual([401, 'unauthenticated'])
    expect(cookiesOf(stolen.headers).get('svc_session')).toMatchObject({ value: '' })
    expect((await me(later.get('svc_session')?.value ?? '')).status).toBe(401)
    expect((await refresh(later.get('svc_refresh')?.value ?? '')).status).toBe(401)
  })

  test('is not made to spend the refresh cookie by another site', async () => {
    const first = await signIn()
    for (const headers of [{}, { origin: 'https://evil.example' }]) {
      const answer = await refresh(first.refresh, headers)
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    }
    expect((await refresh(first.refresh, { origin: ORIGIN })).status).toBe(200)
    const nothing = await product.call<Problem>('/api/v1/auth/refresh', { method: 'POST' })
    expect([nothing.status, nothing.body.code]).toEqual([401, 'unauthenticated'])
  })

  test('signs out: cookies go, and every token of that login ends', async () => {
    const here = await signIn()
    const elsewhere = await signIn()
    const logout = (headers: Record<string, string>) =>
      as(here.session, '/api/v1/auth/logout', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      })
    expect((await logout({})).status).toBe(403)
    const { status, headers } = await logout(SAME_ORIGIN)
    expect(status).toBe(204)
    const cookies = cookiesOf(headers)
    expect(cookies.get('svc_session')).toMatchObject({ value: '' })
    expect(cookies.get('svc_refresh')?.attributes).toContain('path=/api/v1/auth')
    expect((await me(here.session)).status).toBe(401)
    expect((await refresh(here.refresh)).status).toBe(401)
    expect((await me(elsewhere.session)).status).toBe(200)
    expect((await product.call('/api/v1/auth/logout', { method: 'POST' })).status).toBe(401)
  })

  test('finds in the audit log who signed in, how, and how often it failed before', async () => {
    await login('wrong')
    await login('wrong')
    clock.move(2_000)
    await eventually(async () => {
      const rows = await product.ctx.db.selectFrom('login_failures').selectAll().execute()
      expect(rows).toMatchObject([{ failures: 2 }])
    })
    await login('wrong')
    const { session } = await signIn()
    const { body, text } = await as(session, '/api/v1/audit?limit=2')
    expect(body).toMatchObject({
      data: [
        {
          audit_id: expect.stringMatching(/^aud_/),
          action: 'login.succeeded',
          actor: { kind: 'user', name: 'Owner', email: workspace.email },
          details: { way: 'panel', failures: 3 },
          address: '127.0.0.0/24',
          created_at: new Date(clock.now()).toISOString(),
        },
        { action: 'login.failed', details: { failures: 2 } },
      ],
      next_cursor: expect.any(String),
    })
    expect(text).not.toMatch(/wrong|argon/)
  })
})

describeOnDatabase('a person who signs in too often', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))

  test('is counted over both ways in, by address and by e-mail', async () => {
    const product = await startTestProduct(await database.create(), {
      clock,
      settings: { LIMIT_AUTH: '5', TRUSTED_PROXIES: '127.0.0.1' },
    })
    try {
      const send = (path: string, address: string, email: string) =>
        product.call<Problem>(path, {
          headers: { 'x-forwarded-for': address },
          body: { email, password: 'wrong' },
        })
      const ways = ['/api/v1/auth/login', '/api/v1/auth/token']
      for (let count = 0; count < 5; count += 1) {
        const answer = await send(ways[count % 2] ?? '', '203.0.113.1', `a${count}@example.com`)
        expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(4 - count))
        expect(answer.status).toBe(401)
      }
      for (const way of ways) {
        const late = await send(way, '203.0.113.1', 'b@example.com')
        expect([late.status, late.body.code]).toEqual([429, 'rate_limited'])
      }
      for (let count = 0; count < 20; count += 1) {
        await send(ways[count % 2] ?? '', `203.0.113.${100 + count}`, 'c@example.com')
      }
      expect((await send('/api/v1/auth/login', '203.0.113.99', 'C@example.com')).status).toBe(429)
      const reset = await product.call('/api/v1/auth/password/reset', {
        headers: { 'x-forwarded-for': '203.0.113.1' },
        body: { email: 'c@example.com' },
      })
      expect(reset.status).toBe(202)
    } finally {
      await product.stop()
    }
  })

  test('gets cookies for HTTPS alone where the address is HTTPS', async () => {
    const product = await startTestProduct(await database.create(), {
      settings: { PUBLIC_URL: 'https://chat.example.com' },
    })
    try {
      const { email } = await addWorkspace(product)
      const body = { email, password: PASSWORD }
      const { headers } = await product.call('/api/v1/auth/login', { body })
      const cookies = cookiesOf(headers)
      expect([...cookies.keys()]).toEqual(['__Host-svc_session', '__Secure-svc_refresh'])
      for (const { attributes } of cookies.values()) {
        expect(attributes).toContain('secure')
      }
      const cookie = `__Host-svc_session=${cookies.get('__Host-svc_session')?.value}`
      const me = await product.call('/api/v1/auth/me', { headers: { cookie } })
      expect(me.status).toBe(200)
    } finally {
      await product.stop()
    }
  })
})
