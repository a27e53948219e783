import { CompiledQuery } from 'kysely'
import { executeCompiled } from './bound-connection.ts'
import type { Db } from './database.ts'
import { dialectOf } from './dialect.ts'
import { type QueryHints, withHints } from './query-hints.ts'
import { SQLITE_PLACEHOLDER } from './sqlite/placeholder.ts'
import type { ColumnType } from './values-table.ts'

/** Few lengths make few texts, so that each is prepared once. */
const CHUNK_SIZES = [256, 64, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

type Value = string | number | null
type Row = readonly Value[]

/**
 * A statement that runs for many rows. Its texts are compiled once per object: make it a constant.
 */
export interface BulkStatement {
  /** The types of the rows' values, in order. */
  columns: readonly ColumnType[]
  /**
   * Returns the statement that selects from `source`, a table with columns `c0`, `c1` and so on. The
   * text may hold no other parameter.
   */
  sql: (source: string) => string
  hints?: QueryHints
}

/** A table, and the columns that new rows give in this order. A constant, as above. */
export interface BulkInsert {
  table: string
  columns: Readonly<Record<string, ColumnType>>
}

const compiledFor = new WeakMap<BulkStatement | BulkInsert, Map<string | number, CompiledQuery>>()

/**
 * Runs one statement for many rows and returns the rows that it returns. Cheaper per row than a query
 * builder, hence for the hot path. SQLite runs the rows in chunks: call it in a transaction there.
 */
export async function executeMany<Result>(
  db: Db,
  statement: BulkStatement,
  rows: readonly Row[],
): Promise<Result[]> {
  if (rows.length === 0) return []
  if (dialectOf(db) === 'postgres') return executeOnPostgres(db, statement, statement, rows)
  const { columns, sql, hints } = statement
  return executeInChunks(db, rows, (size) =>
    compiledOnce(statement, size, hints, () => sql(valuesSource(columns, size))),
  )
}

/** Inserts rows, pipelined on Postgres: an error may reject a later statement or the commit. */
export async function insertMany(db: Db, into: BulkInsert, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const head = `insert into ${into.table} (${Object.keys(into.columns).join(', ')})`
  if (dialectOf(db) === 'postgres') {
    const columns = Object.values(into.columns)
    const sql = (source: string) => `${head} select * from ${source} as entry`
    await executeOnPostgres(db, into, { columns, sql, hints: { isPipelined: true } }, rows)
    return
  }
  const width = Object.keys(into.columns).length
  await executeInChunks(db, rows, (size) =>
    compiledOnce(into, size, undefined, () => `${head} values ${placeholders(width, size)}`),
  )
}

async function executeOnPostgres<Result>(
  db: Db,
  owner: BulkStatement | BulkInsert,
  { columns, sql, hints }: BulkStatement,
  rows: readonly Row[],
): Promise<Result[]> {
  const [only] = rows
  // Coalesced statements need arrays, whose rows are joined.
  if (only && rows.length === 1 && !hints?.isCoalesced) {
    const query = compiledOnce(owner, 'row', hints, () => sql(rowSource(columns)))
    return execute(db, query, only)
  }
  const query = compiledOnce(owner, 'arrays', hints, () => sql(arraySource(columns)))
  const arrays = columns.map((_, index) => rows.map((row) => row[index] ?? null))
  return execute(db, query, arrays)
}

async function executeInChunks<Result>(
  db: Db,
  rows: readonly Row[],
  queryFor: (size: number) => CompiledQuery,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < rows.length;) {
    const size = CHUNK_SIZES.find((chunk) => chunk <= rows.length - start) ?? 1
    const values = rows.slice(start, start + size).flat()
    results.push(...(await execute<Result>(db, queryFor(size), values)))
    start += size
  }
  return results
}

function compiledOnce(
  owner: BulkStatement | BulkInsert,
  kind: string | number,
  hints: QueryHints | undefined,
  text: () => string,
): CompiledQuery {
  const byKind = compiledFor.get(owner) ?? new Map<string | number, CompiledQuery>()
  compiledFor.set(owner, byKind)
  let query = byKind.get(kind)
  if (!query) {
    query = hints ? withHints(CompiledQuery.raw(text()), hints) : CompiledQuery.raw(text())
    byKind.set(kind, query)
  }
  return query
}

async function execute<Result>(
  db: Db,
  query: CompiledQuery,
  parameters: readonly unknown[],
): Promise<Result[]> {
  const { rows } = await executeCompiled<Result>(db, { ...query, parameters })
  return rows
}

function arraySource(columns: readonly ColumnType[]): string {
  const arrays = columns.map((type, index) => `cast($${index + 1} as ${type}[])`)
  const names = columns.map((_, index) => `c${index}`)
  return `(select * from unnest(${arrays.join(', ')}) as source(${names.join(', ')}))`
}

/** A single row without arrays, which cost more than the row. */
function rowSource(columns: readonly ColumnType[]): string {
  const values = columns.map((type, index) => `cast($${index + 1} as ${type}) as c${index}`)
  return `(select ${values.join(', ')})`
}

function valuesSource(columns: readonly ColumnType[], size: number): string {
  const names = columns.map((_, index) => `column${index + 1} as c${index}`)
  return `(select ${names.join(', ')} from (values ${placeholders(columns.length, size)}))`
}

function placeholders(columns: number, rows: number): string {
  const row = `(${Array.from({ length: columns }, () => SQLITE_PLACEHOLDER).join(', ')})`
  return Array.from({ length: rows }, () => row).join(', ')
}
