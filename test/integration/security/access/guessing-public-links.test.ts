import { expect, test } from 'vitest'
import { readConfig } from '../../../../server/config.ts'
import { cookiesOf } from '../../../helpers/cookies.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addWorkspace } from '../../../helpers/product.ts'
import { addressOf, useRouteTable } from '../../../helpers/route-table.ts'
import { useProduct } from '../../../helpers/use-product.ts'

test('a misspelt limit is one clear line, and leaves no default in force', () => {
  expect(() => readConfig({ LIMIT_MESAGE: '5' })).toThrow('LIMIT_MESAGE: is not the name')
  expect(() => readConfig({ MODEL_NAMES: 'x' })).toThrow('MODEL_NAMES: is not the name')
})

/** Public routes that a page loads unasked, and those with bounds that other tests check. */
const UNCOUNTED = [
  /^\/(?:health|docs|assets|adapters|dev|metrics)(?:\/|$)/,
  /^\/(?:$|demo|widget|favicon|robots)/,
  /^\/panel(?:\/\*|\/preview|\/worker\.js)?$/,
  /^\/api\/v1\/(?:openapi\.json$|hooks\/)/,
]

describeOnDatabase('a stranger who invents ids', (database) => {
  const routes = useRouteTable()
  const product = useProduct(database, {
    settings: {
      LIMIT_OPEN: '3',
      LIMIT_AUTH: '3',
      LIMIT_ANALYTICS: '3',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  })

  test('is limited on every public route, whatever ids the calls name', async () => {
    const open = routes.filter(
      ({ url, config, method }) =>
        config?.access?.kind === 'public' &&
        ['GET', 'POST', 'PUT', 'DELETE'].includes(String(method)) &&
        !UNCOUNTED.some((pattern) => pattern.test(url)),
    )
    expect(open.length).toBeGreaterThan(12)
    const unlimited: string[] = []
    for (const [at, { url, method }] of open.entries()) {
      const statuses: number[] = []
      for (let call = 0; call < 4; call += 1) {
        const invented = `invented-${at}-${call}`
        const answer = await product.call(addressOf(url, invented), {
          method: String(method),
          headers: { 'x-forwarded-for': `203.0.113.${at + 1}` },
          // Bodies that fit and bodies that do not are limited alike.
          ...(method === 'GET' ? {} : { body: call % 2 === 0 ? { tenant_id: invented } : [] }),
        })
        statuses.push(answer.status)
      }
      if (statuses.at(-1) !== 429) unlimited.push(`${String(method)} ${url}: ${statuses.join()}`)
    }
    expect(unlimited).toEqual([])
  })
})

describeOnDatabase('a stranger who tries addresses', (database) => {
  const product = useProduct(database, {
    settings: {
      LIMIT_OPEN: '3',
      LIMIT_DEFAULT: '2',
      LIMIT_PANEL: '4',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  })

  test('is limited on public routes, also for ids that do not exist', async () => {
    const statuses = []
    for (let id = 0; id < 4; id += 1) {
      statuses.push((await product.call(`/api/v1/images/img_${id}`)).status)
    }
    expect(statuses.slice(0, 3)).not.toContain(429)
    expect(statuses.at(-1)).toBe(429)
  })

  test('is limited in guesses of sessions at a site that answers assistants', async () => {
    const { tenantId } = await addWorkspace(product, { tenant: { mcp: 'public' } })
    const statuses = []
    for (let guess = 0; guess < 4; guess += 1) {
      const answer = await product.call(`/mcp/${tenantId}`, {
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-session-id': `guess-${guess}`,
          'x-forwarded-for': '203.0.113.77',
        },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([404, 404, 404, 429])
  })

  test('does not get the greater limit of the panel without its cookie and origin', async () => {
    const { email, token } = await addWorkspace(product, { plan: 'klinik_pro' })
    const body = { email, password: 'a long password' }
    const { headers } = await product.call('/api/v1/auth/login', { body })
    const cookie = `svc_session=${cookiesOf(headers).get('svc_session')?.value}`
    const limitOf = async (call: { token?: string; headers?: Record<string, string> }) =>
      (await product.call('/api/v1/api-keys', call)).headers.get('x-ratelimit-limit')
    expect(await limitOf({ headers: { cookie, 'sec-fetch-site': 'same-origin' } })).toBe('4')
    expect(await limitOf({ headers: { cookie, 'sec-fetch-site': 'cross-site' } })).toBe('2')
    expect(await limitOf({ headers: { cookie } })).toBe('2')
    expect(await limitOf({ token })).toBe('2')
  })
})
