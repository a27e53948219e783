import { type Migration, migrate } from '../migrate.ts'
import { openPostgres } from './postgres.ts'

/**
 * Brings the schema up to date, as `migrate` does. On a connection of its own, where a long step, or the
 * wait for the migration of another process, is not given up.
 */
export async function migratePostgres(
  url: string,
  migrations: readonly Migration[],
  { statements, now }: { statements: 'prepared' | 'simple' | undefined; now: number },
): Promise<void> {
  const storage = openPostgres(url, { poolMax: 1, statements, isPatient: true })
  try {
    await migrate(storage.db, storage.dialect, migrations, now)
  } finally {
    await storage.close()
  }
}
