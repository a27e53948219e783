import { AppError } from '../http/errors.ts'
import { type Milli, dynamicCost, toMilli } from '../lib/money.ts'
import type { Usage } from '../models/model.ts'
import type { ResolvedPrompt } from './prompt-resolver.ts'
import { MIN_OUTPUT_TOKENS } from './schema.ts'

/** A lower bound: tokenizers rarely produce tokens shorter than two bytes. */
const BYTES_PER_TOKEN = 2
/** Tokens that a provider adds around the texts. */
const FRAME_TOKENS = 32

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

/** Returns the upper bound of the tokens that texts become. */
export function maxInputTokens(texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return Math.ceil(bytes / BYTES_PER_TOKEN) + FRAME_TOKENS
}
