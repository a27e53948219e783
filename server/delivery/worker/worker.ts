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
import { ATTEMPT_MS, decideOutcome } from '../retry-policy.ts'
import { continueRecoveries } from '../queue/recover.ts'

/** Short enough that what a dead worker had in hand goes out again within 30 s, sweep included. */
const LEASE_MS = 25_000
/** An attempt is begun only while its lease covers it and the writing of its result. */
const NEEDED_MS = ATTEMPT_MS + 2_000
/** The net under wake-ups that got lost. */
const POLL_MS = 1_000
/** How often deliveries are released that were put aside by mistake. */
const RELEASE_MS = 60_000
const MAX_PER_BATCH = 512
const MAX_IN_FLIGHT = 1_024
/** So many may wait in memory for a place, since finding them in the table costs more. */
const MAX_WAITING = 32
const MAX_WAITING_IN_ALL = 1_024
/** So long: what is erased from the table meanwhile must not be sent much later. */
const MAX_WAIT_MS = 2_000
/** A stop waits no longer for attempts; what they had in hand goes out again later. */
const STOP_MS = 8_000
const NAME_LENGTH = 12
const JITTER_STEPS = 2 ** 32

export interface WorkerOptions {
  sender: Sender
  /** Where each family's deliveries go. */
  endpoints: EndpointSources
  /** The process is alone with its database: leases that it finds belong to a dead one. */
  isAlone: boolean
  mostInFlight?: number
  metrics?: DeliveryMetrics
}

export interface DeliveryWorker {
  /** Claims nothing more, finishes what is under way and writes it down. Takes 8 s at most. */
  stop(): Promise<void>
  /** Resolves when nothing is due and nothing is under way. */
  idle(): Promise<void>
}

/** Starts sending what is due, until it is stopped. */
export function startDeliveryWorker(ctx: Context, options: WorkerOptions): DeliveryWorker {
  const worker = new Worker(ctx, options)
  worker.start()
  return worker
}

class Worker implements DeliveryWorker, LocalConsumer {
  readonly #ctx: Context
  readonly #options: WorkerOptions
  readonly #lanes: FairScheduler
  readonly #poller: DuePoller
  readonly #outbox: OutcomeWriter
  readonly #localBuffer: LocalBuffer
  readonly #name = randomText(NAME_LENGTH)
  readonly #idle: (() => void)[] = []
  #leases = 0
  #releasedAt = 0
  #isPumping = false
  #isStarting = false
  #isTidying = false
  #isStopping = false
  #unregister: () => void = () => undefined
  #cancelPoll: () => void = () => undefined

  constructor(ctx: Context, options: WorkerOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#lanes = new FairScheduler(options.mostInFlight ?? MAX_IN_FLIGHT, MAX_PER_BATCH)
    this.#localBuffer = new LocalBuffer(this.#lanes)
    this.#poller = new DuePoller(ctx, this.#lanes, () => this.#pumpSoon())
    this.#outbox = new OutcomeWriter(ctx, options.endpoints, {
      written: (batch) => {
        for (const { verdict } of batch) {
          if (verdict.kind === 'retry') this.#poller.scheduleAt(verdict.at)
        }
      },
      empty: () => {
        this.#pumpSoon()
        this.#resolveIdle()
      },
    })
  }

  start(): void {
    this.#unregister = this.#ctx.dispatcher.register(this)
    this.#poll()
    this.#pumpSoon()
    void this.#runMaintenance()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#unregister()
    this.#cancelPoll()
    this.#poller.close()
    for (const delivery of this.#localBuffer.clear()) this.#releaseLease(delivery)
    await settleWithin(STOP_MS, [this.idle()])
    this.#outbox.close()
  }

  async idle(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>((done) => this.#idle.push(done))
  }

  lease(endpointId: string, ahead: number): { token: string; until: number } | undefined {
    if (this.#isStopping || this.#lanes.isDue(endpointId)) return undefined
    const waiting = this.#localBuffer.countOf(endpointId) + ahead
    const hasRoom = this.#lanes.freeSlots(endpointId) > waiting
    const mayWait = waiting < MAX_WAITING && this.#localBuffer.size < MAX_WAITING_IN_ALL
    if (!hasRoom && !(mayWait && this.#lanes.isHealthy(endpointId))) return undefined
    return this.#newLease(this.#ctx.now())
  }

  accept(deliveries: readonly ClaimedDelivery[]): void {
    if (this.#isStopping) {
      for (const delivery of deliveries) this.#releaseLease(delivery)
      return
    }
    for (const delivery of deliveries) this.#localBuffer.add(delivery)
    this.#startSoon()
  }

  wake(endpointIds?: Iterable<string>): void {
    if (endpointIds === undefined) this.#poller.wake()
    else for (const endpointId of endpointIds) this.#lanes.add(endpointId, 0)
    this.#pumpSoon()
  }

  #newLease(now: number): { token: string; until: number } {
    this.#leases += 1
    return { token: `${this.#name}:${this.#leases}`, until: now + LEASE_MS }
  }

  #isIdle(): boolean {
    const isWorking = this.#isPumping || this.#isStarting || this.#isTidying
    const isBusy = isWorking || this.#lanes.inFlight > 0 || this.#localBuffer.size > 0
    return !isBusy && (this.#isStopping || !this.#poller.isWanted) && this.#outbox.isEmpty
  }

  #resolveIdle(): void {
    if (this.#isIdle()) for (const done of this.#idle.splice(0)) done()
  }

  #poll(): void {
    this.#cancelPoll = this.#ctx.clock.after(POLL_MS, () => {
      this.#poll()
      void this.#runMaintenance()
    })
  }

  async #runMaintenance(): Promise<void> {
    if (this.#isTidying) return
    this.#isTidying = true
    const now = this.#ctx.now()
    this.#poller.tick()
    try {
      await continueRecoveries(this.#ctx, () => this.#isStopping)
      // The distance, so that a clock that jumped back postpones nothing.
      if (Math.abs(now - this.#releasedAt) >= RELEASE_MS) {
        this.#releasedAt = now
        await resumeActiveEndpoints(this.#ctx, this.#options.endpoints)
      }
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'deliveries could not be tidied up')
    }
    this.#isTidying = false
    this.#startSoon()
    this.#resolveIdle()
  }

  /** Begins what was handed over, as far as there is room. */
  #startSoon(): void {
    if (this.#isStarting || this.#localBuffer.size === 0) return
    this.#isStarting = true
    setImmediate(() => void this.#startHandedOver())
  }

  async #startHandedOver(): Promise<void> {
    const { ready, expired } = this.#localBuffer.takeReady(this.#ctx.now() + LEASE_MS - MAX_WAIT_MS)
    for (const delivery of expired) this.#releaseLease(delivery)
    await this.#startAttempts(ready)
    this.#isStarting = false
    if (ready.length > 0) this.#startSoon()
    this.#resolveIdle()
  }

  #pumpSoon(): void {
    if (this.#isPumping || this.#isStopping) return
    this.#isPumping = true
    setImmediate(() => void this.#claimLoop())
  }

  async #claimLoop(): Promise<void> {
    try {
      while (!this.#isStopping) {
        await this.#poller.pollNow()
        const isDone = !(await this.#claimSome())
        if (isDone && !this.#poller.isWanted) break
      }
    } catch (error) {
      // The poll tries again; nothing is lost, since whatever was claimed has a lease.
      this.#ctx.log.error({ err: error }, 'deliveries could not be claimed')
    }
    this.#isPumping = false
    this.#resolveIdle()
  }

  /** False when it is nobody's turn. Whose turn brought nothing is not in the line any more. */
  async #claimSome(): Promise<boolean> {
    const wants = this.#lanes.planClaims()
    if (wants.length === 0) return false
    const now = this.#ctx.now()
    const onlyOwner = this.#options.isAlone ? this.#name : undefined
    const claimed = await claim(this.#ctx, wants, { ...this.#newLease(now), now, onlyOwner })
    const counts = Map.groupBy(claimed, ({ endpoint_id, tier }) => `${tier}${endpoint_id}`)
    for (const want of wants) {
      this.#lanes.recordClaim(want, counts.get(`${want.tier}${want.endpointId}`)?.length ?? 0)
    }
    await this.#startAttempts(claimed)
    return true
  }

  /** Begins an attempt of each. Their places are taken at once, before anything is waited for. */
  async #startAttempts(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const begun = deliveries.map((delivery) => ({
      delivery,
      flight: this.#lanes.start(delivery.endpoint_id, delivery.tier === 0 ? 0 : 1),
    }))
    try {
      const endpoints = await findEndpoints(this.#ctx, this.#options.endpoints, deliveries)
      for (const { delivery, flight } of begun) {
        void this.#attempt(delivery, flight, endpoints.get(delivery.endpoint_id))
      }
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'endpoints could not be read')
      for (const { delivery, flight } of begun) {
        this.#lanes.end(flight, true)
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
      this.#lanes.end(flight, true)
      this.#outbox.add({ delivery, verdict: { kind: endpoint ? 'held' : 'cancelled' } })
      return
    }
    // The process stood still since the claim: somebody else may have the delivery by now.
    if (startedAt > delivery.lease_until - NEEDED_MS) {
      this.#lanes.end(flight, true)
      this.#releaseLease(delivery)
      return
    }
    this.#options.metrics?.begun(delivery, startedAt)
    const { family, id, event, body } = delivery
    const sent = { family, id, event, body, now: startedAt }
    const result = await this.#options.sender.send(endpoint.url, sent, endpoint.secrets)
    this.#lanes.end(flight, result.status !== null)
    const verdict = decideOutcome(family, delivery.attempt + 1, result, {
      now: this.#ctx.now(),
      timeScale: this.#ctx.config.deliveryTimeScale,
      jitter: randomInt(JITTER_STEPS) / JITTER_STEPS,
    })
    this.#options.metrics?.ended(family, verdict.kind, result.latency_ms)
    this.#outbox.add({ delivery, verdict, made: { startedAt, result } })
    this.#startSoon()
    this.#pumpSoon()
  }

  /** Lets somebody else have it: due as before, and in nobody's hand. */
  #releaseLease(delivery: ClaimedDelivery): void {
    const at = delivery.next_at ?? this.#ctx.now()
    this.#outbox.add({ delivery, verdict: { kind: 'retry', at } })
  }
}
