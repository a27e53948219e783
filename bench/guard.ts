import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'
import { z } from 'zod'
import { freePort } from '../test/services/free-port.ts'
import { QUESTIONS, prepareTenant } from './chat.ts'
import { postBare, sendBacklog } from './delivery/delivery.ts'
import { openHarness } from './delivery/harness.ts'
import { openPipe, openProduct, start } from './gateways.ts'
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
/** Names of the figures in the report. */
const LABELS: Record<string, string> = {
  turn: 'a chat turn beside a bare Fastify',
  run: 'a prompt run beside a bare pipe',
  delivery: 'a delivery beside a bare loop of posts',
}
const SECONDS = 3
const WARM_UP_SECONDS = 6
const CONNECTIONS = 32
const DELIVERIES = 10_000

/** Something to load, and the process whose time it costs. */
interface Loaded {
  url: string
  server: ChildProcess
  headers?: Record<string, string>
  bodies: readonly string[]
}

/**
 * Measures what a turn, a run and a delivery cost on SQLite, in processor time as ratios to a bare
 * Fastify, a bare pipe and a bare loop of posts in the same run. Fails when a ratio exceeds the stored one by a
 * fifth. The ratios of one commit differ by a half between machines: where one is exceeded, the stored commit is
 * measured on this machine too, and decides. With `store` the ratios are stored instead.
 */
export async function benchGuard(only: readonly string[]): Promise<Figure[]> {
  const measured: Record<string, number> = {
    turn: await turnRatio(),
    run: await runRatio(),
    delivery: await deliveryRatio(),
  }
  if (only.includes('store')) {
    const rounded = Object.entries(measured).map(([name, ratio]) => [name, twoDigits(ratio)])
    const stored = { commit: git('rev-parse', 'HEAD'), ratios: Object.fromEntries(rounded) }
    writeFileSync(STORED, `${JSON.stringify(stored, undefined, 2)}\n`)
  }
  const stored = Stored.parse(JSON.parse(readFileSync(STORED, 'utf8')))
  const isOver = (name: string, ratios: Record<string, number>): boolean =>
    (measured[name] ?? Infinity) > (ratios[name] ?? 0) * MAX_GROWTH
  // A commit that another one measures compares itself with none.
  const isCompared =
    !only.includes('alone') && Object.keys(measured).some((name) => isOver(name, stored.ratios))
  const before = isCompared ? await ratiosOf(stored.commit) : stored.ratios
  const figures: Figure[] = []
  const where = isCompared ? 'measured here' : 'stored'
  process.stdout.write(
    `\nProcessor time as a ratio to the floor, and that of ${stored.commit.slice(0, 8)}, ${where}\n\n`,
  )
  for (const [name, ratio] of Object.entries(measured)) {
    const bound = twoDigits((before[name] ?? Number.NaN) * MAX_GROWTH)
    figures.push({
      id: name,
      label: LABELS[name] ?? name,
      value: storedValue(ratio),
      unit: '',
      better: 'lower',
      target: { of: 'value', bound },
    })
    if (isOver(name, before)) process.exitCode = 1
    const verdict = isOver(name, before) ? `over ${bound}` : 'ok'
    const columns = [twoDigits(ratio), before[name]].map((column) => String(column).padStart(8))
    process.stdout.write(`${name.padEnd(10)} ${columns.join(' ')}  ${verdict}\n`)
  }
  return figures
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** Measures a commit on this machine, in a folder of its own with the packages of this one. */
async function ratiosOf(commit: string): Promise<Record<string, number>> {
  process.stdout.write(`\nOver the stored ratios: ${commit.slice(0, 8)} is measured here.\n`)
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  git('worktree', 'add', '--detach', folder, commit)
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const run = spawn(process.execPath, ['bench/run.ts', 'guard', 'alone'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const printed = await text(run.stdout)
    const rows = printed.matchAll(/^(turn|run|delivery) +([\d.]+) /gm)
    return Object.fromEntries([...rows].map(([, name, ratio]) => [name, Number(ratio)]))
  } finally {
    git('worktree', 'remove', '--force', folder)
  }
}

async function turnRatio(): Promise<number> {
  const port = await freePort()
  const floor = start(join(import.meta.dirname, 'bare-fastify.ts'), [port])
  const { url, server, stop } = await startServer({})
  try {
    await answering(`http://127.0.0.1:${port}/health/ready`)
    const token = await prepareTenant(url)
    const bodies = QUESTIONS.map((message) => JSON.stringify({ tenant_id: 'bench', message }))
    const headers = { authorization: `Bearer ${token}` }
    return await ratioOf(
      { url: `${url}/api/v1/chatbot/message`, server, headers, bodies },
      { url: `http://127.0.0.1:${port}/echo`, server: floor, bodies },
    )
  } finally {
    floor.kill()
    await stop()
  }
}

async function runRatio(): Promise<number> {
  const upstreamPort = await freePort()
  const upstream = start(join(import.meta.dirname, 'model-upstream.ts'), [upstreamPort])
  const stops: (() => Promise<void>)[] = []
  try {
    await answering(`http://127.0.0.1:${upstreamPort}`)
    const product = await openProduct(upstreamPort)
    stops.push(product.stop)
    const floor = await openPipe(upstreamPort)
    stops.push(floor.stop)
    return await ratioOf(
      { ...product, bodies: [product.body(false)] },
      { ...floor, bodies: [floor.body(false)] },
    )
  } finally {
    for (const stop of stops) await stop()
    upstream.kill()
  }
}

async function deliveryRatio(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const harness = await openHarness({ dataDir, databaseUrl: undefined })
  try {
    const ratios: number[] = []
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const floor = await postBare(harness, DELIVERIES)
      const sent = await sendBacklog(harness, DELIVERIES)
      if (round > 0) ratios.push(sent.cpuSeconds / floor.cpuSeconds)
    }
    return middle(ratios)
  } finally {
    await harness.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Returns the middle of the ratios of rounds, in which both are measured one after the other. */
async function ratioOf(product: Loaded, floor: Loaded): Promise<number> {
  for (const each of [product, floor]) await cpuMs(each, WARM_UP_SECONDS)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    ratios.push((await cpuMs(product, SECONDS)) / (await cpuMs(floor, SECONDS)))
  }
  return middle(ratios)
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
