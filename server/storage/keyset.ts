import { type Expression, type SqlBool, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db } from './database.ts'
import { dialectOf } from './dialect.ts'

/**
 * Keyset pagination of a list from new to old by a time and then by id: the condition that a row comes
 * after the cursor; without a cursor, every row. Both databases read it from an index on the two.
 */
export function keysetBefore(timeColumn: string, cursor: Cursor | undefined): Expression<SqlBool> {
  if (!cursor) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`(${sql.ref(timeColumn)}, id) < (${cursor.at}, ${cursor.id})`
}

/**
 * A column of ASCII names in byte order, which is how JavaScript sorts them, for lists that it merges.
 * Postgres sorts by the language of the database otherwise, where `a-b` may come after `ab`.
 */
export function byteOrder(db: Db, column: string): Expression<string> {
  const reference = sql.ref<string>(column)
  return dialectOf(db) === 'postgres' ? sql<string>`${reference} collate "C"` : reference
}
