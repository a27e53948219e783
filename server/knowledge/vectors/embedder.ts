import { type Context, type Transaction, transaction } from '../../context.ts'
import type { EventEnvelope } from '../../events.ts'
import { type JobFailure, type RunningWorker, startQueueWorker } from '../../jobs/queue-worker.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/durations.ts'
import type { EmbeddingModel } from '../../models/embedding-model.ts'
import { ModelFailure } from '../../models/model.ts'
import {
  type EmbeddingJob,
  type PassageVectorRow,
  type UnembeddedPassage,
  embeddingJobs,
  enqueueEmbedding,
  enqueueStale,
  enqueueWorkspace,
  findTenantVectors,
  listUnembedded,
  saveTenantVectors,
  upsertVectors,
} from './store.ts'
import { quantize } from './vector-index.ts'

/** Passages of one request; providers take more, and answer later. */
const BATCH = 64
/** In UTF-16 units, below the limits of common models. */
const MAX_TEXT_LENGTH = 6_000
/** Bounds what a tenant can cost the installation: three times the passages that it may have. */
const MAX_PASSAGES_A_DAY = 60_000
const MAX_CONCURRENCY = 2
const LEASE_TTL_MS = 5 * MINUTE_MS
const HEARTBEAT_INTERVAL_MS = MINUTE_MS
/** Upper bound of the delay of a job whose notification was lost. */
const POLL_INTERVAL_MS = 2 * SECOND_MS
/** The delay before each further attempt; the last one repeats. */
const RETRY_SCHEDULE_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, HOUR_MS]
const STOP_TIMEOUT_MS = 3 * SECOND_MS
/** Refusals of what was sent, not of the caller. */
const REFUSED_TEXT = new Set([400, 413, 422])

/** Enqueues the passages of a workspace that chose another model. */
export async function embedAnew(
  tx: Transaction,
  _event: 'embedding.changed',
  { workspaceId }: EventEnvelope<'embedding.changed'>,
): Promise<void> {
  await enqueueWorkspace(tx.db, workspaceId, tx.now())
  embeddingJobs.notify(tx)
}

/** Enqueues a tenant's passages that have no vector yet. Idempotent. */
export async function embedLater(
  tx: Transaction,
  tenant: { workspaceId: string; tenantId: string },
): Promise<void> {
  await enqueueEmbedding(tx.db, tenant, tx.now())
  embeddingJobs.notify(tx)
}

/** Starts to embed new passages, and all passages again where the model has changed. */
export function startEmbedder(ctx: Context, isSingleProcess: boolean): RunningWorker {
  const { embedding } = ctx.config
  if (embedding) {
    enqueueStale(ctx.db, embedding.model, ctx.now()).catch((error: unknown) =>
      ctx.log.error(
        { event: 'embedding.enqueue_failed', err: error },
        'enqueueing of passages without vectors failed',
      ),
    )
  }
  return startQueueWorker(
    ctx,
    {
      queue: embeddingJobs,
      concurrency: MAX_CONCURRENCY,
      leaseMs: LEASE_TTL_MS,
      heartbeatMs: HEARTBEAT_INTERVAL_MS,
      pollMs: POLL_INTERVAL_MS,
      run: (job, signal) => embedTenant(ctx, job, signal),
      classify,
      retryDelayMs: ({ attempts }) =>
        RETRY_SCHEDULE_MS[Math.min(attempts, RETRY_SCHEDULE_MS.length) - 1],
      async onDead(job) {
        const at = ctx.now() + HOUR_MS
        await embeddingJobs.reschedule(ctx.db, job, { at })
      },
      onStop: 'release',
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    { isSingleProcess },
  )
}

/** A permanent refusal, such as a wrong key, is retried in an hour; search stays lexical. */
function classify(error: unknown): JobFailure {
  if (!(error instanceof ModelFailure)) {
    return { reason: 'internal', isExpected: false, isPermanent: false }
  }
  return { reason: error.message, isExpected: true, isPermanent: !error.isTransient }
}

/** Embeds what a tenant's passages lack, batch by batch. A stopped run keeps what it has stored. */
async function embedTenant(ctx: Context, job: EmbeddingJob, signal: AbortSignal): Promise<void> {
  const tenant = { workspaceId: job.workspace_id, tenantId: job.tenant_id }
  for (;;) {
    // Opened for each batch: a workspace may have chosen that its data stay in the process.
    const model = await ctx.embeddings.open(job.workspace_id)
    const passages = model ? await listUnembedded(ctx.db, tenant, model.name, BATCH) : []
    if (!model || passages.length === 0) {
      await finish(ctx, job, model)
      return
    }
    const known = await findTenantVectors(ctx.db, tenant)
    const isToday = known !== undefined && ctx.now() < known.day_from + DAY_MS
    const embedded = isToday ? known.embedded : 0
    if (embedded >= MAX_PASSAGES_A_DAY) {
      const at = (known?.day_from ?? ctx.now()) + DAY_MS
      await embeddingJobs.reschedule(ctx.db, job, { at, attempts: 0 })
      return
    }
    const rows = await embedBatch(job, model, passages, signal)
    await transaction(ctx, async (tx) => {
      if (!(await embeddingJobs.lock(tx.db, job))) throw new Error('The lease of the job is lost.')
      await upsertVectors(tx.db, rows)
      await saveTenantVectors(tx.db, {
        tenant_id: job.tenant_id,
        workspace_id: job.workspace_id,
        model: known?.model ?? '',
        version: known?.version ?? 0,
        day_from: isToday ? known.day_from : tx.now(),
        embedded: embedded + rows.length,
      })
    })
  }
}

/** Ends the job; the new vectors take effect in all processes at once. */
async function finish(
  ctx: Context,
  job: EmbeddingJob,
  model: EmbeddingModel | undefined,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    if (!(await embeddingJobs.complete(tx.db, job, tx.now())) || !model) return
    const tenant = { workspaceId: job.workspace_id, tenantId: job.tenant_id }
    const known = await findTenantVectors(tx.db, tenant)
    if (!known) return
    await saveTenantVectors(tx.db, { ...known, model: model.name, version: known.version + 1 })
  })
}

/** Embeds passages; those whose text the model refuses, one by one, get a vector that is never near. */
async function embedBatch(
  job: EmbeddingJob,
  model: EmbeddingModel,
  passages: readonly UnembeddedPassage[],
  signal: AbortSignal,
): Promise<PassageVectorRow[]> {
  try {
    const { vectors } = await model.embed(passages.map(textOf), signal)
    return passages.map((passage, at) => rowOf(job, model, passage, vectors[at]))
  } catch (error) {
    const isRefused = error instanceof ModelFailure && REFUSED_TEXT.has(error.status ?? 0)
    if (!isRefused) throw error
    const [only, ...rest] = passages
    if (!only) return []
    if (rest.length === 0) return [rowOf(job, model, only, undefined)]
    const rows: PassageVectorRow[] = []
    for (const passage of passages) rows.push(...(await embedBatch(job, model, [passage], signal)))
    // A key or a model that is refused with each text is no fault of the texts.
    if (rows.every(({ scale }) => scale === 0)) throw error
    return rows
  }
}

function rowOf(
  { tenant_id, workspace_id }: EmbeddingJob,
  { name: model }: EmbeddingModel,
  { document_id, ordinal }: UnembeddedPassage,
  vector: Float32Array = new Float32Array(),
): PassageVectorRow {
  const { codes, scale } = quantize(vector)
  return {
    document_id,
    ordinal,
    workspace_id,
    tenant_id,
    model,
    dimension: codes.length,
    scale,
    codes: Buffer.from(codes.buffer).toString('base64'),
  }
}

function textOf({ heading, content }: UnembeddedPassage): string {
  return `${heading}\n${content}`.slice(0, MAX_TEXT_LENGTH).toWellFormed()
}
