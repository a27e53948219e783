import { type Context, type Transaction, transaction } from '../context.ts'
import type { Batches } from '../batches.ts'
import { keepHold, releaseHold } from '../credits/ledger.ts'
import { emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { toMilli } from '../lib/money.ts'
import { estimateTokens, estimateTokensOf } from '../lib/tokens.ts'
import { type Attempts, askOneOf, generateWith } from '../models/attempts.ts'
import { ModelMeter } from '../models/metrics.ts'
import { type GenerateEnd, ModelFailure, type TextPiece } from '../models/model.ts'
import { keepClaim, refuseRequest } from '../platform/idempotency.ts'
import { stoppedBy } from '../under-way.ts'
import type { OpenRun } from './execute.ts'
import type { FinishReason, RunAnswer } from './schema.ts'
import type { Made, Settling } from './settle.ts'
import { failRun } from './store.runs.ts'

/** A third of what a hold and a claim last without one. */
const SIGN_OF_LIFE_MS = 30_000
const FIRST_PAUSE_MS = 250
/** What models write in a minute. A longer answer in one piece could look like a provider's silence. */
const MOST_WHOLE_TOKENS = 2_048
const GONE = { code: 'aborted', detail: 'The caller left before the first piece.' }

/** One piece of a run as it happens: text, or the whole answer at its end. */
export type RunPiece = TextPiece | { answer: RunAnswer }

/**
 * Lets the model work and settles. A failed run costs nothing; one whose caller left costs what it
 * made so far. The hold never outlives this. The model may be asked while the hold is still
 * being written; nobody hears of its answer before that is done.
 */
export async function* perform(
  ctx: Context,
  settling: Batches<Settling, RunAnswer>,
  run: OpenRun,
  stop: AbortController,
): AsyncGenerator<RunPiece> {
  const { signal } = stop
  const stopKeeping = keepAlive(ctx, run)
  const endWork = ctx.underWay.add(stop)
  const attempts = attemptsOf(ctx, signal)
  const keepsContent = run.isWhole || run.key !== undefined
  let content = ''
  let length = 0
  let hasEnded = false
  let isKept = false
  const settle = (made: Made) => settling.run(ctx, run.workspaceId, { run, made })
  const settleAborted = () => endAborted(ctx, run, { content, length, settle })
  try {
    let made: Made | undefined
    if (run.prompt.kind === 'image') {
      made = await drawn(run, attempts)
    } else {
      for await (const piece of generateWith(run.models, requestOf(run), attempts)) {
        if (!isKept) run.hold = await run.kept
        isKept = true
        if ('end' in piece) {
          made = { content, images: [], end: { ...piece.end, finishReason: reasonOf(piece.end) } }
        } else if ('delta' in piece && piece.delta !== '') {
          length += piece.delta.length
          if (keepsContent) content += piece.delta
          yield piece
        }
      }
    }
    run.hold = await run.kept
    if (!made && (!signal.aborted || stoppedBy(signal))) {
      throw new ModelFailure('failed', 'The model broke off.')
    }
    if (made && length === 0 && made.images.length === 0) {
      throw new ModelFailure('failed', 'The model answered with nothing.')
    }
    const answer = await (made ? settle(made) : settleAborted())
    hasEnded = true
    if (!answer) throw new AppError('model_failed', GONE.detail)
    attempts.meter.charge(toMilli(answer.credits_used))
    yield { answer }
  } catch (error) {
    if (hasEnded) throw error
    hasEnded = true
    // Where it was not kept, there is nothing to end.
    run.hold = await run.kept
    const stopped = stoppedBy(signal)
    if (signal.aborted && !stopped) {
      const answer = await settleAborted()
      if (!answer) throw new AppError('model_failed', GONE.detail)
      attempts.meter.charge(toMilli(answer.credits_used))
      yield { answer }
      return
    }
    throw await fail(ctx, run, stopped ?? error)
  } finally {
    stopKeeping()
    try {
      if (!hasEnded) await settleAborted()
    } finally {
      endWork()
    }
  }
}

function requestOf(run: OpenRun) {
  const { prompt, inputs, text, instructions, ready, maxOutputTokens, isWhole, locale } = run
  return {
    model: prompt.model,
    instructions,
    messages: [{ role: 'user' as const, content: text }],
    maxOutputTokens,
    mayJoin: true,
    isWhole: isWhole && maxOutputTokens <= MOST_WHOLE_TOKENS,
    locale,
    task: prompt.task && { name: prompt.task, inputs, text: ready },
  }
}

function reasonOf({ finishReason }: GenerateEnd): FinishReason {
  return finishReason === 'length' ? 'length' : 'stop'
}

async function drawn(run: OpenRun, attempts: Attempts): Promise<Made> {
  const { images, model, usage } = await askOneOf(
    run.models,
    run.prompt.model,
    (asked) =>
      asked.draw({ model: run.prompt.model, prompt: run.text, count: run.images }, attempts.signal),
    attempts,
  )
  if (images.length === 0) throw new ModelFailure('failed', 'The model made no image.')
  return {
    content: '',
    images: images.slice(0, run.images),
    end: { usage, isEstimated: false, model, finishReason: 'stop' },
  }
}

/** Pauses that grow, and end early when nobody waits any more. */
function attemptsOf(ctx: Context, signal: AbortSignal): Attempts {
  return {
    signal,
    meter: new ModelMeter(ctx.metrics),
    pause: (tryNumber) =>
      new Promise((resolve) => {
        const cancel = ctx.clock.after(FIRST_PAUSE_MS * (tryNumber - 1), resolve)
        signal.addEventListener('abort', () => {
          cancel()
          resolve()
        })
      }),
  }
}

/** Renews what would lapse if the process had died, for as long as the run takes. */
function keepAlive(ctx: Context, { hold, key }: OpenRun): () => void {
  let cancel = ctx.clock.after(SIGN_OF_LIFE_MS, renew)

  function renew(): void {
    cancel = ctx.clock.after(SIGN_OF_LIFE_MS, renew)
    Promise.all([keepHold(ctx, hold), key && keepClaim(ctx, key)]).catch((error: unknown) =>
      ctx.log.warn({ err: error, hold: hold.id }, 'a hold could not be kept'),
    )
  }

  return () => cancel()
}

/** What was made before the caller left is paid for; nothing, when nothing was made. */
async function endAborted(
  ctx: Context,
  run: OpenRun,
  made: { content: string; length: number; settle: (made: Made) => Promise<RunAnswer> },
): Promise<RunAnswer | undefined> {
  const { content, length, settle } = made
  if (length === 0) {
    await endFailed(ctx, run, GONE)
    return undefined
  }
  const inputTokens = estimateTokens(run.text) + estimateTokens(run.instructions ?? '')
  const usage = { inputTokens, outputTokens: estimateTokensOf(length) }
  const model = run.prompt.model ?? 'unknown'
  return settle({
    content,
    images: [],
    end: { usage, isEstimated: true, model, finishReason: 'aborted' },
  })
}

/** Ends a run without a charge, and says what the caller sees. */
async function fail(ctx: Context, run: OpenRun, error: unknown): Promise<AppError> {
  const shown = asAppError(error)
  if (shown.code === 'internal') ctx.log.error({ err: error, run: run.hold.id }, 'a run failed')
  await endFailed(ctx, run, { code: shown.code, detail: shown.message })
  return shown
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ModelFailure) {
    const code = error.kind === 'timeout' ? 'model_timeout' : 'model_failed'
    return new AppError(code, `${error.message} Nothing was charged.`, { cause: error })
  }
  return new AppError('internal', 'Something went wrong on our side. Nothing was charged.', {
    cause: error,
  })
}

async function endFailed(
  ctx: Context,
  run: OpenRun,
  why: { code: string; detail: string },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await releaseHold(tx, run.hold)
    if (run.key) await refuseRequest(tx, run.key, '')
    await noteFailure(tx, { workspaceId: run.workspaceId, id: run.hold.id, ...why })
  })
}

/** Marks a run as failed and announces it; nothing when it had ended before. */
export async function noteFailure(
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
