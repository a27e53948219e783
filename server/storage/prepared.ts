import { CompiledQuery, type QueryResult } from 'kysely'
import type { Db, Dialect } from './database.ts'
import { runCompiled } from './bound-connection.ts'
import { dialectOf } from './open.ts'

type Value = string | number | null

/** A statement with its values, which runs on either database. */
export interface Statement<Row> {
  execute(db: Db): Promise<QueryResult<Row>>
}

/** The statement of each place in the source, for each database: it is put together once. */
const statements = new WeakMap<TemplateStringsArray, Map<string, Record<Dialect, CompiledQuery>>>()

/**
 * A statement of which nothing but the values varies, such as statement`select 1 from runs where id =
 * ${id}`; a list of values stands in parentheses and must not be empty. For the hot path: a query
 * that is built is built and compiled again each time, which costs more than running it.
 */
export function statement<Row>(
  parts: TemplateStringsArray,
  ...values: readonly (Value | readonly Value[])[]
): Statement<Row> {
  const known = statements.get(parts) ?? new Map<string, Record<Dialect, CompiledQuery>>()
  statements.set(parts, known)
  const lists = values.map((value) => (isList(value) ? value.length : undefined))
  const shape = lists.join()
  const made = known.get(shape) ?? {
    sqlite: CompiledQuery.raw(written(parts, lists, () => '?')),
    postgres: CompiledQuery.raw(written(parts, lists, (place) => `$${place}`)),
  }
  known.set(shape, made)
  const parameters = values.flat()
  return {
    execute: (db) => runCompiled<Row>(db, { ...made[dialectOf(db)], parameters }),
  }
}

function isList(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value)
}

function written(
  [first = '', ...rest]: TemplateStringsArray,
  lists: readonly (number | undefined)[],
  name: (place: number) => string,
): string {
  let place = 0
  return rest.reduce((text, part, index) => {
    const names = Array.from({ length: lists[index] ?? 1 }, () => name((place += 1)))
    return text + names.join(', ') + part
  }, first)
}
