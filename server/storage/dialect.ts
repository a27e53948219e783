import { PostgresAdapter } from 'kysely'
import type { Db, Dialect } from './database.ts'

/** Returns which of the two databases `db` is, for the few statements that differ. */
export function dialectOf(db: Db): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
