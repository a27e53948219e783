import type { Context } from '../context.ts'
import { randomText } from '../lib/ids.ts'
import { settleWithin } from '../lib/timeout.ts'
import { startLeaseHeartbeat } from './heartbeat.ts'
import type { LeaseColumns, LeaseQueue } from './lease-queue.ts'
import { PollLoop } from './poll-loop.ts'

const NAME_LENGTH = 12

/** A job's error, as its queue handles it. */
export interface JobFailure {
  /** For the column `error`. */
  reason: string
  /** An expected failure is logged as a warning with its reason, any other with its stack. */
  isExpected: boolean
  /** Another attempt would fail as well. */
  isPermanent: boolean
  /** The least delay that the other side asked for. */
  retryAfterMs?: number | undefined
}

/** A queue, and how its jobs are run. */
export interface WorkerOptions<Row extends LeaseColumns> {
  queue: LeaseQueue<Row>
  /** Only jobs of this kind. */
  kind?: string
  /** The most jobs in flight at once. */
  concurrency: number
  /** Length of a lease; a worker that holds a job for longer is presumed dead. */
  leaseMs: number
  /** Renews leases at this interval. Without it, a lease outlasts the longest run. */
  heartbeatMs?: number
  pollMs: number
  /**
   * A job that was claimed more often than this is dead: each run before took its process along.
   */
  maxAttempts?: number
  /** Ends the job in the transaction of its effects; throws to have the job tried again. */
  run: (job: Row, signal: AbortSignal) => Promise<void>
  classify: (error: unknown) => JobFailure
  /** The retry schedule: the delay after the job's last attempt, undefined for none. */
  retryDelayMs: (job: Row) => number | undefined
  /** Ends a job for good; `reason` is missing where no run of it came to an end. */
  onDead: (job: Row, reason: string | undefined) => Promise<void>
  /**
   * A stop's effect on jobs in flight. `finish`: they run on, are aborted at the timeout, and the
   * stop waits for their end. `abort`: they are aborted at once, and those that fail are due again at
   * once. `release`: they are aborted at once, and all that have not ended by the timeout go back
   * uncounted.
   */
  onStop: 'finish' | 'abort' | 'release'
  stopTimeoutMs: number
}

/** A worker that runs until it is stopped. */
export interface RunningWorker {
  stop(): Promise<void>
}

/**
 * Starts to run the jobs of a queue. `isSingleProcess`: leases that exist are of a dead process.
 */
export function startQueueWorker<Row extends LeaseColumns>(
  ctx: Context,
  options: WorkerOptions<Row>,
  { isSingleProcess }: { isSingleProcess: boolean },
): RunningWorker {
  const worker = new QueueWorker(ctx, options)
  worker.start(isSingleProcess)
  return worker
}

class QueueWorker<Row extends LeaseColumns> implements RunningWorker {
  readonly #ctx: Context
  readonly #options: WorkerOptions<Row>
  readonly #name = randomText(NAME_LENGTH)
  readonly #inFlight = new Map<Row, Promise<void>>()
  /** Jobs that failed while the worker stops, for the stop to give back. */
  readonly #aborted = new Set<Row>()
  readonly #abort = new AbortController()
  readonly #loop: PollLoop
  #claims = 0
  /** See `Claim.lastGroup`. */
  #lastGroup: string | undefined
  #isStopping = false

  constructor(ctx: Context, options: WorkerOptions<Row>) {
    this.#ctx = ctx
    this.#options = options
    const { queue, pollMs } = options
    this.#loop = new PollLoop({
      clock: ctx.clock,
      pubsub: ctx.pubsub,
      topic: queue.topic,
      pollMs,
      poll: () => this.#claim(),
      onFailure: (error) => {
        if (ctx.outage.note(error)) return
        ctx.log.error(
          { event: 'queue.claim_failed', err: error, queue: queue.name },
          'claim failed',
        )
      },
    })
  }

  start(isSingleProcess: boolean): void {
    const { db, log } = this.#ctx
    const { queue } = this.#options
    this.#loop.start()
    const released = isSingleProcess ? queue.releaseStaleLeases(db) : Promise.resolve()
    void released
      .catch((error: unknown) =>
        log.error(
          { event: 'queue.release_failed', err: error, queue: queue.name },
          'release of stale leases failed',
        ),
      )
      .then(() => this.#loop.notify())
  }

  async stop(): Promise<void> {
    const { onStop, queue, stopTimeoutMs } = this.#options
    this.#isStopping = true
    if (onStop !== 'finish') this.#abort.abort()
    await this.#loop.stop()
    const jobs = [...this.#inFlight.keys()]
    const ends = [...this.#inFlight.values()]
    await settleWithin(stopTimeoutMs, ends)
    if (onStop === 'finish') {
      this.#abort.abort()
      await Promise.all(ends)
    }
    if (onStop !== 'release') return
    // A job that has ended is no longer leased by this worker, and stays as it is.
    const { db, now } = this.#ctx
    for (const job of new Set([...jobs, ...this.#aborted])) {
      await queue.reschedule(db, job, { at: now(), attempts: queue.attemptsOf(job) - 1 })
    }
  }

  async #claim(): Promise<void> {
    const { db, now } = this.#ctx
    const { concurrency, kind, leaseMs, queue } = this.#options
    const limit = concurrency - this.#inFlight.size
    if (limit <= 0 || this.#isStopping) return
    this.#claims += 1
    const token = `${this.#name}:${this.#claims}`
    const at = now()
    const lastGroup = this.#lastGroup
    const claim = { now: at, until: at + leaseMs, token, limit, kind, lastGroup }
    const jobs = await queue.claim(db, claim)
    const last = jobs.at(-1)
    if (last) this.#lastGroup = queue.groupOf(last)
    for (const job of jobs) {
      const end = this.#run(job).finally(() => {
        this.#inFlight.delete(job)
        this.#loop.notify()
      })
      this.#inFlight.set(job, end)
    }
  }

  async #run(job: Row): Promise<void> {
    const { maxAttempts = Infinity, onDead, queue, run } = this.#options
    const stopHeartbeat = this.#startHeartbeat(job)
    try {
      if (queue.attemptsOf(job) > maxAttempts) {
        this.#ctx.log.warn(
          { event: 'job.exhausted', ...this.#nameOf(job) },
          'job attempts exhausted',
        )
        await onDead(job, undefined)
      } else await run(job, this.#abort.signal)
    } catch (error) {
      await this.#fail(job, error).catch((cause: unknown) =>
        // The lease lapses, and another claim takes the job.
        this.#ctx.log.error(
          { event: 'job.release_failed', err: cause, ...this.#nameOf(job) },
          'job release failed',
        ),
      )
    } finally {
      stopHeartbeat()
    }
  }

  async #fail(job: Row, error: unknown): Promise<void> {
    const { db, log, now } = this.#ctx
    const { classify, onDead, onStop, queue, retryDelayMs } = this.#options
    if (this.#isStopping && onStop === 'release') {
      this.#aborted.add(job)
      return
    }
    const { reason, isExpected, isPermanent, retryAfterMs = 0 } = classify(error)
    const isAborted = this.#isStopping && onStop === 'abort'
    const delay = isAborted ? 0 : retryDelayMs(job)
    const isDead = isPermanent || delay === undefined
    log[isExpected ? 'warn' : 'error'](
      {
        event: 'job.failed',
        ...(isExpected ? { reason } : { err: error }),
        ...this.#nameOf(job),
        isDead,
      },
      'job failed',
    )
    if (isDead) {
      await onDead(job, reason)
      return
    }
    const wait = isAborted ? 0 : Math.max(delay, retryAfterMs)
    await queue.reschedule(db, job, { at: now() + wait, error: reason })
  }

  #startHeartbeat(job: Row): () => void {
    const { clock, db, log, now } = this.#ctx
    const { heartbeatMs, leaseMs, queue } = this.#options
    if (heartbeatMs === undefined) return () => undefined
    return startLeaseHeartbeat({
      clock,
      intervalMs: heartbeatMs,
      renew: () => queue.renew(db, job, now() + leaseMs),
      onFailure: (error) =>
        log.warn(
          { event: 'lease.renewal_failed', err: error, ...this.#nameOf(job) },
          'lease renewal failed',
        ),
      onLost: () => log.warn({ event: 'lease.lost', ...this.#nameOf(job) }, 'lease lost'),
    })
  }

  #nameOf(job: Row): { queue: string; job: string; attempt: number } {
    const { queue } = this.#options
    return { queue: queue.name, job: queue.idOf(job), attempt: queue.attemptsOf(job) }
  }
}
