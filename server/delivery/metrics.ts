import { sql } from 'kysely'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { Claimed } from './claim.ts'
import type { EndpointSources } from './endpoints.ts'
import type { Outcome } from './outcomes.ts'
import type { Family } from './signature.ts'

const FAMILIES = ['chat', 'platform'] as const
const KINDS = ['delivered', 'retry', 'failed', 'exhausted'] as const
/** In seconds: from what a good day looks like to the longest attempt. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Scrapes in a row share a count. */
const FRESH_MS = 5_000
/** Of a long queue it takes a while: at most so much of the time is spent on counting. */
const COUNTING_SHARE = 0.01

interface Counts {
  due: number
  scheduled: number
  held: number
  oldest: number | null
}

/** What an operator sees of the deliveries: how many wait, how late they leave, how they end. */
export class DeliveryMetrics {
  readonly #attempts: Counter
  readonly #latency: Histogram
  readonly #lateness: Histogram
  readonly #sending: Gauge

  constructor(ctx: Context, sources: EndpointSources) {
    const registers: Registry[] = [ctx.metrics]
    this.#attempts = new Counter({
      name: 'sohbet_delivery_attempts_total',
      help: 'Attempts of this process, by family and by what follows from them',
      labelNames: ['family', 'outcome'],
      registers,
    })
    this.#latency = new Histogram({
      name: 'sohbet_delivery_latency_seconds',
      help: 'From the start of an attempt to its status or failure',
      labelNames: ['family'],
      buckets: BUCKETS,
      registers,
    })
    this.#lateness = new Histogram({
      name: 'sohbet_delivery_lateness_seconds',
      help: 'From when an attempt was due to its start',
      labelNames: ['family'],
      buckets: BUCKETS,
      registers,
    })
    this.#sending = new Gauge({
      name: 'sohbet_deliveries_sending',
      help: 'Attempts of this process that are under way',
      registers,
    })
    for (const family of FAMILIES) {
      for (const outcome of KINDS) this.#attempts.inc({ family, outcome }, 0)
    }
    watchQueue(ctx, registers)
    watchEndpoints(ctx, sources, registers)
  }

  begun(delivery: Claimed, startedAt: number): void {
    this.#sending.inc()
    const due = delivery.next_at ?? startedAt
    this.#lateness.observe({ family: delivery.family }, Math.max(0, startedAt - due) / 1000)
  }

  ended(family: Family, kind: Outcome['verdict']['kind'], latencyMs: number | null): void {
    this.#sending.dec()
    this.#attempts.inc({ family, outcome: kind })
    if (latencyMs !== null) this.#latency.observe({ family }, latencyMs / 1000)
  }
}

function watchQueue(ctx: Context, registers: Registry[]): void {
  const counts = sparingly(ctx, () => countQueue(ctx))
  const states = new Gauge({
    name: 'sohbet_deliveries_waiting',
    help: 'Deliveries in the queue: due or being sent, scheduled for a retry, held',
    labelNames: ['state'],
    registers,
    async collect() {
      const { due, scheduled, held } = await counts()
      states.set({ state: 'due' }, due)
      states.set({ state: 'scheduled' }, scheduled)
      states.set({ state: 'held' }, held)
    },
  })
  const oldest = new Gauge({
    name: 'sohbet_delivery_oldest_due_seconds',
    help: 'How long the delivery is due that has waited longest; 0 when none is',
    registers,
    async collect() {
      const { oldest: since } = await counts()
      oldest.set(since === null ? 0 : Math.max(0, ctx.now() - since) / 1000)
    },
  })
  const lettersByFamily = sparingly(ctx, () => countLetters(ctx))
  const letters = new Gauge({
    name: 'sohbet_delivery_dead_letters',
    help: 'Deliveries that failed for good and are kept, by family',
    labelNames: ['family'],
    registers,
    async collect() {
      const rows = await lettersByFamily()
      for (const family of FAMILIES) {
        letters.set({ family }, rows.find((row) => row.family === family)?.count ?? 0)
      }
    },
  })
}

function watchEndpoints(ctx: Context, sources: EndpointSources, registers: Registry[]): void {
  const disabled = new Gauge({
    name: 'sohbet_delivery_endpoints_disabled',
    help: 'Endpoints that the service disabled because they failed or asked for no more, by family',
    labelNames: ['family'],
    registers,
    async collect() {
      for (const family of FAMILIES) {
        const count = (await sources[family]?.countDisabled?.(ctx)) ?? 0
        disabled.set({ family }, count)
      }
    },
  })
}

/** Counts anew only when the last count is old enough for what it took. */
function sparingly<Found>(ctx: Context, count: () => Promise<Found>): () => Promise<Found> {
  let known: Promise<Found> | undefined
  let knownAt = 0
  let freshMs = FRESH_MS
  const countNow = async () => {
    const started = performance.now()
    const found = await count()
    freshMs = Math.max(FRESH_MS, (performance.now() - started) / COUNTING_SHARE)
    return found
  }
  return () => {
    const now = ctx.now()
    if (known === undefined || Math.abs(now - knownAt) >= freshMs) {
      known = countNow()
      knownAt = now
      known.catch(() => (known = undefined))
    }
    return known
  }
}

async function countLetters(ctx: Context): Promise<{ family: Family; count: number }[]> {
  const { rows } = await sql<{ family: Family; count: number }>`
    select family, count(*) as count from dead_letters group by family`.execute(ctx.db)
  return rows
}

async function countQueue(ctx: Context): Promise<Counts> {
  const now = ctx.now()
  const { rows } = await sql<{ kind: keyof Counts; count: number; oldest: number | null }>`
    select 'due' as kind, count(*) as count, min(next_at) as oldest
      from deliveries where tier = 0 and next_at is not null
    union all select 'due', count(*), min(next_at)
      from deliveries where tier = 1 and next_at is not null and next_at <= ${now}
    union all select 'scheduled', count(*), cast(null as bigint)
      from deliveries where tier = 1 and next_at is not null and next_at > ${now}
    union all select 'held', count(*), cast(null as bigint)
      from deliveries where held_at is not null`.execute(ctx.db)
  const found: Counts = { due: 0, scheduled: 0, held: 0, oldest: null }
  for (const { kind, count, oldest } of rows) {
    if (kind !== 'oldest') found[kind] += count
    if (oldest !== null) found.oldest = Math.min(found.oldest ?? Infinity, oldest)
  }
  return found
}
