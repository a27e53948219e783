import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { Passwords } from '../../../server/platform/auth/passwords.ts'
import type { Db } from '../../../server/storage/database.ts'
import { migrate } from '../../../server/storage/migrate.ts'
import { migrations } from '../../../server/storage/migration-list.ts'
import { openStorage } from '../../../server/storage/open.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { startTestProcess } from '../../helpers/process.ts'
import { startTestProduct } from '../../helpers/product.ts'

const BASELINE = join(import.meta.dirname, '../../data/baseline')
const NOW = Date.UTC(2030, 0, 1)

/** Runs SQL on a database without the product. */
async function runScript({ dataDir, databaseUrl }: DatabasePlace, script: string): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new Sqlite(join(dataDir, 'sohbet.db'))
    database.exec(script)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(script)
  } finally {
    await client.end()
  }
}

/** Tables that a later version has no more. */
const DROPPED: ReadonlySet<string> = new Set(['transcripts'])

async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.count)
}

describeOnBothDatabases('a database of an earlier version', (database) => {
  test('is upgraded with all of its rows, and the product opens it', async () => {
    const place = await database.createEmpty()
    const script = await readFile(join(BASELINE, `${database.kind}.sql`), 'utf8')
    await runScript(place, script)
    const written = [...script.matchAll(/^insert into (\w+)/gm)].map(([, table = '']) => table)
    expect(written.length).toBeGreaterThan(50)
    const tables = written.filter((table) => !DROPPED.has(table))

    const storage = await openStorage(place, NOW)
    for (const table of tables)
      expect([table, await countRows(storage.db, table)]).not.toEqual([table, 0])
    await storage.close()

    const product = await startTestProduct(place, { passwords: new Passwords() })
    const signedIn = await product.call<{ access_token: string }>('/api/v1/auth/token', {
      body: { email: 'owner1@example.com', password: 'a long password' },
    })
    expect(signedIn.status).toBe(200)
    const token = signedIn.body.access_token
    const prompts = await product.call<{ data: { prompt_id: string; source: string }[] }>(
      '/api/v1/prompts?limit=100',
      { token },
    )
    expect(prompts.body.data).toContainEqual(
      expect.objectContaining({ prompt_id: 'offer', source: 'workspace' }),
    )
    const run = await product.call('/api/v1/prompts/execute', {
      token,
      body: { prompt_id: 'offer', inputs: { product: 'tea' } },
    })
    expect(run.status).toBe(200)
    await product.stop()
  })

  test('is refused in one sentence, and left as it was, if no release made it', async () => {
    const place = await database.createEmpty()
    await runScript(
      place,
      `create table migrations (name text primary key, applied_at bigint not null);
      insert into migrations values ('001-platform', 1);`,
    )
    await expect(startTestProduct(place)).rejects.toThrow(
      /^This database was made by an unreleased version/,
    )
    await runScript(place, 'create table workspaces (id text primary key)')
  })
})

describeOnBothDatabases('a database of a later version', (database) => {
  const record = (expands: 0 | 1) =>
    `insert into migrations (name, applied_at, expands) values ('chat-999', 1, ${expands})`

  test('is refused in one line, and opened where its steps only expanded the schema', async () => {
    const place = await database.create()
    await runScript(place, record(1))
    const product = await startTestProduct(place)
    expect((await product.call('/health/ready')).status).toBe(200)
    await product.stop()
    await runScript(place, `update migrations set expands = 0 where name = 'chat-999'`)
    await expect(startTestProcess(place)).rejects.toThrow(
      /ready: This database is of a newer version \(chat-999\), [^\n]+\.\n$/,
    )
  })

  test('is told by the release that made it whether the one before can use it', async () => {
    const place = await database.create()
    const storage = await openStorage(place, NOW)
    const { db, dialect } = storage
    const later = { name: 'chat-999', statements: ['create table later (id text)'], expands: true }
    await migrate(db, dialect, [...migrations, later], NOW)
    await migrate(db, dialect, migrations, NOW)
    const breaking = { name: 'chat-998', statements: ['drop table later'] }
    await migrate(db, dialect, [...migrations, later, breaking], NOW)
    await expect(migrate(db, dialect, migrations, NOW)).rejects.toThrow('chat-998')
    await storage.close()
  })
})
