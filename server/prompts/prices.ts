import { AppError } from '../http/errors.ts'
import { type Milli, dynamicCost, toMilli } from '../lib/money.ts'
import type { Usage } from '../models/model.ts'
import type { ResolvedPrompt } from './prompt-resolver.ts'
import { MIN_OUTPUT_TOKENS } from './schema.ts'

/** A lower bound: tokenizers rarely produce tokens shorter than two bytes. */
const BYTES_PER_TOKEN = 2
/** Tokens that a provider's template adds around a conversation, such as its date. */
const FRAME_TOKENS = 32
/** Tokens around each message: its role, and the marks of its beginning and end. */
const MESSAGE_TOKENS = 8

/** The bounds of a run's cost: the maximum, and the minimum that a hold must reach. */
export interface PriceRange {
  max: Milli
  min: Milli
}

/**
 * Returns the bounds of a run's cost: the price of fixed prompts and of each image; for bots, the
 * cost of the input and of an output cap that may shrink. Throws 500 `price_missing`.
 */
export function priceRange(
  prompt: ResolvedPrompt,
  texts: readonly string[],
  images: number,
): PriceRange {
  if (prompt.kind === 'bot') {
    const input = maxInputTokens(texts)
    return {
      max: dynamicCost(input, prompt.maxOutputTokens),
      min: dynamicCost(input, Math.min(MIN_OUTPUT_TOKENS, prompt.maxOutputTokens)),
    }
  }
  if (prompt.cost === undefined || prompt.cost <= 0) {
    throw new AppError('price_missing', 'This prompt has no price and cannot run.')
  }
  const price = toMilli(prompt.cost) * (prompt.kind === 'image' ? images : 1)
  return { max: price, min: price }
}

/** Returns the output tokens that a hold pays for after the input. */
export function outputCap(prompt: ResolvedPrompt, texts: readonly string[], hold: Milli): number {
  if (prompt.kind !== 'bot') return prompt.maxOutputTokens
  const left = hold - dynamicCost(maxInputTokens(texts), 0)
  return Math.min(prompt.maxOutputTokens, Math.floor(left / dynamicCost(0, 1)))
}

/** Returns the actual cost of a run, bounded by its hold. */
export function costOf(
  prompt: ResolvedPrompt,
  { usage, images, hold }: { usage: Usage; images: number; hold: Milli },
): Milli {
  if (prompt.kind === 'bot')
    return Math.min(dynamicCost(usage.inputTokens, usage.outputTokens), hold)
  const pieces = prompt.kind === 'image' ? images : 1
  return Math.min(toMilli(prompt.cost ?? 0) * pieces, hold)
}

/**
 * Returns the tokens that a hold paid for, where a bot's provider reports more: their dynamic cost is
 * the hold. Input counts first. Returns undefined where everything was paid for.
 */
export function billedTokens(
  prompt: ResolvedPrompt,
  { inputTokens, outputTokens }: Usage,
  hold: Milli,
): Usage | undefined {
  if (prompt.kind !== 'bot' || dynamicCost(inputTokens, outputTokens) <= hold) return undefined
  const perOutput = dynamicCost(0, 1)
  const output = Math.max(0, Math.ceil((hold - inputTokens) / perOutput))
  const paidOutput = Math.min(output, Math.floor(hold / perOutput))
  return { inputTokens: hold - dynamicCost(0, paidOutput), outputTokens: paidOutput }
}

/** Returns the upper bound of the tokens that texts become, in the frame that providers are sent. */
export function maxInputTokens(texts: readonly string[]): number {
  const sent = texts.filter((text) => text !== '')
  const bytes = sent.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0)
  return Math.ceil(bytes / BYTES_PER_TOKEN) + FRAME_TOKENS + sent.length * MESSAGE_TOKENS
}
