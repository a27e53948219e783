import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, test } from 'vitest'
import { startTestProcess } from '../helpers/process.ts'
import { addVisitor, addWorkspace } from '../helpers/product.ts'
import { expectBooksInOrder } from './books.ts'
import { type Cluster, callsOf, startCluster } from './cluster.ts'
import { type Outcome, ask, countStatuses, durationAt, startTraffic } from './traffic.ts'

const POLL = { timeout: 60_000, interval: 50 }
/** After the database has come back, no caller may wait for a lease that nobody holds. */
const MAX_IN_PROGRESS_MS = 5_000
const MAX_ASKED_AGAIN = 50
/** A database that does not answer is noticed by then. */
const MAX_FROZEN_MS = 10_000

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function start(options: Parameters<typeof startCluster>[1] = {}): Promise<Cluster> {
  const cluster = await startCluster(2, options)
  stops.push(() => cluster.stop())
  return cluster
}

const urlsOf = ({ processes }: Cluster) => processes.map(({ url }) => url)
const statusOf = async (url: string) =>
  await callsOf(url).call<{ warnings?: { code: string }[] }>('/health/ready')

/** Stops processes where they are; the returned function, or the end of the test, lets them go on. */
function freeze(pids: readonly number[]): () => void {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const left = new Set(pids)
  const thaw = () => {
    for (const pid of left) process.kill(pid, 'SIGCONT')
    left.clear()
  }
  stops.push(async () => thaw())
  return thaw
}

async function pidOfRedis(url: string): Promise<number> {
  const redis = new Redis(url)
  const info = await redis.info('server')
  redis.disconnect()
  return Number(/^process_id:(\d+)/m.exec(info)?.[1])
}

/** The server and its processes, one for each connection. */
async function pidsOfPostgres(data: string): Promise<number[]> {
  const [first = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
  const children = await readFile(`/proc/${first}/task/${first}/children`, 'utf8')
  return [first, ...children.trim().split(' ')].map(Number)
}

const slowestOf = (outcomes: readonly Outcome[]) =>
  Math.round(Math.max(...outcomes.map(({ ms }) => ms)))

/** A file system of so many megabytes, which only root can make. */
async function smallDisk(megabytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder])
  stops.push(async () => {
    execFileSync('umount', ['--lazy', folder])
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** Fills a file system to its last byte; the returned function makes room again. */
async function fill(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'ballast')
  const stream = createWriteStream(file)
  const full = once(stream, 'error').catch((error: unknown) => error)
  const block = Buffer.alloc(1_000_000)
  const writing = (async () => {
    while (!stream.destroyed) {
      if (!stream.write(block)) await Promise.race([once(stream, 'drain'), full])
    }
  })()
  await full
  await writing.catch(() => undefined)
  return () => rm(file)
}

test('a database that stops and starts again costs no turn, and no caller waits for a dead lease', async () => {
  const cluster = await start()
  const customers = await cluster.addCustomers(6)
  const traffic = startTraffic(urlsOf(cluster), customers)
  await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(100)
  await cluster.postgres.stop()
  await expect.poll(async () => (await statusOf(urlsOf(cluster)[0] ?? '')).status, POLL).toBe(503)
  await cluster.postgres.start()
  const backAt = performance.now()
  for (const url of urlsOf(cluster)) {
    await expect.poll(async () => (await statusOf(url)).status, POLL).toBe(200)
  }
  const readyMs = performance.now() - backAt
  // Who was cut off asks again under the same id, as the widget does.
  const again = await Promise.all(
    traffic.outcomes
      .filter(({ status }) => status !== 200)
      .slice(0, MAX_ASKED_AGAIN)
      .map(async ({ id, customer }) => {
        const askedAt = performance.now()
        for (;;) {
          const answer = await callsOf(urlsOf(cluster)[0] ?? '').call('/api/v1/chatbot/message', {
            token: customer.visitor,
            headers: { 'x-request-id': id },
            body: { tenant_id: customer.tenantId, message: `Question ${id}?` },
          })
          if (answer.status !== 409)
            return { status: answer.status, ms: performance.now() - askedAt }
          await new Promise((done) => setTimeout(done, 100))
        }
      }),
  )
  const outcomes = await traffic.stop()
  const slowest = Math.max(0, ...again.map(({ ms }) => ms))
  console.log('postgres', countStatuses(outcomes), {
    readyMs: Math.round(readyMs),
    again: again.length,
    slowestMs: Math.round(slowest),
  })
  expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  expect(again.filter(({ status }) => status !== 200)).toEqual([])
  expect(slowest).toBeLessThan(MAX_IN_PROGRESS_MS)
  await expectBooksInOrder(cluster.postgres, outcomes)
})

test('Redis may stop: every call is answered, and readiness says what is missing', async () => {
  const cluster = await start()
  const customers = await cluster.addCustomers(4)
  const traffic = startTraffic(urlsOf(cluster), customers)
  await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(50)
  await cluster.redis.stop()
  const before = traffic.outcomes.length
  const [url = ''] = urlsOf(cluster)
  await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(before + 200)
  const ready = await statusOf(url)
  const outcomes = await traffic.stop()
  console.log('redis', countStatuses(outcomes), `p99 ${durationAt(outcomes, 0.99).toFixed(0)} ms`)
  expect(ready.status).toBe(200)
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
  await expectBooksInOrder(cluster.postgres, outcomes)
})

test('Redis may freeze: every call is answered, and it is used again when it goes on', async () => {
  const cluster = await start({ settings: { LIMIT_MESSAGE: '1000000' } })
  const customers = await cluster.addCustomers(4)
  const pid = await pidOfRedis(cluster.redis.url)
  const traffic = startTraffic(urlsOf(cluster), customers)
  await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(50)
  const thaw = freeze([pid])
  const before = traffic.outcomes.length
  const [url = ''] = urlsOf(cluster)
  const warnings = async () => (await statusOf(url)).body.warnings?.map(({ code }) => code) ?? []
  await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(before + 200)
  expect((await statusOf(url)).status).toBe(200)
  expect(await warnings()).toContain('redis')
  thaw()
  await expect.poll(warnings, POLL).toEqual([])
  const outcomes = await traffic.stop()
  console.log('frozen Redis', countStatuses(outcomes), `slowest ${slowestOf(outcomes)} ms`)
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
  await expectBooksInOrder(cluster.postgres, outcomes)
})

test('a database that freezes is 503 within seconds, and costs no turn', async () => {
  const cluster = await start()
  const customers = await cluster.addCustomers(4)
  const traffic = startTraffic(urlsOf(cluster), customers)
  await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(50)
  const thaw = freeze(await pidsOfPostgres(cluster.postgres.data))
  const refused = () => traffic.outcomes.filter(({ status }) => status === 503).length
  // Many come while it is known to be frozen: they do not wait at all.
  await expect.poll(refused, POLL).toBeGreaterThan(50)
  thaw()
  const answered = async () =>
    (await Promise.all(customers.map((one) => ask(urlsOf(cluster)[1] ?? '', one)))).every(
      ({ status }) => status === 200,
    )
  await expect.poll(answered, POLL).toBe(true)
  const outcomes = await traffic.stop()
  console.log('frozen Postgres', countStatuses(outcomes), `slowest ${slowestOf(outcomes)} ms`)
  expect(slowestOf(outcomes)).toBeLessThan(MAX_FROZEN_MS)
  expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  await expectBooksInOrder(cluster.postgres, outcomes)
})

describe.skipIf(process.getuid?.() !== 0)('a full disk', () => {
  test('of Postgres is 503 for as long as it is full, and loses nothing that was answered', async () => {
    const cluster = await start({ parent: await smallDisk(400) })
    const customers = await cluster.addCustomers(3)
    const traffic = startTraffic(urlsOf(cluster), customers)
    await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(50)
    const makeRoom = await fill(join(cluster.postgres.data, '..'))
    const refused = () => traffic.outcomes.filter(({ status }) => status === 503).length
    await expect.poll(refused, POLL).toBeGreaterThan(5)
    await makeRoom()
    const answered = async () =>
      (await Promise.all(customers.map((one) => ask(urlsOf(cluster)[1] ?? '', one)))).every(
        ({ status }) => status === 200,
      )
    await expect.poll(answered, POLL).toBe(true)
    const outcomes = await traffic.stop()
    console.log('disk of Postgres', countStatuses(outcomes))
    expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    await expectBooksInOrder(cluster.postgres, outcomes)
  })

  test('of the embedded database is 503 for as long as it is full, and readiness says so', async () => {
    const disk = await smallDisk(60)
    const dataDir = join(disk, 'data')
    await mkdir(dataDir)
    await chmod(dataDir, 0o700)
    const product = await startTestProcess(
      { dataDir, databaseUrl: undefined },
      { LOG_LEVEL: 'silent' },
    )
    stops.push(() => product.end('SIGKILL'))
    const workspace = await addWorkspace(callsOf(product.url), { credits: 1_000_000 })
    const visitor = await addVisitor(callsOf(product.url), workspace)
    const traffic = startTraffic([product.url], [{ ...workspace, visitor }], 4)
    await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(50)
    const makeRoom = await fill(disk)
    await expect.poll(async () => (await statusOf(product.url)).status, POLL).toBe(503)
    await makeRoom()
    await expect.poll(async () => (await statusOf(product.url)).status, POLL).toBe(200)
    const before = traffic.outcomes.length
    await expect.poll(() => traffic.outcomes.length, POLL).toBeGreaterThan(before + 20)
    const outcomes = await traffic.stop()
    console.log('disk of SQLite', countStatuses(outcomes))
    expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(outcomes.at(-1)?.status).toBe(200)
  })
})
