import { expect, test } from 'vitest'
import { prepared } from '../../../server/storage/prepared.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases('a statement of which only the values vary', (database) => {
  const product = useProduct(database)

  const pick = (first: string, second: number, third: string | null) =>
    prepared<Record<'mark' | 'first' | 'second' | 'third', unknown>>`
      select '? it''s' as mark /* or ? */, cast(${first} as text) as first,
        cast(${second} as bigint) as second, cast(${third} as text) as third`

  test('takes its values in their order, and leaves what is quoted alone', async () => {
    const { rows } = await pick('one', 2, null).execute(product.ctx.db)
    expect(rows).toEqual([{ mark: "? it's", first: 'one', second: 2, third: null }])
  })

  test('takes lists of any length', async () => {
    const among = (names: readonly string[], more: number) =>
      prepared<{ found: number }>`
        select cast(${more} as bigint) + count(*) as found
        from (select 'a' as name union all select 'b') as names
        where name in (${names}) and ${more} > 0`.execute(product.ctx.db)
    for (const [names, found] of [
      [['a'], 11],
      [['a', 'c'], 11],
      [['c', 'b', 'a'], 12],
      [['c'], 10],
    ] as const) {
      const { rows } = await among(names, 10)
      expect(rows).toEqual([{ found }])
    }
  })

  test('is the same statement with other values', async () => {
    const { rows } = await pick("'; drop table runs; --", -2, '?').execute(product.ctx.db)
    expect(rows).toEqual([
      { mark: "? it's", first: "'; drop table runs; --", second: -2, third: '?' },
    ])
  })
})
