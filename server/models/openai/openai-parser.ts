import { type CompletionParser, transientFailure, usageOf } from '../http/completion.ts'
import { tokenCount, isRecord, maxCount, modelName, parseRecord, recordsOf } from '../json.ts'
import { DeltaFrameCache } from '../http/frame-cache.ts'
import type { GenerateEnd, GenerateRequest, ToolCall } from '../model.ts'

const END_MARKER = '[DONE]'
const CONTENT = /"content"\s*:\s*/

/**
 * Parses chat completions, streamed or not. Compatible servers differ in where they put the usage
 * and in how they number tool calls; every variant that was seen is understood.
 */
export class OpenAiParser implements CompletionParser {
  isComplete = false
  readonly #frames = new DeltaFrameCache(CONTENT)
  readonly #request: GenerateRequest
  readonly #calls: ToolCall[] = []
  /** The index in `#calls` of each numbered call. */
  readonly #places = new Map<number, number>()
  #model: string
  #finish: string | undefined
  #input: number | undefined
  #output: number | undefined

  constructor(request: GenerateRequest, model: string) {
    this.#request = request
    this.#model = model
  }

  parseEvent(data: string): string {
    if (data === END_MARKER) {
      this.isComplete = true
      return ''
    }
    const repeated = this.#frames.textOf(data)
    if (repeated !== undefined) return repeated
    const chunk = parseRecord(data)
    this.#takeFrame(chunk)
    const [choice] = recordsOf(chunk.choices)
    if (!choice) return ''
    if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason
    const { delta } = choice
    if (!isRecord(delta)) return ''
    if (delta.tool_calls !== undefined)
      for (const call of recordsOf(delta.tool_calls)) this.#add(call)
    const text = textOf(delta)
    if (text !== '' && delta.tool_calls === undefined) this.#frames.learn(data, text, textIn)
    return text
  }

  parseBody(json: string): string {
    const answer = parseRecord(json)
    this.#takeFrame(answer)
    const [choice] = recordsOf(answer.choices)
    if (!choice || !isRecord(choice.message))
      throw transientFailure('The model provider gave no answer.')
    if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason
    for (const [index, call] of recordsOf(choice.message.tool_calls).entries()) {
      this.#add({ index, ...call })
    }
    this.isComplete = true
    return textOf(choice.message)
  }

  calls(): ToolCall[] {
    return this.#calls.map((call, place) => ({
      id: call.id || `call_${place}`,
      name: call.name,
      input: call.input || '{}',
    }))
  }

  end(textLength: number): GenerateEnd {
    const asked = this.#calls.reduce((sum, call) => sum + call.name.length + call.input.length, 0)
    const given = { input: this.#input, output: this.#output }
    return {
      ...usageOf(this.#request, given, textLength + asked),
      model: this.#model,
      finishReason:
        this.#finish === 'length' ? 'length' : this.#calls.length > 0 ? 'tool_calls' : 'stop',
    }
  }

  /** Takes the fields that any chunk may hold: an error, the model's name, the usage. */
  #takeFrame(frame: Record<string, unknown>): void {
    if (frame.error || frame.object === 'error') {
      throw transientFailure('The model provider reported an error.')
    }
    if (frame.model !== this.#model) this.#model = modelName(frame.model) ?? this.#model
    const groq = isRecord(frame.x_groq) ? frame.x_groq.usage : undefined
    const usage = frame.usage ?? groq
    if (!isRecord(usage)) return
    this.#input = maxCount(this.#input, usage.prompt_tokens)
    this.#output = maxCount(this.#output, usage.completion_tokens)
  }

  /** Adds a part of a tool call; a new id under a known number begins another call. */
  #add(part: Record<string, unknown>): void {
    const index = tokenCount(part.index) ?? Math.max(0, this.#calls.length - 1)
    const id = typeof part.id === 'string' ? part.id : ''
    const place = this.#places.get(index)
    let call = place === undefined ? undefined : this.#calls[place]
    if (!call || (id !== '' && call.id !== '' && call.id !== id)) {
      call = { id, name: '', input: '' }
      this.#places.set(index, this.#calls.push(call) - 1)
    }
    if (call.id === '') call.id = id
    if (!isRecord(part.function)) return
    const { name, arguments: input } = part.function
    if (typeof name === 'string' && call.name === '') call.name = name
    if (typeof input === 'string') call.input += input
    else if (isRecord(input)) call.input = JSON.stringify(input)
  }
}

/** The text of a stream's chunk. */
function textIn(data: string): string | undefined {
  const [choice] = recordsOf(parseRecord(data).choices)
  return isRecord(choice?.delta) ? textOf(choice.delta) : undefined
}

/** The text of a message: a string, the text parts beside reasoning parts, or a refusal. */
function textOf(message: Record<string, unknown>): string {
  if (typeof message.content === 'string') return message.content
  if (Array.isArray(message.content)) {
    const texts = recordsOf(message.content).filter(({ type }) => type === 'text')
    return texts.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
  }
  return typeof message.refusal === 'string' ? message.refusal : ''
}
