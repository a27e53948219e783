import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../server/lib/ids.ts'
import type { Harness } from './harness.ts'

export const WAITING = 100_000
const HEALTHY = 99
const RATE = 500
const SECONDS = 3
const PAIRS = 16
/** With 16 pairs, the 5th ratios from both ends are a 95 % confidence interval of the median. */
const OUTER = 4
/** Longer than a worker's first poll, and than the delivery of the last event. */
const SETTLE_MS = 500
const MAX_TRIES = 40

/** One side of a comparison: a database with its engine, and the figures of its rounds. */
interface Side {
  harness: Harness
  healthy: readonly string[]
  p50: number[]
  p99: number[]
  /** Microseconds of processor time per delivery. */
  cpu: number[]
}

/**
 * Measures the latency of healthy receivers with and without a dead receiver that has a long queue:
 * two databases of the same kind, whose workers run in turns, A B B A, so that the machine's load
 * affects both alike. Each pair gives a ratio.
 */
export async function measureDeadReceiver(open: () => Promise<Harness>): Promise<string> {
  const without = createSide(await open())
  const beside = createSide(await open())
  try {
    const silent = newId('rule')
    beside.harness.route(silent, '/dead')
    await beside.harness.queueMany([silent], WAITING)
    // The first pair warms up.
    for (let pair = 0; pair <= PAIRS; pair += 1) {
      const order = pair % 2 === 0 ? [without, beside] : [beside, without]
      for (const side of order) await runRound(side, pair > 0)
    }
  } finally {
    for (const { harness } of [without, beside]) await harness.close()
  }
  const ratios = [
    `p50 ${compare(without.p50, beside.p50)}`,
    `p99 ${compare(without.p99, beside.p99)}`,
    `processor time ${compare(without.cpu, beside.cpu)}`,
  ]
  const late = (side: Side) => `p50 ${middle(side.p50)} ms, p99 ${middle(side.p99)} ms`
  return `healthy ones: ${late(without)}; beside it: ${late(beside)}; of ${PAIRS} pairs, ratio of ${ratios.join(', ')}`
}

function createSide(harness: Harness): Side {
  const healthy = Array.from({ length: HEALTHY }, () => newId('rule'))
  return { harness, healthy, p50: [], p99: [], cpu: [] }
}

async function runRound(
  { harness, healthy, p50, p99, cpu }: Side,
  isNoted: boolean,
): Promise<void> {
  const worker = harness.start()
  await sleep(SETTLE_MS)
  const before = process.cpuUsage()
  await harness.publish(healthy, RATE, RATE * SECONDS)
  const { user, system } = process.cpuUsage(before)
  const delays = await arrived(harness, RATE * SECONDS)
  const stopped = worker.stop()
  // A report makes the receiver close its silent connections, or the worker would wait for them.
  await harness.report()
  await stopped
  if (!isNoted) return
  p50.push(delays[Math.floor(delays.length * 0.5)] ?? NaN)
  p99.push(delays[Math.floor(delays.length * 0.99)] ?? NaN)
  cpu.push((user + system) / delays.length)
}

async function arrived(harness: Harness, count: number): Promise<number[]> {
  const delays: number[] = []
  for (let tries = 0; delays.length < count && tries < MAX_TRIES; tries += 1) {
    await sleep(SETTLE_MS)
    delays.push(...(await harness.report()).delays)
  }
  if (delays.length < count) throw new Error(`Only ${delays.length} of ${count} arrived.`)
  return delays.toSorted((a, b) => a - b)
}

/** Returns the median of the ratios and its confidence interval. */
function compare(without: readonly number[], beside: readonly number[]): string {
  const ratios = beside.map((each, pair) => each / (without[pair] ?? NaN)).toSorted((a, b) => a - b)
  const [low = NaN, high = NaN] = [ratios[OUTER], ratios.at(-1 - OUTER)]
  return `${middle(ratios, 2)} (${low.toFixed(2)}–${high.toFixed(2)})`
}

function middle(values: readonly number[], digits = 1): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = NaN, high = NaN] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ]
  return ((low + high) / 2).toFixed(digits)
}
