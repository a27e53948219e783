import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { type Milli, turnCost } from '../../lib/money.ts'
import { embeddedModel } from '../../models/embedded/embedded-model.ts'
import { type Model, ModelFailure } from '../../models/model.ts'
import type { AnswerPiece } from '../../models/embedded/extractive.ts'
import { extractiveRequest } from './understanding.ts'
import { type GroundedAnswerRequest, generateGroundedAnswer } from './llm-answer.ts'

/** Above the cost of any turn. */
const MAX_TOKENS = 1_000_000

/** The answerer of a tenant: its models in failover order; none for extractive answers. */
export interface Answerer {
  models: readonly Model[]
  /** Returns the maximum cost of an answer to this question, which is the size of the hold. */
  maxCost(question: string): Milli
}

/** Returns the answerer of a workspace. Without a model the extractive answerer replies. */
export async function openAnswerer(ctx: Context, workspaceId: string): Promise<Answerer> {
  const candidates = await ctx.models.candidates(workspaceId)
  const models = candidates.filter((model) => model !== embeddedModel)
  return {
    models,
    maxCost(question) {
      if (models.length > 0) return turnCost(MAX_TOKENS, MAX_TOKENS)
      const { inputTokens, outputTokens } = ctx.extractive.maxUsage(question)
      return turnCost(inputTokens, outputTokens)
    },
  }
}

/**
 * Streams the answer, then its end. When all models fail before the first delta, the extractive
 * answerer replies; a later failure is thrown as `AppError`.
 */
export async function* streamAnswer(
  ctx: Context,
  { models }: Answerer,
  request: GroundedAnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  let isBegun = false
  if (models.length > 0) {
    try {
      for await (const piece of generateGroundedAnswer(ctx, models, request, signal)) {
        isBegun ||= 'delta' in piece
        // An empty completion counts as a failure.
        if (!isBegun && !signal.aborted) break
        yield piece
      }
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      const { workspace_id: workspace, id: session } = request.session
      ctx.log.warn(
        { event: 'chat.models_failed', err: error, workspace, session },
        "models failed in a visitor's turn",
      )
      if (isBegun) throw toModelError(error)
    }
    if (isBegun || signal.aborted) return
  }
  yield* ctx.extractive.answer(extractiveRequest(ctx, request), signal)
}

function toModelError(error: ModelFailure): AppError {
  const code = error.kind === 'timeout' ? 'model_timeout' : 'model_failed'
  return new AppError(code, 'The answer broke off. Nothing was charged.', { cause: error })
}
