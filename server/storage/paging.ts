import { type Expression, type SqlBool, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'

/**
 * What comes after a place in a list that runs from new to old by a time and then by id; every row
 * where there is no place yet. Both databases read it from an index on the two.
 */
export function olderThan(timeColumn: string, place: Cursor | undefined): Expression<SqlBool> {
  if (!place) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`(${sql.ref(timeColumn)}, id) < (${place.at}, ${place.id})`
}
