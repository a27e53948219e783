import { createHash } from 'node:crypto'
import type { Figure } from './report/figure.ts'

/**
 * A day of an installation, simulated: its busiest hour, visitor by visitor, over processes among which the
 * sites are spread by consistent hashing, as `deploy/` does it. What one thing costs is measured by the other
 * benchmarks; the simulation adds up how many there are at once, and where.
 */
const WORKLOAD = {
  tenants: 10_000,
  visitorsPerDay: 1_000_000,
  /** The busiest hour has so much of the day. */
  peakShare: 0.09,
  /** Of Zipf's law: the first site has most visitors. */
  skew: 0.9,
  /** Of the visitors open the panel, and of those ask. */
  openShare: 0.12,
  messages: 4,
  /** The live stream is open while the panel is. */
  streamSeconds: 240,
  /** Other calls of a visitor: the configuration, the token, counted events. */
  smallCalls: 3,
  passages: 300,
}

/** Costs of one thing, by the benchmarks beside this file, on one core of the machine of docs/scale.md. */
const COSTS = {
  turnCpuMs: { sqlite: 1.51, postgres: 2.98 },
  smallCallCpuMs: 0.4,
  /** `bench live`: memory of an idle stream. */
  streamKb: 20,
  /** Decision 25: 70 MB for 17,600 passages, as the bound of the cache counts them. */
  passageKb: 4,
  /** Decision 25: 3.4 s for 17,600 passages. */
  passageBuildMs: 0.19,
  turnRoundTrips: 7,
  smallCallRoundTrips: 2,
}
const INDEX_BUDGET_MB = 1_000
const UTILIZATION = 0.6
const RING_POINTS = 160

interface Peak {
  /** Visitors in the busiest hour, by site. */
  visitors: Float64Array
  streamsAtOnce: number
  turnsPerSecond: number
  smallCallsPerSecond: number
}

/** Prints what 10,000 tenants and 1,000,000 visitors a day need, and ten and a hundred times as many. */
export async function benchScale(): Promise<Figure[]> {
  process.stdout.write('\nThe busiest hour, by consistent hashing of the sites\n\n')
  process.stdout.write(
    [
      'times  routing  turns/s  streams  processes  serving ms/s  building ms/s',
      '  busiest/mean  streams of one  MB of them  round trips/s\n',
    ].join(''),
  )
  for (const factor of [1, 10, 100]) printScale(factor)
  process.stdout.write('\nTurns one after the other, by the round trip to Postgres, a second\n\n')
  for (const ms of [0.5, 2, 20, 80]) {
    const alone = 1_000 / (COSTS.turnRoundTrips * ms)
    process.stdout.write(`${String(ms).padStart(5)} ms ${alone.toFixed(0).padStart(6)}\n`)
  }
  // Simulated, not measured.
  return []
}

function printScale(factor: number): void {
  const peak = peakOf(factor)
  const serving =
    peak.turnsPerSecond * COSTS.turnCpuMs.postgres + peak.smallCallsPerSecond * COSTS.smallCallCpuMs
  const buildMs = WORKLOAD.passages * COSTS.passageBuildMs
  for (const routing of ['home', 'any'] as const) {
    const buildsOf = (count: number) => buildsPerSecond(factor, count, routing)
    // The fewest processes with a reserve, which also build the indexes that do not fit.
    let processes = 2
    while ((serving + buildsOf(processes) * buildMs) / processes > 1_000 * UTILIZATION) {
      processes += 1
    }
    const builds = buildsOf(processes)
    const { busiest, streams } = spread(peak, routing === 'home' ? processes : 1)
    const perProcess = routing === 'home' ? streams : streams / processes
    const roundTrips =
      peak.turnsPerSecond * COSTS.turnRoundTrips +
      peak.smallCallsPerSecond * COSTS.smallCallRoundTrips
    process.stdout.write(
      `${[
        `${factor} ×`.padEnd(6),
        routing.padEnd(7),
        peak.turnsPerSecond.toFixed(0).padStart(8),
        peak.streamsAtOnce.toFixed(0).padStart(8),
        String(processes).padStart(10),
        (serving / processes).toFixed(0).padStart(15),
        ((builds * buildMs) / processes).toFixed(0).padStart(15),
        (routing === 'home' ? busiest : 1).toFixed(2).padStart(13),
        perProcess.toFixed(0).padStart(16),
        ((perProcess * COSTS.streamKb) / 1_000).toFixed(0).padStart(10),
        roundTrips.toFixed(0).padStart(14),
      ].join(' ')}\n`,
    )
  }
}

/** Returns the busiest process beside the mean one, and the streams that it has. */
function spread(peak: Peak, processes: number): { busiest: number; streams: number } {
  const homes = hashSites(peak.visitors.length, processes)
  const load = new Float64Array(processes)
  for (const [site, home] of homes.entries()) {
    load[home] = (load[home] ?? 0) + (peak.visitors[site] ?? 0)
  }
  const share = Math.max(...load) / peak.visitors.reduce((sum, one) => sum + one, 0)
  return { busiest: share * processes, streams: peak.streamsAtOnce * share }
}

/** Returns the busiest hour of so many times the workload: more sites, each as large. */
function peakOf(factor: number): Peak {
  const tenants = WORKLOAD.tenants * factor
  const inHour = WORKLOAD.visitorsPerDay * factor * WORKLOAD.peakShare
  const weights = Float64Array.from({ length: tenants }, (_, index) => {
    // Ten times the sites are ten such installations, not a first site that is ten times as large.
    const rank = Math.floor(index / factor) + 1
    return rank ** -WORKLOAD.skew
  })
  const sum = weights.reduce((one, other) => one + other, 0)
  const visitors = weights.map((weight) => (weight * inHour) / sum)
  const asking = (inHour * WORKLOAD.openShare) / 3_600
  return {
    visitors,
    streamsAtOnce: asking * WORKLOAD.streamSeconds,
    turnsPerSecond: asking * WORKLOAD.messages,
    smallCallsPerSecond: (inHour / 3_600) * WORKLOAD.smallCalls,
  }
}

/** Returns the process of each site: the next point on a ring. */
function hashSites(sites: number, processes: number): Int32Array {
  const ring: { at: number; home: number }[] = []
  for (let home = 0; home < processes; home += 1) {
    for (let point = 0; point < RING_POINTS; point += 1) {
      ring.push({ at: hash(`process-${home}-${point}`), home })
    }
  }
  ring.sort((one, other) => one.at - other.at)
  return Int32Array.from({ length: sites }, (_, site) => {
    const at = hash(`site-${site}`)
    let low = 0
    let high = ring.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ring[middle]?.at ?? 0) < at) low = middle + 1
      else high = middle
    }
    return ring[low % ring.length]?.home ?? 0
  })
}

function hash(text: string): number {
  return createHash('md5').update(text).digest().readUInt32BE(0)
}

/**
 * Returns how many indexes a second all processes build in the busiest hour: a site's question builds its
 * index where it is not in memory, and the least recently used ones beyond the memory are dropped. With a
 * home for each site the processes are one memory; without, each has a part of every site's questions.
 */
function buildsPerSecond(factor: number, processes: number, routing: 'home' | 'any'): number {
  const { visitors } = peakOf(1)
  const perSite = WORKLOAD.passages * COSTS.passageKb * 1_000
  // The sites are `factor` times those of one installation, each of which has its part of the memory.
  const room = (INDEX_BUDGET_MB * 1_000_000) / perSite / factor
  const asked = visitors.map((count) => (count * WORKLOAD.openShare * WORKLOAD.messages) / 3_600)
  return routing === 'home'
    ? factor * missesPerSecond(asked, room * processes)
    : factor *
        processes *
        missesPerSecond(
          asked.map((rate) => rate / processes),
          room,
        )
}

function missesPerSecond(rates: Float64Array, room: number): number {
  if (rates.length <= room) return 0
  const held = (seconds: number) =>
    rates.reduce((sum, rate) => sum + 1 - Math.exp(-rate * seconds), 0)
  let low = 0
  let high = 1
  while (held(high) < room) high *= 2
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2
    if (held(middle) < room) low = middle
    else high = middle
  }
  return rates.reduce((sum, rate) => sum + rate * Math.exp(-rate * high), 0)
}
