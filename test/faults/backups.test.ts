import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { DatabasePlace } from '../helpers/databases.ts'
import { countConsistentBackups } from '../integration/start/backups-under-load.ts'
import { startStoppablePostgres } from './stoppable-postgres.ts'

const BACKUPS = 20

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-faults-'))
  stops.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Makes empty places, the first of them for the product. */
const grounds = {
  async SQLite() {
    return async () => ({ dataDir: await newFolder(), databaseUrl: undefined })
  },
  async Postgres() {
    const dataDir = await newFolder()
    const postgres = await startStoppablePostgres(dataDir)
    stops.push(() => postgres.remove())
    let made = 0
    return async () => {
      made += 1
      const name = `backup_${made}`
      await postgres.query(`create database ${name}`)
      return { dataDir, databaseUrl: postgres.url.replace(/\/product$/, `/${name}`) }
    }
  },
} satisfies Record<string, () => Promise<() => Promise<DatabasePlace>>>

test.for(['SQLite', 'Postgres'] as const)(
  `a backup under load restores to a consistent state ${BACKUPS} times of ${BACKUPS} (%s)`,
  async (kind) => {
    const createEmpty = await grounds[kind]()
    const place = await createEmpty()
    expect(await countConsistentBackups({ place, createEmpty }, BACKUPS)).toBe(BACKUPS)
  },
)
