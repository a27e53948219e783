import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newDatabase } from '../chat.ts'
import { scheduleForTomorrow, sendBacklog } from '../delivery/delivery.ts'
import { type Harness, type Place, openHarness } from '../delivery/harness.ts'
import type { Figure } from '../report/figure.ts'
import { findPrograms } from '../../test/services/find.ts'
import { thisMachine } from '../../test/services/machine.ts'
import { startPostgres } from '../../test/services/postgres.ts'
import { growing } from './turns.ts'

/** The last is a hundred times what a busy installation has. */
const SIZES = [100, 1_000, 10_000, 100_000]
const SENT = 5_000
const ROUNDS = 3

/** Measures the cost of a delivery on each database as the queue of scheduled ones grows. */
export async function benchQueue(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder, { '--autovacuum': 'on' })
  try {
    const places: [string, Place][] = [
      ['SQLite', { dataDir: folder, databaseUrl: undefined }],
      ['Postgres', { dataDir: folder, databaseUrl: await newDatabase(postgres.url) }],
    ]
    const figures: Figure[] = []
    for (const [name, place] of places) {
      const harness = await openHarness(place)
      try {
        figures.push(...(await measure(name, harness)))
      } finally {
        await harness.close()
      }
    }
    return figures
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function measure(name: string, harness: Harness): Promise<Figure[]> {
  const figures: Figure[] = []
  await sendBacklog(harness, SENT)
  let scheduled = 0
  for (const size of SIZES) {
    await scheduleForTomorrow(harness, size - scheduled)
    scheduled = size
    const rounds: { cpu: number; wall: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cpuSeconds, seconds } = await sendBacklog(harness, SENT)
      rounds.push({ cpu: (cpuSeconds / SENT) * 1e6, wall: (seconds / SENT) * 1e6 })
    }
    const cpu = Math.min(...rounds.map((each) => each.cpu))
    const wall = Math.min(...rounds.map((each) => each.wall))
    process.stdout.write(
      `${name.padEnd(9)} ${String(size).padStart(7)} scheduled: a delivery ${cpu.toFixed(0)} µs CPU, ${wall.toFixed(0)} µs in all\n`,
    )
    const report = growing('scheduled deliveries', size)
    const id = name.toLowerCase()
    figures.push(
      report(`${id}.cpu`, `${name}: processor time of a delivery`, cpu, 'µs'),
      report(`${id}.wall`, `${name}: time of a delivery in a backlog of ${SENT}`, wall, 'µs'),
    )
  }
  await harness.report()
  return figures
}
