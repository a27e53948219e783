import { type Context, transaction } from '../context.ts'
import { randomText } from '../lib/ids.ts'
import { settleWithin } from '../lib/timeout.ts'
import { Pump } from '../jobs/poll-loop.ts'
import { finishFile, readFileJob } from './files.ts'
import { claimJob, endJob, endLeases, type Job, keepJob, type Lane, returnJob } from './queue.ts'
import { Reader } from './reader.ts'
import { giveUpSync } from './schedule.ts'
import { findJobDocument, updateDocument } from './store.ts'
import type { WebJobs } from './web-jobs.ts'

const LEASE_MS = 60_000
const SIGN_OF_LIFE_MS = 20_000
/** The net under wake-ups that got lost, and how late a scheduled sync may begin. */
const POLL_MS = 2_000
/** After so many tries that ended the process, or failed for no reason known, it is given up. */
const MOST_TRIES: Record<Lane, number> = { file: 3, web: 8 }
const RETRY_MS = 10_000
/** A stop waits no longer for what is being read; the next process reads it again. */
const STOP_MS = 3_000
const LANES: readonly { lane: Lane; most: number }[] = [
  { lane: 'file', most: 1 },
  { lane: 'web', most: 4 },
]
const GIVEN_UP = 'The document could not be read. Save it once more, or as PDF.'

export interface KnowledgeWorker {
  /** Takes nothing new, and gives back what is not read soon. */
  stop(): Promise<void>
}

/** Starts reading the files and pages that wait, until it is stopped. */
export function startKnowledgeWorker(
  ctx: Context,
  options: {
    /** The process is alone with its database: leases that it finds belong to a dead one. */
    isAlone: boolean
    /** The product's, as sites see it. */
    version: string
  },
): KnowledgeWorker {
  const worker = new Worker(ctx, options.version)
  worker.start(options.isAlone)
  return worker
}

class Worker implements KnowledgeWorker {
  readonly #ctx: Context
  readonly #version: string
  readonly #name = randomText(12)
  readonly #readers: Record<Lane, Reader> = { file: new Reader(), web: new Reader() }
  readonly #running = new Map<Job, Promise<void>>()
  readonly #stopped = new AbortController()
  #web: Promise<WebJobs> | undefined
  #claims = 0
  readonly #pump: Pump

  constructor(ctx: Context, version: string) {
    this.#ctx = ctx
    this.#version = version
    this.#pump = new Pump({
      clock: ctx.clock,
      wakeups: ctx.wakeups,
      topic: 'knowledge',
      pollMs: POLL_MS,
      work: () => this.#claimAll(),
      onFailure: (error) => ctx.log.error({ err: error }, 'documents could not be claimed'),
    })
  }

  start(isAlone: boolean): void {
    this.#pump.start()
    const ready = isAlone ? endLeases(this.#ctx.db) : Promise.resolve()
    void ready
      .catch((error: unknown) => this.#ctx.log.error({ err: error }, 'no leases were ended'))
      .then(() => this.#pump.wake())
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#pump.stop()
    const jobs = [...this.#running.keys()]
    await settleWithin(STOP_MS, this.#running.values())
    // What was finished is no longer ours, and stays as it is.
    for (const job of jobs) {
      await returnJob(this.#ctx.db, job, { at: this.#ctx.now(), attempt: job.attempt - 1 })
    }
    await Promise.all(Object.values(this.#readers).map((reader) => reader.close()))
    await (await this.#web)?.close()
  }

  async #claimAll(): Promise<void> {
    for (const { lane, most } of LANES) while (await this.#claim(lane, most));
  }

  async #claim(lane: Lane, most: number): Promise<boolean> {
    const busy = [...this.#running.keys()].filter((job) => job.lane === lane).length
    if (busy >= most || this.#stopped.signal.aborted) return false
    this.#claims += 1
    const now = this.#ctx.now()
    const token = `${this.#name}:${this.#claims}`
    const job = await claimJob(this.#ctx, lane, { token, now, until: now + LEASE_MS })
    if (!job) return false
    const run = this.#run(job).finally(() => {
      this.#running.delete(job)
      this.#pump.wake()
    })
    this.#running.set(job, run)
    return true
  }

  async #run(job: Job): Promise<void> {
    const stopKeeping = this.#keepAlive(job)
    try {
      await this.#work(job)
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      this.#ctx.log.error({ err: error, document: job.document_id }, 'a document was not read')
      await this.#tryAgain(job)
    } finally {
      stopKeeping()
    }
  }

  async #work(job: Job): Promise<void> {
    const ctx = this.#ctx
    const row = await findJobDocument(ctx.db, job)
    const isWeb = job.lane === 'web'
    // A document that takes the process with it must not do so for ever.
    if (row && job.attempt > MOST_TRIES[job.lane]) {
      if (isWeb) await giveUpSync(ctx, job, row, GIVEN_UP)
      else await finishFile(ctx, job, row, { problem: GIVEN_UP })
      return
    }
    if (row) {
      const id = { id: row.id, workspaceId: row.workspace_id }
      await updateDocument(ctx.db, id, { state: 'indexing' })
    }
    if (!isWeb) await readFileJob(ctx, job, this.#readers.file)
    else if (row) await (await this.#openWeb()).run(job, row)
    else await endJob(ctx.db, job)
  }

  /** With it comes the HTTP client, which most processes never need. */
  #openWeb(): Promise<WebJobs> {
    const signal = this.#stopped.signal
    const around = { version: this.#version, reader: this.#readers.web, signal }
    this.#web ??= import('./web-jobs.ts').then(({ openWebJobs }) => openWebJobs(this.#ctx, around))
    return this.#web
  }

  async #tryAgain(job: Job): Promise<void> {
    const { attempt } = job
    const at = this.#ctx.now() + RETRY_MS * attempt
    try {
      await transaction(this.#ctx, (tx) => returnJob(tx.db, job, { at, attempt }))
    } catch (error) {
      // Its lease runs out by itself.
      this.#ctx.log.error({ err: error }, 'a document could not be given back')
    }
  }

  #keepAlive(job: Job): () => void {
    const { clock, db, log, now } = this.#ctx
    let cancel = clock.after(SIGN_OF_LIFE_MS, renew)

    function renew(): void {
      cancel = clock.after(SIGN_OF_LIFE_MS, renew)
      keepJob(db, job, now() + LEASE_MS).catch((error: unknown) =>
        log.warn({ err: error, document: job.document_id }, 'a lease could not be kept'),
      )
    }

    return () => cancel()
  }
}
