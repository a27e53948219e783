import { estimateTokens } from '../../lib/token-estimate.ts'
import {
  type EmbeddedTexts,
  type EmbeddingChoice,
  type EmbeddingModel,
  normalized,
} from '../embedding-model.ts'
import { transientFailure } from '../http/completion.ts'
import { routeUrl } from '../http/endpoint.ts'
import { ProviderRequest, type Upstream } from '../http/provider-request.ts'
import { isRecord, parseRecord, recordsOf, tokenCount } from '../json.ts'

/** In UTF-16 units: 64 vectors of 4,096 numbers as JSON. */
const MAX_ANSWER_LENGTH = 8_000_000
const MAX_DIMENSION = 8_192

/** Opens a model behind `/embeddings` of an OpenAI-compatible API; sends nothing yet. */
export function openAiEmbeddings(upstream: Upstream, choice: EmbeddingChoice): EmbeddingModel {
  const url = routeUrl(choice.baseUrl, '/embeddings')
  const headers = {
    'content-type': 'application/json',
    ...(choice.apiKey ? { authorization: `Bearer ${choice.apiKey}` } : {}),
  }
  return {
    name: choice.model,

    async embed(texts, signal) {
      const body = JSON.stringify({ model: choice.model, input: texts, encoding_format: 'float' })
      const sent = await ProviderRequest.open(upstream, { url, headers, body }, signal)
      try {
        const answer = await sent.readAll(MAX_ANSWER_LENGTH)
        if (sent.isClosed) throw transientFailure('The request for vectors was closed.')
        return parseVectors(answer, texts)
      } finally {
        sent.close()
      }
    },
  }
}

function parseVectors(json: string, texts: readonly string[]): EmbeddedTexts {
  const answer = parseRecord(json)
  const vectors: Float32Array[] = []
  for (const [place, { index = place, embedding }] of recordsOf(answer.data).entries()) {
    if (typeof index !== 'number' || !isVector(embedding)) continue
    vectors[index] = normalized(embedding)
  }
  const dimension = vectors[0]?.length ?? 0
  const isComplete = texts.every((_, place) => vectors[place]?.length === dimension)
  if (dimension === 0 || !isComplete) {
    throw transientFailure('The provider gave no vectors for some of the texts.')
  }
  const usage = isRecord(answer.usage) ? answer.usage : {}
  return {
    vectors: vectors.slice(0, texts.length),
    inputTokens: tokenCount(usage.prompt_tokens) ?? estimateTokens(texts.join('')),
  }
}

function isVector(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_DIMENSION &&
    value.every((each) => typeof each === 'number' && Number.isFinite(each))
  )
}
