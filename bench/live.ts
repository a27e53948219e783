import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestProcess, startTestProcess } from '../test/helpers/process.ts'
import { OPERATOR_TOKEN, callOver } from '../test/helpers/product.ts'
import { type Figure, stored } from './report/figure.ts'

const IDLE = 10_000
const READERS = 1_000
const STALLED = 500
const OPENED_AT_ONCE = 100
const MESSAGES = 40
const TENANT = 'bench'
/** Four bytes per character: fills socket buffers soonest. */
const LONG_TEXT = '🙂'.repeat(3_900)

/** A site with its owner and a visitor. */
export interface Site {
  url: string
  owner: string
  visitor: string
}

/** Measures live streams of one process: memory of idle ones, latency of messages, stalled readers. */
export async function benchLive(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  // As `npm start` does it.
  const settings = { NODE_OPTIONS: '--max-semi-space-size=32' }
  const server = await startTestProcess({ dataDir, databaseUrl: undefined }, settings)
  try {
    const site = await openSite(server)
    const empty = residentMegabytes(server.child)
    print('empty process', `${empty} MB`)
    const idle = await openReaders(site, await openSession(site), IDLE - READERS)
    const session = await openSession(site)
    const readers = await openReaders(site, session, READERS)
    print(`${IDLE} streams opened`, `${residentMegabytes(server.child)} MB`)
    // Longer than the heartbeat interval of the streams.
    await sleep(20_000)
    const full = residentMegabytes(server.child)
    print('… and idle for 20 s', `${full} MB`)
    const delays = await deliver(site, session, readers)
    print(`an operator's message to ${READERS} streams`, quantiles(delays))
    for (const { socket } of idle) socket.destroy()
    await sleep(1_000)
    const stalled = await stall(site, server, { session, readers })
    return reportOf(((full - empty) * 1_000) / IDLE, delays, stalled)
  } finally {
    await server.end('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

function reportOf(kilobytes: number, delays: readonly number[], stalled: Stalled): Figure[] {
  const many = IDLE.toLocaleString('en-US')
  const message = `an operator's message to ${READERS.toLocaleString('en-US')} readers`
  const report = (id: string, label: string, value: number, unit: string): Figure => ({
    id,
    label,
    value: stored(value),
    unit,
    better: 'lower',
  })
  return [
    report('memory', `memory of an idle stream, of ${many}`, kilobytes, 'KB'),
    report('p50', `${message}, p50`, quantile(delays, 0.5), 'ms'),
    report('p99', `${message}, p99`, quantile(delays, 0.99), 'ms'),
    report('stalled.cut', `${STALLED} stalled readers are cut off after`, stalled.seconds, 's'),
    report('stalled.memory', 'memory of the process until then, at most', stalled.megabytes, 'MB'),
    report('stalled.p99', '100 other readers beside them, p99', stalled.p99, 'ms'),
  ]
}

/** Opens a workspace with a site and a visitor. */
export async function openSite({ url }: TestProcess): Promise<Site> {
  const person = { email: 'bench@example.com', name: 'Owner', password: 'a long password' }
  await callOver(url, '/api/v1/operator/workspaces', {
    token: OPERATOR_TOKEN,
    body: { name: 'Bench', plan: 'enterprise', locale: 'tr', owner: person },
  })
  const { email, password } = person
  const signedIn = await callOver<{ access_token: string }>(url, '/api/v1/auth/token', {
    body: { email, password },
  })
  const owner = signedIn.body.access_token
  await callOver(url, '/api/v1/tenants', { token: owner, body: { tenant_id: TENANT, name: 'B' } })
  return { url, owner, visitor: await addVisitor(url) }
}

async function addVisitor(url: string): Promise<string> {
  const became = await callOver<{ access_token: string }>(url, '/api/v1/auth/visitor', {
    body: { tenant_id: TENANT },
  })
  return became.body.access_token
}

/** Opens a conversation of the visitor; returns its id. */
export async function openSession({ url, visitor }: Site): Promise<string> {
  const opened = await callOver<{ session_id: string }>(url, '/api/v1/chatbot/sessions', {
    token: visitor,
    body: { tenant_id: TENANT },
  })
  return opened.body.session_id
}

/** A visitor's stream on a raw socket. */
export interface Reader {
  socket: Socket
  /** Called with each chunk. */
  take: (text: string) => void
}

/** Opens streams of a conversation, a hundred at once. */
export async function openReaders(site: Site, session: string, count: number): Promise<Reader[]> {
  const readers: Reader[] = []
  while (readers.length < count) {
    const more = Math.min(OPENED_AT_ONCE, count - readers.length)
    readers.push(
      ...(await Promise.all(Array.from({ length: more }, () => openReader(site, session)))),
    )
  }
  return readers
}

async function openReader({ url, visitor }: Site, session: string): Promise<Reader> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const begun = Promise.withResolvers<void>()
  const reader: Reader = {
    socket,
    take: (text) => text.includes('event: state') && begun.resolve(),
  }
  socket.setEncoding('utf8').on('data', (text: string) => reader.take(text))
  socket.write(
    `GET /api/v1/chatbot/sessions/${session}/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${visitor}\r\n\r\n`,
  )
  await begun.promise
  reader.take = () => undefined
  return reader
}

/** Sends messages one by one; returns the latency from the call to each reader, sorted. */
export async function deliver(
  site: Site,
  session: string,
  readers: readonly Reader[],
): Promise<number[]> {
  const delays: number[] = []
  for (let number = 0; number < MESSAGES; number += 1) {
    const mark = `message number ${number} of this run`
    const sent = performance.now()
    const arrived = readers.map(
      (reader) =>
        new Promise<void>((done) => {
          let text = ''
          reader.take = (more) => {
            text += more
            if (!text.includes(mark)) return
            delays.push(performance.now() - sent)
            reader.take = () => undefined
            done()
          }
        }),
    )
    await writeMessage(site, session, mark)
    await Promise.all(arrived)
  }
  return delays.toSorted((one, other) => one - other)
}

/** Figures of stalled readers: the time to their disconnect, and the last latency of the others. */
interface Stalled {
  seconds: number
  megabytes: number
  p99: number
}

/** Measures stalled readers: the time to their disconnect, and the latency of the others. */
async function stall(
  site: Site,
  server: TestProcess,
  healthy: { session: string; readers: readonly Reader[] },
): Promise<Stalled> {
  // Of another visitor: a visitor's new session closes the one before.
  const other = { ...site, visitor: await addVisitor(site.url) }
  const session = await openSession(other)
  const before = openFiles(server.child)
  const stalled = await openReaders(other, session, STALLED)
  for (const { socket } of stalled) socket.pause()
  const started = performance.now()
  const over = new AbortController()
  let written = 0
  const flood = async () => {
    while (!over.signal.aborted) {
      await writeMessage(site, session, LONG_TEXT)
      written += 1
    }
  }
  const flooding = flood()
  const during: number[][] = []
  let max = 0
  while (openFiles(server.child) - before > STALLED / 100) {
    during.push(await deliver(site, healthy.session, healthy.readers.slice(0, 100)))
    max = Math.max(max, residentMegabytes(server.child))
    if (performance.now() - started > 90_000) break
  }
  const seconds = (performance.now() - started) / 1_000
  over.abort()
  await flooding
  print(
    `${STALLED} readers who take nothing`,
    `cut off after ${seconds.toFixed(1)} s, ${written} messages of 16 KB, at most ${max} MB`,
  )
  const last = during.at(-1) ?? []
  print('… what 100 others saw at the same time', quantiles(last))
  for (const { socket } of stalled) socket.destroy()
  return { seconds, megabytes: max, p99: quantile(last, 0.99) }
}

async function writeMessage({ url, owner }: Site, session: string, text: string): Promise<void> {
  const written = await callOver(url, `/api/v1/inbox/${session}/messages`, {
    token: owner,
    body: { text },
  })
  if (written.status !== 201) throw new Error(`A message was not written: ${written.text}`)
}

/** Returns the value below which that share of the sorted values is. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

function quantiles(sorted: readonly number[]): string {
  const at = (share: number) => quantile(sorted, share).toFixed(0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${sorted.at(-1)?.toFixed(0)} ms`
}

function residentMegabytes(server: ChildProcess): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))
  return Math.round(Number(match?.[1] ?? 0) / 1_000)
}

function openFiles(server: ChildProcess): number {
  return readdirSync(`/proc/${server.pid}/fd`).length
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(40)} ${figure}\n`)
}
