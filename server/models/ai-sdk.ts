import type { Clock } from '../lib/clock.ts'
import { transientFailure, usageOf } from './http/completion.ts'
import { tokenCount, isRecord } from './json.ts'
import { type Model, ModelFailure } from './model.ts'
import type { GenerateEnd, GenerateRequest, ModelMessage } from './model.ts'

/**
 * The part of an AI SDK language model that is used here, common to its specifications v2, v3 and v4.
 * Structural, so that the product does not depend on the SDK.
 */
export interface AiSdkModel {
  readonly provider: string
  readonly modelId: string
  doStream(options: AiSdkCall): PromiseLike<{ stream: ReadableStream<unknown> }>
}

interface AiSdkCall {
  prompt: AiSdkMessage[]
  maxOutputTokens: number
  tools?: {
    type: 'function'
    name: string
    description: string
    inputSchema: Record<string, unknown>
  }[]
  abortSignal: AbortSignal
}

type AiSdkText = { type: 'text'; text: string }
type AiSdkToolCall = { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
type AiSdkToolResult = {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text'; value: string }
}
type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: AiSdkText[] }
  | { role: 'assistant'; content: (AiSdkText | AiSdkToolCall)[] }
  | { role: 'tool'; content: AiSdkToolResult[] }

/** Adapts a language model of the AI SDK, which generates text only. */
export function fromAiSdk(given: AiSdkModel, deps: { clock: Clock; timeoutMs: number }): Model {
  return {
    name: `ai-sdk:${given.provider}`,
    defaults: { text: given.modelId },

    async *generate(request, signal) {
      if (signal.aborted) return
      const call = new AbortController()
      const watch = new Watch(deps, signal, call)
      let length = 0
      try {
        const { stream } = await watch.wait(given.doStream(callOf(request, call.signal)))
        const reader = stream.getReader()
        for (;;) {
          const { value, done } = await watch.wait(reader.read())
          if (done) throw transientFailure('The answer of the model broke off.')
          if (!isRecord(value)) continue
          if (value.type === 'text-delta' && typeof value.delta === 'string') {
            length += value.delta.length
            if (value.delta !== '') yield { delta: value.delta }
          } else if (value.type === 'tool-call') {
            const { toolCallId: id, toolName: name, input } = value
            if (typeof id !== 'string' || typeof name !== 'string') continue
            const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
            length += name.length + text.length
            yield { call: { id, name, input: text || '{}' } }
          } else if (value.type === 'finish') {
            yield { end: endOf(value, request, { model: given.modelId, length }) }
            return
          } else if (value.type === 'error') {
            throw transientFailure('The model provider reported an error.', value.error)
          }
        }
      } catch (error) {
        if (signal.aborted) return
        throw watch.isTooLate ? tooLate() : asFailure(error)
      } finally {
        watch.stop()
        call.abort()
      }
    },

    generateImages() {
      return Promise.reject(
        new ModelFailure(
          'unable',
          'This model generates no images. Set an openai-compatible provider.',
        ),
      )
    },
  }
}

/** Aborts a call on the caller's abort, or after a silence of `timeoutMs`. */
class Watch {
  isTooLate = false
  readonly #deps: { clock: Clock; timeoutMs: number }
  readonly #signal: AbortSignal
  readonly #call: AbortController
  readonly #onAbort = (): void => this.#call.abort()

  constructor(
    deps: { clock: Clock; timeoutMs: number },
    signal: AbortSignal,
    call: AbortController,
  ) {
    this.#deps = deps
    this.#signal = signal
    this.#call = call
    signal.addEventListener('abort', this.#onAbort)
  }

  /** The result, unless the call ends first, because a model may ignore its signal. */
  async wait<Result>(work: PromiseLike<Result>): Promise<Result> {
    const { signal } = this.#call
    const ended = Promise.withResolvers<never>()
    const onEnd = (): void => ended.reject(new Error('The call was ended.'))
    if (signal.aborted) onEnd()
    signal.addEventListener('abort', onEnd)
    const cancel = this.#deps.clock.after(this.#deps.timeoutMs, () => {
      this.isTooLate = true
      this.#call.abort()
    })
    try {
      return await Promise.race([work, ended.promise])
    } finally {
      cancel()
      signal.removeEventListener('abort', onEnd)
    }
  }

  stop(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
  }
}

function tooLate(): ModelFailure {
  const message = 'The model provider did not answer in time.'
  return new ModelFailure('timeout', message, { isTransient: true })
}

/** Only retryability is taken from the SDK's error, whose message may quote the request. */
function asFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  const isFinal = isRecord(error) && error.isRetryable === false
  return new ModelFailure('failed', 'The model provider did not answer.', { isTransient: !isFinal })
}

function callOf(request: GenerateRequest, abortSignal: AbortSignal): AiSdkCall {
  const { instructions, messages, tools, maxOutputTokens } = request
  const names = new Map<string, string>()
  return {
    prompt: [
      ...(instructions === undefined ? [] : [{ role: 'system' as const, content: instructions }]),
      ...messages.map((message) => messageOf(message, names)),
    ],
    maxOutputTokens,
    ...(tools?.length
      ? {
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: schema,
          })),
        }
      : {}),
    abortSignal,
  }
}

/** `names` maps call ids to tool names, which results must repeat. */
function messageOf(message: ModelMessage, names: Map<string, string>): AiSdkMessage {
  if (message.role === 'user') {
    return { role: 'user', content: [{ type: 'text', text: message.content }] }
  }
  if (message.role === 'tool') {
    const { callId: toolCallId, content: value } = message
    const toolName = names.get(toolCallId) ?? ''
    const output = { type: 'text' as const, value }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
  }
  const text: AiSdkText[] = message.content ? [{ type: 'text', text: message.content }] : []
  const calls = (message.calls ?? []).map(({ id, name, input }): AiSdkToolCall => {
    names.set(id, name)
    return { type: 'tool-call', toolCallId: id, toolName: name, input: inputOf(input) }
  })
  return { role: 'assistant', content: [...text, ...calls] }
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Counts and reasons are plain in v2 and objects since v3. */
function endOf(
  finish: Record<string, unknown>,
  request: GenerateRequest,
  { model, length }: { model: string; length: number },
): GenerateEnd {
  const usage = isRecord(finish.usage) ? finish.usage : {}
  const totalOf = (count: unknown) => tokenCount(isRecord(count) ? count.total : count)
  const given = { input: totalOf(usage.inputTokens), output: totalOf(usage.outputTokens) }
  const { finishReason } = finish
  const reason = isRecord(finishReason) ? finishReason.unified : finishReason
  if (reason === 'error' || reason === 'interrupted') {
    throw transientFailure('The answer of the model broke off.')
  }
  return {
    ...usageOf(request, given, length),
    model,
    finishReason: reason === 'length' ? 'length' : reason === 'tool-calls' ? 'tool_calls' : 'stop',
  }
}
