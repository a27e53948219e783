import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { z } from 'zod'
import { freePort } from '../test/services/free-port.ts'
import { QUESTIONS, prepareTenant } from './chat.ts'
import type * as DeliveryModule from './delivery/delivery.ts'
import { postBare } from './delivery/delivery.ts'
import type { Took } from './delivery/figures.ts'
import type * as HarnessModule from './delivery/harness.ts'
import type { Harness } from './delivery/harness.ts'
import { openPipe, openProduct, start, type Target } from './gateways.ts'
import { type Figure, stored as storedValue } from './report/figure.ts'
import { answering, processorMs, startServer } from './server.ts'

const ROOT = join(import.meta.dirname, '..')
const STORED = join(import.meta.dirname, 'guard.json')
const Ratios = z.record(z.string(), z.number())
/** The ratios of a commit, on the machine that measured it. */
const Stored = z.object({ commit: z.string(), ratios: Ratios })
/** A change that costs more than this share of the stored ratio fails. */
const MAX_GROWTH = 1.2
/** The machine's speed varies over time: the product and its floor take turns. */
const ROUNDS = 5
const COSTS = ['turn', 'run', 'delivery'] as const
type Cost = (typeof COSTS)[number]
/** Names of the figures in the report. */
const LABELS: Record<Cost, string> = {
  turn: 'a chat turn beside a bare Fastify',
  run: 'a prompt run beside a bare pipe',
  delivery: 'a delivery beside a bare loop of posts',
}
const SECONDS = 3
const WARM_UP_SECONDS = 6
const CONNECTIONS = 32
const DELIVERIES = 10_000
const TURNS = QUESTIONS.map((message) => JSON.stringify({ tenant_id: 'bench', message }))

/** Something to load, and the process whose time it costs. */
interface Loaded {
  url: string
  server: ChildProcess
  headers?: Record<string, string>
  bodies: readonly string[]
  stop(): Promise<void>
}

/**
 * Measures what a turn, a run and a delivery cost on SQLite, in processor time as ratios to a bare
 * Fastify, a bare pipe and a bare loop of posts in the same run. The ratios of one commit differ by a half between
 * machines and by a quarter between runs: where the stored one is exceeded by a fifth, the product of the stored commit is
 * measured in turns with this one, and decides. With `store` the ratios are stored instead.
 */
export async function benchGuard(only: readonly string[]): Promise<Figure[]> {
  const measured = await ratiosToFloors()
  if (only.includes('store')) {
    const rounded = Object.entries(measured).map(([name, ratio]) => [name, twoDigits(ratio)])
    const stored = { commit: git('rev-parse', 'HEAD'), ratios: Object.fromEntries(rounded) }
    writeFileSync(STORED, `${JSON.stringify(stored, undefined, 2)}\n`)
  }
  const { commit, ratios } = Stored.parse(JSON.parse(readFileSync(STORED, 'utf8')))
  const exceeded = COSTS.filter((name) => measured[name] > (ratios[name] ?? 0) * MAX_GROWTH)
  const growths = exceeded.length > 0 ? await growthsSince(commit, exceeded) : {}
  process.stdout.write(
    `\nProcessor time as a ratio to the floor; where it exceeds that of ${commit.slice(0, 8)}, beside that in turns\n\n`,
  )
  return COSTS.map((name) => {
    const ratio = measured[name]
    const growth = growths[name] ?? ratio / (ratios[name] ?? Number.NaN)
    const isOver = growth > MAX_GROWTH
    if (isOver) process.exitCode = 1
    const columns = [ratio, ratios[name] ?? Number.NaN, growth].map((column) =>
      column.toFixed(2).padStart(8),
    )
    process.stdout.write(`${name.padEnd(10)} ${columns.join(' ')}  ${isOver ? 'over' : 'ok'}\n`)
    return {
      id: name,
      label: LABELS[name],
      value: storedValue(ratio),
      unit: '',
      better: 'lower',
      target: { of: 'value', bound: twoDigits((ratio / growth) * MAX_GROWTH) },
    }
  })
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** How much more than a commit's each cost is, measured in turns: that of its own checkout, with these packages. */
async function growthsSince(
  commit: string,
  costs: readonly Cost[],
): Promise<Partial<Record<Cost, number>>> {
  process.stdout.write(`\nOver the stored ratios: ${commit.slice(0, 8)} is measured in turns.\n`)
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  git('worktree', 'add', '--detach', folder, commit)
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const growths: [Cost, number][] = []
    for (const cost of costs) growths.push([cost, await RATIOS[cost](folder)])
    return Object.fromEntries(growths)
  } finally {
    git('worktree', 'remove', '--force', folder)
  }
}

async function ratiosToFloors(): Promise<Record<Cost, number>> {
  return {
    turn: await RATIOS.turn(),
    run: await RATIOS.run(),
    delivery: await RATIOS.delivery(),
  }
}

/** The ratio of each cost to that of the product of another checkout, or to the floor. */
const RATIOS: Record<Cost, (root?: string) => Promise<number>> = {
  turn: (root) => ratioOf(() => openTurns(), root === undefined ? openEcho : () => openTurns(root)),
  async run(root) {
    const port = await freePort()
    const upstream = start(join(import.meta.dirname, 'model-upstream.ts'), [port])
    const load = (target: Target): Loaded => ({ ...target, bodies: [target.body(false)] })
    try {
      await answering(`http://127.0.0.1:${port}`)
      return await ratioOf(
        async () => load(await openProduct(port)),
        async () => load(await (root === undefined ? openPipe(port) : openProduct(port, root))),
      )
    } finally {
      upstream.kill()
    }
  },
  delivery: deliveryRatio,
}

/** Questions to the product of a checkout. */
async function openTurns(root?: string): Promise<Loaded> {
  const { url, server, stop } = await startServer({}, root)
  const headers = { authorization: `Bearer ${await prepareTenant(url)}` }
  return { url: `${url}/api/v1/chatbot/message`, server, headers, bodies: TURNS, stop }
}

/** The same to a bare Fastify. */
async function openEcho(): Promise<Loaded> {
  const port = await freePort()
  const server = start(join(import.meta.dirname, 'bare-fastify.ts'), [port])
  await answering(`http://127.0.0.1:${port}/health/ready`)
  const stop = async (): Promise<void> => void server.kill()
  return { url: `http://127.0.0.1:${port}/echo`, server, bodies: TURNS, stop }
}

/** Ratio of the processor time of a delivery to one of another checkout, or to a bare post. */
async function deliveryRatio(folder?: string): Promise<number> {
  const own = await openDeliveries(ROOT)
  const other = folder === undefined ? undefined : await openDeliveries(folder)
  try {
    const ratios: number[] = []
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const beside = await (other?.send() ?? postBare(own.harness, DELIVERIES))
      const sent = await own.send()
      if (round > 0) ratios.push(sent.cpuSeconds / beside.cpuSeconds)
    }
    return middle(ratios)
  } finally {
    await own.close()
    await other?.close()
  }
}

/** The delivery engine of a checkout, in this process. */
async function openDeliveries(root: string): Promise<{
  harness: Harness
  send: () => Promise<Took>
  close: () => Promise<void>
}> {
  const { openHarness }: typeof HarnessModule = await import(
    join(root, 'bench/delivery/harness.ts')
  )
  const { sendBacklog }: typeof DeliveryModule = await import(
    join(root, 'bench/delivery/delivery.ts')
  )
  const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const harness = await openHarness({ dataDir, databaseUrl: undefined })
  return {
    harness,
    send: () => sendBacklog(harness, DELIVERIES),
    async close() {
      await harness.close()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Returns the middle of the ratios of rounds, in which both are measured one after the other, and stops what was opened. */
async function ratioOf(
  openOwn: () => Promise<Loaded>,
  openOther: () => Promise<Loaded>,
): Promise<number> {
  const opened: Loaded[] = []
  try {
    const product = await openOwn()
    opened.push(product)
    const other = await openOther()
    opened.push(other)
    for (const each of opened) await cpuMs(each, WARM_UP_SECONDS)
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      ratios.push((await cpuMs(product, SECONDS)) / (await cpuMs(other, SECONDS)))
    }
    return middle(ratios)
  } finally {
    for (const each of opened) await each.stop()
  }
}

/** Returns the processor time of the server for each answer. */
async function cpuMs({ url, server, headers, bodies }: Loaded, duration: number): Promise<number> {
  const before = processorMs(server)
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    requests: bodies.map((body) => ({ body })),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers of ${url} were no 2xx, ${result.errors} broke off.`)
  }
  return (processorMs(server) - before) / result['2xx']
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function twoDigits(ratio: number): number {
  return Number(ratio.toFixed(2))
}
