import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { QUESTIONS, newDatabase, prepareTenant } from './chat.ts'
import { recovery } from './overload.ts'
import { type Figure, stored } from './report/figure.ts'
import { processorMs, startServer } from './server.ts'
import { findPrograms } from '../test/services/find.ts'
import { thisMachine } from '../test/services/machine.ts'
import { startPostgres } from '../test/services/postgres.ts'

const ROUND_TRIP_MS = 20
const PROCESSES = [1, 4]
const IN_FLIGHT = [1, 64, 256]
/** In flight in each process that serves a workspace of its own: below what its core can do. */
const APART = 16
const SECONDS = 6
const WARM_SECONDS = 3
const MAX_PREPARATION_MS = 180_000
/** Targets: turns a second of one process, and of four as a multiple of one. */
const MIN_TURNS = 100
const MIN_SHARE_OF_ONE = 3
const SAMPLE_INTERVAL_MS = 50

interface Target {
  url: string
  server: ChildProcess
}

/** A site that visitors ask, and the token of one of them. */
interface Site {
  tenantId: string
  token: string
}

/** Waits of the database's sessions, in shares of the time; several may wait at once. */
interface Waits {
  /** Sessions that wait for a row that another one has locked. */
  locks: number
  /** Transactions that wait for the next statement of their process. */
  transactions: number
}

/**
 * Chat turns with Postgres 20 ms away: what one process and four answer a second, for one workspace, and
 * for a workspace each, as `docs/scale.md` routes them.
 */
export async function benchRemote(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-postgres-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder)
  const near = await newDatabase(postgres.url)
  // The first start makes the tables, statement by statement.
  await (await startServer({ DATABASE_URL: near })).stop()
  const far = await startFarDatabase(near)
  const stops: (() => Promise<unknown>)[] = []
  const targets: Target[] = []
  const reported: Figure[] = []
  const open = async () => {
    const started = await startServer({ DATABASE_URL: far.url, LIMIT_WAIT_MS: '0' })
    stops.push(started.stop)
    targets.push(started)
  }
  try {
    await open()
    const [first = { url: '' }] = targets
    const site = { tenantId: 'bench', token: await prepareTenant(first.url) }
    await untilAnswering(first.url, site)
    process.stdout.write(`\nChat turns of one workspace, Postgres ${ROUND_TRIP_MS} ms away\n\n`)
    process.stdout.write(
      'processes  in flight   turns/s    p50 ms    p99 ms    CPU ms     locks  transactions\n',
    )
    for (const count of PROCESSES) {
      while (targets.length < count) {
        await open()
        await untilAnswering(targets.at(-1)?.url ?? '', site)
      }
      await measure(targets, [site], 16, WARM_SECONDS)
      for (const inFlight of IN_FLIGHT) {
        if (inFlight < count) continue
        const waits = await watchWaits(near)
        const { perSecond, p50, p99, cpu } = await measure(targets, [site], inFlight, SECONDS)
        const { locks, transactions } = await waits.stop()
        const alone = reported.find(({ id }) => id === `1.${inFlight}.rate`)
        reported.push(...reportOf(count, inFlight, { perSecond, cpu, p50 }, alone?.value))
        const figures = [
          ...[perSecond, p50, p99].map((figure) => figure.toFixed(0).padStart(9)),
          cpu.toFixed(1).padStart(9),
          locks.toFixed(1).padStart(9),
          transactions.toFixed(1).padStart(13),
        ]
        process.stdout.write(
          `${String(count).padStart(9)} ${String(inFlight).padStart(10)} ${figures.join(' ')}\n`,
        )
      }
    }
    reported.push(...(await measureApart(targets)))
  } finally {
    for (const stop of stops) await stop()
    await far.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  return reported
}

/** One process with one workspace, then each process with a workspace of its own. */
async function measureApart(targets: readonly Target[]): Promise<Figure[]> {
  const sites = await Promise.all(
    targets.map(async ({ url }, at) => {
      const tenantId = `bench-${at}`
      const site = { tenantId, token: await prepareTenant(url, tenantId) }
      await untilAnswering(url, site)
      return site
    }),
  )
  await measure(targets, sites, APART * targets.length, WARM_SECONDS)
  const one = await measure(targets.slice(0, 1), sites, APART, SECONDS)
  const all = await measure(targets, sites, APART * targets.length, SECONDS)
  const ratio = (all.perSecond / one.perSecond).toFixed(2)
  process.stdout.write(
    `\n${APART} in flight in each process, a workspace each: one process ${one.perSecond.toFixed(0)} turns/s, ` +
      `${targets.length} processes ${all.perSecond.toFixed(0)} (${ratio} times)\n`,
  )
  return [
    {
      id: 'apart.rate',
      label: `${targets.length} processes, a workspace and ${APART} in flight each: turns; floor: one process`,
      value: stored(all.perSecond),
      unit: '/s',
      better: 'higher',
      floor: stored(one.perSecond) ?? 0,
      target: { of: 'share of the floor', bound: MIN_SHARE_OF_ONE },
    },
  ]
}

function reportOf(
  processes: number,
  inFlight: number,
  { perSecond, cpu, p50 }: { perSecond: number; cpu: number; p50: number },
  alone: number | null | undefined,
): Figure[] {
  const name = processes === 1 ? 'one process' : `${processes} processes`
  const of = `${name}, ${inFlight} in flight`
  const isMostBusy = inFlight === IN_FLIGHT.at(-1)
  const target: Pick<Figure, 'target'> = { target: { of: 'value', bound: MIN_TURNS } }
  return [
    {
      id: `${processes}.${inFlight}.rate`,
      label: processes === 1 ? `${of}: turns` : `${of}: turns; floor: one process`,
      value: stored(perSecond),
      unit: '/s',
      better: 'higher',
      ...(typeof alone === 'number' ? { floor: alone } : {}),
      ...(isMostBusy ? target : {}),
    },
    {
      id: `${processes}.${inFlight}.p50`,
      label: `${of}: time to the answer, p50`,
      value: stored(p50),
      unit: 'ms',
      better: 'lower',
    },
    {
      id: `${processes}.${inFlight}.cpu`,
      label: `${of}: processor time of a turn`,
      value: stored(cpu),
      unit: 'ms',
      better: 'lower',
    },
  ]
}

/** The first questions wait until the process has read the documents. */
async function untilAnswering(url: string, { tenantId, token }: Site): Promise<void> {
  const target = {
    url: `${url}/api/v1/chatbot/message`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    requests: [{ body: JSON.stringify({ tenant_id: tenantId, message: 'What is a hook?' }) }],
  }
  const ms = await recovery(target, MAX_PREPARATION_MS)
  if (ms === Infinity) throw new Error('The process does not answer.')
}

/** Each process is asked about its own site, or all about the only one. */
async function measure(
  targets: readonly Target[],
  sites: readonly Site[],
  inFlight: number,
  duration: number,
): Promise<{ perSecond: number; p50: number; p99: number; cpu: number }> {
  const processor = () => targets.reduce((sum, { server }) => sum + processorMs(server), 0)
  const before = processor()
  const results = await Promise.all(
    targets.map(({ url }, at) => {
      const { tenantId, token } = sites[at] ?? sites[0] ?? { tenantId: '', token: '' }
      return autocannon({
        url: `${url}/api/v1/chatbot/message`,
        connections: inFlight / targets.length,
        duration,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        requests: QUESTIONS.map((message) => ({
          body: JSON.stringify({ tenant_id: tenantId, message }),
        })),
      })
    }),
  )
  const answers = results.reduce((sum, result) => sum + result['2xx'], 0)
  const refused = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0)
  if (refused > 0) process.stdout.write(`${refused} of ${refused + answers} were not answered\n`)
  return {
    perSecond: answers / duration,
    cpu: (processor() - before) / answers,
    p50: Math.max(...results.map(({ latency }) => latency.p50)),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
  }
}

/** Samples what the sessions of the processes wait for. */
async function watchWaits(databaseUrl: string): Promise<{ stop(): Promise<Waits> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let [samples, locks, transactions] = [0, 0, 0]
  const over = new AbortController()
  const sample = async () => {
    while (!over.signal.aborted) {
      const { rows } = await client.query<{ locks: number; transactions: number }>(`
        select count(*) filter (where wait_event_type = 'Lock')::int as locks,
          count(*) filter (where state like 'idle in transaction%')::int as transactions
        from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`)
      samples += 1
      locks += rows[0]?.locks ?? 0
      transactions += rows[0]?.transactions ?? 0
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_INTERVAL_MS))
    }
  }
  const sampled = sample()
  return {
    async stop() {
      over.abort()
      await sampled
      await client.end()
      return { locks: locks / samples, transactions: transactions / samples }
    },
  }
}

/** A proxy that delivers each byte half a round trip late, in both directions. */
async function startFarDatabase(
  databaseUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from.setNoDelay(true))
      from.on('data', (bytes) => {
        setTimeout(() => !to.destroyed && to.write(bytes), ROUND_TRIP_MS / 2)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${address.port}`
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
