import { AnthropicParser } from './anthropic-parser.ts'
import { streamCompletion } from '../http/completion.ts'
import type { HttpPost, Upstream } from '../http/provider-request.ts'
import { isRecord } from '../json.ts'
import { ModelFailure } from '../model.ts'
import type { GenerateRequest, Model, ModelMessage, ToolCall } from '../model.ts'
import { type ModelChoice, addressOf, textModelOf } from '../openai/openai-compatible.ts'

const API_VERSION = '2023-06-01'

type Turn = { role: 'user' | 'assistant'; content: string | object[] }

/** Anthropic's Messages. It draws nothing. */
export function anthropic(upstream: Upstream, choice: ModelChoice): Model {
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': API_VERSION,
    ...(choice.apiKey ? { 'x-api-key': choice.apiKey } : {}),
  }
  const url = addressOf(choice.baseUrl, '/messages')

  function postOf(request: GenerateRequest, model: string): HttpPost {
    const isStream = request.stream !== false
    const body = JSON.stringify({
      model,
      max_tokens: request.maxOutputTokens,
      ...(request.instructions === undefined ? {} : { system: request.instructions }),
      messages: turnsOf(request.messages),
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

    generate(request, signal) {
      return streamCompletion(
        upstream,
        () => {
          const model = textModelOf(request, choice)
          return { post: postOf(request, model), parser: new AnthropicParser(request, model) }
        },
        { coalesce: request.coalesce, signal },
      )
    },

    generateImages() {
      return Promise.reject(
        new ModelFailure('unable', 'Anthropic draws no images: set an openai-compatible provider.'),
      )
    },
  }
}

/** All results of one round of tools belong into one message. */
function turnsOf(messages: readonly ModelMessage[]): Turn[] {
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
    turns.push({ role: 'assistant', content: [...text, ...message.calls.map(useOf)] })
  }
  return turns
}

function useOf({ id, name, input }: ToolCall): object {
  return { type: 'tool_use', id, name, input: inputOf(input) }
}

function inputOf(text: string): object {
  try {
    const input: unknown = JSON.parse(text)
    return isRecord(input) ? input : {}
  } catch {
    return {}
  }
}
