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
  const { databaseUrl, databasePoolMax: poolMax, databaseStatements: statements } = place
  // Imports one driver alone.
  if (databaseUrl) {
    const { migratePostgres } = await import('./postgres/migration.ts')
    await migratePostgres(databaseUrl, migrations, { statements, now })
    const { openPostgres } = await import('./postgres/postgres.ts')
    return openPostgres(databaseUrl, { poolMax, statements })
  }
  const { openSqlite } = await import('./sqlite/sqlite.ts')
  const storage = openSqlite(place.dataDir)
  try {
    await migrate(storage.db, storage.dialect, migrations, now)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}
