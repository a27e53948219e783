import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Context } from '../../context.ts'
import { CounterFamily, HistogramFamily, REQUEST_BUCKETS } from '../../lib/instruments.ts'
import { exposeOldestAge } from '../../storage/queue-depth.ts'
import { type Counts, sharedCount } from '../../storage/shared-counts.ts'
import type { ClaimedDelivery } from '../queue/claim.ts'
import type { EndpointSources } from '../endpoints.ts'
import type { Outcome } from '../queue/outcomes.ts'
import type { WebhookKind } from '../signature.ts'

const FAMILIES = ['chat', 'platform'] as const
const OUTCOMES = ['delivered', 'retry', 'failed', 'exhausted'] as const

type QueueCounts = {
  due: number
  scheduled: number
  held: number
  oldest: number | null
}

/** Metrics of deliveries: depth and delay of the queue, attempts and their outcomes. */
export class DeliveryMetrics {
  readonly #attempts: CounterFamily<'family' | 'outcome'>
  readonly #durations: HistogramFamily<'family'>
  readonly #delays: HistogramFamily<'family'>
  #inFlight = 0

  constructor(ctx: Context, sources: EndpointSources) {
    this.#attempts = new CounterFamily(ctx.metrics, {
      name: 'sohbet_delivery_attempts_total',
      help: 'Delivery attempts of this process, by family and outcome',
      labels: ['family', 'outcome'],
    })
    this.#durations = new HistogramFamily(ctx.metrics, {
      name: 'sohbet_delivery_attempt_duration_seconds',
      help: 'Duration of delivery attempts, from the start to the status or the failure',
      labels: ['family'],
      buckets: REQUEST_BUCKETS,
    })
    this.#delays = new HistogramFamily(ctx.metrics, {
      name: 'sohbet_delivery_queue_delay_seconds',
      help: 'Time that deliveries spent in the queue, from when an attempt was due to its start',
      labels: ['family'],
      buckets: REQUEST_BUCKETS,
    })
    const inFlight = new Gauge({
      name: 'sohbet_delivery_in_flight',
      help: 'Delivery attempts currently in flight in this process',
      registers: [ctx.metrics],
      collect: () => {
        inFlight.set(this.#inFlight)
      },
    })
    for (const family of FAMILIES) {
      for (const outcome of OUTCOMES) this.#attempts.series({ family, outcome })
      this.#durations.series({ family })
      this.#delays.series({ family })
    }
    exposeQueueDepth(ctx)
    exposeDeadLetters(ctx)
    exposeDisabledEndpoints(ctx, sources)
  }

  started(delivery: ClaimedDelivery, startedAt: number): void {
    const { family } = delivery
    this.#inFlight += 1
    const due = delivery.next_at ?? startedAt
    this.#delays.series({ family }).observe(Math.max(0, startedAt - due) / 1000)
  }

  ended(family: WebhookKind, outcome: Outcome['verdict']['kind'], latencyMs: number | null): void {
    this.#inFlight -= 1
    this.#attempts.series({ family, outcome }).add()
    if (latencyMs !== null) this.#durations.series({ family }).observe(latencyMs / 1000)
  }
}

function exposeQueueDepth(ctx: Context): void {
  const counts = sharedCount(ctx, 'delivery', () => countQueue(ctx))
  const depth = new Gauge({
    name: 'sohbet_delivery_queue_depth',
    help: 'Queued deliveries, by state: due or in flight, scheduled for a retry, held',
    labelNames: ['state'],
    registers: [ctx.metrics],
    async collect() {
      const found = await counts()
      for (const state of ['due', 'scheduled', 'held'] as const) {
        depth.set({ state }, found?.[state] ?? Number.NaN)
      }
    },
  })
  exposeOldestAge(ctx, 'delivery', 'deliveries', counts)
}

function exposeDeadLetters(ctx: Context): void {
  const counts = sharedCount(ctx, 'dead_letters', () => countDeadLetters(ctx))
  const letters = new Gauge({
    name: 'sohbet_delivery_dead_letters',
    help: 'Retained dead letters, by family',
    labelNames: ['family'],
    registers: [ctx.metrics],
    async collect() {
      const found = await counts()
      for (const family of FAMILIES) {
        letters.set({ family }, found ? (found[family] ?? 0) : Number.NaN)
      }
    },
  })
}

function exposeDisabledEndpoints(ctx: Context, sources: EndpointSources): void {
  const counts = sharedCount(ctx, 'disabled_endpoints', async () => {
    const found: Counts = {}
    for (const family of FAMILIES) {
      found[family] = (await sources[family]?.countDisabled?.(ctx)) ?? 0
    }
    return found
  })
  const disabled = new Gauge({
    name: 'sohbet_delivery_endpoints_disabled',
    help: 'Endpoints that the service disabled because they kept failing or answered 410, by family',
    labelNames: ['family'],
    registers: [ctx.metrics],
    async collect() {
      const found = await counts()
      for (const family of FAMILIES) disabled.set({ family }, found?.[family] ?? Number.NaN)
    },
  })
}

async function countDeadLetters(ctx: Context): Promise<Counts> {
  const { rows } = await sql<{ family: WebhookKind; count: number }>`
    select family, count(*) as count from dead_letters group by family`.execute(ctx.db)
  return Object.fromEntries(rows.map(({ family, count }) => [family, count]))
}

async function countQueue(ctx: Context): Promise<QueueCounts> {
  const now = ctx.now()
  const { rows } = await sql<{ kind: keyof QueueCounts; count: number; oldest: number | null }>`
    select 'due' as kind, count(*) as count, min(next_at) as oldest
      from deliveries where tier = 0 and next_at is not null
    union all select 'due', count(*), min(next_at)
      from deliveries where tier = 1 and next_at is not null and next_at <= ${now}
    union all select 'scheduled', count(*), cast(null as bigint)
      from deliveries where tier = 1 and next_at is not null and next_at > ${now}
    union all select 'held', count(*), cast(null as bigint)
      from deliveries where held_at is not null`.execute(ctx.db)
  const found: QueueCounts = { due: 0, scheduled: 0, held: 0, oldest: null }
  for (const { kind, count, oldest } of rows) {
    if (kind !== 'oldest') found[kind] += count
    if (oldest !== null) found.oldest = Math.min(found.oldest ?? Infinity, oldest)
  }
  return found
}
