import type { Agent } from 'undici'
import type { Config } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import type { Upstream } from '../models/http/provider-request.ts'
import { openAiEmbeddings } from '../models/openai/openai-embeddings.ts'
import { PROVIDERS } from '../models/providers.ts'
import { defect, fine, reasonOf } from './findings.ts'
import type { Finding } from './schema.ts'

const TIMEOUT_MS = 15_000
/** Enough for a word, also of a model that thinks first. */
const MAX_OUTPUT_TOKENS = 16

/** Asks the installation's model for one word. */
export async function examineModel({ model: choice }: Config): Promise<Finding[]> {
  if (!choice) return [fine('model', 'The embedded model answers, without a network.')]
  const { provider: name, apiKey, model, imageModel } = choice
  const provider = PROVIDERS[name]
  if (provider.isLocal) return [fine('model', 'The embedded model answers, without a network.')]
  if (!model) return [fine('model', `${name} draws images alone, and is not asked for one.`)]
  return withUpstream(async (upstream) => {
    const { baseUrl = provider.defaultBaseUrl } = choice
    const startedAt = performance.now()
    try {
      const opened = provider.open(upstream, { baseUrl, apiKey, model, imageModel })
      const request = {
        messages: [{ role: 'user' as const, content: 'Answer with the word OK.' }],
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        locale: 'en',
      }
      let isAnswered = false
      for await (const piece of opened.generate(request, AbortSignal.timeout(TIMEOUT_MS))) {
        isAnswered ||= 'delta' in piece || 'end' in piece
      }
      if (!isAnswered) throw new Error('it said nothing in time')
      return [fine('model', `${model} of ${name} answers in ${since(startedAt)}.`)]
    } catch (error) {
      const remedy = 'Look at MODEL_BASE_URL, MODEL_API_KEY and MODEL_NAME, and at the network.'
      return [defect('model', `${model} of ${name} does not answer: ${reasonOf(error)}`, remedy)]
    }
  })
}

/** Asks the installation's embedding model for one vector. */
export async function examineEmbeddings({ embedding }: Config): Promise<Finding[]> {
  if (!embedding) return [fine('embeddings', 'Not set: passages are found by their words.')]
  return withUpstream(async (upstream) => {
    const startedAt = performance.now()
    try {
      const model = openAiEmbeddings(upstream, embedding)
      const { vectors } = await model.embed(['OK'], AbortSignal.timeout(TIMEOUT_MS))
      const size = vectors[0]?.length ?? 0
      const detail = `${embedding.model} answers in ${since(startedAt)}, with ${size} numbers.`
      return [fine('embeddings', detail)]
    } catch (error) {
      const remedy = 'Look at EMBEDDING_BASE_URL, EMBEDDING_API_KEY and EMBEDDING_MODEL.'
      const detail = `${embedding.model} does not answer: ${reasonOf(error)}`
      return [defect('embeddings', detail, remedy)]
    }
  })
}

async function withUpstream<Result>(
  work: (upstream: Upstream) => Promise<Result>,
): Promise<Result> {
  const undici = await import('undici')
  const dispatcher: Agent = new undici.Agent({ allowH2: false })
  try {
    return await work({ dispatcher, clock: systemClock, timeoutMs: TIMEOUT_MS })
  } finally {
    await dispatcher.destroy()
  }
}

function since(startedAt: number): string {
  return `${Math.round(performance.now() - startedAt)} ms`
}
