import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { randomText } from '../../lib/ids.ts'
import { settleWithin } from '../../lib/timeout.ts'
import type { Sender } from '../http/attempt.ts'
import { claim, type ClaimedDelivery } from '../queue/claim.ts'
import type { LocalConsumer } from '../queue/dispatcher.ts'
import { type Endpoint, type EndpointSources, findEndpoints } from '../endpoints.ts'
import { LocalBuffer } from './local-buffer.ts'
import { resumeActiveEndpoints } from '../queue/manual-retry.ts'
import { type InFlightAttempt, FairScheduler } from './fair-scheduler.ts'
import { DuePoller } from './due-poller.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { OutcomeWriter } from '../queue/outcome-writer.ts'
import { ATTEMPT_TIMEOUT_MS, decideOutcome } from '../retry-policy.ts'
import { continueRecoveries } from '../queue/recover.ts'

/** Lease length; the deliveries of a dead worker go out again within 30 s, sweep included. */
const LEASE_MS = 25_000
/** An attempt starts only with a lease that covers its deadline and the write of its outcome. */
const MIN_LEASE_MS = ATTEMPT_TIMEOUT_MS + 2_000
/** Bounds the delay of a lost notification. */
const POLL_INTERVAL_MS = 1_000
/** Interval at which paused deliveries of active endpoints are resumed. */
const RESUME_INTERVAL_MS = 60_000
const MAX_PER_BATCH = 512
const MAX_IN_FLIGHT = 1_024
/** Bounds of the local buffer, per endpoint and in all; a query for a delivery costs more. */
const MAX_BUFFERED_PER_ENDPOINT = 32
const MAX_BUFFERED = 1_024
/** Longest wait in the buffer, so that a delivery erased from the table is not sent much later. */
const MAX_BUFFER_WAIT_MS = 2_000
/** Deadline of a stop; deliveries still in flight go out again after their lease. */
const STOP_TIMEOUT_MS = 8_000
const NAME_LENGTH = 12
const JITTER_STEPS = 2 ** 32

export interface DeliveryWorkerOptions {
  sender: Sender
  /** The endpoints of each webhook kind. */
  endpoints: EndpointSources
  /** Without another process on the database, foreign leases belong to a dead worker. */
  isSingleProcess: boolean
  maxInFlight?: number
  metrics?: DeliveryMetrics
}

export interface DeliveryWorker {
  /** Stops claiming, finishes the attempts in flight and writes their outcomes; 8 s at most. */
  stop(): Promise<void>
  /** Resolves when no delivery is due or in flight. */
  idle(): Promise<void>
}

/** Starts a worker, which sends due deliveries until it is stopped. */
export function startDeliveryWorker(ctx: Context, options: DeliveryWorkerOptions): DeliveryWorker {
  const worker = new Worker(ctx, options)
  worker.start()
  return worker
}

class Worker implements DeliveryWorker, LocalConsumer {
  readonly #ctx: Context
  readonly #options: DeliveryWorkerOptions
  readonly #scheduler: FairScheduler
  readonly #poller: DuePoller
  readonly #outcomes: OutcomeWriter
  readonly #localBuffer: LocalBuffer
  readonly #name = randomText(NAME_LENGTH)
  readonly #idle: (() => void)[] = []
  #leases = 0
  #resumedAt = 0
  #isClaiming = false
  #isStarting = false
  #isMaintaining = false
  #isStopping = false
  #unregister: () => void = () => undefined
  #cancelPoll: () => void = () => undefined

  constructor(ctx: Context, options: DeliveryWorkerOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#scheduler = new FairScheduler(options.maxInFlight ?? MAX_IN_FLIGHT, MAX_PER_BATCH)
    this.#localBuffer = new LocalBuffer(this.#scheduler)
    this.#poller = new DuePoller(ctx, this.#scheduler, () => this.#scheduleClaim())
    this.#outcomes = new OutcomeWriter(ctx, options.endpoints, {
      written: (batch) => {
        for (const { verdict } of batch) {
          if (verdict.kind === 'retry') this.#poller.scheduleAt(verdict.at)
        }
      },
      empty: () => {
        this.#scheduleClaim()
        this.#resolveIdle()
      },
    })
  }

  start(): void {
    this.#unregister = this.#ctx.dispatcher.register(this)
    this.#poll()
    this.#scheduleClaim()
    void this.#runMaintenance()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#unregister()
    this.#cancelPoll()
    this.#poller.close()
    for (const delivery of this.#localBuffer.clear()) this.#releaseLease(delivery)
    await settleWithin(STOP_TIMEOUT_MS, [this.idle()])
    this.#outcomes.close()
  }

  async idle(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>((done) => this.#idle.push(done))
  }

  lease(endpointId: string, ahead: number): { token: string; until: number } | undefined {
    if (this.#isStopping || this.#scheduler.isDue(endpointId)) return undefined
    const waiting = this.#localBuffer.countOf(endpointId) + ahead
    const hasRoom = this.#scheduler.freeSlots(endpointId) > waiting
    const mayWait = waiting < MAX_BUFFERED_PER_ENDPOINT && this.#localBuffer.size < MAX_BUFFERED
    if (!hasRoom && !(mayWait && this.#scheduler.isHealthy(endpointId))) return undefined
    return this.#newLease(this.#ctx.now())
  }

  accept(deliveries: readonly ClaimedDelivery[]): void {
    if (this.#isStopping) {
      for (const delivery of deliveries) this.#releaseLease(delivery)
      return
    }
    for (const delivery of deliveries) this.#localBuffer.add(delivery)
    this.#scheduleStart()
  }

  wake(endpointIds?: Iterable<string>): void {
    if (endpointIds === undefined) this.#poller.wake()
    else for (const endpointId of endpointIds) this.#scheduler.add(endpointId, 0)
    this.#scheduleClaim()
  }

  #newLease(now: number): { token: string; until: number } {
    this.#leases += 1
    return { token: `${this.#name}:${this.#leases}`, until: now + LEASE_MS }
  }

  #isIdle(): boolean {
    const isWorking = this.#isClaiming || this.#isStarting || this.#isMaintaining
    const isBusy = isWorking || this.#scheduler.inFlight > 0 || this.#localBuffer.size > 0
    return !isBusy && (this.#isStopping || !this.#poller.isRequested) && this.#outcomes.isEmpty
  }

  #resolveIdle(): void {
    if (this.#isIdle()) for (const done of this.#idle.splice(0)) done()
  }

  #poll(): void {
    this.#cancelPoll = this.#ctx.clock.after(POLL_INTERVAL_MS, () => {
      this.#poll()
      void this.#runMaintenance()
    })
  }

  async #runMaintenance(): Promise<void> {
    if (this.#isMaintaining) return
    this.#isMaintaining = true
    const now = this.#ctx.now()
    this.#poller.tick()
    try {
      await continueRecoveries(this.#ctx, () => this.#isStopping)
      // The absolute distance, so that a clock that jumped back postpones nothing.
      if (Math.abs(now - this.#resumedAt) >= RESUME_INTERVAL_MS) {
        this.#resumedAt = now
        await resumeActiveEndpoints(this.#ctx, this.#options.endpoints)
      }
    } catch (error) {
      this.#logFailure(error, 'maintenance')
    }
    this.#isMaintaining = false
    this.#scheduleStart()
    this.#resolveIdle()
  }

  /** Starts attempts from the local buffer, as slots allow. */
  #scheduleStart(): void {
    if (this.#isStarting || this.#localBuffer.size === 0) return
    this.#isStarting = true
    setImmediate(() => void this.#startBuffered())
  }

  async #startBuffered(): Promise<void> {
    const { ready, expired } = this.#localBuffer.takeReady(
      this.#ctx.now() + LEASE_MS - MAX_BUFFER_WAIT_MS,
    )
    for (const delivery of expired) this.#releaseLease(delivery)
    await this.#startAttempts(ready)
    this.#isStarting = false
    if (ready.length > 0) this.#scheduleStart()
    this.#resolveIdle()
  }

  #scheduleClaim(): void {
    if (this.#isClaiming || this.#isStopping) return
    this.#isClaiming = true
    setImmediate(() => void this.#claimLoop())
  }

  async #claimLoop(): Promise<void> {
    try {
      while (!this.#isStopping) {
        await this.#poller.pollNow()
        const isDone = !(await this.#claimSome())
        if (isDone && !this.#poller.isRequested) break
      }
    } catch (error) {
      // The next poll claims again; leases return the deliveries that were claimed already.
      this.#logFailure(error, 'claim')
    }
    this.#isClaiming = false
    this.#resolveIdle()
  }

  /** Claims one batch; false when the scheduler plans no claim. */
  async #claimSome(): Promise<boolean> {
    const requests = this.#scheduler.planClaims()
    if (requests.length === 0) return false
    const now = this.#ctx.now()
    const onlyOwner = this.#options.isSingleProcess ? this.#name : undefined
    const claimed = await claim(this.#ctx, requests, { ...this.#newLease(now), now, onlyOwner })
    const counts = Map.groupBy(claimed, ({ endpoint_id, tier }) => `${tier}${endpoint_id}`)
    for (const request of requests) {
      this.#scheduler.recordClaim(
        request,
        counts.get(`${request.tier}${request.endpointId}`)?.length ?? 0,
      )
    }
    await this.#startAttempts(claimed)
    return true
  }

  #logFailure(error: unknown, step: 'maintenance' | 'claim' | 'endpoint_read'): void {
    if (this.#ctx.outage.note(error)) return
    this.#ctx.log.error({ event: `delivery.${step}_failed`, err: error }, 'delivery work failed')
  }

  /** Starts an attempt of each. The slots are taken before the first await. */
  async #startAttempts(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const starting = deliveries.map((delivery) => ({
      delivery,
      flight: this.#scheduler.start(delivery.endpoint_id, delivery.tier === 0 ? 0 : 1),
    }))
    try {
      const endpoints = await findEndpoints(this.#ctx, this.#options.endpoints, deliveries)
      for (const { delivery, flight } of starting) {
        void this.#attempt(delivery, flight, endpoints.get(delivery.endpoint_id))
      }
    } catch (error) {
      this.#logFailure(error, 'endpoint_read')
      for (const { delivery, flight } of starting) {
        this.#scheduler.end(flight, true)
        this.#releaseLease(delivery)
      }
    }
  }

  async #attempt(
    delivery: ClaimedDelivery,
    flight: InFlightAttempt,
    endpoint: Endpoint | undefined,
  ): Promise<void> {
    const startedAt = this.#ctx.now()
    if (!endpoint?.isActive) {
      this.#scheduler.end(flight, true)
      this.#outcomes.add({ delivery, verdict: { kind: endpoint ? 'held' : 'cancelled' } })
      return
    }
    // After a pause of the process, another worker may hold the delivery.
    if (startedAt > delivery.lease_until - MIN_LEASE_MS) {
      this.#scheduler.end(flight, true)
      this.#releaseLease(delivery)
      return
    }
    this.#options.metrics?.started(delivery, startedAt)
    const { family, id, event, body } = delivery
    const sent = { family, id, event, body, now: startedAt }
    const result = await this.#options.sender.send(endpoint.url, sent, endpoint.secrets)
    this.#scheduler.end(flight, result.status !== null)
    const verdict = decideOutcome(family, delivery.attempt + 1, result, {
      now: this.#ctx.now(),
      timeScale: this.#ctx.config.deliveryTimeScale,
      jitter: randomInt(JITTER_STEPS) / JITTER_STEPS,
    })
    this.#options.metrics?.ended(family, verdict.kind, result.latency_ms)
    this.#outcomes.add({ delivery, verdict, made: { startedAt, result } })
    this.#scheduleStart()
    this.#scheduleClaim()
  }

  /** Releases the lease: the delivery is due as before. */
  #releaseLease(delivery: ClaimedDelivery): void {
    const at = delivery.next_at ?? this.#ctx.now()
    this.#outcomes.add({ delivery, verdict: { kind: 'retry', at } })
  }
}
