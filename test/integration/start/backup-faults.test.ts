import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type DatabasePlace,
  describeOnBothDatabases,
  useDatabase,
} from '../../helpers/databases.ts'
import { sohbet, sohbetBelow, sohbetWith } from '../../helpers/process.ts'
import { addDocument, addWorkspace, startTestProduct } from '../../helpers/product.ts'
import { openArchive, writeArchive } from '../../../tools/backup/archive.ts'

/** More than a backup collects before it is written out. */
const DOCUMENTS = 5
const LINES = 500
const LINE_BYTES = 60

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function emptyFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'sohbet-backup-'))
  stops.push(() => rm(made, { recursive: true, force: true }))
  return made
}

async function fill(place: DatabasePlace): Promise<void> {
  const product = await startTestProduct(place)
  try {
    const workspace = await addWorkspace(product)
    for (let document = 1; document <= DOCUMENTS; document += 1) {
      // Nothing that could be compressed.
      const lines = Array.from({ length: LINES }, () => randomBytes(LINE_BYTES).toString('base64'))
      const content = lines.join('\n\n')
      await addDocument(product, workspace, { title: `Numbers ${document}`, content })
    }
  } finally {
    await product.stop()
  }
}

/** Copies a backup without the rows of one table, with a checksum that is right. */
async function copyWithout(table: string, from: string, to: string): Promise<void> {
  const archive = await openArchive(from)
  const { header } = archive
  const left = header.tables.findIndex(({ name }) => name === table)
  async function* others() {
    for await (const row of archive.rows()) if (row.table !== left) yield row
  }
  await writeArchive(to, header, others())
}

describeOnBothDatabases('npx sohbet, where the disk or the file fails', (database) => {
  test('says in a line that a backup could not be written, and leaves nothing of it', async () => {
    const place = await database.create()
    await fill(place)
    const folder = await emptyFolder()
    const missing = join(folder, 'missing', 'today.sohbet')
    expect(await sohbet(place, 'backup', missing)).toEqual({
      code: 1,
      output: expect.stringMatching(/^There is no folder \S+missing\. Make it first\.\n$/),
    })
    const full = join(folder, 'full.sohbet')
    expect(await sohbetBelow(65_536, place, 'backup', full)).toEqual({
      code: 1,
      output: expect.stringMatching(/^\S+full\.sohbet cannot be written: EFBIG.+\n$/),
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('writes one backup where several are made into one file, and refuses the others', async () => {
    const place = await database.create()
    await fill(place)
    const folder = await emptyFolder()
    const file = join(folder, 'today.sohbet')
    const results = await Promise.all([1, 2, 3].map(() => sohbet(place, 'backup', file)))
    const refused = results.filter(({ code }) => code !== 0)
    expect(refused).toEqual([
      { code: 1, output: `${file} exists already. Choose another name.\n` },
      { code: 1, output: `${file} exists already. Choose another name.\n` },
    ])
    expect(await readdir(folder)).toEqual(['today.sohbet'])
    expect((await stat(file)).mode % 0o1000).toBe(0o600)
    expect((await sohbet(await database.createEmpty(), 'restore', file)).code).toBe(0)
  })

  test('takes a good backup where another one could not be restored', async () => {
    const place = await database.create()
    await fill(place)
    const folder = await emptyFolder()
    const good = join(folder, 'good.sohbet')
    const orphans = join(folder, 'orphans.sohbet')
    expect((await sohbet(place, 'backup', good)).code).toBe(0)
    await copyWithout('workspaces', good, orphans)
    const target = await database.createEmpty()
    expect(await sohbet(target, 'restore', orphans)).toMatchObject({ code: 1 })
    expect(await sohbet(target, 'restore', good)).toEqual({
      code: 0,
      output: expect.stringContaining('row counts and ledger sums agree'),
    })
    // The file that was there before belongs to another backup.
    expect((await sohbet(target, 'restore', orphans)).code).toBe(1)
    expect((await sohbet(target, 'backup', join(folder, 'again.sohbet'))).code).toBe(0)
  })
})

test('a backup that another one has overtaken is refused, and replaces nothing of it', async () => {
  const folder = await emptyFolder()
  const file = join(folder, 'today.sohbet')
  const header = {
    created_at: new Date(0).toISOString(),
    migrations: [],
    tables: [{ name: 'rows', columns: ['by'] }],
    key_id: '',
  }
  const overtaken = Promise.withResolvers<void>()
  async function* rowsOf(by: string, until?: Promise<void>) {
    yield { table: 0, values: [by] }
    await until
  }
  const slow = writeArchive(file, header, rowsOf('slow', overtaken.promise))
  await writeArchive(file, header, rowsOf('quick'))
  overtaken.resolve()
  await expect(slow).rejects.toThrow(`${file} exists already. Choose another name.`)
  expect(await readdir(folder)).toEqual(['today.sohbet'])
  const rows = (await openArchive(file)).rows()
  expect((await rows.next()).value).toEqual({ table: 0, values: ['quick'] })
})

describe('npx sohbet restore onto a full disk (SQLite)', () => {
  const database = useDatabase('sqlite')
  const generated = { SECRET_KEY: '' }

  test('leaves no database, and no key, which a good restore brings', async () => {
    const place = await database.create()
    await fill(place)
    await writeFile(join(place.dataDir, 'secret.key'), 'a-secret-key-for-tests-only')
    const backup = join(await emptyFolder(), 'good.sohbet')
    expect((await sohbetWith(generated, place, 'backup', backup)).code).toBe(0)
    const target = await database.createEmpty()
    const failed = await sohbetBelow(100_000, target, 'restore', backup)
    expect(failed).toEqual({ code: 1, output: expect.stringMatching(/^.+\n$/) })
    expect(await readdir(target.dataDir)).toEqual(['lock.db'])
    expect((await sohbetWith(generated, target, 'restore', backup)).code).toBe(0)
    expect(await readFile(join(target.dataDir, 'secret.key'), 'utf8')).toMatch(/^a-secret-key/)
    expect((await stat(join(target.dataDir, 'secret.key'))).mode % 0o1000).toBe(0o600)
  })
})
