const CHARACTERS_PER_TOKEN = 4

/** An estimate of how many tokens a text is, where no model has counted them. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}
