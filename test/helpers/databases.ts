import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, inject } from 'vitest'
import { administer, urlOfDatabase } from '../services/administer.ts'

/** Where a database is: what the settings `DATA_DIR` and `DATABASE_URL` would say. */
export type DatabasePlace = { dataDir: string; databaseUrl: string | undefined }

export type TestDatabase = {
  kind: 'sqlite' | 'postgres'
  /**
   * Makes a database that nobody used before; it is gone when the file's tests are done. Its tables
   * are there already: a copy of one that was migrated as the product migrates an empty one.
   */
  create(): Promise<DatabasePlace>
  /**
   * The same without tables, as a first start finds it. Postgres sorts text by `language`, such as
   * `en-US-u-ka-shifted`, where one is given: as servers do that were set up in a language.
   */
  createEmpty(language?: string): Promise<DatabasePlace>
}

/**
 * Runs tests on SQLite and, by `npm test -- --full`, on Postgres too: the usual choice, because what
 * lies below is the same for both.
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
 * and attacks, where each database has statements or locks of its own.
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

/** Runs tests of what both databases are sent alike, or of what only Postgres has. */
export function describeOnPostgres(name: string, body: (database: TestDatabase) => void): void {
  describe(`${name} (Postgres)`, () => {
    body(useDatabase('postgres'))
  })
}

/** Databases of one kind for the tests of the group, or of the file. */
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
    // Copying the files costs the server half of what writing them to its log costs.
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
