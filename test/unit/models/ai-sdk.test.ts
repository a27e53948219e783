import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { fromAiSdk } from '../../../server/models/ai-sdk.ts'
import type { GeneratePiece, GenerateRequest } from '../../../server/models/model.ts'
import { TestClock } from '../../helpers/clock.ts'

const TIMEOUT_MS = 60_000
const CALL = { id: 'c1', name: 'handoff', input: '{"reason":"urgent"}' }
const REQUEST: GenerateRequest = {
  instructions: 'Be kind.',
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: '', calls: [CALL] },
    { role: 'tool', callId: 'c1', content: 'done' },
  ],
  tools: [{ name: 'handoff', description: 'Hands over.', schema: { type: 'object' } }],
  maxOutputTokens: 50,
  locale: 'en',
}
const FINISH: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 12, noCache: 12, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 3, text: 3, reasoning: 0 },
  },
}

function streamOf<Part>(parts: readonly Part[], isOpen = false): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      if (!isOpen) controller.close()
    },
  })
}

/** A provider object as the SDK's packages make it, of the newest specification. */
function newest(
  parts: readonly LanguageModelV4StreamPart[],
  options: { isOpen?: boolean; asked?: LanguageModelV4CallOptions[]; fails?: Error } = {},
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'somebody',
    modelId: 'large',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('It is only streamed.')),
    doStream(call) {
      options.asked?.push(call)
      if (options.fails) return Promise.reject(options.fails)
      return Promise.resolve({ stream: streamOf(parts, options.isOpen) })
    },
  }
}

async function listen(
  given: Parameters<typeof fromAiSdk>[0],
  clock = new TestClock(0),
  signal: AbortSignal = new AbortController().signal,
): Promise<GeneratePiece[]> {
  const pieces: GeneratePiece[] = []
  const model = fromAiSdk(given, { clock, timeoutMs: TIMEOUT_MS })
  for await (const piece of model.generate(REQUEST, signal)) pieces.push(piece)
  return pieces
}

const TEXT: LanguageModelV4StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Hel' },
  { type: 'text-delta', id: '1', delta: 'lo' },
  { type: 'text-end', id: '1' },
]

test('a provider object of the newest specification answers', async () => {
  const asked: LanguageModelV4CallOptions[] = []
  const call: LanguageModelV4StreamPart = {
    type: 'tool-call',
    toolCallId: 'c2',
    toolName: 'handoff',
    input: '{}',
  }
  const pieces = await listen(newest([...TEXT, call, FINISH], { asked }))
  expect(pieces).toEqual([
    { delta: 'Hel' },
    { delta: 'lo' },
    { call: { id: 'c2', name: 'handoff', input: '{}' } },
    {
      end: {
        usage: { inputTokens: 12, outputTokens: 3 },
        isEstimated: false,
        model: 'large',
        finishReason: 'stop',
      },
    },
  ])
  expect(asked[0]).toMatchObject({
    maxOutputTokens: 50,
    tools: [{ type: 'function', name: 'handoff', inputSchema: { type: 'object' } }],
    prompt: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', input: { reason: 'urgent' } }],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'handoff' }] },
    ],
  })
})

test('those of the two specifications before answer, too', async () => {
  const around = {
    provider: 'somebody',
    modelId: 'large',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('It is only streamed.')),
  }
  const third: LanguageModelV3 = {
    ...around,
    specificationVersion: 'v3',
    doStream: () =>
      Promise.resolve({
        stream: streamOf([
          { type: 'text-delta', id: '1', delta: 'Hi' },
          {
            type: 'finish',
            finishReason: { unified: 'length', raw: 'max_tokens' },
            usage: {
              inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 1, text: 1, reasoning: 0 },
            },
          },
        ]),
      }),
  }
  const second: LanguageModelV2 = {
    ...around,
    specificationVersion: 'v2',
    doStream: () =>
      Promise.resolve({
        stream: streamOf([
          { type: 'text-delta', id: '1', delta: 'Hi' },
          {
            type: 'finish',
            finishReason: 'length',
            usage: { inputTokens: 5, outputTokens: 1, totalTokens: 6 },
          },
        ]),
      }),
  }
  for (const given of [third, second]) {
    expect(await listen(given)).toMatchObject([
      { delta: 'Hi' },
      { end: { usage: { inputTokens: 5, outputTokens: 1 }, finishReason: 'length' } },
    ])
  }
})

test('a stream without its end is a failure', async () => {
  await expect(listen(newest(TEXT))).rejects.toMatchObject({ kind: 'failed', isTransient: true })
  const error: LanguageModelV4StreamPart = { type: 'error', error: new Error('sk-key') }
  await expect(listen(newest([...TEXT, error]))).rejects.toThrow('reported an error')
})

test('a refusal says nothing of what was sent', async () => {
  const fails = Object.assign(new Error('Wrong key sk-secret'), { isRetryable: false })
  const failing = listen(newest([], { fails }))
  await expect(failing).rejects.toMatchObject({ kind: 'failed', isTransient: false })
  await expect(failing).rejects.not.toThrow('sk-secret')
})

test('one that is silent is given up, and told so', async () => {
  const clock = new TestClock(0)
  const asked: LanguageModelV4CallOptions[] = []
  const failing = listen(newest([], { isOpen: true, asked }), clock)
  const failure = failing.catch((error: unknown) => error)
  await expect.poll(() => asked.length).toBe(1)
  await new Promise((done) => setImmediate(done))
  clock.move(TIMEOUT_MS)
  expect(await failure).toMatchObject({ kind: 'timeout', isTransient: true })
  expect(asked[0]?.abortSignal?.aborted).toBe(true)
})

test('the signal ends it without an end', async () => {
  const stop = new AbortController()
  const asked: LanguageModelV4CallOptions[] = []
  const listening = listen(newest(TEXT, { isOpen: true, asked }), new TestClock(0), stop.signal)
  await expect.poll(() => asked.length).toBe(1)
  stop.abort()
  const pieces = await listening
  expect(pieces.some((piece) => 'end' in piece)).toBe(false)
  expect(asked[0]?.abortSignal?.aborted).toBe(true)
})
