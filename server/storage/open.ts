import type { Storage } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migration-list.ts'

interface StoragePlace {
  dataDir: string
  databaseUrl: string | undefined
  databasePoolMax?: number
  databaseStatements?: 'prepared' | 'simple'
}

/** Opens Postgres if a URL is given, else the embedded database, and migrates it. */
export async function openStorage(place: StoragePlace, now: number): Promise<Storage> {
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
async function openDatabase(place: StoragePlace): Promise<Storage> {
  const { databaseUrl, databasePoolMax, databaseStatements } = place
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres/postgres.ts')
    return openPostgres(databaseUrl, { poolMax: databasePoolMax, statements: databaseStatements })
  }
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.dataDir)
}
