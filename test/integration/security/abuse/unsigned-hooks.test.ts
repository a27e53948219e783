import { beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { openIntegration, pathOf, tell } from '../../integrations/setup.ts'

const EVENT = { id: 'evt_1', type: 'ping', created: 1, data: { object: {} } }
const MAX_UNVERIFIED = 60

describeOnDatabase('unsigned calls of a hook', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 5, 10))
  let workspace: TestWorkspace
  const product = useProduct(database, {
    clock,
    settings: { LIMIT_HOOKS: '3', TRUSTED_PROXIES: '127.0.0.0/8' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  const from = (address: string, path: string, method = 'POST') =>
    product.call(path, {
      method,
      ...(method === 'POST' ? { raw: JSON.stringify(EVENT) } : {}),
      headers: { 'x-forwarded-for': address },
    })

  test('never use up the limit of the provider', async () => {
    const stripe = await openIntegration(product, workspace, 'stripe')
    for (let call = 0; call < MAX_UNVERIFIED; call += 1) {
      expect((await from('203.0.113.7', pathOf(stripe))).status).toBe(401)
    }
    const refused = await from('203.0.113.7', pathOf(stripe))
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await from('203.0.113.8', pathOf(stripe))).status).toBe(401)
    for (let call = 0; call < 3; call += 1) {
      const genuine = await tell(product, stripe, { ...EVENT, id: `evt_${call}` })
      expect(genuine.status).toBe(200)
      expect(genuine.headers.get('x-ratelimit-limit')).toBe('3')
    }
    expect((await tell(product, stripe, { ...EVENT, id: 'evt_3' })).status).toBe(429)
  })

  test('count together over unknown integrations, kinds and challenges', async () => {
    const meta = await openIntegration(product, workspace, 'meta')
    for (let call = 0; call < MAX_UNVERIFIED; call += 3) {
      expect((await from('203.0.113.9', `/api/v1/hooks/stripe/itg_${call}`)).status).toBe(404)
      expect((await from('203.0.113.9', `/api/v1/hooks/nonsense/itg_${call}`)).status).toBe(404)
      expect((await from('203.0.113.9', pathOf(meta), 'GET')).status).toBe(401)
    }
    const made = `/api/v1/hooks/stripe/itg_another`
    expect((await from('203.0.113.9', made)).status).toBe(429)
    expect((await from('203.0.113.9', pathOf(meta), 'GET')).status).toBe(429)
  })

  test('refuse no genuine call from the same address', async () => {
    const stripe = await openIntegration(product, workspace, 'stripe')
    for (let call = 0; call <= MAX_UNVERIFIED; call += 1) {
      await product.call(pathOf(stripe), { method: 'POST', raw: '{}' })
    }
    expect((await tell(product, stripe, EVENT)).status).toBe(200)
  })
})
