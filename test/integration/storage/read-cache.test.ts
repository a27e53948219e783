import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db, Storage } from '../../../server/storage/database.ts'
import { cachedRead } from '../../../server/storage/read-cache.ts'
import { openSqlite } from '../../../server/storage/sqlite/sqlite.ts'
import { prepared } from '../../../server/storage/prepared.ts'

let folder: string
let storage: Storage
let db: Db
let asked: number
let findNote: (from: Db, id: string) => Promise<{ text: string } | undefined>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sohbet-read-cache-'))
  storage = openSqlite(folder)
  db = storage.db
  await sql`create table owners (id text primary key)`.execute(db)
  await sql`
    create table notes (id text primary key, text text,
      owner text references owners (id) on delete cascade)`.execute(db)
  await sql`create table others (text text)`.execute(db)
  await sql`insert into owners values ('ada')`.execute(db)
  await sql`insert into notes values ('a', 'one', 'ada')`.execute(db)
  asked = 0
  const findNotes = cachedRead<{ text: string }>(['notes'], (id) => {
    asked += 1
    return prepared`select text from notes where id = ${id}`
  })
  findNote = async (from, id) => (await findNotes(from, id))[0]
})
afterEach(async () => {
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

const write = (into: Db, text: string) =>
  sql`update notes set text = ${text} where id = 'a'`.execute(into)

test('what nobody has written to is read once, whatever else is written', async () => {
  expect(await findNote(db, 'a')).toEqual({ text: 'one' })
  await sql`insert into others values ('notes')`.execute(db)
  await db.transaction().execute((tx) => sql`delete from others`.execute(tx))
  expect(await findNote(db, 'a')).toEqual({ text: 'one' })
  expect(asked).toBe(1)
})

test('the first read after a write was acknowledged has it', async () => {
  for (const text of ['two', 'three', 'four']) {
    await findNote(db, 'a')
    await write(db, text)
    expect(await findNote(db, 'a')).toEqual({ text })
  }
})

test('a transaction sees its own writes; others see them once they are committed', async () => {
  await findNote(db, 'a')
  await db.transaction().execute(async (tx) => {
    await write(tx, 'two')
    expect(await findNote(tx, 'a')).toEqual({ text: 'two' })
    expect(await findNote(db, 'a')).toEqual({ text: 'one' })
  })
  expect(await findNote(db, 'a')).toEqual({ text: 'two' })
})

test('what was rolled back was never there', async () => {
  const failed = db.transaction().execute(async (tx) => {
    await write(tx, 'two')
    expect(await findNote(db, 'a')).toEqual({ text: 'one' })
    throw new Error('not this')
  })
  await expect(failed).rejects.toThrow('not this')
  expect(await findNote(db, 'a')).toEqual({ text: 'one' })
})

test('a row that goes with the row it belongs to is gone', async () => {
  await findNote(db, 'a')
  await sql`delete from owners where id = 'ada'`.execute(db)
  expect(await findNote(db, 'a')).toBeUndefined()
})

test('a row that was not there is found as soon as it is', async () => {
  expect(await findNote(db, 'b')).toBeUndefined()
  await sql`insert or replace into notes values ('b', 'new', 'ada')`.execute(db)
  expect(await findNote(db, 'b')).toEqual({ text: 'new' })
})

test('among many reads and writes at once, none is older than the last acknowledged write', async () => {
  await write(db, '0')
  let acknowledged = 0
  const writer = (async () => {
    for (let round = 1; round <= 300; round += 1) {
      if (round % 3 === 0) await db.transaction().execute((tx) => write(tx, String(round)))
      else await write(db, String(round))
      acknowledged = round
    }
  })()
  const readers = Array.from({ length: 20 }, async () => {
    for (let round = 0; round < 300; round += 1) {
      const before = acknowledged
      const found = await findNote(db, 'a')
      expect(Number(found?.text)).toBeGreaterThanOrEqual(before)
      await new Promise(setImmediate)
    }
  })
  await Promise.all([writer, ...readers])
})
