import { CompiledQuery, type QueryResult } from 'kysely'
import type { Db, Dialect } from './database.ts'
import { dialectOf } from './open.ts'

type Value = string | number | null

/** A statement with its values, which runs on either database. */
export interface Statement<Row> {
  execute(db: Db): Promise<QueryResult<Row>>
}

/** The text of each place in the source, for each database: it is put together once. */
const texts = new WeakMap<TemplateStringsArray, Record<Dialect, string>>()

/**
 * A statement of which nothing but the values varies, such as statement`select 1 from runs where id =
 * ${id}`. For the hot path: a query that is built is built and compiled again each time, which costs
 * more than running it.
 */
export function statement<Row>(
  parts: TemplateStringsArray,
  ...values: readonly Value[]
): Statement<Row> {
  const known = texts.get(parts)
  const text = known ?? { sqlite: parts.join('?'), postgres: numbered(parts) }
  if (!known) texts.set(parts, text)
  return {
    execute: (db) => db.executeQuery<Row>(CompiledQuery.raw(text[dialectOf(db)], [...values])),
  }
}

function numbered(parts: readonly string[]): string {
  return parts.reduce((text, part, index) => `${text}$${index}${part}`)
}
