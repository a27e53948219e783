import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'
import { runCompiled } from './bound-connection.ts'
import { LATER, SHARED } from './query-hints.ts'
import { dialectOf } from './open.ts'
import type { ColumnType } from './values-table.ts'

/** Few lengths make few texts, so that each is prepared once. */
const CHUNKS = [256, 64, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

type Value = string | number | null
/** The statement, given the rows as text to select from. */
type Write = (source: string) => string

/** A table, and the columns that its new rows give in this order. */
interface Insertion {
  table: string
  columns: Readonly<Record<string, ColumnType>>
}

/** Each statement by what it takes: rows of one of the databases. Made once. */
const statements = new WeakMap<Write | Insertion, Map<string | number, CompiledQuery>>()

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
  if (dialectOf(db) === 'postgres') return runArrays(db, types, rows, { owner: write, write })
  return runChunks(db, rows, (size) => queryOf(write, size, () => write(valuesSource(types, size))))
}

/**
 * Inserts rows whose statement nobody needs an answer of; see `later`. `into` must be one and the
 * same object each time. Cheaper still than `runBulk`, which is for everything else.
 */
export async function insertRows(
  db: Db,
  into: Insertion,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  if (rows.length === 0) return
  if (dialectOf(db) === 'postgres') {
    const write = (source: string) => `${headOf(into)} select * from ${source} as entry`
    await runArrays(db, Object.values(into.columns), rows, { owner: into, write })
    return
  }
  await runChunks(db, rows, (size) =>
    queryOf(into, size, () => {
      const columns = Object.keys(into.columns).length
      return `${headOf(into)} values ${placesOf(columns, size)}`
    }),
  )
}

function headOf({ table, columns }: Insertion): string {
  return `${LATER} insert into ${table} (${Object.keys(columns).join(', ')})`
}

async function runArrays<Row>(
  db: Db,
  types: readonly ColumnType[],
  rows: readonly (readonly Value[])[],
  { owner, write }: { owner: Write | Insertion; write: Write },
): Promise<Row[]> {
  const query = queryOf(owner, 'arrays', () => write(arraySource(types)))
  const [only] = rows
  if (only && rows.length === 1 && !query.sql.startsWith(SHARED)) {
    return run(
      db,
      queryOf(owner, 'row', () => write(rowSource(types))),
      only,
    )
  }
  const arrays = types.map((_, index) => rows.map((row) => row[index] ?? null))
  return run(db, query, arrays)
}

async function runChunks<Row>(
  db: Db,
  rows: readonly (readonly Value[])[],
  queryFor: (size: number) => CompiledQuery,
): Promise<Row[]> {
  const found: Row[] = []
  for (let at = 0; at < rows.length;) {
    const size = CHUNKS.find((chunk) => chunk <= rows.length - at) ?? 1
    const values = rows.slice(at, at + size).flat()
    found.push(...(await run<Row>(db, queryFor(size), values)))
    at += size
  }
  return found
}

function queryOf(
  owner: Write | Insertion,
  kind: string | number,
  text: () => string,
): CompiledQuery {
  const own = statements.get(owner) ?? new Map<string | number, CompiledQuery>()
  statements.set(owner, own)
  const query = own.get(kind) ?? CompiledQuery.raw(text())
  own.set(kind, query)
  return query
}

async function run<Row>(
  db: Db,
  query: CompiledQuery,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await runCompiled<Row>(db, { ...query, parameters })
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
  return `(select ${names.join(', ')} from (values ${placesOf(types.length, size)}))`
}

function placesOf(columns: number, rows: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
  return Array.from({ length: rows }, () => row).join(', ')
}
