import { CompiledQuery } from 'kysely'
import { executeCompiled } from './bound-connection.ts'
import type { Compilable, Db, Dialect, Executable } from './database.ts'
import { dialectOf } from './dialect.ts'
import { SQLITE_PLACEHOLDER } from './sqlite/placeholder.ts'

type Value = string | number | null
type Compiled = Record<Dialect, CompiledQuery>

/** The compiled queries of each place in the source, by the lengths of their lists. */
const compiledAt = new WeakMap<TemplateStringsArray, Map<string, Compiled>>()

/**
 * A statement whose text is fixed and whose values vary, such as prepared`select 1 from runs where
 * id = ${id}`; a list of values stands in parentheses and must not be empty. For the hot path: the
 * text is compiled once, while a query builder compiles for each execution, which costs more than
 * running the statement.
 */
export function prepared<Row>(
  fragments: TemplateStringsArray,
  ...values: readonly (Value | readonly Value[])[]
): Executable<Row> & Compilable<Row> {
  const byShape = compiledAt.get(fragments) ?? new Map<string, Compiled>()
  compiledAt.set(fragments, byShape)
  const lengths = values.map((value) => (isList(value) ? value.length : undefined))
  const shape = lengths.join()
  const compiled = byShape.get(shape) ?? {
    sqlite: CompiledQuery.raw(compile(fragments, lengths, () => SQLITE_PLACEHOLDER)),
    postgres: CompiledQuery.raw(compile(fragments, lengths, (number) => `$${number}`)),
  }
  byShape.set(shape, compiled)
  const parameters = values.flat()
  const compileFor = (db: Db) => ({ ...compiled[dialectOf(db)], parameters })
  return {
    compile: compileFor,
    execute: (db) => executeCompiled<Row>(db, compileFor(db)),
  }
}

function isList(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value)
}

function compile(
  [first = '', ...rest]: TemplateStringsArray,
  lengths: readonly (number | undefined)[],
  placeholder: (number: number) => string,
): string {
  let number = 0
  return rest.reduce((text, fragment, index) => {
    const placeholders = Array.from({ length: lengths[index] ?? 1 }, () =>
      placeholder((number += 1)),
    )
    return text + placeholders.join(', ') + fragment
  }, first)
}
