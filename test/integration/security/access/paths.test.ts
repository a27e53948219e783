import { expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { startTestProcess } from '../../../helpers/process.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('an address', (database) => {
  const product = useProduct(database)

  test.each([
    '/assets/..%5c..',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/docs/static/..%5c..%5cpackage.json',
    '/.env',
  ])('that climbs out of its folder leads nowhere: %s', async (path) => {
    const answer = await product.call<Problem>(path)
    expect([answer.status, answer.body?.code]).toEqual([404, 'not_found'])
  })

  test('to listen on that does not exist is named at the start', async () => {
    const start = startTestProcess(await database.create(), { HOST: 'no-such-host.invalid' })
    await expect(start).rejects.toThrow(/HOST \(no-such-host\.invalid\) cannot be listened on/)
  })
})
