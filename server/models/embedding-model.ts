/** Vectors of texts, in their order, each of length 1. */
export interface EmbeddedTexts {
  vectors: readonly Float32Array[]
  inputTokens: number
}

/** The port of models that turn a text into a vector, near to those of texts that mean the same. */
export interface EmbeddingModel {
  /** As its provider calls it; vectors of two names cannot be compared. */
  readonly name: string
  /** Embeds texts in one request. Throws `ModelFailure`, also after an abort. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddedTexts>
}

/** Where an embedding model is, with its key decrypted. */
export interface EmbeddingChoice {
  baseUrl: string
  apiKey: string | undefined
  model: string
}

/** Scales a vector to length 1, so that the cosine of two is their dot product. */
export function normalized(vector: ArrayLike<number>): Float32Array {
  const scaled = Float32Array.from(vector)
  let squares = 0
  for (const value of scaled) squares += value * value
  const length = Math.sqrt(squares)
  return length === 0 ? scaled : scaled.map((value) => value / length)
}
