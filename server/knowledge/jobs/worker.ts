import type { Context } from '../../context.ts'
import { type RunningWorker, startQueueWorker } from '../../jobs/queue-worker.ts'
import { finishFile, readFileJob } from './files.ts'
import { type Job, type JobKind, knowledgeJobs } from '../documents/job-queue.ts'
import { ParserPool } from '../parsers/pool.ts'
import { abandonSync } from '../crawl/schedule.ts'
import { findJobDocument, updateDocument } from '../documents/store.ts'
import type { WebJobs } from './web-jobs.ts'

const LEASE_MS = 60_000
const HEARTBEAT_INTERVAL_MS = 20_000
/** How late a scheduled sync, or a document whose notification got lost, is begun. */
const POLL_MS = 2_000
const RETRY_MS = 10_000
/** A stop waits no longer; the next process reads the document again. */
const STOP_TIMEOUT_MS = 3_000
/** After `maxAttempts` that ended the process, or failed for an unknown reason, a job is dead. */
const KINDS: readonly { kind: JobKind; concurrency: number; maxAttempts: number }[] = [
  { kind: 'file', concurrency: 1, maxAttempts: 3 },
  { kind: 'web', concurrency: 4, maxAttempts: 8 },
]
const GIVEN_UP = 'The document could not be read. Save it once more, or as PDF.'

/** Starts to read the files and pages that are due, until the worker is stopped. */
export function startKnowledgeWorker(
  ctx: Context,
  options: {
    /** No other process has this database, so that leases are of a dead process. */
    isSingleProcess: boolean
    /** The product's, as sites see it. */
    version: string
  },
): RunningWorker {
  const readers: Record<JobKind, ParserPool> = { file: new ParserPool(), web: new ParserPool() }
  const stopped = new AbortController()
  let web: Promise<WebJobs> | undefined
  const workers = KINDS.map((kind) =>
    startQueueWorker(
      ctx,
      {
        ...kind,
        queue: knowledgeJobs,
        leaseMs: LEASE_MS,
        heartbeatMs: HEARTBEAT_INTERVAL_MS,
        pollMs: POLL_MS,
        run,
        classify: () => ({ reason: 'internal', isExpected: false, isPermanent: false }),
        retryDelayMs: ({ attempt }) => RETRY_MS * attempt,
        onDead: (job) => giveUp(ctx, job),
        onStop: 'release',
        stopTimeoutMs: STOP_TIMEOUT_MS,
      },
      { isSingleProcess: options.isSingleProcess },
    ),
  )

  async function run(job: Job): Promise<void> {
    const row = await findJobDocument(ctx.db, job)
    if (!row) {
      await knowledgeJobs.complete(ctx.db, job, ctx.now())
      return
    }
    const id = { id: row.id, workspaceId: row.workspace_id }
    await updateDocument(ctx.db, id, { state: 'indexing' })
    if (job.lane === 'file') await readFileJob(ctx, job, readers.file)
    else await (await openWeb()).run(job, row)
  }

  /** With it comes the HTTP client, which most processes never need. */
  function openWeb(): Promise<WebJobs> {
    const around = { version: options.version, reader: readers.web, signal: stopped.signal }
    web ??= import('./web-jobs.ts').then(({ openWebJobs }) => openWebJobs(ctx, around))
    return web
  }

  return {
    async stop() {
      stopped.abort()
      await Promise.all(workers.map((worker) => worker.stop()))
      await Promise.all(Object.values(readers).map((reader) => reader.close()))
      await (await web)?.close()
    },
  }
}

/** Marks a document that takes each process along as unreadable; its job ends or waits for a sync. */
async function giveUp(ctx: Context, job: Job): Promise<void> {
  const row = await findJobDocument(ctx.db, job)
  if (!row) await knowledgeJobs.complete(ctx.db, job, ctx.now())
  else if (job.lane === 'web') await abandonSync(ctx, job, row, GIVEN_UP)
  else await finishFile(ctx, job, row, { problem: GIVEN_UP })
}
