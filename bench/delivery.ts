import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { readConfig } from '../server/config.ts'
import { type Context, transaction } from '../server/context.ts'
import { openSender } from '../server/delivery/attempt.ts'
import { DeliveryDesk } from '../server/delivery/desk.ts'
import { enqueueDeliveries, type NewDelivery } from '../server/delivery/enqueue.ts'
import { chatBody } from '../server/delivery/signature.ts'
import { targetPolicy } from '../server/delivery/target.ts'
import { type DeliveryWorker, startDeliveryWorker } from '../server/delivery/worker.ts'
import { SearchIndexes } from '../server/knowledge/retrieve.ts'
import { systemClock } from '../server/lib/clock.ts'
import { liveSource } from '../server/chat/session-events.ts'
import { Live } from '../server/live/live.ts'
import { newId } from '../server/lib/ids.ts'
import { embedded } from '../server/models/embedded.ts'
import { OpenStreams } from '../server/platform/open-streams.ts'
import { Secrets } from '../server/platform/secrets.ts'
import { reactions } from '../server/reactions.ts'
import { openBus } from '../server/storage/bus.ts'
import { openStorage } from '../server/storage/open.ts'
import { Wakeups } from '../server/storage/wakeups.ts'
import { openModels } from '../server/workspace/open-models.ts'
import { findPrograms } from '../test/services/find.ts'
import { thisMachine } from '../test/services/machine.ts'
import { startPostgres } from '../test/services/postgres.ts'

const BACKLOG = 30_000
const ENDPOINTS = 50
const RATE = 4_000
const SECONDS = 8
/** As many requests as a busy server has open, each with an event. */
const MOST_PUBLISHING = 256
const SCHEDULED = 1_000_000
const RETRIES = 500
const SECRET = 'a secret of the benchmark'
const Delays = z.object({ delays: z.array(z.number()) })
const Port = z.object({ port: z.number() })

interface Place {
  dataDir: string
  databaseUrl: string | undefined
}

/** Deliveries per second, each durable, signed and logged: a backlog, and a steady stream. */
export async function benchDelivery(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder)
  print('\nDeliveries: one process publishes, sends and logs; another receives\n')
  try {
    for (const [name, place] of [
      ['SQLite', { dataDir: join(folder, 'data'), databaseUrl: undefined }],
      ['Postgres', { dataDir: folder, databaseUrl: await newDatabase(postgres.url) }],
    ] as const) {
      await measure(name, place)
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function measure(name: string, place: Place): Promise<void> {
  const receiver = fork(join(import.meta.dirname, 'receiver.ts'))
  const { port } = Port.parse((await once(receiver, 'message'))[0])
  const { ctx, close } = await openContext(place)
  const url = `http://127.0.0.1:${port}/hook`
  const endpoints = Array.from({ length: ENDPOINTS }, () => newId('rule'))
  const sender = openSender({
    policy: targetPolicy({ allowPrivateTargets: true, allowedTargetCidrs: [] }),
    version: 'bench',
  })
  const source = {
    find: async (_ctx: Context, ids: readonly string[]) =>
      ids.map((id) => ({ id, url, secrets: { current: SECRET }, isActive: true })),
  }
  const start = () =>
    startDeliveryWorker(ctx, { sender, endpoints: { chat: source }, isAlone: true })
  try {
    await fill(ctx, endpoints, BACKLOG)
    const drained = await drain(start, receiver)
    print(`${name.padEnd(9)} backlog of ${BACKLOG}: ${perSecond(BACKLOG, drained)} deliveries/s\n`)
    print(
      `${name.padEnd(9)} ${RATE}/s for ${SECONDS} s: ${await stream(ctx, start, receiver, endpoints)}\n`,
    )
    await schedule(ctx, endpoints)
    print(
      `${name.padEnd(9)} retries, ${SCHEDULED} scheduled: ${await retries(ctx, start, receiver)}\n`,
    )
  } finally {
    await sender.close()
    await close()
    receiver.disconnect()
  }
}

async function openContext(place: Place): Promise<{ ctx: Context; close: () => Promise<void> }> {
  const storage = await openStorage(place, systemClock.now())
  const config = readConfig({ SECRET_KEY: SECRET, LOG_LEVEL: 'error' })
  const log = pino({ level: 'error' })
  const secrets = new Secrets(SECRET)
  const bus = openBus(undefined, log)
  const ctx: Context = {
    db: storage.db,
    clock: systemClock,
    now: () => systemClock.now(),
    config,
    log,
    metrics: new Registry(),
    secrets,
    reactions,
    wakeups: new Wakeups(),
    bus,
    live: new Live({ clock: systemClock, bus, log, source: liveSource(storage.db) }),
    desk: new DeliveryDesk(bus),
    streams: new OpenStreams({ db: storage.db, clock: systemClock, log }),
    indexes: new SearchIndexes(),
    models: openModels({ db: storage.db, clock: systemClock, config, secrets, log }),
    tools: [],
    model: embedded,
  }
  return { ctx, close: () => storage.close() }
}

function newDelivery(endpointId: string): NewDelivery {
  const id = newId('wh')
  const event = 'lead.created'
  const now = performance.timeOrigin + performance.now()
  const data = { sent_at: now, name: 'Ayşe Yılmaz', interest: 'x'.repeat(300) }
  const body = chatBody(SECRET, { event, id, at: now, data })
  return { id, workspaceId: 'ws_bench', family: 'chat', endpointId, event, body }
}

async function fill(ctx: Context, endpoints: readonly string[], count: number): Promise<void> {
  for (let made = 0; made < count; made += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, index) =>
      newDelivery(endpoints[(made + index) % endpoints.length] ?? ''),
    )
    await transaction(ctx, (tx) => enqueueDeliveries(tx, batch))
  }
}

/** Seconds until everything that is due has left and was written down. */
async function drain(start: () => DeliveryWorker, receiver: ChildProcess): Promise<number> {
  const started = performance.now()
  const worker = start()
  await worker.idle()
  const seconds = (performance.now() - started) / 1000
  await worker.stop()
  await delaysOf(receiver)
  return seconds
}

/** Publishes one by one, as events happen, and says how late they came. */
async function stream(
  ctx: Context,
  start: () => DeliveryWorker,
  receiver: ChildProcess,
  endpoints: readonly string[],
): Promise<string> {
  const worker = start()
  await worker.idle()
  const started = performance.now()
  const published = new Set<Promise<void>>()
  for (let made = 0; made < RATE * SECONDS;) {
    const due = Math.min(((performance.now() - started) / 1000) * RATE, RATE * SECONDS)
    for (; made < due && published.size < MOST_PUBLISHING; made += 1) {
      const delivery = newDelivery(endpoints[made % endpoints.length] ?? '')
      const publishing = transaction(ctx, (tx) => enqueueDeliveries(tx, [delivery]))
      published.add(publishing)
      void publishing.finally(() => published.delete(publishing))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(published)
  await worker.idle()
  const seconds = (performance.now() - started) / 1000
  await worker.stop()
  const delays = await delaysOf(receiver)
  return `${perSecond(delays.length, seconds)}/s, ${quantiles(delays)}`
}

/** A million retries that are due tomorrow, and some that are due in a moment. */
async function schedule(ctx: Context, endpoints: readonly string[]): Promise<void> {
  const tomorrow = ctx.now() + 86_400_000
  for (let made = 0; made < SCHEDULED; made += 5_000) {
    const rows = Array.from({ length: 5_000 }, (_, index) =>
      retry(endpoints, made + index, tomorrow),
    )
    for (let at = 0; at < rows.length; at += 1_000) {
      await ctx.db
        .insertInto('deliveries')
        .values(rows.slice(at, at + 1_000))
        .execute()
    }
  }
}

function retry(endpoints: readonly string[], index: number, at: number, body = '{}') {
  return {
    id: newId('wh'),
    workspace_id: 'ws_bench',
    family: 'chat' as const,
    event: 'lead.created',
    endpoint_id: endpoints[index % endpoints.length] ?? '',
    body,
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

async function retries(
  ctx: Context,
  start: () => DeliveryWorker,
  receiver: ChildProcess,
): Promise<string> {
  const worker = start()
  await worker.idle()
  const first = ctx.now() + 1_000
  const rows = Array.from({ length: RETRIES }, (_, index) => {
    const at = first + index * 8
    return retry([`rule_${index % ENDPOINTS}`], 0, at, `{"sent_at":${at}}`)
  })
  await ctx.db.insertInto('deliveries').values(rows).execute()
  ctx.desk.announce()
  await new Promise((resolve) => setTimeout(resolve, 1_500 + RETRIES * 8))
  await worker.idle()
  await worker.stop()
  return `late by ${quantiles(await delaysOf(receiver))}`
}

async function delaysOf(receiver: ChildProcess): Promise<number[]> {
  receiver.send('report')
  const { delays } = Delays.parse((await once(receiver, 'message'))[0])
  return delays.toSorted((a, b) => a - b)
}

function quantiles(sorted: readonly number[]): string {
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, of ${sorted.length}`
}

function perSecond(count: number, seconds: number): string {
  return (count / seconds).toFixed(0)
}

async function newDatabase(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('create database bench_delivery')
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = '/bench_delivery'
  return url.href
}

function print(text: string): void {
  process.stdout.write(text)
}
