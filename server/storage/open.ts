import type { Storage } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/list.ts'

/** Opens Postgres if a URL is given, else the embedded database, and migrates it. */
export async function openStorage(
  place: { databaseUrl: string | undefined; dataDir: string },
  now: number,
): Promise<Storage> {
  const storage = await openDatabase(place)
  try {
    await migrate(storage.db, storage.dialect, migrations, now)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Imports one driver alone. */
async function openDatabase(place: {
  databaseUrl: string | undefined
  dataDir: string
}): Promise<Storage> {
  if (place.databaseUrl)
    return (await import('./postgres/postgres.ts')).openPostgres(place.databaseUrl)
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.dataDir)
}
