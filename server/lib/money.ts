/** Thousandths of a credit, always an integer. */
export type Milli = number

export const MILLI_PER_CREDIT = 1_000

/** Whole or decimal credits, as the API takes them, in thousandths. */
export function toMilli(credits: number): Milli {
  return Math.round(credits * MILLI_PER_CREDIT)
}

/** Thousandths as the API shows them: a number with at most three decimals. */
export function toCredits(milli: Milli): number {
  return milli / MILLI_PER_CREDIT
}

/**
 * 0.001 × input + 0.003 × output credits, which is exact in thousandths (platform spec, credit rule
 * 3).
 */
export function dynamicCost(inputTokens: number, outputTokens: number): Milli {
  return inputTokens + 3 * outputTokens
}

const MIN_TURN: Milli = 1_000
/** The price of the dearest chat turn. */
export const MAX_TURN_COST: Milli = 3_000

/** The price of one chat turn: the dynamic cost in whole credits, at least 1 and at most 3. */
export function turnCost(inputTokens: number, outputTokens: number): Milli {
  const whole = Math.ceil(dynamicCost(inputTokens, outputTokens) / MILLI_PER_CREDIT)
  return Math.min(Math.max(whole * MILLI_PER_CREDIT, MIN_TURN), MAX_TURN_COST)
}
