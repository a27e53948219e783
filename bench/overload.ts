import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { newDatabase, prepareTenant } from './chat.ts'
import { residentMegabytes, startServer } from './server.ts'
import { findPrograms } from '../test/services/find.ts'
import { thisMachine } from '../test/services/machine.ts'
import { startPostgres } from '../test/services/postgres.ts'

const SECONDS = 20
const OVERLOAD = 5
const MAX_CONNECTIONS = 1_500
const MAX_RECOVERY_MS = 10_000

/** Chat turns at five times the capacity: what accepted callers, refused ones and a supervisor see. */
export async function benchOverload(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-postgres-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder)
  try {
    process.stdout.write(`\nChat turns, ${OVERLOAD} × the capacity for ${SECONDS} s\n\n`)
    process.stdout.write(
      'server     capacity/s  offered/s  taken/s  refused/s  other  p50 ms  p99 ms  health ms  RSS MB  normal after ms\n',
    )
    process.stdout.write(`${await measure('SQLite', {})}\n`)
    const databaseUrl = await newDatabase(postgres.url)
    process.stdout.write(`${await measure('Postgres', { DATABASE_URL: databaseUrl })}\n`)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function measure(name: string, settings: Record<string, string>): Promise<string> {
  const { url, server, stop } = await startServer(settings)
  try {
    const token = await prepareTenant(url)
    const target = {
      url: `${url}/api/v1/chatbot/message`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      requests: [{ body: JSON.stringify({ tenant_id: 'bench', message: 'What is a hook?' }) }],
    }
    await autocannon({ ...target, connections: 8, duration: 3 })
    const calm = await autocannon({ ...target, connections: 64, duration: 5 })
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
      timeout: 60,
    })
    load.on('response', (_client, status, _bytes, ms) => {
      if (status === 200) taken.push(ms)
      else if (status === 503) refused += 1
      else other += 1
    })
    await load
    const worstHealth = await health.stop()
    const recoveredMs = await recovery(target)
    taken.sort((a, b) => a - b)
    const at = (share: number) => taken[Math.floor(taken.length * share)] ?? 0
    return [
      name.padEnd(9),
      capacity.toFixed(0).padStart(11),
      offered.toFixed(0).padStart(10),
      (taken.length / SECONDS).toFixed(0).padStart(8),
      (refused / SECONDS).toFixed(0).padStart(10),
      String(other).padStart(6),
      at(0.5).toFixed(0).padStart(7),
      at(0.99).toFixed(0).padStart(7),
      worstHealth.toFixed(0).padStart(10),
      `${before.toFixed(0)}→${residentMegabytes(server).toFixed(0)}`.padStart(7),
      recoveredMs.toFixed(0).padStart(16),
    ].join(' ')
  } finally {
    await stop()
  }
}

/** Asks `/health/live` again and again on a connection of its own; returns the slowest answer in ms. */
function watchHealth(url: string): { stop(): Promise<number> } {
  const over = new AbortController()
  const worst = (async () => {
    let slowest = 0
    while (!over.signal.aborted) {
      const started = performance.now()
      const isWell = await fetch(`${url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      )
      slowest = Math.max(slowest, isWell ? performance.now() - started : Infinity)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return slowest
  })()
  return {
    stop() {
      over.abort()
      return worst
    },
  }
}

/** Returns the milliseconds until ten turns in a row are answered. */
async function recovery(target: {
  url: string
  headers: Record<string, string>
  requests: { body: string }[]
}): Promise<number> {
  const started = performance.now()
  let inARow = 0
  while (inARow < 10) {
    const { headers, requests } = target
    const body = requests[0]?.body ?? ''
    const answer = await fetch(target.url, { method: 'POST', headers, body }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    inARow = answer?.ok ? inARow + 1 : 0
    if (performance.now() - started > MAX_RECOVERY_MS) return Infinity
  }
  return performance.now() - started
}
