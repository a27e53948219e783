import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { dialectOf } from './dialect.ts'

export type ColumnType = 'text' | 'bigint'

/**
 * Returns rows as a table to select from, with columns `c0`, `c1` and so on. The text of the query is
 * the same for any number of rows, so that both databases prepare it once.
 */
export function valuesTable(
  db: Db,
  columns: readonly ColumnType[],
  rows: readonly (readonly (string | number | null)[])[],
): RawBuilder<unknown> {
  if (dialectOf(db) === 'sqlite') {
    const values = columns.map((_, index) => `json_extract(value, '$[${index}]') as c${index}`)
    return sql`(select ${sql.raw(values.join(', '))} from json_each(${JSON.stringify(rows)}))`
  }
  const arrays = columns.map((type, index) => {
    const column = rows.map((row) => row[index] ?? null)
    return sql`cast(${column} as ${sql.raw(type)}[])`
  })
  const names = columns.map((_, index) => `c${index}`)
  return sql`(select * from unnest(${sql.join(arrays)}) as source(${sql.raw(names.join(', '))}))`
}
