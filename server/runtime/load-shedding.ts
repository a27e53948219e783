import { performance } from 'node:perf_hooks'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { CounterFamily, metricsOf } from '../lib/instruments.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { ServiceRate } from './service-rate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's place among those in flight; undefined where its route is not bounded. */
    slot: Slot | undefined
  }
}

/** Each bulkhead has its own capacity: visitors and integrations must not starve operators. */
const BULKHEADS = ['traffic', 'sign_in', 'operators'] as const
type Bulkhead = (typeof BULKHEADS)[number]
/** The room of `sign_in` and of `operators`, as a part of that of `traffic`. */
const RESERVED_SHARE = 0.25
const MIN_RESERVED = 20
/** Work that waited longer for its route is dropped: its caller has presumably timed out. */
const MAX_WAIT_MS = 5_000
const RETRY_AFTER_SECONDS = 2
const UNAVAILABLE = 503
/** Of the event loop's time. Below it a process with much in flight waits for something else. */
const MIN_SATURATED_UTILIZATION = 0.5
/** An overload is one line in the log, and one more for each further minute. */
const LOG_INTERVAL_MS = MINUTE_MS

/** Above these bounds requests are refused; 0 is no bound. */
export interface LoadBounds {
  /** Requests of the traffic bulkhead in flight. Those that wait for another service do not count. */
  maxInFlight: number
  /** How long such a request would wait behind those in flight, by the measured rate of answers. */
  maxWaitMs: number
  /** Callers that wait for a connection of the database. */
  maxWaiting: number
}

/** The current load of the process; read at each request. */
export interface LoadSource {
  /** Calls of model providers and of owners' services that have not been answered yet. */
  outsideCalls(): number
  /** Callers that wait for a connection of the database. */
  waiting(): number
}

const REASONS = ['in_flight', 'slow', 'waiting', 'late', 'gone'] as const
type Reason = (typeof REASONS)[number]

const shedMetrics = metricsOf((registry) => ({
  shed: new CounterFamily(registry, {
    name: 'sohbet_http_shed_total',
    help: 'Requests dropped before their work began, by bulkhead and reason',
    labels: ['bulkhead', 'reason'],
  }),
}))

/** Returns the refusal of a request that has waited for too long within its route, and counts it. */
export function refuseLate({ metrics }: { metrics: Registry }): AppError {
  shedMetrics(metrics).shed.series({ bulkhead: 'traffic', reason: 'late' }).add()
  return overloadedError()
}

function overloadedError(): AppError {
  return new AppError('overloaded', 'The service is overloaded. Try again shortly.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}

/** A request in flight. While its body arrives it holds no place: a slow sender would block others. */
class Slot {
  readonly bulkhead: Bulkhead
  readonly #counts: Record<Bulkhead, number>
  #since = performance.now()
  #waitedMs = 0
  #isHeld = false
  #isOver = false

  constructor(bulkhead: Bulkhead, counts: Record<Bulkhead, number>) {
    this.bulkhead = bulkhead
    this.#counts = counts
    this.take()
  }

  /** How long the request has been in flight, the arrival of its body aside. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#isHeld ? performance.now() - this.#since : 0)
  }

  take(): void {
    if (this.#isHeld || this.#isOver) return
    this.#isHeld = true
    this.#since = performance.now()
    this.#counts[this.bulkhead] += 1
  }

  leave(): void {
    if (!this.#isHeld) return
    this.#waitedMs = this.waitedMs
    this.#isHeld = false
    this.#counts[this.bulkhead] -= 1
  }

  end(): void {
    this.leave()
    this.#isOver = true
  }
}

/**
 * Bounds the requests in flight: above the bounds a request is refused with 503 before it is
 * authenticated, and work whose caller has left or that waited too long is dropped before its route
 * begins. Health, metrics and files are never refused; a live stream is refused but holds no place.
 * Call it before the routes are guarded.
 */
export function shedLoad(
  app: App,
  options: { bounds: LoadBounds; load: LoadSource; metrics: Registry; log: FastifyBaseLogger },
): void {
  const { bounds, load, metrics, log } = options
  const counts: Record<Bulkhead, number> = { traffic: 0, sign_in: 0, operators: 0 }
  const reserved = Math.max(MIN_RESERVED, Math.ceil(bounds.maxInFlight * RESERVED_SHARE))
  const room: Record<Bulkhead, number> = {
    traffic: bounds.maxInFlight,
    sign_in: reserved,
    operators: reserved,
  }
  const rate = new ServiceRate(() => performance.now(), saturationOf(load))
  const working = () => counts.traffic - load.outsideCalls()
  const { shed } = shedMetrics(metrics)
  for (const bulkhead of BULKHEADS) for (const reason of REASONS) shed.series({ bulkhead, reason })
  exposeInFlight(metrics, counts)
  let loggedAt = -Infinity
  // One for all: the stack of an error costs more than the rest of a refusal.
  const overloaded = overloadedError()

  function drop(bulkhead: Bulkhead, reason: Reason): AppError {
    shed.series({ bulkhead, reason }).add()
    if (performance.now() - loggedAt > LOG_INTERVAL_MS) {
      loggedAt = performance.now()
      const figures = { bulkhead, reason, inFlight: { ...counts }, waiting: load.waiting() }
      log.warn({ event: 'http.overloaded', ...figures }, 'requests are refused: overload')
    }
    return overloaded
  }

  function excessOf(bulkhead: Bulkhead): Reason | undefined {
    // Waiting for another service costs this process next to nothing.
    const own = bulkhead === 'traffic' ? working() : counts[bulkhead]
    if (bounds.maxInFlight > 0 && own >= room[bulkhead]) return 'in_flight'
    if (bulkhead === 'traffic' && bounds.maxWaitMs > 0) {
      if (own >= rate.capacity(own, bounds.maxWaitMs)) return 'slow'
    }
    const isFull = bounds.maxWaiting > 0 && load.waiting() >= bounds.maxWaiting
    return bulkhead === 'traffic' && isFull ? 'waiting' : undefined
  }

  app.decorateRequest('slot', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const bulkhead = bulkheadOf(request)
    if (bulkhead === undefined) return done()
    const excess = excessOf(bulkhead)
    if (excess) return done(drop(bulkhead, excess))
    if (!isLive(request)) {
      const slot = new Slot(bulkhead, counts)
      request.slot = slot
      reply.raw.once('close', () => {
        slot.end()
        // A request that was refused in its route says nothing of how fast others are answered.
        const isServed = reply.statusCode !== UNAVAILABLE
        if (bulkhead === 'traffic' && isServed) rate.answered(working())
      })
    }
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.slot?.leave()
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    request.slot?.take()
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    const { slot } = request
    if (!slot) return done()
    if (isGone(reply)) return done(drop(slot.bulkhead, 'gone'))
    done(slot.waitedMs > MAX_WAIT_MS ? drop(slot.bulkhead, 'late') : undefined)
  })
}

/** Returns whether the event loop, or the pool of connections, was at its limits since the last call. */
function saturationOf(load: LoadSource): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, last)
    last = current
    return utilization >= MIN_SATURATED_UTILIZATION || load.waiting() > 0
  }
}

function exposeInFlight(metrics: Registry, counts: Record<Bulkhead, number>): void {
  const gauge = new Gauge({
    name: 'sohbet_http_in_flight',
    help: 'Requests in flight, by bulkhead; without live streams, files and health checks',
    labelNames: ['bulkhead'],
    registers: [metrics],
    collect() {
      for (const bulkhead of BULKHEADS) gauge.set({ bulkhead }, counts[bulkhead])
    },
  })
}

/** Returns the bulkhead of a request; undefined for what is never refused. */
function bulkheadOf(request: FastifyRequest): Bulkhead | undefined {
  const { url = '', config } = request.routeOptions
  const { access, pool } = config
  if (!access || !url.startsWith('/api/')) return url.startsWith('/chat/') ? 'traffic' : undefined
  if (access.kind === 'installation') return 'operators'
  if (url.startsWith('/api/v1/auth/')) return url.endsWith('/visitor') ? 'traffic' : 'sign_in'
  return access.kind === 'caller' && !access.visitors && pool === 'default'
    ? 'operators'
    : 'traffic'
}

function isLive({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && routeOptions.config.events !== undefined
}

function isGone({ raw }: FastifyReply): boolean {
  return raw.destroyed || raw.closed
}
