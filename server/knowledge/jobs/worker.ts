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
/** Upper bound of the delay of a scheduled sync, and of a job whose notification was lost. */
const POLL_MS = 2_000
const RETRY_MS = 10_000
/** Timeout of a stop; the next process claims the job again. */
const STOP_TIMEOUT_MS = 3_000
/** A job is dead after `maxAttempts` attempts that ended the process or failed unexpectedly. */
const KINDS: readonly { kind: JobKind; concurrency: number; maxAttempts: number }[] = [
  { kind: 'file', concurrency: 1, maxAttempts: 3 },
  { kind: 'web', concurrency: 4, maxAttempts: 8 },
]
const UNREADABLE = 'The document could not be read. Save it once more, or as PDF.'

/** Starts the workers of file and web jobs; `stop` waits for running jobs up to a timeout. */
export function startKnowledgeWorker(
  ctx: Context,
  options: {
    /** The process is the only one of this database: every lease at the start is stale. */
    isSingleProcess: boolean
    /** Version of the product, sent in the crawler's user agent. */
    version: string
  },
): RunningWorker {
  const parsers: Record<JobKind, ParserPool> = { file: new ParserPool(), web: new ParserPool() }
  const stopped = new AbortController()
  let webJobs: Promise<WebJobs> | undefined
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
        onDead: (job) => failDocument(ctx, job),
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
    if (job.lane === 'file') await readFileJob(ctx, job, parsers.file)
    else await (await openWeb()).run(job, row)
  }

  /** Imports the web jobs with their HTTP client, which most processes never need. */
  function openWeb(): Promise<WebJobs> {
    const deps = { version: options.version, parser: parsers.web, signal: stopped.signal }
    webJobs ??= import('./web-jobs.ts').then(({ openWebJobs }) => openWebJobs(ctx, deps))
    return webJobs
  }

  return {
    async stop() {
      stopped.abort()
      await Promise.all(workers.map((worker) => worker.stop()))
      await Promise.all(Object.values(parsers).map((reader) => reader.close()))
      await (await webJobs)?.close()
    },
  }
}

/** Fails the document of a dead job; the job completes, or waits for the next regular sync. */
async function failDocument(ctx: Context, job: Job): Promise<void> {
  const row = await findJobDocument(ctx.db, job)
  if (!row) await knowledgeJobs.complete(ctx.db, job, ctx.now())
  else if (job.lane === 'web') await abandonSync(ctx, job, row, UNREADABLE)
  else await finishFile(ctx, job, row, { problem: UNREADABLE })
}
