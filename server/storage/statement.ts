import { CompiledQuery, type QueryResult } from 'kysely'
import type { Db, Dialect } from './database.ts'
import { dialectOf } from './open.ts'

type Value = string | number | null

/** A statement with its values, which runs on either database. */
export interface Statement<Row> {
  execute(db: Db): Promise<QueryResult<Row>>
}

/** The statement of each place in the source, for each database: it is put together once. */
const statements = new WeakMap<TemplateStringsArray, Record<Dialect, CompiledQuery>>()

/**
 * A statement of which nothing but the values varies, such as statement`select 1 from runs where id =
 * ${id}`. For the hot path: a query that is built is built and compiled again each time, which costs
 * more than running it.
 */
export function statement<Row>(
  parts: TemplateStringsArray,
  ...values: readonly Value[]
): Statement<Row> {
  const known = statements.get(parts)
  const made = known ?? {
    sqlite: CompiledQuery.raw(parts.join('?')),
    postgres: CompiledQuery.raw(numbered(parts)),
  }
  if (!known) statements.set(parts, made)
  return {
    execute: (db) => db.executeQuery<Row>({ ...made[dialectOf(db)], parameters: values }),
  }
}

function numbered(parts: readonly string[]): string {
  return parts.reduce((text, part, index) => `${text}$${index}${part}`)
}
