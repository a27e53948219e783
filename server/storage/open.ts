import type { Storage } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/list.ts'

/** Opens Postgres when an address is given, else the embedded database, and migrates it. */
export async function openStorage(
  place: { databaseUrl: string | undefined; dataDir: string },
  now: number,
): Promise<Storage> {
  const storage = await openEither(place)
  try {
    await migrate(storage.db, storage.dialect, migrations, now)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Loads the driver that is asked for and not the other one. */
async function openEither(place: {
  databaseUrl: string | undefined
  dataDir: string
}): Promise<Storage> {
  if (place.databaseUrl)
    return (await import('./postgres/postgres.ts')).openPostgres(place.databaseUrl)
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.dataDir)
}
