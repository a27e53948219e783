import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe } from 'vitest'

/** Where an empty database is: what the settings `DATA_DIR` and `DATABASE_URL` would say. */
export type DatabasePlace = { dataDir: string; databaseUrl: string | undefined }

export type TestDatabase = {
  kind: 'sqlite' | 'postgres'
  /** Makes a database that nobody used before; it is gone when the file's tests are done. */
  create(): Promise<DatabasePlace>
}

/** Runs the same tests on SQLite and on Postgres: what holds on one must hold on the other. */
export function describeOnBothDatabases(
  name: string,
  body: (database: TestDatabase) => void,
): void {
  describe(`${name} (SQLite)`, () => {
    body(databaseOf('sqlite'))
  })
  describe(`${name} (Postgres)`, () => {
    body(databaseOf('postgres'))
  })
}

/** Runs tests of what both databases are sent alike, or of what only Postgres has. */
export function describeOnPostgres(name: string, body: (database: TestDatabase) => void): void {
  describe(`${name} (Postgres)`, () => {
    body(databaseOf('postgres'))
  })
}

function databaseOf(kind: TestDatabase['kind']): TestDatabase {
  const folders: string[] = []
  const names: string[] = []
  afterAll(async () => {
    for (const name of names) await administer(`drop database if exists ${name} with (force)`)
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    kind,
    async create() {
      const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-data-'))
      folders.push(dataDir)
      if (kind === 'sqlite') return { dataDir, databaseUrl: undefined }
      const name = `sohbet_test_${randomBytes(8).toString('hex')}`
      await administer(`create database ${name} template template0`)
      names.push(name)
      const url = new URL(serverUrl())
      url.pathname = `/${name}`
      return { dataDir, databaseUrl: url.href }
    },
  }
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL
  if (url === undefined) {
    throw new Error('These tests need PostgreSQL: run them by "npm run test:integration".')
  }
  return url
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
