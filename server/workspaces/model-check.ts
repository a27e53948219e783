import { performance } from 'node:perf_hooks'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import { type Model, ModelFailure } from '../models/model.ts'
import type { EmbeddingCheck, ModelCheck } from './schema.ts'

const TIMEOUT_MS = 20_000
const MAX_OUTPUT_TOKENS = 64
const QUESTION = 'Answer with the word OK and nothing else.'

/** Asks a model for one word. A failure is part of what it returns; it throws none of a provider. */
export async function checkModel(model: Model, locale: string): Promise<ModelCheck> {
  const startedAt = performance.now()
  const since = (): number => Math.round(performance.now() - startedAt)
  try {
    let answered = model.defaults?.text ?? model.name
    const request = {
      messages: [{ role: 'user', content: QUESTION } as const],
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      locale,
      // The embedded model answers with tasks alone; the others ignore them.
      task: { name: 'template', inputs: {}, text: 'OK' } as const,
    }
    for await (const piece of model.generate(request, AbortSignal.timeout(TIMEOUT_MS))) {
      if ('end' in piece) answered = piece.end.model
    }
    return { provider: model.name, model: answered, ok: true, detail: null, duration_ms: since() }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return {
      provider: model.name,
      model: model.defaults?.text ?? null,
      ok: false,
      detail: error.message,
      duration_ms: since(),
    }
  }
}

/** Asks an embedding model for one vector. Like `checkModel`, it returns a provider's failure. */
export async function checkEmbedding(model: EmbeddingModel | undefined): Promise<EmbeddingCheck> {
  if (!model) return { model: null, ok: false, detail: null, dimensions: null, duration_ms: 0 }
  const startedAt = performance.now()
  const since = (): number => Math.round(performance.now() - startedAt)
  try {
    const { vectors } = await model.embed([QUESTION], AbortSignal.timeout(TIMEOUT_MS))
    const dimensions = vectors[0]?.length ?? null
    return { model: model.name, ok: true, detail: null, dimensions, duration_ms: since() }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const { message: detail } = error
    return { model: model.name, ok: false, detail, dimensions: null, duration_ms: since() }
  }
}
