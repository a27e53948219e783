import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import { signedHeaders } from '../server/delivery/signature.ts'
import { newId } from '../server/lib/ids.ts'
import { valuesTable } from '../server/storage/values-table.ts'
import { findPrograms } from '../test/services/find.ts'
import { thisMachine } from '../test/services/machine.ts'
import { startPostgres } from '../test/services/postgres.ts'
import { measureDeadReceiver, WAITING } from './dead-receiver.ts'
import { openStage, type Place, type Report, type Stage } from './stage.ts'

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
/** As in production: what is acknowledged is on the disk, and there is memory for the hot tables. */
const SETTINGS = {
  '--fsync': 'on',
  '--autovacuum': 'on',
  '--shared_buffers': '512MB',
  '--max_wal_size': '4GB',
  '--checkpoint_timeout': '15min',
}
const DATABASES = new Set(['SQLite', 'Postgres'])

/**
 * Deliveries per second, each durable, signed and logged, beside a bare loop of posts by undici in
 * the same run, each after a warm-up. The receiver verifies every signature and shares the machine, so
 * that the ratio to the bare loop says more than the number. `only` names databases and parts of scenes.
 */
export async function benchDelivery(only: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder, SETTINGS)
  print('\nDeliveries: one process publishes, sends and logs; another receives and verifies\n')
  try {
    const embedded = async () => ({
      dataDir: await mkdtemp(join(folder, 'data-')),
      databaseUrl: undefined,
    })
    const served = async () => ({ dataDir: folder, databaseUrl: await newDatabase(postgres.url) })
    if (isWanted('SQLite', only)) await measure('SQLite', embedded, only)
    if (isWanted('Postgres', only)) await measure('Postgres', served, only)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** `open` opens another stage with a new database. */
type Play = (stage: Stage, open: () => Promise<Stage>) => Promise<string>

const SCENES: readonly [string, Play][] = [
  ['bare loop of posts', bareLoop],
  [`backlog of ${BACKLOG}`, drain],
  ['bare loop of posts', bareLoop],
  [`${RATE}/s for ${SECONDS} s`, stream],
  [`${ENDLESS} endless answers`, endless],
  [`one dead receiver, ${WAITING} waiting`, async (_, open) => measureDeadReceiver(open)],
  [`retries, ${SCHEDULED} scheduled`, retries],
]

/** Parts of names choose databases and scenes; without any, all are played. */
function isWanted(name: string, only: readonly string[]): boolean {
  const among = only.filter((part) => DATABASES.has(part) === DATABASES.has(name))
  return among.length === 0 || among.some((part) => name.includes(part))
}

async function measure(
  name: string,
  newPlace: () => Promise<Place>,
  only: readonly string[],
): Promise<void> {
  const open = async () => openStage(await newPlace())
  const stage = await open()
  try {
    for (const [scene, play] of SCENES) {
      if (!isWanted(scene, only)) continue
      print(`${name.padEnd(9)} ${scene.padEnd(38)} ${await play(stage, open)}\n`)
    }
  } finally {
    await stage.close()
  }
}

/** What the machine gives at this moment to nothing but signing, posting and reading the answer. */
async function bareLoop(stage: Stage): Promise<string> {
  const url = new URL(stage.url('/hook'))
  const pool = new Pool(url.origin, { connections: POSTS_AT_ONCE, pipelining: 1 })
  const postAll = async (count: number) => {
    const posts = Array.from({ length: count }, () => stage.newDelivery('rule_bare'))
    const post = async () => {
      for (let next = posts.pop(); next; next = posts.pop()) {
        const { id, family, event, body } = next
        const sent = { id, family, event, body, now: stage.ctx.now() }
        const headers = {
          'content-type': 'application/json',
          ...signedHeaders(sent, { current: stage.secret }),
        }
        const answer = await pool.request({ path: url.pathname, method: 'POST', headers, body })
        await answer.body.dump()
      }
    }
    return timed(() => Promise.all(Array.from({ length: POSTS_AT_ONCE }, post)))
  }
  await postAll(WARM_UP)
  await stage.report()
  const took = await postAll(POSTS)
  await pool.close()
  const { cpu } = await stage.report()
  return speed(POSTS, took, cpu)
}

/** Until everything that is due has left and was written down. */
async function drain(stage: Stage): Promise<string> {
  const send = async (count: number) => {
    await stage.queueMany(stage.endpoints, count)
    return timed(async () => {
      const worker = stage.start()
      await worker.idle()
      await worker.stop()
    })
  }
  await send(WARM_UP)
  await stage.report()
  const took = await send(BACKLOG)
  const { delays, cpu } = await stage.report()
  return `${speed(BACKLOG, took, cpu)}, ${delays.length} received`
}

/** Publishes one by one, each in a transaction of its own, and says how late they came. */
async function stream(stage: Stage): Promise<string> {
  const worker = stage.start()
  await stage.publish(stage.endpoints, RATE, WARM_UP)
  await worker.idle()
  await stage.report()
  let inside: number[] = []
  const took = await timed(async () => {
    inside = await stage.publish(stage.endpoints, RATE, RATE * SECONDS)
    await worker.idle()
  })
  await worker.stop()
  const { delays, cpu } = await stage.report()
  const publishing = `publishing inside the transaction p50 ${quantile(inside, 0.5)} ms`
  return `${speed(delays.length, took, cpu)}, ${quantiles(delays)}, ${publishing}`
}

async function endless(stage: Stage): Promise<string> {
  const endpoints = Array.from({ length: ENDLESS / 5 }, () => newId('rule'))
  for (const id of endpoints) stage.route(id, '/endless')
  await stage.queueMany(endpoints, ENDLESS)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let max = before
  const sampler = setInterval(() => (max = Math.max(max, process.memoryUsage().rss)), 5)
  const worker = stage.start()
  await worker.idle()
  await worker.stop()
  clearInterval(sampler)
  const { endless: answers } = await stage.report()
  await forget(stage)
  return `memory grew by ${((max - before) / MIB).toFixed(1)} MiB at most, ${answers} answers`
}

async function forget({ ctx }: Stage): Promise<void> {
  await ctx.db.deleteFrom('deliveries').execute()
}

/** A million retries that are due tomorrow, and some that are due in a moment. */
async function retries(stage: Stage): Promise<string> {
  const { ctx } = stage
  const tomorrow = ctx.now() + 86_400_000
  for (let made = 0; made < SCHEDULED; made += SCHEDULED_AT_ONCE) {
    const rows = Array.from({ length: SCHEDULED_AT_ONCE }, (_, index) => [
      newId('wh'),
      stage.endpoints[index % stage.endpoints.length] ?? '',
      tomorrow + index,
    ])
    await sql`
      insert into deliveries (id, endpoint_id, next_at, created_at, workspace_id, family, event,
        body, tier, attempt, attempts)
      select c0, c1, c2, c2, 'ws_bench', 'chat', 'lead.created', '{}', 1, 1, 1
      from ${valuesTable(ctx.db, ['text', 'text', 'bigint'], rows)} as entry`.execute(ctx.db)
  }
  const worker = stage.start()
  await worker.idle()
  const first = ctx.now() + 1_000
  const rows = Array.from({ length: RETRIES }, (_, index) => {
    const delivery = stage.newDelivery(stage.endpoints[index % stage.endpoints.length] ?? '')
    const at = first + index * RETRY_EVERY_MS
    // The receiver counts from `sent_at`: here that is when the retry is due.
    const body = delivery.body.replace(/"sent_at":[\d.]+/, `"sent_at":${at}`)
    return { ...retry(delivery.endpointId, at), body }
  })
  await ctx.db.insertInto('deliveries').values(rows).execute()
  ctx.dispatcher.notifyWorkers()
  await sleep(1_500 + RETRIES * RETRY_EVERY_MS)
  await worker.idle()
  await worker.stop()
  const { delays } = await stage.report()
  return `late by ${quantiles(delays)}`
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

interface Took {
  seconds: number
  cpuSeconds: number
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const started = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 }
}

/** The rate, and the processor time of each delivery: in this process, the receiver, Postgres. */
function speed(
  count: number,
  { seconds, cpuSeconds }: Took,
  { receiver, database }: Report['cpu'],
) {
  const [own, theirs, servers] = [cpuSeconds, receiver, database].map((used) =>
    ((used / count) * 1e6).toFixed(0),
  )
  const beside = database > 0 ? `${theirs} receiver, ${servers} Postgres` : `${theirs} receiver`
  return `${(count / seconds).toFixed(0)}/s, processor time each ${own} µs (${beside})`
}

function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
}

function quantiles(sorted: readonly number[]): string {
  return `p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms, of ${sorted.length}`
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
