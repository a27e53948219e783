import { readFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type TestProcess, startTestProcess } from '../helpers/process.ts'
import { METRICS_TOKEN, addVisitor, addWorkspace } from '../helpers/product.ts'
import { type Customer, callsOf, startCluster } from './cluster.ts'
import { countStatuses, durationAt, startTraffic } from './traffic.ts'

const MINUTES = Number(process.env.FAULT_SOAK_MINUTES ?? 20)
/** The first part fills caches. */
const PARTS = 4
const SAMPLES = 5
const COLLECTS = {
  NODE_OPTIONS: `--expose-gc --import=${join(import.meta.dirname, 'collect-garbage.ts')}`,
}
const CUSTOMERS = 4
const TEST_TIMEOUT_MS = (MINUTES + 5) * 60_000
/** The heap right after a collection wanders by as much without a leak. */
const HEAP_SLACK = 8_000_000
const HANDLE_SLACK = 10
/** Growth of a table and its indexes beyond that of its rows; the embedded log is written back in steps. */
const TABLE_SLACK = { SQLite: 64_000_000, Postgres: 4_000_000 }
const MAX_GROWTH = 1.15

/** What must not grow while a process works. */
interface Sample {
  heap: number
  files: number
  /** Bytes on the disk by table; of the embedded database by file. */
  tables: ReadonlyMap<string, number>
  answers: number
}

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

interface Installation {
  processes: readonly TestProcess[]
  sizes: () => Promise<Map<string, number>>
}

const starts = {
  async SQLite(): Promise<Installation> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-soak-'))
    stops.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
    const settings = { LOG_LEVEL: 'silent', METRICS_TOKEN, ...COLLECTS }
    const started = await startTestProcess({ dataDir, databaseUrl: undefined }, settings)
    stops.push(() => started.end('SIGKILL'))
    return {
      processes: [started],
      sizes: async () => {
        const names = (await readdir(dataDir)).filter((name) => name.includes('.db'))
        const sizes = names.map(
          async (name) => [name, (await stat(join(dataDir, name))).size] as const,
        )
        return new Map(await Promise.all(sizes))
      },
    }
  },
  async Postgres(): Promise<Installation> {
    const cluster = await startCluster(2, { settings: COLLECTS })
    stops.push(() => cluster.stop())
    return {
      processes: cluster.processes,
      sizes: async () => {
        // The servers of the tests do without autovacuum.
        await cluster.postgres.query('vacuum')
        const rows = await cluster.postgres.query<{ name: string; bytes: string }>(
          'select relname as name, pg_total_relation_size(relid) as bytes from pg_stat_user_tables',
        )
        return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
      },
    }
  },
} as const

/** The largest heap and the most open files of the processes; of the heap, what is left after a collection. */
async function readSample({ processes, sizes }: Installation, answers: number): Promise<Sample> {
  const heaps: number[] = []
  const files: number[] = []
  for (const { url, child } of processes) {
    const seen: number[] = []
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      child.kill('SIGWINCH')
      const { text } = await callsOf(url).call('/metrics', { token: METRICS_TOKEN })
      seen.push(Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]))
      await wait(500)
    }
    heaps.push(Math.min(...seen))
    files.push((await readdir(`/proc/${child.pid}/fd`)).length)
  }
  return { heap: Math.max(...heaps), files: Math.max(...files), tables: await sizes(), answers }
}

async function residentBytes({ child }: TestProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}

test.each(['SQLite', 'Postgres'] as const)(
  `${MINUTES} minutes of traffic leave memory, handles and tables as they are: %s`,
  async (kind) => {
    const installation = await starts[kind]()
    const urls = installation.processes.map(({ url }) => url)
    const product = callsOf(urls[0] ?? '')
    const customers: Customer[] = []
    while (customers.length < CUSTOMERS) {
      const workspace = await addWorkspace(product, { credits: 10_000_000 })
      customers.push({ ...workspace, visitor: await addVisitor(product, workspace) })
    }
    const traffic = startTraffic(urls, customers)
    const samples: Sample[] = []
    for (let part = 0; part < PARTS; part += 1) {
      await wait((MINUTES * 60_000) / PARTS)
      const answers = traffic.outcomes.filter(({ status }) => status === 200).length
      samples.push(await readSample(installation, answers))
    }
    const outcomes = await traffic.stop()
    const resident = await Promise.all(installation.processes.map(residentBytes))
    console.log(kind, countStatuses(outcomes), {
      p99: Math.round(durationAt(outcomes, 0.99)),
      heap: samples.map(({ heap }) => Math.round(heap / 1e6)),
      files: samples.map(({ files }) => files),
      megabytes: resident.map((bytes) => Math.round(bytes / 1e6)),
      stored: samples.map(({ tables }) => sumOf(tables.values()) / 1e6),
    })
    expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
    const [, early, before, last] = samples
    if (!early || !before || !last) throw new Error('The soak has too few parts.')
    expect(last.heap).toBeLessThan(early.heap * MAX_GROWTH + HEAP_SLACK)
    expect(last.files).toBeLessThan(early.files + HANDLE_SLACK)
    // What is kept grows with the answers, and nothing faster.
    const work = (last.answers - before.answers) / (before.answers - early.answers)
    const swollen = [...last.tables].filter(([name, bytes]) => {
      const [first = 0, second = 0] = [early.tables.get(name), before.tables.get(name)]
      return bytes - second > (second - first) * work * MAX_GROWTH + TABLE_SLACK[kind]
    })
    expect(swollen).toEqual([])
  },
  TEST_TIMEOUT_MS,
)

function sumOf(values: Iterable<number>): number {
  return [...values].reduce((sum, value) => sum + value, 0)
}
