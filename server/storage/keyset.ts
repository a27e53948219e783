import { type Expression, type SqlBool, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db } from './database.ts'
import { dialectOf } from './open.ts'

/**
 * What comes after a place in a list that runs from new to old by a time and then by id; every row
 * where there is no place yet. Both databases read it from an index on the two.
 */
export function olderThan(timeColumn: string, place: Cursor | undefined): Expression<SqlBool> {
  if (!place) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`(${sql.ref(timeColumn)}, id) < (${place.at}, ${place.id})`
}

/**
 * A column of ASCII names in the order that JavaScript sorts them in, for lists that it merges.
 * Postgres else sorts by the language it was set up in, and there `a-b` may come after `ab`.
 */
export function asciiOrdered(db: Db, column: string): Expression<string> {
  const named = sql.ref<string>(column)
  return dialectOf(db) === 'postgres' ? sql<string>`${named} collate "C"` : named
}
