import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestProcess, startTestProcess } from '../helpers/process.ts'
import { METRICS_TOKEN, addVisitor, addWorkspace, callOver } from '../helpers/product.ts'
import type { HttpProduct, TestWorkspace } from '../helpers/product.ts'
import { freePort } from '../services/free-port.ts'
import { startRedis } from '../services/redis.ts'
import type { Server } from '../services/server.ts'
import { type StoppablePostgres, startStoppablePostgres } from './stoppable-postgres.ts'

/** A workspace with a visitor of its tenant. */
export interface Customer extends TestWorkspace {
  visitor: string
}

/** Several processes of the product on one Postgres and one Redis. */
export interface Cluster {
  postgres: StoppablePostgres
  redis: Server
  ports: readonly number[]
  processes: TestProcess[]
  /** Starts the process of a port again. */
  start(index: number): Promise<void>
  /** Makes workspaces by way of the first process. */
  addCustomers(count: number): Promise<Customer[]>
  /** How many messages a process has answered. */
  answeredBy(index: number): Promise<number>
  stop(): Promise<void>
}

export function callsOf(url: string): HttpProduct {
  return { url, call: (path, call = {}) => callOver(url, path, call) }
}

interface ClusterOptions {
  /** Of all processes. */
  settings?: Record<string, string>
  /** Of single processes, in their order. */
  own?: readonly Record<string, string>[]
  /** The parent of the folder of the database. */
  parent?: string
}

/** Starts the database, Redis and `count` processes. */
export async function startCluster(
  count: number,
  { settings = {}, own = [], parent = tmpdir() }: ClusterOptions = {},
): Promise<Cluster> {
  const folder = await mkdtemp(join(parent, 'sohbet-faults-'))
  const postgres = await startStoppablePostgres(folder)
  const redis = await startRedis(process.env.TEST_REDIS_BIN ?? 'redis-server', folder)
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  const processes: TestProcess[] = []
  const start = async (index: number) => {
    const place = { dataDir: folder, databaseUrl: postgres.url }
    processes[index] = await startTestProcess(place, {
      PORT: String(ports[index]),
      REDIS_URL: redis.url,
      METRICS_TOKEN,
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_POOL_MAX: '10',
      LOG_LEVEL: 'silent',
      ...settings,
      ...own[index],
    })
  }
  for (let index = 0; index < count; index += 1) await start(index)
  const first = () => callsOf(processes[0]?.url ?? '')
  return {
    postgres,
    redis,
    ports,
    processes,
    start,
    async addCustomers(wanted) {
      const customers: Customer[] = []
      while (customers.length < wanted) {
        const workspace = await addWorkspace(first(), { credits: 1_000_000 })
        customers.push({ ...workspace, visitor: await addVisitor(first(), workspace) })
      }
      return customers
    },
    async answeredBy(index) {
      const { text } = await callsOf(processes[index]?.url ?? '').call('/metrics', {
        token: METRICS_TOKEN,
      })
      const counts = text.matchAll(
        /^sohbet_http_request_duration_seconds_count\{[^}]*route="\/api\/v1\/chatbot\/message"[^}]*\} (\d+)/gm,
      )
      return [...counts].reduce((sum, [, value]) => sum + Number(value), 0)
    },
    async stop() {
      for (const { child } of processes) {
        child.kill('SIGCONT')
        child.kill('SIGKILL')
      }
      await redis.stop()
      await postgres.remove()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
