import { beforeAll, describe, expect, test } from 'vitest'
import type { CreatedApiKey, Problem } from '../../helpers/answers.ts'
import { cookiesOf } from '../../helpers/cookies.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  type CallOptions,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnDatabase('the small print of HTTP', (database) => {
  let workspace: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  const call = (path: string, options: CallOptions = {}) =>
    product.call<Problem>(path, { token: workspace.token, ...options })

  describe('HEAD', () => {
    test.each([
      '/health/live',
      '/health/ready',
      '/widget.js',
      '/demo',
      '/api/v1/auth/me',
      '/api/v1/widget/{tenant_id}/config',
      '/api/v1/credits/ledger.csv',
    ])('has the head of GET %s and no body', async (path) => {
      const address = path.replace('{tenant_id}', workspace.tenantId)
      const [get, head] = [await call(address), await call(address, { method: 'HEAD' })]
      expect([head.status, head.text]).toEqual([get.status, ''])
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
      }
    })

    test('asks for the same token as GET does', async () => {
      expect((await product.call('/api/v1/auth/me', { method: 'HEAD' })).status).toBe(401)
    })

    test('is not for streams without an end', async () => {
      const answer = await call('/api/v1/live', { method: 'HEAD' })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
    })
  })

  describe('a version that the reader has', () => {
    const addresses = ['/widget.js', '/widget.json', '/demo', '/api/v1/widget/{tenant_id}/config']
    test.each(addresses)('of %s is not sent again, however it is named', async (path) => {
      const address = path.replace('{tenant_id}', workspace.tenantId)
      const etag = (await call(address)).headers.get('etag') ?? ''
      for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
        const answer = await call(address, { headers: { 'if-none-match': known } })
        expect([known, answer.status, answer.text]).toEqual([known, 304, ''])
        expect(answer.headers.get('etag')).toBe(etag)
      }
      const other = await call(address, { headers: { 'if-none-match': '"another"' } })
      expect(other.status).toBe(200)
    })
  })

  describe('an id that nobody has', () => {
    test.each([1, 65, 201, 3_000])('is 404 with %i characters too', async (length) => {
      const id = 'x'.repeat(length)
      for (const path of [`/api/v1/tenants/${id}`, `/api/v1/chatbot/sessions/${id}/messages`]) {
        const answer = await call(path)
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
    })

    test('is 404 in a body, whatever it looks like', async () => {
      const token = await addVisitor(product, workspace)
      for (const session_id of ['ses_1', `ses_${'0'.repeat(22)}`, 'none']) {
        const body = { tenant_id: workspace.tenantId, message: 'Hi', session_id }
        const answer = await call('/api/v1/chatbot/message', { token, body })
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
    })
  })

  describe('a session in a cookie', () => {
    let cookie: string
    let kept: string[] | undefined
    beforeAll(async () => {
      const body = { email: workspace.email, password: 'a long password' }
      const { headers } = await product.call('/api/v1/auth/login', { body })
      const cookies = cookiesOf(headers)
      kept = cookies.get('svc_refresh')?.attributes
      cookie = `svc_session=${cookies.get('svc_session')?.value}`
    })
    let made = 0
    const open = (headers: Record<string, string>) => {
      made += 1
      return product.call<Problem>('/api/v1/tenants', {
        headers: { cookie, ...headers },
        body: { tenant_id: `by-cookie-${made}`, name: 'Site' },
      })
    }

    test('can be renewed for 30 days', () => {
      expect(kept).toContain('max-age=2592000')
    })

    test('is good from pages of the address that was called, as from those of PUBLIC_URL', async () => {
      const called = new URL(product.url).origin
      for (const origin of [called, 'http://localhost:3000']) {
        expect((await open({ origin })).status).toBe(201)
      }
      for (const origin of [called.replace('http:', 'https:'), `${called}0`, 'null']) {
        expect((await open({ origin })).body.code).toBe('forbidden')
      }
    })

    test('is no good where the browser says that another site has called', async () => {
      const origin = new URL(product.url).origin
      const answer = await open({ origin, 'sec-fetch-site': 'cross-site' })
      expect(answer.body.code).toBe('forbidden')
    })
  })

  test('a token is the one text that was given: no other spelling of it is good', async () => {
    const { token } = workspace
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = letters.split('').map((letter) => token.slice(0, -1) + letter)
    const spellings = [...others.filter((other) => other !== token), `${token}=`, `${token}A`]
    for (const spelling of spellings) {
      expect((await call('/api/v1/auth/me', { token: spelling })).status).toBe(401)
    }
    expect((await call('/api/v1/auth/me')).status).toBe(200)
  })

  test('renewing without a token is 401, with an empty body as with none', async () => {
    for (const options of [{ method: 'POST' }, { body: {} }]) {
      const answer = await product.call<Problem>('/api/v1/auth/refresh', options)
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
    }
  })

  test('a key ends at a time that is written with any offset, or never', async () => {
    const create = (expires_at: string | null) =>
      product.call<CreatedApiKey>('/api/v1/api-keys', {
        token: workspace.token,
        body: { name: 'k', expires_at },
      })
    const inAnkara = await create('2099-01-01T03:00:00+03:00')
    expect([inAnkara.status, inAnkara.body.expires_at]).toEqual([201, '2099-01-01T00:00:00.000Z'])
    const always = await create(null)
    expect([always.status, always.body.expires_at]).toEqual([201, null])
    expect((await create('2020-01-01T00:00:00+00:00')).status).toBe(422)
  })
})
