import type { Context } from '../context.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { MILLI_PER_CREDIT, dynamicCost, toMilli } from '../lib/money.ts'
import { embeddedModel } from '../models/embedded/embedded-model.ts'
import type { Model } from '../models/model.ts'
import { maxInputTokens } from './prices.ts'
import type { ResolvedPrompt } from './prompt-resolver.ts'
import { FIXED_PRICES, MIN_OUTPUT_TOKENS, type PromptKind } from './schema.ts'

/** How much more a workspace's fixed prompt may use than its price buys by the dynamic formula. */
const MAX_PRICE_FACTOR = 4

/** The models and the output cap of a run. */
export interface RunModels {
  models: readonly Model[]
  maxOutputTokens: number
}

/**
 * Returns the models of a run in failover order and its output cap. A workspace's own prompt on the
 * installation's model must name an allowed model, and a fixed one must fit its price. With an own
 * provider, a prompt that does not fit runs without the failover to the installation's model.
 * Throws 422.
 */
export async function chooseModels(
  ctx: Context,
  workspaceId: string,
  prompt: ResolvedPrompt,
  texts: readonly string[],
): Promise<RunModels> {
  const { own, installation } = await ctx.models.resolve(workspaceId)
  const models = [...own, ...installation]
  const { maxOutputTokens } = prompt
  if (!prompt.isOwn) return { models, maxOutputTokens }
  if (own.length === 0) assertModelAllowed(ctx, prompt, '/prompt_id')
  const isPaid = installation.some((model) => model !== embeddedModel)
  if (prompt.kind !== 'fixed' || !isPaid) return { models, maxOutputTokens }
  const cap = affordableOutput(prompt, texts)
  if (own.length > 0) return { models: cap < maxOutputTokens ? own : models, maxOutputTokens }
  if (cap < Math.min(MIN_OUTPUT_TOKENS, maxOutputTokens)) throw inputTooLargeError(texts)
  return { models, maxOutputTokens: cap }
}

/** Throws 422 for a new definition whose model the workspace may not name. */
export async function checkModelName(
  ctx: Context,
  workspaceId: string,
  definition: { kind: PromptKind; model?: string | undefined },
): Promise<void> {
  if (definition.model === undefined) return
  const { own } = await ctx.models.resolve(workspaceId)
  if (own.length === 0) assertModelAllowed(ctx, definition, '/model')
}

function assertModelAllowed(
  { config }: Context,
  { kind, model }: { kind: PromptKind; model?: string | undefined },
  path: string,
): void {
  if (model === undefined) return
  const standard = kind === 'image' ? config.model?.imageModel : config.model?.model
  const allowed = [...(standard === undefined ? [] : [standard]), ...config.modelAllowed]
  if (allowed.includes(model)) return
  const names = allowed.length > 0 ? `of: ${allowed.join(', ')}` : 'that is allowed; none is'
  const message = `must use a model ${names}. With a provider of its own, a workspace is free`
  throw invalidFields([{ path, message }])
}

/** Returns the output tokens that the factored price leaves after the input, at most the cap. */
function affordableOutput(prompt: ResolvedPrompt, texts: readonly string[]): number {
  const budget = toMilli(prompt.cost ?? 0) * MAX_PRICE_FACTOR
  const left = budget - dynamicCost(maxInputTokens(texts), 0)
  return Math.min(prompt.maxOutputTokens, Math.floor(left / dynamicCost(0, 1)))
}

function inputTooLargeError(texts: readonly string[]): AppError {
  const least = dynamicCost(maxInputTokens(texts), MIN_OUTPUT_TOKENS)
  const price = Math.ceil(least / (MAX_PRICE_FACTOR * MILLI_PER_CREDIT))
  const isPossible = price <= FIXED_PRICES.max
  const remedy = isPossible
    ? `Shorten the inputs, or set credits_cost to at least ${price}.`
    : `None of ${FIXED_PRICES.min} to ${FIXED_PRICES.max} credits would pay for them: shorten the inputs.`
  return new AppError('validation_failed', `The inputs are too large for the price. ${remedy}`, {
    more: {
      errors: [{ path: '/inputs', message: 'are too large for the price of the prompt' }],
      ...(isPossible ? { least_price: price } : {}),
    },
  })
}
