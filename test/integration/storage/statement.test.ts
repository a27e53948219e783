import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../../../server/storage/statement.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestProduct, startTestProduct } from '../../helpers/product.ts'

describeOnBothDatabases('a statement of which only the values vary', (database) => {
  let product: TestProduct

  beforeAll(async () => {
    product = await startTestProduct(await database.create())
  })
  afterAll(() => product.stop())

  const pick = (first: string, second: number, third: string | null) =>
    statement<Record<'mark' | 'first' | 'second' | 'third', unknown>>`
      select '? it''s' as mark /* or ? */, cast(${first} as text) as first,
        cast(${second} as bigint) as second, cast(${third} as text) as third`

  test('takes its values in their order, and leaves what is quoted alone', async () => {
    const { rows } = await pick('one', 2, null).execute(product.ctx.db)
    expect(rows).toEqual([{ mark: "? it's", first: 'one', second: 2, third: null }])
  })

  test('is the same statement with other values', async () => {
    const { rows } = await pick("'; drop table runs; --", -2, '?').execute(product.ctx.db)
    expect(rows).toEqual([
      { mark: "? it's", first: "'; drop table runs; --", second: -2, third: '?' },
    ])
  })
})
