import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { freePort } from '../test/services/free-port.ts'
import {
  type Target,
  askOnce,
  installGateways,
  openBareGateway,
  openLlms,
  openPipe,
  openPortkey,
  openProduct,
  start,
} from './gateways.ts'
import { type Figure as Reported, stored } from './report/figure.ts'
import { answering, processorMs, residentMegabytes } from './server.ts'
import { readSlowly } from './slow-readers.ts'

/** The machine's speed varies over time: the targets take turns. */
const ROUNDS = 7
const SECONDS = 3
/** Long enough to compile the hot functions: servers run for weeks. */
const WARM_UP_SECONDS = 10
const CONNECTIONS = 32
const ONE_BY_ONE = 150
const SETTLING_MS = 5_000
const MANY_STREAMS = 100_000
const FEW_STREAMS = 10_000
const SLOW_READERS = 100
const PRODUCT = 'Sohbet'
/** Targets: runs for each core as shares of Fastify's and undici's, and latency beyond the pipe. */
const MIN_JSON_SHARE = 0.5
const MIN_STREAM_SHARE = 0.9
const MAX_ADDED_MS = 0.7
const MAX_FIRST_BYTE_MS = 2
/** Measured once on one core in front of the same model: runs a second. */
const PEERS = {
  json: { '@musistudio/llms': 5_050, Portkey: 2_680 },
  streams: { '@musistudio/llms': 2_220, Portkey: 1_420 },
}

interface Figures {
  perSecond: number
  /** Milliseconds of processor time per run. */
  cpuMs: number
  /** Latency of sequential runs: to the whole answer, or to the first byte of a stream. */
  p50Ms: number
}

/** The figures of a target, of the bare pipe, and of the bare gateway. */
interface Measured {
  name: string
  figures: Figures
  pipe: Figures
  gateway: Figures
}

/**
 * Measures prompt runs, metered, durable and with events, beside gateways that only forward. `only`
 * selects parts: `figures`, `memory`, `readers`; `alone` leaves out the gateways.
 */
export async function benchExecute(only: readonly string[]): Promise<Reported[]> {
  const isAlone = only.includes('alone')
  const parts = only.filter((part) => part !== 'alone')
  const isWanted = (part: string) => parts.length === 0 || parts.includes(part)
  const reported: Reported[] = []
  const upstreamPort = await freePort()
  const upstream = start(join(import.meta.dirname, 'model-upstream.ts'), [upstreamPort])
  try {
    await answering(`http://127.0.0.1:${upstreamPort}`)
    if (isWanted('figures')) reported.push(...(await compare(upstreamPort, isAlone)))
    const product = await openProduct(upstreamPort)
    try {
      if (isWanted('readers')) reported.push(...(await measureReaders(product)))
      if (isWanted('memory')) reported.push(await measureMemory(product))
    } finally {
      await product.stop()
    }
  } finally {
    upstream.kill()
  }
  return reported
}

async function compare(upstreamPort: number, isAlone: boolean): Promise<Reported[]> {
  if (!isAlone) installGateways()
  const reported: Reported[] = []
  print(
    `\nPrompt runs, ${CONNECTIONS} at once for ${SECONDS} s, later ${ONE_BY_ONE} one by one; the middle of ${ROUNDS} rounds\n`,
  )
  print(
    'target            form     runs/s  runs/core-s   CPU ms   p50 ms (first byte)   to the pipe',
  )
  const targets: Target[] = []
  try {
    const gateways = isAlone ? [] : [openLlms, openPortkey]
    for (const open of [openPipe, openBareGateway, openProduct, ...gateways]) {
      targets.push(await open(upstreamPort))
    }
    for (const isStream of [false, true]) {
      for (const each of await measure(targets, isStream)) {
        print(line(each, isStream))
        if (each.name === PRODUCT) reported.push(...reportOf(each, isStream))
      }
    }
  } finally {
    for (const { stop } of targets) await stop()
  }
  return reported
}

function reportOf({ figures, pipe, gateway }: Measured, isStream: boolean): Reported[] {
  const form = isStream ? 'streams' : 'JSON'
  const id = (figure: string) => `${form.toLowerCase()}.${figure}`
  return [
    {
      id: id('rate'),
      label: `${form}, ${CONNECTIONS} in flight: runs for each core`,
      value: stored(1_000 / figures.cpuMs),
      unit: '/s',
      better: 'higher',
      floor: stored(1_000 / gateway.cpuMs) ?? 0,
      target: { of: 'share of the floor', bound: isStream ? MIN_STREAM_SHARE : MIN_JSON_SHARE },
      peers: isStream ? PEERS.streams : PEERS.json,
    },
    {
      id: id('p50'),
      label: isStream
        ? 'streams one by one: first byte, p50'
        : 'JSON one by one: time to the answer, p50',
      value: stored(figures.p50Ms),
      unit: 'ms',
      better: 'lower',
      floor: stored(pipe.p50Ms) ?? 0,
      target: { of: 'beyond the floor', bound: isStream ? MAX_FIRST_BYTE_MS : MAX_ADDED_MS },
    },
  ]
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function line({ name, figures, pipe }: Measured, isStream: boolean): string {
  const { perSecond, cpuMs, p50Ms } = figures
  const added = p50Ms - pipe.p50Ms
  return [
    name.padEnd(17),
    (isStream ? 'stream' : 'JSON').padEnd(7),
    perSecond.toFixed(0).padStart(7),
    (1_000 / cpuMs).toFixed(0).padStart(12),
    cpuMs.toFixed(3).padStart(8),
    p50Ms.toFixed(2).padStart(12),
    `${added >= 0 ? '+' : ''}${added.toFixed(2)} ms`.padStart(20),
  ].join(' ')
}

async function load(
  target: Target,
  isStream: boolean,
  more: { duration?: number; amount?: number },
) {
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...target.headers },
    body: target.body(isStream),
    ...more,
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${result.non2xx} were no 2xx, ${result.errors} broke off.`)
  }
  return result
}

async function measure(targets: readonly Target[], isStream: boolean): Promise<Measured[]> {
  for (const target of targets) await load(target, isStream, { duration: WARM_UP_SECONDS })
  const loads = await inTurn(targets, (target) => loadOnce(target, isStream))
  // After the disk has completed the writes of the load.
  await setTimeout(SETTLING_MS)
  const times = await inTurn(targets, (target) => middleMs(target, isStream))
  const middles = targets.map(({ name }, at) => ({
    name,
    figures: {
      perSecond: middle(loads[at]?.map(({ perSecond }) => perSecond)),
      cpuMs: middle(loads[at]?.map(({ cpuMs }) => cpuMs)),
      p50Ms: middle(times[at]),
    },
  }))
  const [pipe, gateway] = middles
  if (pipe === undefined || gateway === undefined) return []
  return middles.map((each) => ({ ...each, pipe: pipe.figures, gateway: gateway.figures }))
}

/** Measures the targets in several rounds, in turns. */
async function inTurn<Found>(
  targets: readonly Target[],
  measureOnce: (target: Target) => Promise<Found>,
): Promise<Found[][]> {
  const found = targets.map(() => new Array<Found>())
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, target] of targets.entries()) found[at]?.push(await measureOnce(target))
  }
  return found
}

async function loadOnce(
  target: Target,
  isStream: boolean,
): Promise<Pick<Figures, 'perSecond' | 'cpuMs'>> {
  const before = processorMs(target.server)
  const result = await load(target, isStream, { duration: SECONDS })
  const answers = result['2xx']
  return {
    perSecond: answers / result.duration,
    cpuMs: (processorMs(target.server) - before) / answers,
  }
}

function middle(values: readonly number[] = []): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** Returns the median latency of sequential runs. */
async function middleMs(target: Target, isStream: boolean): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < ONE_BY_ONE; count += 1) {
    times.push((await askOnce(target, isStream)).ms)
  }
  return middle(times)
}

/** Measures slow readers, 1 KB a second of 5 MB answers: their memory, and the latency of others. */
async function measureReaders(target: Target): Promise<Reported[]> {
  await load(target, true, { duration: 2 })
  const alone = await middleMs(target, false)
  const before = residentMegabytes(target.server)
  const readers = await readSlowly(target, SLOW_READERS)
  const beside = await middleMs(target, false)
  const each = (residentMegabytes(target.server) - before) / SLOW_READERS
  const taken = readers.stop()
  print(
    `${SLOW_READERS} readers of 1 KB/s: ${each.toFixed(2)} MB each, ${(taken / SLOW_READERS / 1_000).toFixed(1)} KB read by each; others' runs p50 ${alone.toFixed(2)} ms without and ${beside.toFixed(2)} ms beside them`,
  )
  return [
    {
      id: 'readers.memory',
      label: `memory of a slow reader of a 5 MB stream, of ${SLOW_READERS}`,
      value: stored(each),
      unit: 'MB',
      better: 'lower',
    },
    {
      id: 'readers.beside',
      label: `JSON beside ${SLOW_READERS} slow readers, p50; floor: without them`,
      value: stored(beside),
      unit: 'ms',
      better: 'lower',
      floor: stored(alone) ?? 0,
    },
  ]
}

/** Measures the product's memory after many streams and after few. */
async function measureMemory(target: Target): Promise<Reported> {
  await load(target, true, { amount: FEW_STREAMS })
  const few = residentMegabytes(target.server)
  await load(target, true, { amount: MANY_STREAMS - FEW_STREAMS })
  const many = residentMegabytes(target.server)
  const ratio = (many / few).toFixed(2)
  print(
    `memory after ${FEW_STREAMS} streams ${few.toFixed(0)} MB, after ${MANY_STREAMS} ${many.toFixed(0)} MB (${ratio})`,
  )
  return {
    id: 'memory',
    label: `memory after ${MANY_STREAMS} streams; floor: after ${FEW_STREAMS}`,
    value: stored(many),
    unit: 'MB',
    better: 'lower',
    floor: stored(few) ?? 0,
  }
}
