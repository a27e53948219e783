import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStorage } from '../../server/storage/open.ts'
import { administer, urlOfDatabase } from './administer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Databases after the product's first start: templates for copies. */
    migrated: { sqliteFolder: string; postgresName: string }
  }
}

/**
 * Global setup of the integration tests: migrates one database of each kind, because hundreds of tests
 * need their own and a migration takes far longer than a copy.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const sqliteFolder = await mkdtemp(join(tmpdir(), 'sohbet-migrated-'))
  const postgresName = `sohbet_migrated_${process.pid}`
  await administer(`drop database if exists ${postgresName}`)
  await administer(`create database ${postgresName} template template0`)
  for (const databaseUrl of [undefined, urlOfDatabase(postgresName)]) {
    const storage = await openStorage({ dataDir: sqliteFolder, databaseUrl }, Date.now())
    await storage.close()
  }
  provide('migrated', { sqliteFolder, postgresName })
  return async () => {
    await administer(`drop database if exists ${postgresName}`)
    await rm(sqliteFolder, { recursive: true, force: true })
  }
}
