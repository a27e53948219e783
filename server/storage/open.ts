import { PostgresAdapter } from 'kysely'
import type { Db, Dialect, Storage } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/list.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens Postgres when an address is given, else the embedded database, and migrates it. */
export async function openStorage(
  place: { databaseUrl: string | undefined; dataDir: string },
  now: number,
): Promise<Storage> {
  const storage = place.databaseUrl ? openPostgres(place.databaseUrl) : openSqlite(place.dataDir)
  try {
    await migrate(storage.db, storage.dialect, migrations, now)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Which of the two databases this is, for the few statements that differ. */
export function dialectOf(db: Db): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
