/** Adds up the shares of the words that a mask has: one bit each, at most 31. */
export function sumOfBits(mask: number, shares: readonly number[]): number {
  let sum = 0
  for (let at = 0, left = mask; left !== 0; at += 1, left >>>= 1) {
    if ((left & 1) === 1) sum += shares[at] ?? 0
  }
  return sum
}

/** Whether a mask has several words. */
export const hasSeveral = (mask: number): boolean => (mask & (mask - 1)) !== 0
