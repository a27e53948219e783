import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import { signedHeaders } from '../../server/delivery/signature.ts'
import { newId } from '../../server/lib/ids.ts'
import { valuesTable } from '../../server/storage/values-table.ts'
import { findPrograms } from '../../test/services/find.ts'
import { thisMachine } from '../../test/services/machine.ts'
import { startPostgres } from '../../test/services/postgres.ts'
import { type Figure, stored } from '../report/figure.ts'
import { measureDeadReceiver, WAITING } from './dead-receiver.ts'
import {
  type Took,
  besideFloor,
  delayFigures,
  quantile,
  quantiles,
  speed,
  speedFigures,
} from './figures.ts'
import { openHarness, type Place, type Harness } from './harness.ts'

const BACKLOG = 30_000
const RATE = 4_000
const SECONDS = 8
const SCHEDULED = 1_000_000
const SCHEDULED_AT_ONCE = 5_000
const RETRIES = 500
const RETRY_EVERY_MS = 8
const POSTS = 30_000
const POSTS_AT_ONCE = 64
const ENDLESS = 1_000
const WARM_UP = 5_000
const MIB = 1024 * 1024
/** Targets. */
const MIN_DRAINED = 12_000
const MAX_RETRY_DELAY_MS = 250
/** As in production: an acknowledged commit is on the disk, and the hot tables fit in memory. */
const SETTINGS = {
  '--fsync': 'on',
  '--autovacuum': 'on',
  '--shared_buffers': '512MB',
  '--max_wal_size': '4GB',
  '--checkpoint_timeout': '15min',
}
const DATABASES = new Set(['SQLite', 'Postgres'])

/**
 * Measures deliveries per second, durable, signed and logged, beside a bare loop of posts by undici in
 * the same run, both after a warm-up. The receiver verifies every signature on the same machine, so the
 * ratio to the bare loop is more reliable than the rate. `only` selects databases and scenes.
 */
export async function benchDelivery(only: readonly string[]): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder, SETTINGS)
  const reported: Figure[] = []
  print('\nDeliveries: one process publishes, sends and logs; another receives and verifies\n')
  try {
    const embedded = async () => ({
      dataDir: await mkdtemp(join(folder, 'data-')),
      databaseUrl: undefined,
    })
    const served = async () => ({ dataDir: folder, databaseUrl: await newDatabase(postgres.url) })
    for (const [name, newPlace] of [
      ['SQLite', embedded],
      ['Postgres', served],
    ] as const) {
      if (isWanted(name, only)) reported.push(...(await measure(name, newPlace, only)))
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  return reported
}

/** The line of a scene in the table, and its figures for the report. */
interface Played {
  text: string
  figures: readonly Figure[]
}

/** A scene; `open` opens another harness with a new database. */
type Play = (harness: Harness, open: () => Promise<Harness>) => Promise<Played>

const SCENES: readonly [string, Play][] = [
  ['bare loop of posts', bareLoop],
  [`backlog of ${BACKLOG}`, drain],
  ['bare loop of posts', bareLoop],
  [`${RATE}/s for ${SECONDS} s`, stream],
  [`${ENDLESS} endless answers`, endless],
  [
    `one dead receiver, ${WAITING} waiting`,
    async (_, open) => ({ text: await measureDeadReceiver(open), figures: [] }),
  ],
  [`retries, ${SCHEDULED} scheduled`, retries],
]

/** Returns whether a database or scene is selected; without a selection, all are. */
function isWanted(name: string, only: readonly string[]): boolean {
  const among = only.filter((part) => DATABASES.has(part) === DATABASES.has(name))
  return among.length === 0 || among.some((part) => name.includes(part))
}

async function measure(
  name: string,
  newPlace: () => Promise<Place>,
  only: readonly string[],
): Promise<Figure[]> {
  const reported: Figure[] = []
  const open = async () => openHarness(await newPlace())
  const harness = await open()
  try {
    for (const [scene, play] of SCENES) {
      if (!isWanted(scene, only)) continue
      const { text, figures } = await play(harness, open)
      print(`${name.padEnd(9)} ${scene.padEnd(38)} ${text}\n`)
      reported.push(...figures)
    }
  } finally {
    await harness.close()
  }
  return besideFloor(name, reported)
}

/** The machine's current upper bound: signing, posting and reading the response. */
async function bareLoop(harness: Harness): Promise<Played> {
  await postBare(harness, WARM_UP)
  await harness.report()
  const took = await postBare(harness, POSTS)
  const { cpu } = await harness.report()
  return { text: speed(POSTS, took, cpu), figures: speedFigures('bare', '', POSTS, took) }
}

/** Signs and posts deliveries in a bare loop by undici. */
export async function postBare(harness: Harness, count: number): Promise<Took> {
  const url = new URL(harness.url('/hook'))
  const pool = new Pool(url.origin, { connections: POSTS_AT_ONCE, pipelining: 1 })
  const posts = Array.from({ length: count }, () => harness.newDelivery('rule_bare'))
  const post = async () => {
    for (let next = posts.pop(); next; next = posts.pop()) {
      const { id, family, event, body } = next
      const sent = { id, family, event, body, now: harness.ctx.now() }
      const headers = {
        'content-type': 'application/json',
        ...signedHeaders(sent, { current: harness.secret }),
      }
      const answer = await pool.request({ path: url.pathname, method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  const took = await timed(() => Promise.all(Array.from({ length: POSTS_AT_ONCE }, post)))
  await pool.close()
  return took
}

/** Sends a backlog until every outcome is stored. */
async function drain(harness: Harness): Promise<Played> {
  await sendBacklog(harness, WARM_UP)
  await harness.report()
  const took = await sendBacklog(harness, BACKLOG)
  const { delays, cpu } = await harness.report()
  const label = `a backlog of ${BACKLOG.toLocaleString('en-US')}`
  return {
    text: `${speed(BACKLOG, took, cpu)}, ${delays.length} received`,
    figures: speedFigures('backlog', label, BACKLOG, took, MIN_DRAINED),
  }
}

/** Sends queued deliveries until every outcome is stored. */
export async function sendBacklog(harness: Harness, count: number): Promise<Took> {
  await harness.queueMany(harness.endpoints, count)
  return timed(async () => {
    const worker = harness.start()
    await worker.idle()
    await worker.stop()
  })
}

/** Publishes one by one, each in its own transaction, and measures the latency. */
async function stream(harness: Harness): Promise<Played> {
  const worker = harness.start()
  await harness.publish(harness.endpoints, RATE, WARM_UP)
  await worker.idle()
  await harness.report()
  let inside: number[] = []
  const took = await timed(async () => {
    inside = await harness.publish(harness.endpoints, RATE, RATE * SECONDS)
    await worker.idle()
  })
  await worker.stop()
  const { delays, cpu } = await harness.report()
  const publishing = `publishing inside the transaction p50 ${quantile(inside, 0.5)} ms`
  const label = `${RATE.toLocaleString('en-US')}/s published`
  return {
    text: `${speed(delays.length, took, cpu)}, ${quantiles(delays)}, ${publishing}`,
    figures: [
      ...speedFigures('stream', label, delays.length, took),
      ...delayFigures('stream', `${label}, from event to receiver`, delays),
    ],
  }
}

async function endless(harness: Harness): Promise<Played> {
  const endpoints = Array.from({ length: ENDLESS / 5 }, () => newId('rule'))
  for (const id of endpoints) harness.route(id, '/endless')
  await harness.queueMany(endpoints, ENDLESS)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let max = before
  const sampler = setInterval(() => (max = Math.max(max, process.memoryUsage().rss)), 5)
  const worker = harness.start()
  await worker.idle()
  await worker.stop()
  clearInterval(sampler)
  const { endless: answers } = await harness.report()
  await forget(harness)
  const grown = (max - before) / MIB
  return {
    text: `memory grew by ${grown.toFixed(1)} MiB at most, ${answers} answers`,
    figures: [
      {
        id: 'endless.memory',
        label: `memory added by ${ENDLESS.toLocaleString('en-US')} endless responses`,
        value: stored(grown),
        unit: 'MiB',
        better: 'lower',
      },
    ],
  }
}

async function forget({ ctx }: Harness): Promise<void> {
  await ctx.db.deleteFrom('deliveries').execute()
}

/** Schedules a million retries for tomorrow and a few for the next seconds. */
async function retries(harness: Harness): Promise<Played> {
  const { ctx } = harness
  await scheduleForTomorrow(harness, SCHEDULED)
  const worker = harness.start()
  await worker.idle()
  const first = ctx.now() + 1_000
  const rows = Array.from({ length: RETRIES }, (_, index) => {
    const delivery = harness.newDelivery(harness.endpoints[index % harness.endpoints.length] ?? '')
    const at = first + index * RETRY_EVERY_MS
    // The receiver measures from `sent_at`: for a retry, its due time.
    const body = delivery.body.replace(/"sent_at":[\d.]+/, `"sent_at":${at}`)
    return { ...retry(delivery.endpointId, at), body }
  })
  await ctx.db.insertInto('deliveries').values(rows).execute()
  ctx.dispatcher.notifyWorkers()
  await sleep(1_500 + RETRIES * RETRY_EVERY_MS)
  await worker.idle()
  await worker.stop()
  const { delays } = await harness.report()
  const label = `due retries of ${SCHEDULED.toLocaleString('en-US')}, delay`
  return {
    text: `late by ${quantiles(delays)}`,
    figures: delayFigures('retries', label, delays, MAX_RETRY_DELAY_MS),
  }
}

/** Schedules retries for tomorrow. */
export async function scheduleForTomorrow(harness: Harness, count: number): Promise<void> {
  const { ctx } = harness
  const tomorrow = ctx.now() + 86_400_000
  for (let made = 0; made < count; made += SCHEDULED_AT_ONCE) {
    const rows = Array.from({ length: Math.min(SCHEDULED_AT_ONCE, count - made) }, (_, index) => [
      newId('wh'),
      harness.endpoints[index % harness.endpoints.length] ?? '',
      tomorrow + index,
    ])
    await sql`
      insert into deliveries (id, endpoint_id, next_at, created_at, workspace_id, family, event,
        body, tier, attempt, attempts)
      select c0, c1, c2, c2, 'ws_bench', 'chat', 'lead.created', '{}', 1, 1, 1
      from ${valuesTable(ctx.db, ['text', 'text', 'bigint'], rows)} as entry`.execute(ctx.db)
  }
}

function retry(endpointId: string, at: number) {
  return {
    id: newId('wh'),
    workspace_id: 'ws_bench',
    family: 'chat' as const,
    event: 'lead.created',
    endpoint_id: endpointId,
    body: '{}',
    tier: 1,
    attempt: 1,
    attempts: 1,
    next_at: at,
    held_at: null,
    session_id: null,
    lease_token: null,
    lease_until: null,
    created_at: at,
  }
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const started = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 }
}

async function newDatabase(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const name = `bench_delivery_${randomBytes(4).toString('hex')}`
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

function print(text: string): void {
  process.stdout.write(text)
}
