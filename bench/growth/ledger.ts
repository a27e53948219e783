import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Figure } from '../report/figure.ts'
import { openWorkspace, post, startServer } from '../server.ts'
import { growing, measureTurns } from './turns.ts'

const SIZES = [1_000, 10_000, 100_000]
const READS = 100
const TENANT = 'bench'
const DAY_MS = 86_400_000
const DAYS = 30

/** Measures the reading of credits, and chat turns, on SQLite as the ledger of a workspace grows. */
export async function benchLedger(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-ledger-'))
  const figures: Figure[] = []
  let owner = ''
  let token = ''
  try {
    for (const size of [0, ...SIZES]) {
      addRows(dataDir, size)
      const product = await startServer({ DATA_DIR: dataDir })
      try {
        if (size === 0) {
          owner = await openWorkspace(product.url)
          await post(`${product.url}/api/v1/tenants`, owner, { tenant_id: TENANT, name: 'Bench' })
          const visitor = await post(`${product.url}/api/v1/auth/visitor`, '', {
            tenant_id: TENANT,
          })
          token = visitor.access_token ?? ''
        } else {
          figures.push(...(await measure(product, size, owner, token)))
        }
      } finally {
        // The next rows are written once the process has closed its database.
        const gone = once(product.server, 'exit')
        await product.stop()
        await gone
      }
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
  return figures
}

/** Fills the ledger of the only workspace up to a number of rows, spread over a month. */
function addRows(dataDir: string, size: number): void {
  if (size === 0) return
  const database = new Sqlite(join(dataDir, 'sohbet.db'))
  database
    .prepare(
      `insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after, held_after,
        created_at, sequence)
      with recursive numbers (n) as (
        select entries + 1 from balances where entries < @size
        union all select n + 1 from numbers where n < @size)
      select 'ldg_bench' || n, workspace_id, 'settle', -1000, 'monthly', monthly, addons, held,
        @now - (@size - n) * @span / @size, n
      from numbers, balances`,
    )
    .run({ size, now: Date.now(), span: DAYS * DAY_MS })
  database.prepare('update balances set entries = max(entries, @size)').run({ size })
  database.close()
}

async function measure(
  product: Awaited<ReturnType<typeof startServer>>,
  size: number,
  owner: string,
  token: string,
): Promise<Figure[]> {
  const { url } = product
  const month = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10)
  const page = await timeReads(`${url}/api/v1/credits/ledger?limit=50`, owner)
  const range = await timeReads(`${url}/api/v1/credits/ledger?limit=50&from=${month}`, owner)
  const usage = await timeReads(`${url}/api/v1/credits/usage?by=day&from=${month}`, owner)
  const { cpuMs } = await measureTurns(product, [{ tenantId: TENANT, token }])
  process.stdout.write(
    `${String(size).padStart(7)} rows: a page ${page.toFixed(2)} ms, of a month ${range.toFixed(2)} ms, ` +
      `usage ${usage.toFixed(2)} ms, a turn ${cpuMs.toFixed(2)} ms CPU\n`,
  )
  const report = growing('rows of a ledger', size)
  return [
    report('page', 'the newest 50 rows, p50', page, 'ms'),
    report('range', 'the newest 50 rows of a month, p50', range, 'ms'),
    report('usage', 'the usage of a month by day, p50', usage, 'ms'),
    report('cpu', 'processor time of a turn', cpuMs, 'ms'),
  ]
}

/** Returns the median time of an answer, one call after the other. */
async function timeReads(url: string, token: string): Promise<number> {
  const times: number[] = []
  for (let read = 0; read < READS; read += 1) {
    const started = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${url}: ${text}`)
    times.push(performance.now() - started)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(READS / 2)] ?? 0
}
