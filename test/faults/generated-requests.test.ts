import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestProcess } from '../helpers/process.ts'
import { type HttpProduct, addVisitor, addWorkspace } from '../helpers/product.ts'
import { ALWAYS_OPEN, fillWorkspace } from '../integration/security/access/filled-workspace.ts'
import { type Operation, operationsOf } from '../integration/security/access/operations.ts'
import { callsOf, startCluster } from './cluster.ts'
import { type Target, chanceOf, generateRequest } from './generated-requests.ts'

const REQUESTS = Number(process.env.FAULT_REQUESTS ?? 100_000)
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
/** Then the next workspace: requests remove what they find. */
const PER_WORKSPACE = 2_500
/** The last of them may end the workspace or its session. */
const ENDING_SHARE = 0.05
const ENDING =
  /\/(?:logout|close|closing)$|\/auth\/password|^delete \S+\/(?:tenants|workspaces)\/\{\w+\}$/
const AT_ONCE = 12
const TEST_TIMEOUT_MS = 30 * 60_000
const SETTINGS = { ALLOW_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'error', LIMIT_WAIT_MS: '0' }
/** A model or a receiver that is not there: nothing is wrong with the product. */
const OF_OTHERS = new Set(['model_failed', 'model_timeout'])

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

const starts = {
  async SQLite() {
    const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-generated-'))
    stops.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
    const started = await startTestProcess({ dataDir, databaseUrl: undefined }, SETTINGS)
    stops.push(() => started.end('SIGKILL'))
    return started
  },
  async Postgres() {
    const cluster = await startCluster(1, { settings: SETTINGS })
    stops.push(() => cluster.stop())
    const [started] = cluster.processes
    if (!started) throw new Error('No process was started.')
    return started
  },
} as const

async function addTarget(product: HttpProduct, operations: readonly Operation[]): Promise<Target> {
  const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN, credits: 1_000_000 })
  const visitor = await addVisitor(product, workspace)
  const names = operations.flatMap(({ path }) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'nothing'] as const),
  )
  const ids = {
    ...Object.fromEntries(names),
    ...(await fillWorkspace(product, workspace, visitor)),
  }
  return { owner: workspace.token, visitor, ids }
}

test.each(['SQLite', 'Postgres'] as const)(
  `${REQUESTS} generated requests get no 5xx, and end no process: %s`,
  async (kind) => {
    const started = await starts[kind]()
    const product = callsOf(started.url)
    const operations = operationsOf((await product.call('/api/v1/openapi.json')).body)
    const lasting = operations.filter(({ id }) => !ENDING.test(id))
    const chance = chanceOf(SEED)
    const statuses = new Map<number, number>()
    const called = new Set<string>()
    const faults: string[] = []
    let sent = 0
    const startedAt = performance.now()
    for (let begun = 0; begun < REQUESTS; begun += PER_WORKSPACE) {
      const target = await addTarget(product, operations)
      const end = Math.min(REQUESTS, begun + PER_WORKSPACE)
      const endingFrom = end - PER_WORKSPACE * ENDING_SHARE
      const send = async () => {
        while (sent < end) {
          const choice = sent < endingFrom ? lasting : operations
          sent += 1
          const operation = choice[Math.floor(chance() * choice.length)]
          if (!operation) throw new Error('No operation is described.')
          const { method, path, headers, raw } = generateRequest(operation, target, chance)
          const call = { method, headers, ...(raw === undefined ? {} : { raw }) }
          const answer = await product.call<{ code?: string } | null | undefined>(path, call)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          if (answer.status < 300) called.add(operation.id)
          const isFault = answer.status >= 500 && !OF_OTHERS.has(answer.body?.code ?? '')
          if (isFault) faults.push(`${method} ${path} ${raw ?? ''}: ${answer.text}`.slice(0, 500))
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, send))
    }
    const perSecond = (sent * 1_000) / (performance.now() - startedAt)
    const counts = Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b))
    const done = `${called.size} of ${operations.length} routes did their work`
    console.log(kind, `seed ${SEED}`, counts, done, `${perSecond.toFixed(0)} a second`)
    expect(faults.slice(0, 20), started.printed().slice(-4_000)).toEqual([])
    expect(started.child.exitCode).toBeNull()
  },
  TEST_TIMEOUT_MS,
)
