import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import type { Hit } from '../../knowledge/search/search-index.ts'
import { type Milli, turnCost } from '../../lib/money.ts'
import { embeddedModel } from '../../models/embedded/embedded-model.ts'
import { type Model, ModelFailure } from '../../models/model.ts'
import type { AnswerPiece } from '../../models/embedded/extractive.ts'
import { type AnswerRequest, generateGroundedAnswer } from './llm-answer.ts'

/** More than any turn costs. */
const MAX_TOKENS = 1_000_000

/** Who writes the answers of a tenant: models in the order in which they are tried, or none. */
export interface Answerer {
  models: readonly Model[]
  /** What is held for an answer to this question. */
  mostCost(question: string): Milli
}

/** The writer of a workspace. Without a model the answers come from the passages alone. */
export async function openAnswerer(ctx: Context, workspaceId: string): Promise<Answerer> {
  const candidates = await ctx.models.candidates(workspaceId)
  const models = candidates.filter((model) => model !== embeddedModel)
  return {
    models,
    mostCost(question) {
      if (models.length > 0) return turnCost(MAX_TOKENS, MAX_TOKENS)
      const { inputTokens, outputTokens } = ctx.extractive.maxUsage(question)
      return turnCost(inputTokens, outputTokens)
    },
  }
}

/**
 * The answer piece by piece, then its end. Where the models fail before the first piece, it comes
 * from the passages alone; a later failure is thrown as `AppError`.
 */
export async function* streamAnswer(
  ctx: Context,
  { models }: Answerer,
  asked: AnswerRequest & { hits: readonly Hit[] },
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  let isBegun = false
  if (models.length > 0) {
    try {
      for await (const piece of generateGroundedAnswer(ctx, models, asked, signal)) {
        isBegun ||= 'delta' in piece
        // A model that said nothing at all has failed, too.
        if (!isBegun && !signal.aborted) break
        yield piece
      }
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      const { workspace_id: workspace, id: session } = asked.session
      ctx.log.warn({ err: error, workspace, session }, 'no model answered a visitor')
      if (isBegun) throw toModelError(error)
    }
    if (isBegun || signal.aborted) return
  }
  const { tenant, session, message, hits } = asked
  yield* ctx.extractive.answer(
    {
      question: message.content,
      locale: session.locale,
      hits,
      threshold: tenant.answer_threshold,
    },
    signal,
  )
}

function toModelError(error: ModelFailure): AppError {
  const code = error.kind === 'timeout' ? 'model_timeout' : 'model_failed'
  return new AppError(code, 'The answer broke off. Nothing was charged.', { cause: error })
}
