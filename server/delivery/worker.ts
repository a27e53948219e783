import { randomInt } from 'node:crypto'
import { type Context, transaction } from '../context.ts'
import { randomText } from '../lib/ids.ts'
import type { Sender } from './attempt.ts'
import {
  claim,
  type Claimed,
  endLeases,
  findDueEndpoints,
  findDueRetries,
  findNextRetry,
} from './claim.ts'
import { type Endpoint, type EndpointSources, findEndpoints } from './endpoints.ts'
import { releaseActive } from './held.ts'
import { Lanes } from './lanes.ts'
import { type Outcome, writeOutcomes } from './outcomes.ts'
import { judgeAttempt } from './policies.ts'

const LEASE_MS = 30_000
/** The net under wake-ups that got lost, and the pace at which leases of dead workers are ended. */
const POLL_MS = 1_000
/** How often everything due is listed, and not only what became due since the last look. */
const SWEEP_MS = 10_000
/** How often deliveries are released that were put aside by mistake. */
const RELEASE_MS = 60_000
/** Retries are looked for so far back, because a commit may come later than its `next_at`. */
const OVERLAP_MS = 2_000
const MOST_PER_BATCH = 256
const MOST_IN_FLIGHT = 1_024
const FLUSH_RETRY_MS = 200
/** A stop waits no longer for attempts; what they had in hand goes out again later. */
const STOP_MS = 8_000
const CHANCES = 2 ** 32

export interface WorkerOptions {
  sender: Sender
  /** Where each family's deliveries go. */
  endpoints: EndpointSources
  /** The process is alone with its database: leases that it finds belong to a dead one. */
  isAlone: boolean
  mostInFlight?: number
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

class Worker implements DeliveryWorker {
  readonly #ctx: Context
  readonly #options: WorkerOptions
  readonly #lanes: Lanes
  readonly #name = randomText(12)
  readonly #outcomes: Outcome[] = []
  readonly #idle: (() => void)[] = []
  #claims = 0
  /** What the next look must find: what became due, or also what was missed before. */
  #look: 'nothing' | 'new' | 'everything' = 'everything'
  #lookedAt = 0
  #sweptAt = 0
  #releasedAt = 0
  #isPumping = false
  #isFlushing = false
  #isTidying = false
  #isStopping = false
  /** The database may be closed: results that come now are given up, and their leases run out. */
  #isOver = false
  #unlisten: () => void = () => undefined
  #cancelPoll: () => void = () => undefined
  #cancelNext: () => void = () => undefined
  #nextAt = Infinity

  constructor(ctx: Context, options: WorkerOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#lanes = new Lanes(options.mostInFlight ?? MOST_IN_FLIGHT, MOST_PER_BATCH)
  }

  start(): void {
    this.#unlisten = this.#ctx.wakeups.on('deliveries', () => this.#wake())
    this.#poll()
    this.#isPumping = true
    void this.#takeOver().then(() => this.#pump())
  }

  /** Alone with the database, it need not wait until the leases of a dead process run out. */
  async #takeOver(): Promise<void> {
    if (!this.#options.isAlone) return
    try {
      const ended = await endLeases(this.#ctx.db, this.#ctx.now(), true)
      if (ended > 0) this.#ctx.log.info({ deliveries: ended }, 'took over unfinished deliveries')
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'unfinished deliveries could not be taken over')
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#unlisten()
    this.#cancelPoll()
    this.#cancelNext()
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<void>((done) => {
      timer = setTimeout(done, STOP_MS)
    })
    await Promise.race([this.idle(), tooLate])
    clearTimeout(timer)
    this.#isOver = true
  }

  async idle(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>((done) => this.#idle.push(done))
  }

  #isIdle(): boolean {
    const isWorking = this.#isPumping || this.#isFlushing || this.#isTidying
    const isBusy = isWorking || this.#lanes.inFlight > 0
    return !isBusy && (this.#isStopping || this.#look === 'nothing') && this.#outcomes.length === 0
  }

  #settle(): void {
    if (this.#isIdle()) for (const done of this.#idle.splice(0)) done()
  }

  #wake(): void {
    if (this.#look === 'nothing') this.#look = 'new'
    this.#pumpSoon()
  }

  #poll(): void {
    this.#cancelPoll = this.#ctx.clock.after(POLL_MS, () => {
      this.#poll()
      void this.#tidy()
    })
  }

  async #tidy(): Promise<void> {
    if (this.#isTidying) return
    this.#isTidying = true
    const now = this.#ctx.now()
    try {
      const ended = await endLeases(this.#ctx.db, now)
      if (ended > 0) this.#ctx.log.warn({ deliveries: ended }, 'delivery leases ran out')
      // The distance, so that a clock that jumped back postpones nothing.
      if (Math.abs(now - this.#releasedAt) >= RELEASE_MS) {
        this.#releasedAt = now
        await releaseActive(this.#ctx, this.#options.endpoints)
      }
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'deliveries could not be tidied up')
    }
    this.#isTidying = false
    if (Math.abs(now - this.#sweptAt) >= SWEEP_MS) this.#look = 'everything'
    this.#wake()
    this.#settle()
  }

  #pumpSoon(): void {
    if (this.#isPumping || this.#isStopping) return
    this.#isPumping = true
    setImmediate(() => void this.#pump())
  }

  async #pump(): Promise<void> {
    try {
      while (!this.#isStopping) {
        await this.#lookForDue()
        const isDone = !(await this.#claimSome())
        if (isDone && this.#look === 'nothing') break
      }
    } catch (error) {
      // The poll tries again; nothing is lost, since whatever was claimed has a lease.
      this.#ctx.log.error({ err: error }, 'deliveries could not be claimed')
    }
    this.#isPumping = false
    this.#settle()
  }

  async #lookForDue(): Promise<void> {
    const look = this.#look
    if (look === 'nothing') return
    this.#look = 'nothing'
    const { db } = this.#ctx
    const now = this.#ctx.now()
    const since = Math.min(this.#lookedAt, now) - OVERLAP_MS
    const [first, retries] = await Promise.all([
      findDueEndpoints(db, 0, now),
      look === 'everything' ? findDueEndpoints(db, 1, now) : findDueRetries(db, since, now),
    ])
    for (const endpointId of [...first, ...retries]) this.#lanes.add(endpointId)
    this.#lookedAt = now
    if (look === 'everything') this.#sweptAt = now
    this.#wakeAt(await findNextRetry(db, now))
  }

  /** Looks again when the next retry is due. */
  #wakeAt(at: number | undefined): void {
    this.#cancelNext()
    this.#nextAt = at ?? Infinity
    if (at === undefined || this.#isStopping) return
    this.#cancelNext = this.#ctx.clock.after(at - this.#ctx.now(), () => this.#wake())
  }

  async #claimSome(): Promise<boolean> {
    const wants = this.#lanes.take()
    if (wants.length === 0) return false
    const now = this.#ctx.now()
    this.#claims += 1
    const token = `${this.#name}:${this.#claims}`
    const claimed = await claim(this.#ctx, wants, { token, now, until: now + LEASE_MS })
    const counts = Map.groupBy(claimed, (delivery) => delivery.endpoint_id)
    for (const want of wants) {
      this.#lanes.claimed(want, counts.get(want.endpointId)?.length ?? 0)
    }
    for (const { endpoint_id } of claimed) this.#lanes.start(endpoint_id)
    try {
      const endpoints = await findEndpoints(this.#ctx, this.#options.endpoints, claimed)
      for (const delivery of claimed)
        void this.#attempt(delivery, endpoints.get(delivery.endpoint_id))
    } catch (error) {
      for (const { endpoint_id } of claimed) this.#lanes.end(endpoint_id, true)
      throw error
    }
    return claimed.length > 0
  }

  async #attempt(delivery: Claimed, endpoint: Endpoint | undefined): Promise<void> {
    if (!endpoint?.isActive) {
      this.#lanes.end(delivery.endpoint_id, true)
      this.#keep({ delivery, verdict: { kind: endpoint ? 'held' : 'cancelled' } })
      return
    }
    const startedAt = this.#ctx.now()
    const sent = {
      family: delivery.family,
      id: delivery.id,
      event: delivery.event,
      body: delivery.body,
      now: startedAt,
    }
    const result = await this.#options.sender.send(endpoint.url, sent, endpoint.secrets)
    this.#lanes.end(delivery.endpoint_id, result.status !== null)
    const verdict = judgeAttempt(delivery.family, delivery.attempt + 1, result, {
      now: this.#ctx.now(),
      timeScale: this.#ctx.config.deliveryTimeScale,
      chance: randomInt(CHANCES) / CHANCES,
    })
    this.#keep({ delivery, verdict, made: { startedAt, result } })
    this.#pumpSoon()
  }

  #keep(outcome: Outcome): void {
    if (this.#isOver) return
    this.#outcomes.push(outcome)
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => void this.#flush())
  }

  /** Writes what has ended, one batch after the other; what ends meanwhile makes the next batch. */
  async #flush(): Promise<void> {
    while (this.#outcomes.length > 0 && !this.#isOver) {
      const batch = this.#outcomes.splice(0, MOST_PER_BATCH)
      try {
        const written = await transaction(this.#ctx, (tx) =>
          writeOutcomes(tx, this.#options.endpoints, batch),
        )
        if (written < batch.length) {
          const late = batch.length - written
          this.#ctx.log.warn({ deliveries: late }, 'results came after their lease had ended')
        }
        for (const { verdict } of batch) {
          if (verdict.kind === 'retry' && verdict.at < this.#nextAt) this.#wakeAt(verdict.at)
        }
      } catch (error) {
        this.#ctx.log.error({ err: error }, 'delivery results could not be written')
        this.#outcomes.unshift(...batch.filter((outcome) => this.#isStillOurs(outcome)))
        await new Promise((done) => setTimeout(done, FLUSH_RETRY_MS))
      }
    }
    this.#isFlushing = false
    this.#pumpSoon()
    this.#settle()
  }

  #isStillOurs({ delivery }: Outcome): boolean {
    return this.#ctx.now() < delivery.lease_until
  }
}
