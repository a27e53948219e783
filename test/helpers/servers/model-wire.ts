/** A call of a tool, as a model would make it. */
export interface ScriptedCall {
  id: string
  name: string
  /** JSON text. */
  input: string
}

/** A model's answer, and its form on the wire. */
export interface ModelScript {
  /** The text, one chunk each. */
  text?: readonly string[]
  calls?: readonly ScriptedCall[]
  finish?: 'stop' | 'length'
  usage?: { input: number; output: number }
  /** Where an OpenAI stream says the usage; a chunk of its own without choices by default. */
  usageIn?: 'own chunk' | 'last chunk' | 'every chunk' | 'nowhere'
  /** Images, when they are asked for: one small PNG by default. */
  images?: readonly Uint8Array[]

  /** Waits before the head of the answer. */
  headAfterMs?: number
  /** Waits before each chunk. */
  everyMs?: number
  /** Says nothing more after so many chunks, and keeps the connection. */
  silentAfter?: number
  /** Destroys the connection after so many chunks. */
  cutAfter?: number
  /** Ends the answer properly after so many chunks, without an end marker. */
  endAfter?: number
  /** Everything but the end marker, then a proper end. */
  withoutMarker?: boolean
  /** Sends a chunk that is no JSON after so many; without a stream, half of the JSON. */
  brokenAfter?: number
  /** Sends the provider's error event after so many chunks, and ends. */
  errorAfter?: number

  /** How lines end; `\n` by default. */
  lineEnd?: '\n' | '\r\n' | '\r'
  /** Writes the JSON of a chunk over several `data:` lines. */
  multiline?: boolean
  /** Sends the bytes in slices of so many, right through characters. */
  sliceBytes?: number
}

/** The events of a stream, whole and in order. */
export interface Frames {
  before: string[]
  /** One for each piece of text, then those of the tools. */
  pieces: string[]
  after: string[]
  marker: string
  error: string
}

/** One small PNG. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const DEFAULT_USAGE = { input: 11, output: 7 }

type Event = { name?: string; data: unknown }

function writeEvent({ name, data }: Event, script: ModelScript): string {
  const end = script.lineEnd ?? '\n'
  const text =
    typeof data === 'string' ? data : JSON.stringify(data, null, script.multiline ? 1 : 0)
  const lines = text.split('\n').map((line) => `data: ${line}${end}`)
  return (name ? `event: ${name}${end}` : '') + lines.join('') + end
}

/** The text that the script's pieces make. */
export function textOf(script: ModelScript): string {
  return (script.text ?? []).join('')
}

/** Cuts a tool's input in two, as providers do. */
function halves(input: string): [string, string] {
  const middle = Math.ceil(input.length / 2)
  return [input.slice(0, middle), input.slice(middle)]
}

const openAiUsage = ({ usage = DEFAULT_USAGE }: ModelScript) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
})

const openAiFinish = ({ calls, finish }: ModelScript) =>
  finish ?? (calls?.length ? 'tool_calls' : 'stop')

/** The stream of `POST /v1/chat/completions`. */
export function openAiFrames(script: ModelScript, asked: Record<string, unknown>): Frames {
  const place = script.usageIn ?? 'own chunk'
  const usage = openAiUsage(script)
  const model = asked.model
  const chunk = (delta: object, finish: string | null, more: object = {}): string =>
    writeEvent(
      {
        data: {
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: 1,
          model,
          choices: [{ index: 0, delta, finish_reason: finish }],
          ...(place === 'own chunk' ? { usage: null } : {}),
          ...(place === 'every chunk' ? { usage } : {}),
          ...more,
        },
      },
      script,
    )
  const tools = (script.calls ?? []).flatMap((call, index) => {
    const [first, second] = halves(call.input)
    const { id, name } = call
    const open = { index, id, type: 'function', function: { name, arguments: '' } }
    return [
      chunk({ tool_calls: [open] }, null),
      chunk({ tool_calls: [{ index, function: { arguments: first } }] }, null),
      chunk({ tool_calls: [{ index, function: { arguments: second } }] }, null),
    ]
  })
  const last = chunk({}, openAiFinish(script), place === 'last chunk' ? { usage } : {})
  const own = writeEvent(
    { data: { id: 'chatcmpl-1', object: 'chat.completion.chunk', model, choices: [], usage } },
    script,
  )
  return {
    before: [chunk({ role: 'assistant', content: '' }, null)],
    pieces: [...(script.text ?? []).map((content) => chunk({ content }, null)), ...tools],
    after: place === 'own chunk' ? [last, own] : [last],
    marker: writeEvent({ data: '[DONE]' }, script),
    error: writeEvent(
      { data: { error: { message: 'It broke.', type: 'server_error', code: null } } },
      script,
    ),
  }
}

/** The answer of `POST /v1/chat/completions` without a stream. */
export function openAiAnswer(script: ModelScript, asked: Record<string, unknown>): object {
  const calls = (script.calls ?? []).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: input },
  }))
  const content = script.text ? textOf(script) : null
  const message = { role: 'assistant', content, ...(calls.length ? { tool_calls: calls } : {}) }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: asked.model,
    choices: [{ index: 0, message, finish_reason: openAiFinish(script) }],
    ...(script.usageIn === 'nowhere' ? {} : { usage: openAiUsage(script) }),
  }
}

/** The answer of `POST /v1/images/generations`. */
export function openAiImages(script: ModelScript, asked: Record<string, unknown>): object {
  const images = script.images ?? Array.from({ length: Number(asked.n ?? 1) }, () => PNG)
  const { input, output } = script.usage ?? DEFAULT_USAGE
  return {
    created: 1,
    data: images.map((image) => ({ b64_json: Buffer.from(image).toString('base64') })),
    ...(script.usageIn === 'nowhere'
      ? {}
      : { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } }),
  }
}

const anthropicFinish = ({ calls, finish }: ModelScript) =>
  finish === 'length' ? 'max_tokens' : calls?.length ? 'tool_use' : 'end_turn'

/** The stream of `POST /v1/messages`. */
export function anthropicFrames(script: ModelScript, asked: Record<string, unknown>): Frames {
  const { input, output } = script.usage ?? DEFAULT_USAGE
  const isCounted = script.usageIn !== 'nowhere'
  const event = (name: string, fields: object): string =>
    writeEvent({ name, data: { type: name, ...fields } }, script)
  const textIndex = 0
  const hasText = script.text !== undefined
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(isCounted ? { usage: { input_tokens: input, output_tokens: 1 } } : {}),
  }
  const texts = (script.text ?? []).map((text) =>
    event('content_block_delta', { index: textIndex, delta: { type: 'text_delta', text } }),
  )
  const tools = (script.calls ?? []).flatMap((call, place) => {
    const index = place + (hasText ? 1 : 0)
    const block = { type: 'tool_use', id: call.id, name: call.name, input: {} }
    const delta = (partial_json: string) =>
      event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } })
    return [
      event('content_block_start', { index, content_block: block }),
      ...['', ...halves(call.input)].map(delta),
      event('content_block_stop', { index }),
    ]
  })
  const start = { index: textIndex, content_block: { type: 'text', text: '' } }
  return {
    before: [
      event('message_start', { message }),
      ...(hasText ? [event('content_block_start', start)] : []),
      event('ping', {}),
    ],
    pieces: [
      ...texts,
      ...(hasText ? [event('content_block_stop', { index: textIndex })] : []),
      ...tools,
    ],
    after: [
      event('message_delta', {
        delta: { stop_reason: anthropicFinish(script), stop_sequence: null },
        ...(isCounted ? { usage: { output_tokens: output } } : {}),
      }),
    ],
    marker: event('message_stop', {}),
    error: event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  }
}

/** The answer of `POST /v1/messages` without a stream. */
export function anthropicAnswer(script: ModelScript, asked: Record<string, unknown>): object {
  const { input, output } = script.usage ?? DEFAULT_USAGE
  const calls = (script.calls ?? []).map((call) => {
    const given: unknown = JSON.parse(call.input)
    return { type: 'tool_use', id: call.id, name: call.name, input: given }
  })
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: [...(script.text ? [{ type: 'text', text: textOf(script) }] : []), ...calls],
    stop_reason: anthropicFinish(script),
    stop_sequence: null,
    ...(script.usageIn === 'nowhere'
      ? {}
      : { usage: { input_tokens: input, output_tokens: output } }),
  }
}
