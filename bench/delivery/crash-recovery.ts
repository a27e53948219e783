import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { runKills } from '../../test/integration/delivery/kill-run.ts'
import { findPrograms } from '../../test/services/find.ts'
import { thisMachine } from '../../test/services/machine.ts'
import { startPostgres } from '../../test/services/postgres.ts'
import { type Figure, stored } from '../report/figure.ts'

const EVENTS = 10_000
const KILLS = 100
const LIFE_MS = 400
const PATIENCE_MS = 120_000

/** Kills the process that publishes and delivers 100 times at random moments, on each database. */
export async function benchCrashRecovery(only: readonly string[]): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-kills-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder)
  const reported: Figure[] = []
  try {
    for (const [name, databaseUrl] of [
      ['SQLite', undefined],
      ['Postgres', await newDatabase(postgres.url)],
    ] as const) {
      if (only.length > 0 && !only.includes(name)) continue
      const report = await runKills({
        place: { dataDir: join(folder, name), databaseUrl },
        count: EVENTS,
        kills: KILLS,
        lifeMs: LIFE_MS,
        aheadMs: 0,
        patienceMs: PATIENCE_MS,
      })
      process.stdout.write(`${name.padEnd(9)} ${JSON.stringify(report)}\n`)
      for (const what of ['lost', 'repeated'] as const) {
        reported.push({
          id: `${name.toLowerCase()}.${what}`,
          label: `${name}: ${what} of ${EVENTS} deliveries, ${KILLS} kills`,
          value: stored(report[what]),
          unit: '',
          better: 'lower',
        })
      }
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  return reported
}

async function newDatabase(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('create database bench_kills')
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = '/bench_kills'
  return url.href
}
