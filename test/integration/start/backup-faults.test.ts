import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { sohbet, sohbetBelow } from '../../helpers/process.ts'
import { addDocument, addWorkspace, startTestProduct } from '../../helpers/product.ts'

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

describeOnBothDatabases('npx sohbet, where the disk or the file fails', (database) => {
  test('says in a line that a backup could not be written, and leaves nothing of it', async () => {
    const place = await database.create()
    await fill(place)
    const folder = await emptyFolder()
    const missing = join(folder, 'missing', 'today.sohbet')
    expect(await sohbet(place, 'backup', missing)).toEqual({
      code: 1,
      output: expect.stringMatching(/^\S+today\.sohbet cannot be written: ENOENT.+\n$/),
    })
    const full = join(folder, 'full.sohbet')
    expect(await sohbetBelow(65_536, place, 'backup', full)).toEqual({
      code: 1,
      output: expect.stringMatching(/^\S+full\.sohbet cannot be written: EFBIG.+\n$/),
    })
    expect(await readdir(folder)).toEqual([])
  })
})
