import { type Context, type Transaction, transaction } from '../context.ts'
import { keepHold, releaseHold, settleHold } from '../credits/ledger.ts'
import { emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { toCredits } from '../lib/money.ts'
import { estimateTokens, estimateTokensOf } from '../lib/tokens.ts'
import { type Attempts, askOneOf, generateWith } from '../models/attempts.ts'
import { type GenerateEnd, type ImageAnswer, ModelFailure } from '../models/model.ts'
import { keepClaim, refuseRequest, storeAnswer } from '../platform/idempotency.ts'
import type { OpenRun } from './execute.ts'
import { keepImages } from './images.ts'
import { costOf } from './prices.ts'
import type { FinishReason, RunAnswer } from './schema.ts'
import { failRun, finishRun } from './store.ts'

/** A third of what a hold and a claim last without one. */
const SIGN_OF_LIFE_MS = 30_000
const FIRST_PAUSE_MS = 250
const GONE = { code: 'aborted', detail: 'The caller left before the first piece.' }

/** One piece of a run as it happens: text, or the whole answer at its end. */
export type RunPiece = { delta: string } | { answer: RunAnswer }

/** What a run made, complete or as far as it came. */
interface Made {
  /** Empty where nobody needs it whole: a stream that cannot be asked for again. */
  content: string
  images: ImageAnswer['images']
  end: Omit<GenerateEnd, 'finishReason'> & { finishReason: FinishReason }
}

/**
 * Lets the model work and settles. A failed run costs nothing; one whose caller left costs what it
 * made so far. The hold never outlives this.
 */
export async function* perform(
  ctx: Context,
  run: OpenRun,
  signal: AbortSignal,
): AsyncGenerator<RunPiece> {
  const stopKeeping = keepAlive(ctx, run)
  const attempts = attemptsOf(ctx, signal)
  const keepsContent = run.isWhole || run.key !== undefined
  let content = ''
  let length = 0
  let isOver = false
  try {
    let made: Made | undefined
    if (run.prompt.kind === 'image') {
      made = await drawn(ctx, run, attempts)
    } else {
      const models = await ctx.models.candidates(run.workspaceId)
      for await (const piece of generateWith(models, requestOf(run), attempts)) {
        if ('end' in piece) {
          made = { content, images: [], end: { ...piece.end, finishReason: reasonOf(piece.end) } }
        } else if ('delta' in piece && piece.delta !== '') {
          length += piece.delta.length
          if (keepsContent) content += piece.delta
          yield piece
        }
      }
    }
    if (!made && !signal.aborted) throw new ModelFailure('failed', 'The model broke off.')
    if (made && length === 0 && made.images.length === 0) {
      throw new ModelFailure('failed', 'The model answered with nothing.')
    }
    const answer = await (made
      ? settle(ctx, run, made)
      : settleAborted(ctx, run, { content, length }))
    isOver = true
    if (!answer) throw new AppError('model_failed', GONE.detail)
    yield { answer }
  } catch (error) {
    if (isOver) throw error
    isOver = true
    if (signal.aborted) {
      const answer = await settleAborted(ctx, run, { content, length })
      if (answer) yield { answer }
      return
    }
    throw await fail(ctx, run, error)
  } finally {
    stopKeeping()
    if (!isOver) await settleAborted(ctx, run, { content, length })
  }
}

function requestOf(run: OpenRun) {
  const { prompt, inputs, text, instructions, ready, maxOutputTokens, isWhole, locale } = run
  return {
    model: prompt.model,
    instructions,
    messages: [{ role: 'user' as const, content: text }],
    maxOutputTokens,
    isWhole,
    locale,
    task: prompt.task && { name: prompt.task, inputs, text: ready },
  }
}

function reasonOf({ finishReason }: GenerateEnd): FinishReason {
  return finishReason === 'length' ? 'length' : 'stop'
}

async function drawn(ctx: Context, run: OpenRun, attempts: Attempts): Promise<Made> {
  const models = await ctx.models.candidates(run.workspaceId)
  const { images, model, usage } = await askOneOf(
    models,
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

/** One commit: the price, the end of the run, its event, its images and the answer for a retry. */
function settle(ctx: Context, run: OpenRun, made: Made): Promise<RunAnswer> {
  const { prompt, hold } = run
  const { usage, model, finishReason, isEstimated } = made.end
  const cost = costOf(prompt, { usage, images: made.images.length, hold: hold.amount })
  return transaction(ctx, async (tx) => {
    const now = tx.now()
    const remaining = await settleHold(tx, hold, cost, {
      promptId: prompt.promptId,
      ...run.usedBy,
      ...usage,
    })
    const images = await keepImages(tx, run, made.images)
    await finishRun(tx.db, {
      id: hold.id,
      workspace_id: run.workspaceId,
      model,
      credits_used: cost,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      estimated_at: isEstimated ? now : null,
      finish_reason: finishReason,
      ended_at: now,
    })
    const answer: RunAnswer = {
      run_id: hold.id,
      prompt_id: prompt.promptId,
      prompt_version: prompt.version,
      content: made.content,
      credits_used: toCredits(cost),
      credits_remaining: toCredits(remaining),
      usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      model,
      locale: run.locale,
      finish_reason: finishReason,
      ...(prompt.kind === 'image' ? { images } : {}),
    }
    await emitExecuted(tx, run, answer)
    if (run.key) await storeAnswer(tx, run.key, JSON.stringify(answer))
    return answer
  })
}

async function emitExecuted(tx: Transaction, run: OpenRun, answer: RunAnswer): Promise<void> {
  await emit(tx, 'prompt.executed', {
    workspaceId: run.workspaceId,
    data: {
      run_id: answer.run_id,
      prompt_id: answer.prompt_id,
      prompt_version: answer.prompt_version,
      user_id: run.userId,
      credits_used: answer.credits_used,
      credits_remaining: answer.credits_remaining,
      duration_ms: Math.max(0, tx.now() - run.startedAt),
      locale: run.locale,
      request_id: run.requestId,
    },
  })
}

/** What was made before the caller left is paid for; nothing, when nothing was made. */
async function settleAborted(
  ctx: Context,
  run: OpenRun,
  { content, length }: { content: string; length: number },
): Promise<RunAnswer | undefined> {
  if (length === 0) {
    await endFailed(ctx, run, GONE)
    return undefined
  }
  const inputTokens = estimateTokens(run.text) + estimateTokens(run.instructions ?? '')
  const usage = { inputTokens, outputTokens: estimateTokensOf(length) }
  const model = run.prompt.model ?? 'unknown'
  return settle(ctx, run, {
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
