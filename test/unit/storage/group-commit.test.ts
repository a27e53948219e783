import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { GroupCommit } from '../../../server/storage/sqlite/group-commit.ts'

/** A writer whose disk takes what was committed when the test says so. */
function openWriter() {
  const directory = mkdtempSync(join(tmpdir(), 'sohbet-commit-'))
  const writer = new Sqlite(join(directory, 'test.db'))
  writer.pragma('journal_mode = wal')
  writer.exec('create table notes (text text)')
  const flushes: PromiseWithResolvers<void>[] = []
  const commits = new GroupCommit(writer, {
    flush: () => {
      const flush = Promise.withResolvers<void>()
      flushes.push(flush)
      return flush.promise
    },
  })
  onTestFinished(() => {
    writer.close()
    rmSync(directory, { recursive: true })
  })
  const insert = writer.prepare('insert into notes values (?)')
  const events: string[] = []
  return {
    commits,
    flushes,
    events,
    setMaxPages: (pages: number) => writer.pragma(`max_page_count = ${pages}`),
    texts: () => writer.prepare('select text from notes').pluck().all(),
    async undo(text: string) {
      const turn = await commits.begin()
      insert.run(text)
      await turn.rollback()
    },
    kept: () => writer.prepare('select count(*) from notes').pluck().get(),
    async write(text: string, isAsyncCommit = false) {
      const turn = await commits.begin()
      try {
        insert.run(text)
      } catch (error) {
        await turn.rollback()
        throw error
      }
      await turn.commit(isAsyncCommit).then(
        () => events.push(text),
        () => events.push(`${text} failed`),
      )
    },
  }
}

/** Until `holds`; everything here happens within a few turns of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

test('is acknowledged when it is on the disk, and not before', async () => {
  const writer = openWriter()
  const written = writer.write('one')
  await until(() => writer.flushes.length === 1)
  expect([writer.kept(), writer.events]).toEqual([1, []])
  writer.flushes[0]?.resolve()
  await written
  expect(writer.events).toEqual(['one'])
})

test('what commits during a flush waits for the next one, which serves all of it', async () => {
  const writer = openWriter()
  const first = writer.write('one')
  await until(() => writer.flushes.length === 1)
  const others = Promise.all([writer.write('two'), writer.write('three')])
  await until(() => writer.kept() === 3)
  writer.flushes[0]?.resolve()
  await first
  await until(() => writer.flushes.length === 2)
  expect(writer.events).toEqual(['one'])
  writer.flushes[1]?.resolve()
  await others
  expect(writer.flushes).toHaveLength(2)
})

test('an asynchronous commit waits for its commit alone', async () => {
  const writer = openWriter()
  await writer.write('one', true)
  expect([writer.kept(), writer.events, writer.flushes]).toEqual([1, ['one'], []])
})

test('when the disk refuses, nothing is acknowledged any more', async () => {
  const writer = openWriter()
  const first = writer.write('one')
  await until(() => writer.flushes.length === 1)
  writer.flushes[0]?.reject(new Error('The disk is gone.'))
  await first
  expect(writer.events).toEqual(['one failed'])
  await expect(writer.write('two')).rejects.toThrow('The disk is gone.')
})

test('takes back what is rolled back and nothing else, first of a commit or not', async () => {
  const writer = openWriter()
  const all = [
    writer.undo('undone first'),
    writer.write('one', true),
    writer.undo('undone between'),
    writer.write('two', true),
    writer.undo('undone last'),
  ]
  await Promise.all(all)
  expect(writer.texts()).toEqual(['one', 'two'])
})

test('a disk that is full in the middle of a commit fails all of it, and none is kept', async () => {
  const writer = openWriter()
  // All begin within the time of one batch, however slow this machine is.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  writer.setMaxPages(3)
  const tooLong = 'x'.repeat(100_000)
  const small = [writer.write('one', true), writer.write('two', true)]
  const turn = writer.write(tooLong).catch((error: { code: string }) => error.code)
  const last = writer.write('three', true)
  expect(await turn).toBe('SQLITE_FULL')
  await Promise.all([...small, last])
  expect([writer.events, writer.texts()]).toEqual([
    ['one failed', 'two failed', 'three'],
    ['three'],
  ])
  writer.setMaxPages(1_000)
  await writer.write('four', true)
  expect(writer.texts()).toEqual(['three', 'four'])
})
