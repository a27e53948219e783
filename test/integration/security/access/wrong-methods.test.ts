import { expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addressOf, useRouteTable } from '../../../helpers/route-table.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

describeOnDatabase('a known address with a wrong method', (database) => {
  const routes = useRouteTable()
  const product = useProduct(database)

  test('is 405 and names the right ones, never 404', async () => {
    const known = routes.flatMap(({ url, method }) =>
      METHODS.filter((one) => [method].flat().includes(one)).map((one) => ({
        path: addressOf(url, 'anything-else'),
        method: one,
      })),
    )
    // Plugins name some methods of their addresses with a slash at the end, and others without.
    const urls = new Set(
      routes.map(({ url }) => url).filter((url) => !url.includes('*') && !/^\/docs\/?$/.test(url)),
    )
    expect(urls.size).toBeGreaterThan(100)
    const wrong: string[] = []
    for (const url of urls) {
      const path = addressOf(url, 'anything-else')
      const right = known.filter((one) => one.path === path).map(({ method }) => method)
      for (const method of METHODS.filter((one) => !right.includes(one))) {
        const answer = await product.call<Problem>(path, { method })
        const allow = answer.headers.get('allow')?.split(', ') ?? []
        const isRefused = answer.status === 405 && right.every((one) => allow.includes(one))
        const hasCode = method === 'HEAD' || answer.body?.code === 'method_not_allowed'
        if (isRefused && hasCode) continue
        wrong.push(`${method} ${url}: ${answer.status} ${allow.join()}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('is 404 where there is no such address', async () => {
    for (const method of METHODS) {
      const { status } = await product.call('/api/v1/no-such-thing', { method })
      expect([method, status]).toEqual([method, 404])
    }
  })
})
