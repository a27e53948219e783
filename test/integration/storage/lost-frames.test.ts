import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, test } from 'vitest'
import { type DatabasePlace, useDatabase } from '../../helpers/databases.ts'
import { type TestProcess, sohbet, startTestProcess } from '../../helpers/process.ts'
import { addVisitor, addWorkspace, callOver } from '../../helpers/product.ts'
import { findLostFrames } from '../../../server/storage/sqlite/write-ahead-log.ts'

const TURNS = 12
const LOG_HEADER_BYTES = 32
const FRAME_BYTES = 24 + 4_096

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function start(place: DatabasePlace): Promise<TestProcess> {
  const running = await startTestProcess(place, { LOG_LEVEL: 'warn' })
  stops.push(() => running.end('SIGKILL'))
  return running
}

/** Answers questions, and kills the process: everything acknowledged is in the log alone. */
async function talkAndKill(running: TestProcess): Promise<void> {
  const product = {
    call: <Body>(path: string, call = {}) => callOver<Body>(running.url, path, call),
  }
  const workspace = await addWorkspace(product)
  const token = await addVisitor(product, workspace)
  for (let turn = 0; turn < TURNS; turn += 1) {
    const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const answer = await product.call('/api/v1/chatbot/message', { token, body })
    expect(answer.status).toBe(200)
  }
  await running.end('SIGKILL')
}

/** Inverts bytes of the log, from a share of its frames on. */
async function damage(log: string, share: number): Promise<void> {
  const bytes = await readFile(log)
  const frames = (bytes.length - LOG_HEADER_BYTES) / FRAME_BYTES
  const from = LOG_HEADER_BYTES + Math.floor(frames * share) * FRAME_BYTES + 100
  for (let at = from; at < from + 64; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff
  await writeFile(log, bytes)
}

function warningsOf(running: TestProcess): string[] {
  return running
    .printed()
    .split('\n')
    .filter((line) => line.includes('"storage.frames_lost"'))
}

describe('a write-ahead log that a crash left', () => {
  const database = useDatabase('sqlite')
  const postgres = useDatabase('postgres')

  test('is said to have lost frames at the start and by the doctor, once for each loss', async () => {
    const place = await database.create()
    const log = join(place.dataDir, 'sohbet.db-wal')
    await talkAndKill(await start(place))
    await damage(log, 0.7)
    expect(await sohbet(place, 'doctor')).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^warning +database .+-wal is damaged: \d+ frames .+\n +→ Copy DATA_DIR/m,
      ),
    })

    const warned = await start(place)
    const [line = '', ...others] = warningsOf(warned)
    expect(others).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      msg: expect.stringMatching(
        /\d+ frames \([\d,]+ bytes\) of the write-ahead log could not be read.+Restore the last backup if/,
      ),
    })
    expect((await sohbet(place, 'doctor')).output).toMatch(
      /^warning +database .+could not be read/m,
    )

    // Its commits behind the damage are not found a second time.
    await talkAndKill(warned)
    const again = await start(place)
    expect(warningsOf(again)).toHaveLength(1)
    await again.end('SIGKILL')
    const moved = await sohbet(await postgres.createEmpty(), 'import-sqlite', place.dataDir)
    expect(moved.output).toMatch(/^Restored .+\nAt .+ could not be read: .+\n$/)
    await rm(join(place.dataDir, 'lost-frames.txt'))
    expect(warningsOf(await start(place))).toEqual([])
    expect((await sohbet(place, 'doctor')).output).toMatch(/^ok +database /m)
  })

  test('is read in silence where it is whole, or where its last frame is cut off', async () => {
    const place = await database.create()
    const log = join(place.dataDir, 'sohbet.db-wal')
    await talkAndKill(await start(place))
    const again = await start(place)
    expect(warningsOf(again)).toEqual([])
    await talkAndKill(again)
    const { length } = await readFile(log)
    await truncate(log, length - 1_000)
    expect(warningsOf(await start(place))).toEqual([])
    expect((await sohbet(place, 'doctor')).output).toMatch(/^ok +database /m)
  })

  test('tells frames without a commit from lost ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sohbet-log-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'sohbet.db')
    const writer = new Sqlite(file)
    stops.push(async () => writer.close())
    writer.pragma('journal_mode = wal')
    writer.pragma('wal_autocheckpoint = 0')
    writer.pragma('cache_size = 10')
    writer.exec('create table texts (text text)')
    const insert = writer.prepare('insert into texts values (?)')
    const insertMany = (count: number) => {
      for (let row = 0; row < count; row += 1) insert.run('x'.repeat(6_000))
    }
    let copies = 0
    /** Returns the loss if the process were killed now and `change` were done to the log. */
    const lostAfter = async (change: (bytes: Buffer) => void) => {
      copies += 1
      const copy = join(folder, `copy-${copies}.db`)
      await copyFile(file, copy)
      const bytes = await readFile(`${file}-wal`)
      change(bytes)
      await writeFile(`${copy}-wal`, bytes)
      return findLostFrames(copy)?.frames
    }
    const nothing = () => undefined
    const invert = (at: number) => (bytes: Buffer) => {
      const from = at < 0 ? bytes.length + at : at
      bytes[from] = (bytes[from] ?? 0) ^ 0xff
    }
    insertMany(10)
    const whole = (await readFile(`${file}-wal`)).length
    const frames = (whole - LOG_HEADER_BYTES) / FRAME_BYTES
    expect(await lostAfter(nothing)).toBeUndefined()
    // The last frame is a commit, which may have been cut off before anybody was told of it.
    expect(await lostAfter(invert(-1))).toBeUndefined()
    expect(await lostAfter(invert(-1 - FRAME_BYTES))).toBeGreaterThan(0)
    // The first frame, and each part of the header: the magic number, the page size, a salt.
    for (const at of [LOG_HEADER_BYTES + 50, 0, 9, 17]) {
      expect(await lostAfter(invert(at))).toBe(frames)
    }
    // A large transaction writes frames before its commit, and leaves them when it is rolled back.
    writer.exec('begin')
    insertMany(40)
    expect((await readFile(`${file}-wal`)).length).toBeGreaterThan(whole + 10 * FRAME_BYTES)
    expect(await lostAfter(nothing)).toBeUndefined()
    // A commit that others follow was not cut off.
    expect(await lostAfter(invert(whole - 1))).toBeGreaterThan(0)
    writer.exec('rollback')
    insertMany(1)
    expect(await lostAfter(nothing)).toBeUndefined()
    // A log that begins again keeps the frames of the one before behind its own.
    writer.pragma('wal_checkpoint')
    insertMany(1)
    expect(await lostAfter(nothing)).toBeUndefined()
  })
})
