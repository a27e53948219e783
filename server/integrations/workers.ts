import type { Context } from '../context.ts'
import { SECOND_MS } from '../lib/durations.ts'
import { type JobFailure, type RunningWorker, startQueueWorker } from '../jobs/queue-worker.ts'
import { PermanentError, RetryableError } from './errors.ts'
import { inboundQueue } from './inbound-queue.ts'
import { outboundQueue } from './outbound/outbound.ts'
import { ProviderApi } from './outbound/provider-api.ts'
import { postsQueue } from './posts/publish.ts'
import type { IntegrationQueue } from './queue.ts'
import type { QueueColumns } from './tables.ts'

/** How late a job starts whose notification got lost. */
const POLL_MS = SECOND_MS
/** A stop waits no longer; the next process runs what has not ended by then. */
const STOP_TIMEOUT_MS = 5 * SECOND_MS
/** The delay before each further attempt. After the last one the job is dead. */
const RETRY_SCHEDULE_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 60 * 60, 3 * 3_600, 6 * 3_600].map(
  (seconds) => seconds * SECOND_MS,
)
const MAX_ERROR_LENGTH = 300

/**
 * Starts the workers that process inbound events, send messages and publish posts.
 * `isSingleProcess`: no other process has this database, so that leases are of a dead process.
 */
export function startChannels(ctx: Context, isSingleProcess: boolean): RunningWorker {
  const api = new ProviderApi(ctx)
  const start = <Row extends QueueColumns>(queue: IntegrationQueue<Row>) =>
    startIntegrationQueue(ctx, queue, isSingleProcess)
  const workers = [
    start(inboundQueue(ctx)),
    start(outboundQueue(ctx, api)),
    start(postsQueue(ctx, api)),
  ]
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
      await api.close()
    },
  }
}

function startIntegrationQueue<Row extends QueueColumns>(
  ctx: Context,
  { queue, concurrency, leaseMs, run, onDead }: IntegrationQueue<Row>,
  isSingleProcess: boolean,
): RunningWorker {
  const options = {
    queue,
    concurrency,
    leaseMs,
    pollMs: POLL_MS,
    maxAttempts: RETRY_SCHEDULE_MS.length + 1,
    run,
    classify,
    retryDelayMs: ({ attempts }: Row) => {
      const delay = RETRY_SCHEDULE_MS[attempts - 1]
      return delay === undefined ? undefined : delay * ctx.config.deliveryTimeScale
    },
    async onDead(job: Row, reason: string | undefined) {
      const error = reason ?? job.error ?? 'tried too often'
      if (await queue.kill(ctx.db, job, { error, now: ctx.now() })) await onDead?.(job)
    },
    onStop: 'abort',
    stopTimeoutMs: STOP_TIMEOUT_MS,
  } as const
  return startQueueWorker(ctx, options, { isSingleProcess })
}

/** Errors of this folder have messages for the workspace; any other stays in the log. */
function classify(error: unknown): JobFailure {
  const isPermanent = error instanceof PermanentError
  if (!isPermanent && !(error instanceof RetryableError)) {
    return { reason: 'internal', isExpected: false, isPermanent: false }
  }
  const reason = error.message.slice(0, MAX_ERROR_LENGTH)
  const retryAfterMs = isPermanent ? undefined : error.retryAfterMs
  return { reason, isExpected: true, isPermanent, retryAfterMs }
}
