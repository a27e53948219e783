import { beforeAll, expect, test } from 'vitest'
import type { CreatedApiKey } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('an address behind a trusted proxy', (database) => {
  let workspace: TestWorkspace
  let key: string

  const product = useProduct(database, {
    settings: { TRUSTED_PROXIES: '127.0.0.0/8', LIMIT_AUTH: '5' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product, { plan: 'enterprise' })
    const made = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'Till', ip_allowlist: ['10.0.0.0/8', '::ffff:9.9.9.9', '2001:db8::1'] },
    })
    key = made.body.key
  })

  const from = async (address: string, path = '/api/v1/credits') =>
    product.call(path, { token: key, headers: { 'x-forwarded-for': address } })

  test.each(['10.1.1.1', '10.1.1.1:51234', '::ffff:10.1.1.1', '9.9.9.9', '[2001:db8::1]:443'])(
    'is found on the list of a key as %s',
    async (address) => {
      expect((await from(address)).status).toBe(200)
    },
  )

  test.each([
    '11.0.0.1',
    '11.0.0.1:51234',
    'unknown',
    '_hidden',
    '999.1.1.1',
    '127.0.0.1, 8.8.8.8',
  ])('is refused, and breaks nothing, as %s', async (address) => {
    expect((await from(address)).status).toBe(403)
  })

  test('counts as one client whatever port the proxy writes down', async () => {
    const statuses = []
    for (let port = 50_000; port < 50_006; port += 1) {
      const answer = await product.call('/api/v1/auth/token', {
        headers: { 'x-forwarded-for': `8.8.4.4:${port}` },
        body: { email: `nobody${port}@example.com`, password: 'a wrong password' },
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })
})
