import { streamCompletion, transientFailure } from '../http/completion.ts'
import { ProviderRequest, type HttpPost, type Upstream } from '../http/provider-request.ts'
import { routeUrl, textModel } from '../http/endpoint.ts'
import { tokenCount, isRecord, parseRecord, recordsOf } from '../json.ts'
import { ModelFailure } from '../model.ts'
import type { GenerateRequest, ImageAnswer, ImageRequest, Model, ModelMessage } from '../model.ts'
import type { ModelEndpoint, ModelProvider } from '../provider.ts'
import { OpenAiParser } from './openai-parser.ts'
import { estimateTokens } from '../../lib/token-estimate.ts'

/** Upper bound of an answer with images, in UTF-16 units of base64. */
const MAX_IMAGES_LENGTH = 64_000_000
/** OpenAI's newer models reject `max_tokens`, which compatible servers expect. */
const OPENAI_HOST = /(?:^|\.)openai\.(?:com|azure\.com)$/
/** OpenAI's image models always answer with bytes, and reject `response_format`. */
const BYTES_ONLY = /^(?:gpt-image|chatgpt-image)/

/** Any endpoint that speaks OpenAI's chat completions and image generations. */
export const openAiCompatibleProvider: ModelProvider = {
  isLocal: false,
  defaultBaseUrl: 'https://api.openai.com/v1',
  requiredSettings: ['MODEL_BASE_URL'],
  open: openAiCompatible,
}

/** A model of an OpenAI-compatible endpoint; see `ModelProvider.open`. */
export function openAiCompatible(upstream: Upstream, endpoint: ModelEndpoint): Model {
  const { apiKey } = endpoint
  const headers = {
    'content-type': 'application/json',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  }
  const chat = routeUrl(endpoint.baseUrl, '/chat/completions')
  const images = routeUrl(endpoint.baseUrl, '/images/generations')
  const cap = OPENAI_HOST.test(chat.hostname) ? 'max_completion_tokens' : 'max_tokens'

  function buildPost(request: GenerateRequest, model: string): HttpPost {
    const isStream = request.stream !== false
    const body = JSON.stringify({
      model,
      messages: toMessages(request),
      [cap]: request.maxOutputTokens,
      stream: isStream,
      ...(isStream ? { stream_options: { include_usage: true } } : {}),
      ...(request.tools?.length ? { tools: request.tools.map(toTool) } : {}),
    })
    return { url: chat, headers, body, isStream }
  }

  return {
    name: 'openai-compatible',

    generate(request, signal) {
      return streamCompletion(
        upstream,
        () => {
          const model = textModel(request, endpoint)
          return { post: buildPost(request, model), parser: new OpenAiParser(request, model) }
        },
        { coalesce: request.coalesce, signal },
      )
    },

    async generateImages(request, signal) {
      const model = request.model ?? endpoint.imageModel
      if (model === undefined) {
        throw new ModelFailure('unable', 'No image model is set: IMAGE_MODEL_NAME, or image_model.')
      }
      const { prompt, count } = request
      const format = BYTES_ONLY.test(model) ? {} : { response_format: 'b64_json' }
      const body = JSON.stringify({ model, prompt, n: count, ...format })
      const sent = await ProviderRequest.open(upstream, { url: images, headers, body }, signal)
      try {
        const answer = await sent.readAll(MAX_IMAGES_LENGTH)
        if (sent.isClosed) throw transientFailure('The request for images was closed.')
        return parseImages(answer, request, model)
      } finally {
        sent.close()
      }
    },
  }
}

function toMessages({ instructions, messages }: GenerateRequest): object[] {
  const system = instructions === undefined ? [] : [{ role: 'system', content: instructions }]
  return [...system, ...messages.map(toMessage)]
}

function toMessage(message: ModelMessage): object {
  const { role, content } = message
  if (role === 'tool') return { role, tool_call_id: message.callId, content }
  if (role === 'user' || !message.calls?.length) return { role, content }
  const calls = message.calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: input },
  }))
  return { role, content: content || null, tool_calls: calls }
}

function toTool({
  name,
  description,
  schema,
}: NonNullable<GenerateRequest['tools']>[number]): object {
  return { type: 'function', function: { name, description, parameters: schema } }
}

function parseImages(json: string, request: ImageRequest, model: string): ImageAnswer {
  const answer = parseRecord(json)
  const images = recordsOf(answer.data).flatMap(({ b64_json }) => {
    if (typeof b64_json !== 'string') return []
    const bytes = Buffer.from(b64_json, 'base64')
    const mediaType = mediaTypeOf(bytes)
    return mediaType === undefined ? [] : [{ mediaType, bytes }]
  })
  if (images.length === 0) throw transientFailure('The model provider gave no image.')
  const usage = isRecord(answer.usage) ? answer.usage : {}
  return {
    images: images.slice(0, request.count),
    model,
    usage: {
      inputTokens: tokenCount(usage.input_tokens) ?? estimateTokens(request.prompt),
      outputTokens: tokenCount(usage.output_tokens) ?? 0,
    },
  }
}

/** The media type by an image's first bytes; undefined for a format that browsers do not show. */
function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (start.startsWith('\xFF\xD8\xFF')) return 'image/jpeg'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  return start.startsWith('GIF8') ? 'image/gif' : undefined
}
