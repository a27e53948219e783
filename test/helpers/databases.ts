import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, inject } from 'vitest'
import { administer, urlOfDatabase } from '../services/administer.ts'

/** The place of a database: the values of the settings `DATA_DIR` and `DATABASE_URL`. */
export type DatabasePlace = { dataDir: string; databaseUrl: string | undefined }

export type TestDatabase = {
  kind: 'sqlite' | 'postgres'
  /**
   * Creates an empty database with its tables, a copy of a migrated one. It is removed after the
   * tests of the file.
   */
  create(): Promise<DatabasePlace>
  /**
   * Creates a database without tables, as for a first start. With a `language`, such as
   * `en-US-u-ka-shifted`, Postgres sorts text by its collation, like a server with a localized setup.
   */
  createEmpty(language?: string): Promise<DatabasePlace>
}

/**
 * Runs tests on SQLite and, with `npm test -- --full`, on Postgres too: the default choice, because
 * the code below the test is the same for both.
 */
export function describeOnDatabase(name: string, body: (database: TestDatabase) => void): void {
  if (process.env.TEST_FULL === 'true') {
    describeOnBothDatabases(name, body)
    return
  }
  describe(`${name} (SQLite)`, () => {
    body(useDatabase('sqlite'))
  })
}

/**
 * Runs the same tests on SQLite and on Postgres, always: for storage, credits, queues, live streams
 * and security, where each database has statements or locks of its own.
 */
export function describeOnBothDatabases(
  name: string,
  body: (database: TestDatabase) => void,
): void {
  describe(`${name} (SQLite)`, () => {
    body(useDatabase('sqlite'))
  })
  describeOnPostgres(name, body)
}

/** Runs tests of statements that both databases share, or of features of Postgres. */
export function describeOnPostgres(name: string, body: (database: TestDatabase) => void): void {
  describe(`${name} (Postgres)`, () => {
    body(useDatabase('postgres'))
  })
}

/** Provides databases of one kind to the tests of the group, or of the file. */
export function useDatabase(kind: TestDatabase['kind']): TestDatabase {
  const folders: string[] = []
  const names: string[] = []
  afterAll(async () => {
    for (const name of names) await administer(`drop database if exists ${name} with (force)`)
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  async function make(
    template: { sqliteFolder: string; postgresName: string } | undefined,
    language?: string,
  ): Promise<DatabasePlace> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-data-'))
    folders.push(dataDir)
    if (kind === 'sqlite') {
      if (template) await cp(template.sqliteFolder, dataDir, { recursive: true })
      return { dataDir, databaseUrl: undefined }
    }
    const name = `sohbet_test_${randomBytes(8).toString('hex')}`
    const source = template?.postgresName ?? 'template0'
    const locale = language ? `locale_provider icu icu_locale '${language}'` : ''
    // Copying the files costs the server half as much as writing them to its log.
    await administer(`create database ${name} template ${source} strategy file_copy ${locale}`)
    names.push(name)
    return { dataDir, databaseUrl: urlOfDatabase(name) }
  }
  return {
    kind,
    create: () => make(inject('migrated')),
    createEmpty: (language) => make(undefined, language),
  }
}
