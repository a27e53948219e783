import { sql } from 'kysely'
import type { Db } from './database.ts'
import { dialectOf } from './dialect.ts'

/** Returns the names of the tables that have a column, in order. */
export async function listTablesWith(db: Db, column: string): Promise<string[]> {
  const query =
    dialectOf(db) === 'postgres'
      ? sql<{ name: string }>`
          select columns.table_name as name from information_schema.columns
          join information_schema.tables on tables.table_schema = columns.table_schema
            and tables.table_name = columns.table_name and tables.table_type = 'BASE TABLE'
          where columns.table_schema = current_schema() and columns.column_name = ${column}`
      : sql<{ name: string }>`
          select tables.name from sqlite_master as tables
          join pragma_table_info(tables.name) as columns
          where tables.type = 'table' and columns.name = ${column}`
  const { rows } = await query.execute(db)
  return rows.map(({ name }) => name).toSorted()
}

/**
 * Deletes at most `limit` rows of a table where a column has a value; returns how many. For tables
 * whose names are read from the catalogue.
 */
export async function deleteBatch(
  db: Db,
  table: string,
  wanted: { column: string; value: string; limit: number },
): Promise<number> {
  const key = sql.join((await rowKey(db, table)).map((name) => sql.ref(name)))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${key}) in (
      select ${key} from ${sql.table(table)}
      where ${sql.ref(wanted.column)} = ${wanted.value} limit ${wanted.limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Returns the columns that tell the rows of a table apart; clustered tables have no row id. */
async function rowKey(db: Db, table: string): Promise<string[]> {
  if (dialectOf(db) === 'postgres') return ['ctid']
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db)
  return rows.length > 0 ? rows.map(({ name }) => name) : ['rowid']
}
