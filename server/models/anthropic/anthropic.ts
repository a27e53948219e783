import { AnthropicParser } from './anthropic-parser.ts'
import { streamCompletion } from '../http/completion.ts'
import type { HttpPost, Upstream } from '../http/provider-request.ts'
import { isRecord } from '../json.ts'
import { ModelFailure } from '../model.ts'
import type { GenerateRequest, Model, ModelMessage, ToolCall } from '../model.ts'
import { routeUrl, textModel } from '../http/endpoint.ts'
import type { ModelEndpoint, ModelProvider } from '../provider.ts'

const API_VERSION = '2023-06-01'

type Turn = { role: 'user' | 'assistant'; content: string | object[] }

/** Anthropic's Messages API, which generates text only. */
export const anthropicProvider: ModelProvider = {
  isLocal: false,
  defaultBaseUrl: 'https://api.anthropic.com/v1',
  requiredSettings: ['MODEL_API_KEY'],
  open: anthropic,
}

/** A model of the Messages API; see `ModelProvider.open`. */
export function anthropic(upstream: Upstream, endpoint: ModelEndpoint): Model {
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': API_VERSION,
    ...(endpoint.apiKey ? { 'x-api-key': endpoint.apiKey } : {}),
  }
  const url = routeUrl(endpoint.baseUrl, '/messages')

  function buildPost(request: GenerateRequest, model: string): HttpPost {
    const isStream = request.stream !== false
    const body = JSON.stringify({
      model,
      max_tokens: request.maxOutputTokens,
      ...(request.instructions === undefined ? {} : { system: request.instructions }),
      messages: toTurns(request.messages),
      stream: isStream,
      ...(request.tools?.length
        ? {
            tools: request.tools.map(({ name, description, schema }) => ({
              name,
              description,
              input_schema: schema,
            })),
          }
        : {}),
    })
    return { url, headers, body, isStream }
  }

  return {
    name: 'anthropic',
    drawsImages: false,

    generate(request, signal) {
      return streamCompletion(
        upstream,
        () => {
          const model = textModel(request, endpoint)
          return { post: buildPost(request, model), parser: new AnthropicParser(request, model) }
        },
        { coalesce: request.coalesce, signal },
      )
    },

    generateImages() {
      return Promise.reject(
        new ModelFailure(
          'unable',
          'Anthropic generates no images. Set an openai-compatible provider.',
        ),
      )
    },
  }
}

/** The API expects all results of one round of tools in one message. */
function toTurns(messages: readonly ModelMessage[]): Turn[] {
  const turns: Turn[] = []
  let results: object[] | undefined
  for (const message of messages) {
    if (message.role === 'tool') {
      const result = { type: 'tool_result', tool_use_id: message.callId, content: message.content }
      if (results) results.push(result)
      else turns.push({ role: 'user', content: (results = [result]) })
      continue
    }
    results = undefined
    if (message.role === 'user' || !message.calls?.length) {
      turns.push({ role: message.role, content: message.content })
      continue
    }
    const text = message.content ? [{ type: 'text', text: message.content }] : []
    turns.push({ role: 'assistant', content: [...text, ...message.calls.map(toToolUse)] })
  }
  return turns
}

function toToolUse({ id, name, input }: ToolCall): object {
  return { type: 'tool_use', id, name, input: parseInput(input) }
}

function parseInput(text: string): object {
  try {
    const input: unknown = JSON.parse(text)
    return isRecord(input) ? input : {}
  } catch {
    return {}
  }
}
