import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db, Storage } from '../../../server/storage/database.ts'
import { openSqlite } from '../../../server/storage/sqlite/sqlite.ts'

let folder: string
let storage: Storage
let db: Db

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sohbet-reads-'))
  storage = openSqlite(folder)
  db = storage.db
  await sql`create table notes (text text)`.execute(db)
})
afterEach(async () => {
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

const put = (into: Db, text: string) => sql`insert into notes values (${text})`.execute(into)
async function kept(from: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from notes order by text`.execute(from)
  return rows.map(({ text }) => text)
}

test('a read sees all that was committed before it, and nothing of what is not yet', async () => {
  expect(await kept(db)).toEqual([])
  await put(db, 'one')
  expect(await kept(db)).toEqual(['one'])

  await db.transaction().execute(async (tx) => {
    await put(tx, 'two')
    expect(await kept(db)).toEqual(['one'])
    expect(await kept(tx)).toEqual(['one', 'two'])
  })
  expect(await kept(db)).toEqual(['one', 'two'])

  const failed = db.transaction().execute(async (tx) => {
    await put(tx, 'three')
    expect(await kept(db)).toEqual(['one', 'two'])
    throw new Error('not this')
  })
  await expect(failed).rejects.toThrow('not this')
  expect(await kept(db)).toEqual(['one', 'two'])

  await db.transaction().execute(async (tx) => {
    await put(tx, 'four')
    expect(await kept(db)).toEqual(['one', 'two'])
  })
  expect(await kept(db)).toEqual(['four', 'one', 'two'])
})

test('reads between writes do not keep the log from being taken into the database', async () => {
  const text = 'x'.repeat(4_000)
  for (let round = 0; round < 120; round += 1) {
    await db.transaction().execute(async (tx) => {
      for (let at = 0; at < 100; at += 1) await put(tx, text)
      await sql`select count(*) from notes`.execute(db)
    })
    await sql`select count(*) from notes`.execute(db)
  }
  const { rows } = await sql<{ pages: number }>`
    select count(*) as pages from notes`.execute(db)
  expect(rows).toEqual([{ pages: 12_000 }])
  const { size } = await stat(join(folder, 'sohbet.db-wal'))
  expect(size).toBeLessThan(45_000_000)
})
