import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type CallOptions, type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const START = Date.UTC(2026, 4, 4, 9)
const JSON_TYPE = { 'content-type': 'application/json' }

describeOnDatabase('a refusal', (database) => {
  const clock = new TestClock(START)
  let workspace: TestWorkspace

  const product = useProduct(database, { clock })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  /** Makes a call that has to be refused and checks what every refusal promises. */
  async function refusal(path: string, options: CallOptions, status: number): Promise<Problem> {
    const answer = await product.call<Problem>(path, options)
    expect(answer.status, answer.text).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(answer.body).toMatchObject({
      status,
      title: expect.stringMatching(/./),
      detail: expect.stringMatching(/^[A-Z].*\.$/s),
      request_id: answer.headers.get('x-request-id'),
    })
    expect(answer.text).not.toMatch(/node_modules|server\/|select |insert /)
    return answer.body
  }

  test.each([
    ['tr-TR,tr;q=0.9', 'Burada bir şey yok'],
    ['de', 'There is nothing here'],
  ])('is a page for a person who follows a dead link: %s', async (language, title) => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const asked = { headers: { ...headers, 'accept-language': language } }
    const page = await product.call('/nothing-here?<script>', asked)
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toContain(`<h1>${title}</h1>`)
    expect(page.text).toContain(page.headers.get('x-request-id'))
    expect(page.text).not.toContain('<script>')
    const call = await product.call<Problem>('/api/v1/nothing', asked)
    expect([call.status, call.body.code]).toEqual([404, 'not_found'])
    const program = await product.call<Problem>('/nothing-here', { headers: { accept: '*/*' } })
    expect(program.body.code).toBe('not_found')
  })

  const asOwner = () => ({ token: workspace.token })
  const tenants = '/api/v1/tenants'

  describe('of a body', () => {
    test.each([
      ['is not JSON', '{"tenant_id": '],
      ['is empty', ''],
      ['is not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['reaches for the prototype', '{"__proto__": {"isAdmin": true}}'],
    ])('that %s says that it is malformed', async (_what, raw) => {
      const problem = await refusal(tenants, { ...asOwner(), raw }, 400)
      expect(problem.code).toBe('malformed_request')
    })

    test('names every field that does not fit, unknown ones included', async () => {
      const body = { tenant_id: 'A!', name: 5, 'a/b': true, theme: { color: 'red' } }
      const problem = await refusal(tenants, { ...asOwner(), body }, 422)
      expect(problem.code).toBe('validation_failed')
      const paths = (problem.errors ?? []).map((error) => error.path)
      expect(paths.toSorted()).toEqual(['/a~1b', '/name', '/tenant_id', '/theme/color'])
    })

    test('says in plain words what each field has to be', async () => {
      const body = { name: '', locale: 5, time_zone: 'x'.repeat(300), model: { provider: 'gpt' } }
      const options = { ...asOwner(), method: 'PATCH', body }
      const { errors = [] } = await refusal('/api/v1/workspace', options, 422)
      expect(Object.fromEntries(errors.map(({ path, message }) => [path, message]))).toMatchObject({
        '/name': 'must have at least 1 character',
        '/locale': 'must be text',
        '/model/provider': 'must be one of "embedded", "openai-compatible", "anthropic"',
      })
      const page = await refusal('/api/v1/prompts?limit=1000', asOwner(), 422)
      expect(page.errors).toEqual([{ path: '/limit', message: 'must be at most 100' }])
      const asked = { prompt_id: 'summary', inputs: { words: 3 } }
      const run = await refusal('/api/v1/prompts/execute', { ...asOwner(), body: asked }, 422)
      expect(run.errors).toEqual([
        { path: '/inputs/text', message: 'is required' },
        { path: '/inputs/words', message: 'is not an input of this prompt' },
      ])
      const half = await refusal('/api/v1/prompts/execute', { ...asOwner(), body: {} }, 422)
      expect(half.errors?.[0]).toEqual({ path: '/prompt_id', message: 'is required' })
    })

    test.each([
      ['NUL', String.raw`a\u0000b`],
      ['half a surrogate pair', String.raw`a\ud83d`],
    ])('with %s says where it is', async (_what, text) => {
      const raw = `{"tenant_id": "some-shop", "name": "${text}"}`
      const problem = await refusal(tenants, { ...asOwner(), raw }, 422)
      expect(problem.errors).toMatchObject([{ path: '/name' }])
    })

    test('says that it is too large, and the service goes on', async () => {
      const raw = JSON.stringify({ tenant_id: 'some-shop', name: 'x'.repeat(1_000_000) })
      const problem = await refusal(tenants, { ...asOwner(), raw }, 413)
      expect(problem.code).toBe('payload_too_large')
      expect((await product.call('/health/ready')).status).toBe(200)
    })

    test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
      'in %s says which form is read',
      async (type) => {
        const headers = { 'content-type': type }
        const problem = await refusal(tenants, { ...asOwner(), raw: '{}', headers }, 415)
        expect(problem.code).toBe('unsupported_media_type')
      },
    )
  })

  describe('of an address', () => {
    test('that does not exist is 404', async () => {
      const problem = await refusal('/api/v1/nothing', asOwner(), 404)
      expect(problem.code).toBe('not_found')
    })

    test('with the wrong method names the right ones', async () => {
      const answer = await product.call<Problem>(tenants, { ...asOwner(), method: 'DELETE' })
      expect(answer.status).toBe(405)
      expect(answer.body.code).toBe('method_not_allowed')
      expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST'])
    })

    test.each([
      ['a broken escape', '%zz'],
      ['NUL', '%00'],
    ])('with %s says that it cannot be read', async (_what, id) => {
      const problem = await refusal(`${tenants}/${id}`, asOwner(), 400)
      expect(problem.code).toBe('malformed_request')
    })
  })

  describe('of a caller', () => {
    test('comes before anything about the body', async () => {
      const problem = await refusal(tenants, { raw: '{"broken', headers: JSON_TYPE }, 401)
      expect(problem.code).toBe('unauthenticated')
    })

    test('whose token is forged, unsigned or of another make is 401', async () => {
      const claims = { ws: workspace.id, fam: 'fam_x', sub: 'usr_x', aud: 'user' }
      const unsigned = [{ alg: 'none' }, { ...claims, exp: START / 1_000 + 600 }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: '1' })
        .setExpirationTime(START / 1_000 + 600)
        .sign(Buffer.from('some other secret key, long enough'))
      const [head, payload, signature = ''] = workspace.token.split('.')
      const changed = `${head}.${payload}.${signature.split('').toReversed().join('')}`
      for (const token of [`${unsigned}.`, forged, changed, 'svc_live_nothing', 'x', '']) {
        const headers = { authorization: `Bearer ${token}` }
        const problem = await refusal('/api/v1/credits', { headers }, 401)
        expect(problem.code).toBe('unauthenticated')
      }
    })

    test('whose token has run out is 401, although it was good before', async () => {
      const { token } = await addWorkspace(product)
      expect((await product.call('/api/v1/credits', { token })).status).toBe(200)
      clock.move(16 * MINUTE_MS)
      const problem = await refusal('/api/v1/credits', { token }, 401)
      expect(problem.detail).toMatch(/expired/)
      clock.move(-16 * MINUTE_MS)
    })

    test('with a wrong password is the same as with an unknown e-mail', async () => {
      const sign = (email: string) => ({ body: { email, password: 'not the password' } })
      const known = await refusal('/api/v1/auth/token', sign(workspace.email), 401)
      const unknown = await refusal('/api/v1/auth/token', sign('nobody@example.com'), 401)
      expect({ ...known, request_id: '' }).toEqual({ ...unknown, request_id: '' })
    })
  })
})
