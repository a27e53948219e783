import { type CompletionParser, transientFailure, usageOf } from '../http/completion.ts'
import { isRecord, maxCount, modelName, parseRecord, recordsOf } from '../json.ts'
import { DeltaFrameCache } from '../http/frame-cache.ts'
import type { GenerateEnd, GenerateRequest, ToolCall } from '../model.ts'

const INPUT_PARTS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const
const TEXT = /"text"\s*:\s*/

/** Parses answers of the Messages API, streamed or not. */
export class AnthropicParser implements CompletionParser {
  isComplete = false
  readonly #frames = new DeltaFrameCache(TEXT)
  readonly #request: GenerateRequest
  /** Tool calls by the index of their content block. */
  readonly #calls = new Map<number, ToolCall>()
  #model: string
  #finish: unknown
  /** Uncached input, input written to the cache and input read from it; all three are billed. */
  readonly #input: (number | undefined)[] = []
  #output: number | undefined

  constructor(request: GenerateRequest, model: string) {
    this.#request = request
    this.#model = model
  }

  parseEvent(data: string): string {
    const repeated = this.#frames.textOf(data)
    if (repeated !== undefined) return repeated
    const event = parseRecord(data)
    // Unknown event types are ignored, as Anthropic's documentation asks.
    switch (event.type) {
      case 'message_start':
        if (isRecord(event.message)) this.#takeFrame(event.message)
        return ''
      case 'content_block_start':
        return this.#takeBlock(event.index, event.content_block)
      case 'content_block_delta':
        return this.#takeDelta(data, event)
      case 'message_delta':
        if (isRecord(event.delta)) this.#finish = event.delta.stop_reason ?? this.#finish
        this.#takeUsage(event.usage, true)
        return ''
      case 'message_stop':
        this.isComplete = true
        return ''
      case 'error':
        throw transientFailure('The model provider reported an error.')
      default:
        return ''
    }
  }

  parseBody(json: string): string {
    const answer = parseRecord(json)
    if (answer.type === 'error') throw transientFailure('The model provider reported an error.')
    if (!Array.isArray(answer.content)) throw transientFailure('The model provider gave no answer.')
    this.#takeFrame(answer)
    this.#takeUsage(answer.usage, true)
    this.#finish = answer.stop_reason
    let text = ''
    for (const [index, block] of recordsOf(answer.content).entries()) {
      text += this.#takeBlock(index, block)
      const call = this.#calls.get(index)
      if (call) call.input = JSON.stringify(block.input ?? {})
    }
    this.isComplete = true
    return text
  }

  calls(): ToolCall[] {
    return [...this.#calls.values()].map((call) => ({ ...call, input: call.input || '{}' }))
  }

  end(textLength: number): GenerateEnd {
    const asked = this.calls().reduce((sum, { name, input }) => sum + name.length + input.length, 0)
    const given = { input: this.#inputTokens(), output: this.#output }
    const isCut = this.#finish === 'max_tokens' || this.#finish === 'model_context_window_exceeded'
    return {
      ...usageOf(this.#request, given, textLength + asked),
      model: this.#model,
      finishReason: isCut ? 'length' : this.#calls.size > 0 ? 'tool_calls' : 'stop',
    }
  }

  #takeFrame(message: Record<string, unknown>): void {
    this.#model = modelName(message.model) ?? this.#model
    this.#takeUsage(message.usage, false)
  }

  /**
   * Keeps the largest counts, since events may omit some. The first event's output is not final.
   */
  #takeUsage(usage: unknown, isFinal: boolean): void {
    if (!isRecord(usage)) return
    for (const [at, part] of INPUT_PARTS.entries()) {
      this.#input[at] = maxCount(this.#input[at], usage[part])
    }
    if (isFinal) this.#output = maxCount(this.#output, usage.output_tokens)
  }

  #inputTokens(): number | undefined {
    const [read, written = 0, cached = 0] = this.#input
    return read === undefined ? undefined : read + written + cached
  }

  #takeBlock(index: unknown, block: unknown): string {
    if (!isRecord(block)) return ''
    if (block.type === 'text' && typeof block.text === 'string') return block.text
    if (block.type !== 'tool_use') return ''
    const { id, name } = block
    if (typeof index !== 'number' || typeof id !== 'string' || typeof name !== 'string') return ''
    this.#calls.set(index, { id, name, input: '' })
    return ''
  }

  #takeDelta(data: string, { index, delta }: Record<string, unknown>): string {
    if (!isRecord(delta)) return ''
    if (delta.type === 'text_delta' && typeof delta.text === 'string') {
      this.#frames.learn(data, delta.text, textIn)
      return delta.text
    }
    const call = typeof index === 'number' ? this.#calls.get(index) : undefined
    if (call && delta.type === 'input_json_delta' && typeof delta.partial_json === 'string') {
      call.input += delta.partial_json
    }
    return ''
  }
}

/** The text of a stream's delta. */
function textIn(data: string): string | undefined {
  const { delta } = parseRecord(data)
  return isRecord(delta) && typeof delta.text === 'string' ? delta.text : undefined
}
