import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newId } from '../../../../server/lib/ids.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const PATH = '/api/v1/workspace/export'

describeOnDatabase('an owner who exports without end', (database) => {
  const product = useProduct(database, { settings: { LIMIT_DEFAULT: '1000' } })

  test('reads one export at a time, and six in an hour', async () => {
    const [own, other] = [await addWorkspace(product), await addWorkspace(product)]
    // More than the buffers between the two take, and little of it can be compressed.
    for (let at = 0; at < 20; at += 1) {
      await product.ctx.db
        .insertInto('canned_replies')
        .values({
          id: newId('can'),
          workspace_id: own.id,
          title: 'Large',
          text: randomBytes(500_000).toString('hex'),
          created_at: at,
          updated_at: at,
        })
        .execute()
    }
    const leave = new AbortController()
    const headers = { authorization: `Bearer ${own.token}` }
    const slow = await fetch(product.url + PATH, { headers, signal: leave.signal })
    expect(slow.status).toBe(200)
    const second = await product.call<Problem>(PATH, { token: own.token })
    expect(second).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(second.headers.get('retry-after')).toBe('30')
    expect((await product.call(PATH, { token: other.token })).status).toBe(200)
    leave.abort()
    // The others are small, and soon read.
    await product.ctx.db.deleteFrom('canned_replies').where('workspace_id', '=', own.id).execute()
    const next = async () => (await product.call(PATH, { token: own.token })).status
    await expect.poll(next).toBe(200)
    const statuses = [await next(), await next(), await next(), await next(), await next()]
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })
})
