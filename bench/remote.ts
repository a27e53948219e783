import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { QUESTIONS, newDatabase, prepareTenant } from './chat.ts'
import { recovery } from './overload.ts'
import { startServer } from './server.ts'
import { findPrograms } from '../test/services/find.ts'
import { thisMachine } from '../test/services/machine.ts'
import { startPostgres } from '../test/services/postgres.ts'

const ROUND_TRIP_MS = 20
const PROCESSES = [1, 4]
const IN_FLIGHT = [1, 64, 256]
const SECONDS = 6
const WARM_SECONDS = 3
const MAX_PREPARATION_MS = 180_000

/** Chat turns of one workspace, with Postgres 20 ms away: what one process and four answer a second. */
export async function benchRemote(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-postgres-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder)
  const near = await newDatabase(postgres.url)
  // The first start makes the tables, statement by statement.
  await (await startServer({ DATABASE_URL: near })).stop()
  const far = await startFarDatabase(near)
  const stops: (() => Promise<unknown>)[] = []
  const urls: string[] = []
  const open = async () => {
    const { url, stop } = await startServer({ DATABASE_URL: far.url, LIMIT_WAIT_MS: '0' })
    stops.push(stop)
    urls.push(url)
  }
  try {
    await open()
    const token = await prepareTenant(urls[0] ?? '')
    await untilAnswering(urls[0] ?? '', token)
    process.stdout.write(`\nChat turns of one workspace, Postgres ${ROUND_TRIP_MS} ms away\n\n`)
    process.stdout.write('processes  in flight   turns/s    p50 ms    p99 ms\n')
    for (const count of PROCESSES) {
      while (urls.length < count) {
        await open()
        await untilAnswering(urls.at(-1) ?? '', token)
      }
      await measure(urls, token, 16, WARM_SECONDS)
      for (const inFlight of IN_FLIGHT) {
        if (inFlight < count) continue
        const { perSecond, p50, p99 } = await measure(urls, token, inFlight, SECONDS)
        const figures = [perSecond, p50, p99].map((figure) => figure.toFixed(0).padStart(9))
        process.stdout.write(
          `${String(count).padStart(9)} ${String(inFlight).padStart(10)} ${figures.join(' ')}\n`,
        )
      }
    }
  } finally {
    for (const stop of stops) await stop()
    await far.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** The first questions wait until the process has read the documents. */
async function untilAnswering(url: string, token: string): Promise<void> {
  const target = {
    url: `${url}/api/v1/chatbot/message`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    requests: [{ body: JSON.stringify({ tenant_id: 'bench', message: 'What is a hook?' }) }],
  }
  const ms = await recovery(target, MAX_PREPARATION_MS)
  if (ms === Infinity) throw new Error('The process does not answer.')
}

async function measure(
  urls: readonly string[],
  token: string,
  inFlight: number,
  duration: number,
): Promise<{ perSecond: number; p50: number; p99: number }> {
  const results = await Promise.all(
    urls.map((url) =>
      autocannon({
        url: `${url}/api/v1/chatbot/message`,
        connections: inFlight / urls.length,
        duration,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        requests: QUESTIONS.map((message) => ({
          body: JSON.stringify({ tenant_id: 'bench', message }),
        })),
      }),
    ),
  )
  const answers = results.reduce((sum, result) => sum + result['2xx'], 0)
  const refused = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0)
  if (refused > 0) process.stdout.write(`${refused} of ${refused + answers} were not answered\n`)
  return {
    perSecond: answers / duration,
    p50: Math.max(...results.map(({ latency }) => latency.p50)),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
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
