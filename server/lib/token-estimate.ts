const CHARACTERS_PER_TOKEN = 4

/** An estimate of how many tokens a text is, where no model has counted them. */
export function estimateTokens(text: string): number {
  return estimateTokensOf(text.length)
}

/** The same where only the length of the text is known, in UTF-16 units. */
export function estimateTokensOf(length: number): number {
  return Math.ceil(length / CHARACTERS_PER_TOKEN)
}
