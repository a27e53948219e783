import { beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { SECRET_KEY, readToken, signToken, tamper } from './forge-tokens.ts'

const PASSWORD = 'a long password'

describeOnDatabase('a person with an e-mail and a password', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let workspace: TestWorkspace
  let other: TestWorkspace

  const product = useProduct(database, {
    clock,
    settings: { LIMIT_AUTH: '5' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    other = await addWorkspace(product)
  })
  beforeEach(() => clock.move(MINUTE_MS))

  const signIn = <Body = TokenAnswer>(email: string, password: string) =>
    product.call<Body>('/api/v1/auth/token', { body: { email, password } })
  const me = (token: string) => product.call<Problem>('/api/v1/auth/me', { token })

  test('gets a bearer token for 15 minutes, whatever the case of the e-mail', async () => {
    const { status, body } = await signIn(` ${workspace.email.toUpperCase()} `, PASSWORD)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.any(String),
    })
    expect((await me(body.access_token)).status).toBe(200)
    clock.move(15 * MINUTE_MS - 1_000)
    expect((await me(body.access_token)).status).toBe(200)
    clock.move(1_000)
    const late = await me(body.access_token)
    expect([late.status, late.body.code]).toEqual([401, 'unauthenticated'])
    expect(late.body.detail).toContain('expired')
    expect(late.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('cannot learn from the answer whether an e-mail is known', async () => {
    const wrong = await signIn<Problem>(workspace.email, 'not the password')
    const unknown = await signIn<Problem>('nobody@example.com', PASSWORD)
    const { request_id: _one, ...first } = Object(wrong.body)
    const { request_id: _two, ...second } = Object(unknown.body)
    expect(wrong.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect(first).toEqual(second)
    expect(first.code).toBe('unauthenticated')
  })

  test('may try five times a minute from one address, then waits as long as the answer says', async () => {
    const answers = []
    for (let count = 1; count <= 6; count += 1) {
      answers.push(await signIn<Problem>(`somebody${count}@example.com`, 'wrong'))
    }
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
    ])
    const last = answers.at(-1)
    expect(last?.body.code).toBe('rate_limited')
    expect(last?.headers.get('x-ratelimit-limit')).toBe('5')
    expect(last?.headers.get('x-ratelimit-reset')).toBe('60')
    expect(last?.headers.get('retry-after')).toBe('60')
    const right = await signIn<Problem>(workspace.email, PASSWORD)
    expect(right.status).toBe(429)
    clock.move(45_000)
    expect((await signIn(workspace.email, PASSWORD)).headers.get('retry-after')).toBe('15')
    clock.move(15_000)
    expect((await signIn(workspace.email, PASSWORD)).status).toBe(200)
  })

  test('is not let in with a forged or changed token', async () => {
    const { body } = await signIn(workspace.email, PASSWORD)
    const { header, claims } = readToken(body.access_token)
    expect(header).toMatchObject({ alg: 'HS256', kid: expect.any(String) })
    expect((await me(signToken(header, claims))).status).toBe(200)
    const { exp: _exp, ...endless } = claims
    const foreign = readToken(other.token).claims
    const forged: Record<string, string> = {
      'alg none': tamper(body.access_token, { header: { alg: 'none' } }),
      'alg none, unsigned': `${tamper(body.access_token, { header: { alg: 'none' } })
        .split('.')
        .slice(0, 2)
        .join('.')}.`,
      'another algorithm': signToken({ ...header, alg: 'HS512' }, claims, 'sha512'),
      'an asymmetric algorithm': tamper(body.access_token, { header: { alg: 'RS256' } }),
      'a changed user': tamper(body.access_token, { claims: { sub: foreign.sub } }),
      'a changed workspace': tamper(body.access_token, { claims: { ws: foreign.ws } }),
      'a longer life': tamper(body.access_token, { claims: { exp: 4_102_444_800 } }),
      'another audience': tamper(body.access_token, { claims: { aud: 'visitor' } }),
      'an unknown key': signToken({ ...header, kid: '00000000' }, claims),
      'no key': signToken({ alg: 'HS256', typ: 'JWT' }, claims),
      'no end': signToken(header, endless),
      'an end in words': signToken(header, { ...claims, exp: 'never' }),
      'a start in the future': signToken(header, { ...claims, nbf: 4_000_000_000 }),
      'another issuer': signToken(header, { ...claims, iss: 'somebody' }),
      'no audience': signToken(header, { ...claims, aud: undefined }),
      'two audiences': signToken(header, { ...claims, aud: ['user', 'visitor'] }),
      'no signature': body.access_token.split('.').slice(0, 2).join('.'),
      'half a signature': body.access_token.slice(0, -10),
      nonsense: 'x.y.z',
      'an object': 'e30.e30.e30',
    }
    for (const [name, token] of Object.entries(forged)) {
      const answer = await me(token)
      expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'unauthenticated'])
      expect(answer.text).not.toContain(SECRET_KEY)
    }
    for (const value of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${body.access_token}`,
      body.access_token,
    ]) {
      const answer = await product.call('/api/v1/auth/me', { headers: { authorization: value } })
      expect([value, answer.status]).toEqual([value, 401])
    }
  })

  test('does what members do; a visitor, and the people of other workspaces, do not', async () => {
    const visitor = await addVisitor(product, workspace)
    const token = (await signIn(workspace.email, PASSWORD)).body.access_token
    const stranger = (await signIn(other.email, PASSWORD)).body.access_token
    const tenant = `/api/v1/tenants/${workspace.tenantId}`
    for (const path of [
      '/api/v1/tenants',
      tenant,
      '/api/v1/leads',
      '/api/v1/auth/me',
      '/api/v1/credits',
    ]) {
      const answer = await product.call<Problem>(path, { token: visitor })
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'forbidden'])
    }
    for (const path of [tenant, `${tenant}/knowledge`, `${tenant}/search?q=hello`]) {
      const answer = await product.call<Problem>(path, { token: stranger })
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'forbidden'])
    }
    const removed = await product.call<Problem>(tenant, { token: stranger, method: 'DELETE' })
    expect(removed.status).toBe(403)
    expect((await product.call(tenant, { token })).status).toBe(200)
  })
})

describeOnDatabase('an account under attack from many addresses', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let workspace: TestWorkspace

  const product = useProduct(database, {
    clock,
    settings: { LIMIT_AUTH: '5', TRUSTED_PROXIES: '127.0.0.1' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    clock.move(MINUTE_MS)
  })

  const signInFrom = (address: string, email: string) =>
    product.call<Problem>('/api/v1/auth/token', {
      headers: { 'x-forwarded-for': address },
      body: { email, password: 'wrong' },
    })

  test('takes twenty tries a minute in all', async () => {
    for (let count = 1; count <= 20; count += 1) {
      expect((await signInFrom(`203.0.113.${count}`, workspace.email)).status).toBe(401)
    }
    const next = await signInFrom('203.0.113.21', workspace.email.toUpperCase())
    expect([next.status, next.body.code]).toEqual([429, 'rate_limited'])
    expect(next.headers.get('retry-after')).toBe('60')
    expect((await signInFrom('203.0.113.22', 'another@example.com')).status).toBe(401)
  })

  test('counts a whole IPv6 network as one address', async () => {
    clock.move(MINUTE_MS)
    for (let count = 1; count <= 5; count += 1) {
      const answer = await signInFrom(`2001:db8:1:2::${count}`, `v6-${count}@example.com`)
      expect(answer.status).toBe(401)
    }
    expect((await signInFrom('2001:db8:1:2:ffff::9', 'v6-9@example.com')).status).toBe(429)
    expect((await signInFrom('2001:db8:1:3::1', 'v6-10@example.com')).status).toBe(401)
  })
})
