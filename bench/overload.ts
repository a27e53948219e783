import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import autocannon from 'autocannon'
import { newDatabase, prepareTenant } from './chat.ts'
import { type Figure, stored } from './report/figure.ts'
import { residentMegabytes, startServer } from './server.ts'
import { findPrograms } from '../test/services/find.ts'
import { thisMachine } from '../test/services/machine.ts'
import { startPostgres } from '../test/services/postgres.ts'

const SECONDS = 30
const WARM_SECONDS = 2
const CALM_SECONDS = 3
/** Time limit of a request; the benchmark thus ends on a machine that is busy with other work. */
const REQUEST_TIMEOUT_SECONDS = 15
const OVERLOAD = 5
const MAX_CONNECTIONS = 1_500
/** Targets. */
const MAX_ACCEPTED_MS = 2_000
const MAX_HEALTH_MS = 250
const MAX_NORMAL_MS = 2_000
const MAX_RECOVERY_MS = 10_000
const MAX_PREPARATION_MS = 30_000

/** Chat turns at five times the capacity: what accepted callers, refused ones and a supervisor see. */
export async function benchOverload(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-postgres-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder)
  try {
    process.stdout.write(`\nChat turns, ${OVERLOAD} × the capacity for ${SECONDS} s\n\n`)
    process.stdout.write(
      'server     capacity/s  offered/s  taken/s  refused/s  other  p50 ms  p99 ms  health ms  RSS MB  normal after ms\n',
    )
    const onSqlite = await measureOverload({})
    process.stdout.write(`${lineOf('SQLite', onSqlite)}\n`)
    const databaseUrl = await newDatabase(postgres.url)
    const onPostgres = await measureOverload({ DATABASE_URL: databaseUrl })
    process.stdout.write(`${lineOf('Postgres', onPostgres)}\n`)
    return [...reportOf('SQLite', onSqlite), ...reportOf('Postgres', onPostgres)]
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Effects of five times the capacity on callers and on a supervisor. Times in ms. */
export interface Overload {
  capacity: number
  offered: number
  /** A second. */
  taken: number
  refused: number
  /** In all: neither answered nor refused. */
  other: number
  p50: number
  p99: number
  health: number
  megabytes: readonly [before: number, after: number]
  recoveredMs: number
}

/** Finds the capacity of a process with these settings, and offers it five times as much. */
export async function measureOverload(settings: Record<string, string>): Promise<Overload> {
  const { url, server, stop } = await startServer(settings)
  try {
    const token = await prepareTenant(url)
    const target = {
      url: `${url}/api/v1/chatbot/message`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      requests: [{ body: JSON.stringify({ tenant_id: 'bench', message: 'What is a hook?' }) }],
    }
    // Until then the process reads the documents, and answers nobody.
    await recovery(target, MAX_PREPARATION_MS)
    await autocannon({ ...target, connections: 8, duration: WARM_SECONDS })
    const calm = await autocannon({ ...target, connections: 64, duration: CALM_SECONDS })
    const capacity = calm['2xx'] / calm.duration
    const before = residentMegabytes(server)

    const taken: number[] = []
    let refused = 0
    let other = 0
    const health = watchHealth(url)
    const offered = Math.round(capacity * OVERLOAD)
    const load = autocannon({
      ...target,
      connections: Math.min(MAX_CONNECTIONS, offered),
      overallRate: offered,
      duration: SECONDS,
      timeout: REQUEST_TIMEOUT_SECONDS,
    })
    load.on('response', (_client, status, _bytes, ms) => {
      if (status === 200) taken.push(ms)
      else if (status === 503) refused += 1
      else other += 1
    })
    await load
    const worstHealth = await health.stop()
    const recoveredMs = await recovery(target, MAX_RECOVERY_MS)
    taken.sort((a, b) => a - b)
    const at = (share: number) => taken[Math.floor(taken.length * share)] ?? 0
    return {
      capacity,
      offered,
      taken: taken.length / SECONDS,
      refused: refused / SECONDS,
      other,
      p50: at(0.5),
      p99: at(0.99),
      health: worstHealth,
      megabytes: [before, residentMegabytes(server)],
      recoveredMs,
    }
  } finally {
    await stop()
  }
}

function reportOf(name: string, found: Overload): Figure[] {
  const [before, after] = found.megabytes
  const report = (
    id: string,
    label: string,
    value: number,
    more: Pick<Figure, 'unit' | 'better' | 'floor' | 'target'>,
  ): Figure => ({
    id: `${name.toLowerCase()}.${id}`,
    label: `${name}: ${label}`,
    value: stored(value),
    ...more,
  })
  const ms = (bound?: number) => ({
    unit: 'ms',
    better: 'lower' as const,
    ...(bound === undefined ? {} : { target: { of: 'value' as const, bound } }),
  })
  return [
    report('taken', 'turns accepted; floor: the capacity', found.taken, {
      unit: '/s',
      better: 'higher',
      floor: stored(found.capacity) ?? 0,
    }),
    report('p99', 'accepted turns, p99', found.p99, ms(MAX_ACCEPTED_MS)),
    report('health', 'the slowest answer of /health/live', found.health, ms(MAX_HEALTH_MS)),
    report('other', 'neither answered nor refused', found.other, { unit: '', better: 'lower' }),
    report('memory', 'memory after it; floor: before', after, {
      unit: 'MB',
      better: 'lower',
      floor: stored(before) ?? 0,
    }),
    report('recovered', 'normal again after', found.recoveredMs, ms(MAX_NORMAL_MS)),
  ]
}

function lineOf(name: string, { megabytes: [before, after], ...found }: Overload): string {
  return [
    name.padEnd(9),
    found.capacity.toFixed(0).padStart(11),
    found.offered.toFixed(0).padStart(10),
    found.taken.toFixed(0).padStart(8),
    found.refused.toFixed(0).padStart(10),
    String(found.other).padStart(6),
    found.p50.toFixed(0).padStart(7),
    found.p99.toFixed(0).padStart(7),
    found.health.toFixed(0).padStart(10),
    `${before.toFixed(0)}→${after.toFixed(0)}`.padStart(7),
    found.recoveredMs.toFixed(0).padStart(16),
  ].join(' ')
}

/** Asks `/health/live` again and again beside the load; returns the slowest answer in ms. */
function watchHealth(url: string): { stop(): Promise<number> } {
  let slowest = 0
  const watch = new Worker(new URL('health-watch.ts', import.meta.url), { workerData: url })
  watch.on('message', (ms: number) => (slowest = ms))
  return {
    async stop() {
      await watch.terminate()
      return slowest
    },
  }
}

/** Returns the milliseconds until ten turns in a row are answered; `Infinity` after `maxMs`. */
export async function recovery(
  target: { url: string; headers: Record<string, string>; requests: { body: string }[] },
  maxMs: number,
): Promise<number> {
  const started = performance.now()
  let inARow = 0
  while (inARow < 10) {
    const { headers, requests } = target
    const body = requests[0]?.body ?? ''
    const signal = AbortSignal.timeout(maxMs)
    const options = { method: 'POST', headers, body, signal }
    const answer = await fetch(target.url, options).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    inARow = answer?.ok ? inARow + 1 : 0
    if (performance.now() - started > maxMs) return Infinity
  }
  return performance.now() - started
}
