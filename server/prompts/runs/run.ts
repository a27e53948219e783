import { type Context, type Transaction, allDone } from '../../context.ts'
import type { TransactionBatcher } from '../../runtime/transaction-batcher.ts'
import { giveBack, startHoldHeartbeat } from '../../credits/heartbeat.ts'
import { releaseMany } from '../../credits/ledger.ts'
import type { DataOf } from '../../events/registry.ts'
import { emit, prefetch } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { toMilli } from '../../lib/money.ts'
import { estimateTokensOf } from '../../lib/token-estimate.ts'
import {
  type FailoverOptions,
  callWithFailover,
  generateWithFailover,
} from '../../models/failover.ts'
import { estimateInput } from '../../models/http/completion.ts'
import { ModelMeter } from '../../models/metrics.ts'
import { type GenerateEnd, ModelFailure, type TextPiece } from '../../models/model.ts'
import { releaseClaim } from '../../platform/idempotency.ts'
import { shutdownReason } from '../../runtime/in-flight.ts'
import { serializeTransaction } from '../../storage/query-hints.ts'
import type { OpenRun } from './open-run.ts'
import type { FinishReason, RunAnswer } from '../schema.ts'
import type { RunResult, RunSettlement } from './settle.ts'
import { failRun } from './store.ts'

const INITIAL_BACKOFF_MS = 250
/**
 * The tokens that models write in a minute; a longer unstreamed answer could exceed the timeout.
 */
const MAX_WHOLE_TOKENS = 2_048
const GONE = { code: 'aborted', detail: 'The caller left before the first piece.' }
const LAPSED = {
  code: 'internal',
  detail: 'The service stopped during the run. Nothing was charged.',
}

/** One piece of a run: text, or the complete answer at its end. */
export type RunPiece = TextPiece | { answer: RunAnswer }

/** A run that ends without an answer, and why: a code of the contract, and a sentence for the caller. */
export interface RunFailure {
  run: OpenRun
  code: string
  detail: string
}

/** The transactions of a process in which runs end. */
export interface RunEnds {
  settling: TransactionBatcher<RunSettlement, RunAnswer>
  failing: TransactionBatcher<RunFailure, boolean>
}

/**
 * Calls the model and settles the hold. A failed run is not charged; a run whose caller disconnected
 * is charged for the text until then. The hold is closed when the generator ends. The model may be
 * called before the hold is committed; pieces are yielded only after the commit.
 */
export async function* runPrompt(
  ctx: Context,
  ends: RunEnds,
  run: OpenRun,
  stop: AbortController,
): AsyncGenerator<RunPiece> {
  const { signal } = stop
  const stopHeartbeat = startHoldHeartbeat(ctx, run)
  const endWork = ctx.inFlight.add(stop)
  const failover = failoverOptions(ctx, signal)
  const keepsContent = run.isWhole || run.key !== undefined
  let content = ''
  let length = 0
  let hasEnded = false
  let isHoldCommitted = false
  const settle = (result: RunResult) => ends.settling.run(ctx, run.workspaceId, { run, result })
  const settleAborted = () => finishAborted(ctx, ends, run, { content, length, settle })
  try {
    let result: RunResult | undefined
    if (run.prompt.kind === 'image') {
      result = await generateImages(run, failover)
    } else {
      for await (const piece of generateWithFailover(run.models, buildRequest(run), failover)) {
        if (!isHoldCommitted) run.hold = await run.holdCommitted
        isHoldCommitted = true
        if ('end' in piece) {
          const finishReason = toFinishReason(piece.end)
          result = { content, images: [], end: { ...piece.end, finishReason } }
        } else if ('delta' in piece && piece.delta !== '') {
          length += piece.delta.length
          if (keepsContent) content += piece.delta
          yield piece
        }
      }
    }
    run.hold = await run.holdCommitted
    if (!result && (!signal.aborted || shutdownReason(signal))) {
      throw new ModelFailure('failed', 'The model broke off.')
    }
    if (result && length === 0 && result.images.length === 0) {
      throw new ModelFailure('failed', 'The model answered with nothing.')
    }
    const answer = await (result ? settle(result) : settleAborted())
    hasEnded = true
    if (!answer) throw new AppError('model_failed', GONE.detail)
    failover.meter.charge(toMilli(answer.credits_used))
    yield { answer }
  } catch (error) {
    if (hasEnded) throw error
    hasEnded = true
    // Rejects when the hold was refused, and then the run has nothing to close.
    run.hold = await run.holdCommitted
    const stopped = shutdownReason(signal)
    if (signal.aborted && !stopped) {
      const answer = await settleAborted()
      if (!answer) throw new AppError('model_failed', GONE.detail)
      failover.meter.charge(toMilli(answer.credits_used))
      yield { answer }
      return
    }
    throw await fail(ctx, ends, run, stopped ?? error)
  } finally {
    stopHeartbeat()
    try {
      if (!hasEnded) await settleAborted()
    } finally {
      endWork()
    }
  }
}

function buildRequest(run: OpenRun) {
  const { prompt, inputs, text, instructions, ready, maxOutputTokens, isWhole, locale } = run
  return {
    model: prompt.model,
    instructions,
    messages: [{ role: 'user' as const, content: text }],
    maxOutputTokens,
    coalesce: true,
    stream: !isWhole || maxOutputTokens > MAX_WHOLE_TOKENS,
    locale,
    task: prompt.task && { name: prompt.task, inputs, text: ready },
  }
}

function toFinishReason({ finishReason }: GenerateEnd): FinishReason {
  return finishReason === 'length' ? 'length' : 'stop'
}

async function generateImages(run: OpenRun, failover: FailoverOptions): Promise<RunResult> {
  const answer = await callWithFailover(
    run.models,
    run.prompt.model,
    (chosen, model) =>
      chosen.generateImages({ model, prompt: run.text, count: run.images }, failover.signal),
    failover,
  )
  const { images, model, usage } = answer
  if (images.length === 0) throw new ModelFailure('failed', 'The model made no image.')
  return {
    content: '',
    images: images.slice(0, run.images),
    end: { usage, isEstimated: false, model, finishReason: 'stop' },
  }
}

/** Builds the failover options; an abort ends a backoff early. */
function failoverOptions(ctx: Context, signal: AbortSignal): FailoverOptions {
  return {
    signal,
    meter: new ModelMeter(ctx.metrics),
    backoff: (tryNumber) =>
      new Promise((resolve) => {
        const cancel = ctx.clock.after(INITIAL_BACKOFF_MS * (tryNumber - 1), resolve)
        signal.addEventListener('abort', () => {
          cancel()
          resolve()
        })
      }),
  }
}

/**
 * Charges for the pieces before the disconnect; fails the run and returns undefined without one.
 */
async function finishAborted(
  ctx: Context,
  ends: RunEnds,
  run: OpenRun,
  partial: { content: string; length: number; settle: (result: RunResult) => Promise<RunAnswer> },
): Promise<RunAnswer | undefined> {
  const { content, length, settle } = partial
  if (length === 0) {
    await finishFailed(ctx, ends, run, GONE)
    return undefined
  }
  const inputTokens = estimateInput(buildRequest(run))
  const usage = { inputTokens, outputTokens: estimateTokensOf(length) }
  const model = run.prompt.model ?? 'unknown'
  return settle({
    content,
    images: [],
    end: { usage, isEstimated: true, model, finishReason: 'aborted' },
  })
}

/** Ends a run without a charge and returns the error for the caller. */
async function fail(ctx: Context, ends: RunEnds, run: OpenRun, error: unknown): Promise<AppError> {
  const refusal = asAppError(error)
  if (refusal.code === 'internal')
    ctx.log.error({ event: 'prompts.run_failed', err: error, runId: run.hold.id }, 'run failed')
  await finishFailed(ctx, ends, run, { code: refusal.code, detail: refusal.message })
  return refusal
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ModelFailure) {
    const code = error.kind === 'timeout' ? 'model_timeout' : 'model_failed'
    return new AppError(code, `${error.message} Nothing was charged.`, { cause: error })
  }
  return new AppError('internal', 'An internal error occurred. Nothing was charged.', {
    cause: error,
  })
}

function finishFailed(
  ctx: Context,
  { failing }: RunEnds,
  run: OpenRun,
  reason: Pick<RunFailure, 'code' | 'detail'>,
): Promise<void> {
  return giveBack(ctx, () => failing.run(ctx, run.workspaceId, { run, ...reason }))
}

/**
 * Ends runs of a workspace without a charge, in one commit. Returns for each whether its hold was still open.
 * Idempotent. Locks the balance.
 */
export async function failRuns(
  tx: Transaction,
  workspaceId: string,
  failures: readonly RunFailure[],
): Promise<boolean[]> {
  await serializeTransaction(tx.db, workspaceId)
  const place = { workspaceId, tenantId: undefined, sessionId: undefined }
  const holds = failures.map(({ run }) => run.hold)
  const [released] = await allDone([
    releaseMany(tx, workspaceId, holds),
    prefetch(tx, ['prompt.failed'], place),
  ])
  await allDone(failures.flatMap(({ run: { key } }) => (key ? [releaseClaim(tx, key, '')] : [])))
  for (const { run, code, detail } of failures) {
    await logFailure(tx, { workspaceId, id: run.hold.id, code, detail })
  }
  return released
}

/** Marks a run as failed and emits `prompt.failed`; does nothing for an ended run. */
async function logFailure(
  tx: Transaction,
  failure: { workspaceId: string; id: string; code: string; detail: string },
): Promise<void> {
  const row = await failRun(tx.db, { ...failure, now: tx.now() })
  if (!row) return
  await emit(tx, 'prompt.failed', {
    workspaceId: row.workspace_id,
    data: {
      run_id: row.id,
      prompt_id: row.prompt_id,
      user_id: row.user_id,
      code: failure.code,
      detail: failure.detail,
      request_id: row.request_id,
    },
  })
}

/** Marks the run of a lapsed hold as failed. Idempotent; holds of chat turns have no run. */
export async function failLapsedRun(
  tx: Transaction,
  _event: 'hold.lapsed',
  { workspaceId, data }: { workspaceId: string; data: DataOf<'hold.lapsed'> },
): Promise<void> {
  await logFailure(tx, { workspaceId, id: data.run_id, ...LAPSED })
}
