import { expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const PLAIN = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.7' }

describeOnDatabase('who comes without TLS to an installation on HTTPS', (database) => {
  const product = useProduct(database, {
    settings: { PUBLIC_URL: 'https://chat.example', TRUSTED_PROXIES: '127.0.0.0/8' },
  })
  const fetchFrom = (path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(product.url + path, { method, headers, redirect: 'manual' })

  test.each(['/', '/chat/a?locale=tr', '/panel/password', '/widget.js', '//evil.example/x'])(
    'is sent to the same page on HTTPS: %s',
    async (path) => {
      const { status, headers } = await fetchFrom(path, PLAIN)
      expect([status, headers.get('location')]).toEqual([308, `https://chat.example${path}`])
    },
  )

  test.each([
    ['GET', '/api/v1/auth/me'],
    ['POST', '/api/v1/auth/token'],
    ['POST', '/chat/a'],
  ])('is refused a call, whose secrets went in the clear: %s %s', async (method, path) => {
    const answer = await fetchFrom(path, PLAIN, method)
    expect(answer.status).toBe(403)
    const problem: Problem = await answer.json()
    expect(problem.code).toBe('https_required')
    // A proxy that does not say whose request it is may not pass it on either.
    const unnamed = await fetchFrom(path, { 'x-forwarded-proto': 'http' }, method)
    expect(unnamed.status).toBe(403)
  })

  test.each([
    ['a client with TLS', { ...PLAIN, 'x-forwarded-proto': 'https' }],
    ['this machine', {}],
    ['this machine, through the proxy', { ...PLAIN, 'x-forwarded-for': '127.0.0.1' }],
  ])('is not %s', async (_who, headers) => {
    expect((await fetchFrom('/api/v1/auth/me', headers)).status).toBe(401)
  })

  test('finds out whether the process runs', async () => {
    expect((await fetchFrom('/health/ready', PLAIN)).status).toBe(200)
  })
})
