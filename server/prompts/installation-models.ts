import type { Context } from '../context.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { MILLI_PER_CREDIT, dynamicCost, toMilli } from '../lib/money.ts'
import { embeddedModel } from '../models/embedded/embedded-model.ts'
import type { Model } from '../models/model.ts'
import { maxInputTokens } from './prices.ts'
import type { ResolvedPrompt } from './prompt-resolver.ts'
import { FIXED_PRICES, IMAGE_PRICES, MIN_OUTPUT_TOKENS, type PromptKind } from './schema.ts'

/**
 * How much more a workspace's prompt with a price of its own may use than the price buys by the dynamic
 * formula.
 */
const MAX_PRICE_FACTOR = 4

/** The models and the output cap of a run. */
export interface RunModels {
  models: readonly Model[]
  maxOutputTokens: number
}

/** What a run sends to a model. */
export interface RunInput {
  texts: readonly string[]
  /** The images that are asked for; 0 for a prompt that writes text. */
  images: number
}

/**
 * Returns the models of a run in failover order and its output cap. A workspace's own prompt on the
 * installation's model must name an allowed model, and one with a price must fit the price. With an own
 * provider, a prompt that does not fit runs without the failover to the installation's model.
 * Throws 422.
 */
export async function chooseModels(
  ctx: Context,
  workspaceId: string,
  prompt: ResolvedPrompt,
  input: RunInput,
): Promise<RunModels> {
  const { own, installation } = await ctx.models.resolve(workspaceId)
  const models = [...own, ...installation]
  const { maxOutputTokens } = prompt
  if (!prompt.isOwn) return { models, maxOutputTokens }
  if (own.length === 0) assertModelAllowed(ctx, prompt, '/prompt_id')
  const isPaid = installation.some((model) => model !== embeddedModel)
  if (prompt.kind === 'bot' || !isPaid) return { models, maxOutputTokens }
  const needed = leastOutput(prompt)
  const cap = affordableOutput(prompt, input)
  const fits = cap >= (own.length > 0 ? maxOutputOf(prompt) : needed)
  if (own.length > 0) return { models: fits ? models : own, maxOutputTokens }
  if (!fits) throw inputTooLargeError(prompt, input)
  return { models, maxOutputTokens: prompt.kind === 'fixed' ? cap : maxOutputTokens }
}

/** Returns the text tokens that a run may write: none where it makes images. */
function maxOutputOf({ kind, maxOutputTokens }: ResolvedPrompt): number {
  return kind === 'image' ? 0 : maxOutputTokens
}

/** Returns the text tokens without which a run is refused. */
function leastOutput(prompt: ResolvedPrompt): number {
  return Math.min(MIN_OUTPUT_TOKENS, maxOutputOf(prompt))
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
function affordableOutput(prompt: ResolvedPrompt, { texts, images }: RunInput): number {
  const budget = toMilli(prompt.cost ?? 0) * Math.max(1, images) * MAX_PRICE_FACTOR
  const left = budget - dynamicCost(maxInputTokens(texts), 0)
  return Math.min(maxOutputOf(prompt), Math.floor(left / dynamicCost(0, 1)))
}

function inputTooLargeError(prompt: ResolvedPrompt, { texts, images }: RunInput): AppError {
  const prices = prompt.kind === 'image' ? IMAGE_PRICES : FIXED_PRICES
  const least = dynamicCost(maxInputTokens(texts), leastOutput(prompt))
  const price = Math.ceil(least / (MAX_PRICE_FACTOR * MILLI_PER_CREDIT * Math.max(1, images)))
  const isPossible = price <= prices.max
  const remedy = isPossible
    ? `Shorten the inputs, or set credits_cost to at least ${price}.`
    : `None of ${prices.min} to ${prices.max} credits would pay for them: shorten the inputs.`
  return new AppError('validation_failed', `The inputs are too large for the price. ${remedy}`, {
    more: {
      errors: [{ path: '/inputs', message: 'are too large for the price of the prompt' }],
      least_price: price,
    },
  })
}
