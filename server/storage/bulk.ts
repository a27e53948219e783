import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'
import { dialectOf } from './open.ts'
import type { ColumnType } from './row-source.ts'

/** Few lengths make few texts, so that each is prepared once. */
const CHUNKS = [256, 64, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

type Value = string | number | null
/** The statement, given the rows as text to select from. */
type Write = (source: string) => string

/** Each statement by what it takes: rows of one of the databases. Made once. */
const statements = new WeakMap<Write, Map<string, CompiledQuery>>()

/**
 * Runs one statement for many rows and returns what it returns. `write` is given the rows as text to
 * select from, with columns `c0`, `c1` and so on, and the text may hold no other parameter; it must be
 * one and the same function each time. Cheaper per row than a query that is built, hence for the hot
 * path; on SQLite it runs in chunks, so call it in a transaction there.
 */
export async function runBulk<Row>(
  db: Db,
  types: readonly ColumnType[],
  rows: readonly (readonly Value[])[],
  write: Write,
): Promise<Row[]> {
  if (rows.length === 0) return []
  if (dialectOf(db) === 'postgres') {
    const [only] = rows
    if (only && rows.length === 1) {
      const query = queryOf(write, 'row', () => rowSource(types))
      return run(db, query, only)
    }
    const arrays = types.map((_, index) => rows.map((row) => row[index] ?? null))
    const query = queryOf(write, 'arrays', () => arraySource(types))
    return run(db, query, arrays)
  }
  const found: Row[] = []
  for (let at = 0; at < rows.length;) {
    const size = CHUNKS.find((chunk) => chunk <= rows.length - at) ?? 1
    const query = queryOf(write, `values ${size}`, () => valuesSource(types, size))
    found.push(...(await run<Row>(db, query, rows.slice(at, at + size).flat())))
    at += size
  }
  return found
}

function queryOf(write: Write, kind: string, source: () => string): CompiledQuery {
  const own = statements.get(write) ?? new Map<string, CompiledQuery>()
  statements.set(write, own)
  const query = own.get(kind) ?? CompiledQuery.raw(write(source()))
  own.set(kind, query)
  return query
}

async function run<Row>(
  db: Db,
  query: CompiledQuery,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>({ ...query, parameters })
  return rows
}

function arraySource(types: readonly ColumnType[]): string {
  const arrays = types.map((type, index) => `cast($${index + 1} as ${type}[])`)
  const names = types.map((_, index) => `c${index}`)
  return `(select * from unnest(${arrays.join(', ')}) as source(${names.join(', ')}))`
}

/** One row needs no arrays, which cost more than the row. */
function rowSource(types: readonly ColumnType[]): string {
  const values = types.map((type, index) => `cast($${index + 1} as ${type}) as c${index}`)
  return `(select ${values.join(', ')})`
}

function valuesSource(types: readonly ColumnType[], size: number): string {
  const names = types.map((_, index) => `column${index + 1} as c${index}`)
  const row = `(${types.map(() => '?').join(', ')})`
  const values = Array.from({ length: size }, () => row).join(', ')
  return `(select ${names.join(', ')} from (values ${values}))`
}
