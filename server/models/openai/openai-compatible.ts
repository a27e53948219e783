import { streamCompletion, transientFailure } from '../http/completion.ts'
import { ProviderRequest, type HttpPost, type Upstream } from '../http/provider-request.ts'
import { mediaTypeOf } from '../images.ts'
import { tokenCount, isRecord, parseRecord, recordsOf } from '../json.ts'
import { ModelFailure } from '../model.ts'
import type { GenerateRequest, ImageAnswer, ImageRequest, Model, ModelMessage } from '../model.ts'
import { OpenAiParser } from './openai-parser.ts'
import { estimateTokens } from '../../lib/tokens.ts'

/** Longest answer with images in it, in UTF-16 units of base64. */
const MAX_IMAGES_LENGTH = 64_000_000
/** OpenAI's own newer models refuse the parameter that everybody else knows. */
const OPENAI_HOST = /(?:^|\.)openai\.(?:com|azure\.com)$/
/** Its image models always answer with bytes, and refuse to be asked for them. */
const BYTES_ONLY = /^(?:gpt-image|chatgpt-image)/

/** A provider that a model is asked of. */
export interface ModelChoice {
  /** Where its API begins, with its `/v1`. */
  baseUrl: string
  apiKey: string | undefined
  /** Absent when it writes nothing. */
  model?: string | undefined
  /** Absent when it draws nothing. */
  imageModel?: string | undefined
}

/** Any endpoint that speaks OpenAI's chat completions (and image generations). */
export function openAiCompatible(upstream: Upstream, choice: ModelChoice): Model {
  const { apiKey } = choice
  const headers = {
    'content-type': 'application/json',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  }
  const chat = addressOf(choice.baseUrl, '/chat/completions')
  const images = addressOf(choice.baseUrl, '/images/generations')
  const cap = OPENAI_HOST.test(chat.hostname) ? 'max_completion_tokens' : 'max_tokens'

  function postOf(request: GenerateRequest, model: string): HttpPost {
    const isStream = request.stream !== false
    const body = JSON.stringify({
      model,
      messages: messagesOf(request),
      [cap]: request.maxOutputTokens,
      stream: isStream,
      ...(isStream ? { stream_options: { include_usage: true } } : {}),
      ...(request.tools?.length ? { tools: request.tools.map(toolOf) } : {}),
    })
    return { url: chat, headers, body, isStream }
  }

  return {
    name: 'openai-compatible',

    generate(request, signal) {
      return streamCompletion(
        upstream,
        () => {
          const model = textModelOf(request, choice)
          return { post: postOf(request, model), parser: new OpenAiParser(request, model) }
        },
        { coalesce: request.coalesce, signal },
      )
    },

    async generateImages(request, signal) {
      const model = request.model ?? choice.imageModel
      if (model === undefined) {
        throw new ModelFailure('unable', 'No image model is set: IMAGE_MODEL_NAME, or image_model.')
      }
      const { prompt, count } = request
      const format = BYTES_ONLY.test(model) ? {} : { response_format: 'b64_json' }
      const body = JSON.stringify({ model, prompt, n: count, ...format })
      const sent = await ProviderRequest.open(upstream, { url: images, headers, body }, signal)
      try {
        const answer = await sent.readAll(MAX_IMAGES_LENGTH)
        if (sent.isClosed) throw transientFailure('The images were not waited for.')
        return imagesOf(answer, request, model)
      } finally {
        sent.close()
      }
    },
  }
}

/** The name that the provider is asked for. Throws `ModelFailure` when none is set. */
export function textModelOf(request: GenerateRequest, choice: ModelChoice): string {
  const model = request.model ?? choice.model
  if (model !== undefined) return model
  throw new ModelFailure(
    'unable',
    'No model for text is set: MODEL_NAME, or the workspace’s model.',
  )
}

/** A route below where an API begins; a query in the setting stays. */
export function addressOf(baseUrl: string, route: string): URL {
  const url = new URL(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + route
  return url
}

function messagesOf({ instructions, messages }: GenerateRequest): object[] {
  const system = instructions === undefined ? [] : [{ role: 'system', content: instructions }]
  return [...system, ...messages.map(messageOf)]
}

function messageOf(message: ModelMessage): object {
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

function toolOf({
  name,
  description,
  schema,
}: NonNullable<GenerateRequest['tools']>[number]): object {
  return { type: 'function', function: { name, description, parameters: schema } }
}

function imagesOf(json: string, request: ImageRequest, model: string): ImageAnswer {
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
