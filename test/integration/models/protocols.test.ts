import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ModelFailure } from '../../../server/models/model.ts'
import { openAiCompatible } from '../../../server/models/openai/openai-compatible.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { PNG } from '../../helpers/servers/model-wire.ts'
import { ASKED, KEY, PROTOCOLS, listen, openModel } from './answering.ts'

const CALL = { id: 'call_1', name: 'handoff', input: '{"reason":"wants a person, ş"}' }
/** The same conversation in each protocol. */
const SENT = {
  anthropic: {
    headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    body: {
      system: 'Be kind.',
      tools: [{ name: 'handoff', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'A person, please.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'A moment.' },
            { type: 'tool_use', id: 'call_1', input: { reason: 'wants a person, ş' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1' }] },
      ],
    },
  },
  'openai-compatible': {
    headers: { authorization: `Bearer ${KEY}` },
    body: {
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'handoff' } }],
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'A person, please.' },
        { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function' }] },
        { role: 'tool', tool_call_id: 'call_1', content: '{"ok":true}' },
      ],
    },
  },
}
const STREAMED = { ...ASKED, stream: true }
const WHOLE = { ...ASKED, stream: false }

describe.each(PROTOCOLS)('%s', (name, open) => {
  let server: ModelServer
  let opened: ReturnType<typeof openModel>

  beforeAll(async () => {
    server = await startModelServer()
    opened = openModel(open, server)
  })
  afterAll(async () => {
    await opened.close()
    await server.close()
  })

  test.each([STREAMED, WHOLE])(
    'gives the text, the usage and why it ended (%#)',
    async (request) => {
      server.act = { text: ['Mer', 'haba ', 'dünya 👋'], usage: { input: 40, output: 9 } }
      const said = await listen(opened.model, request)
      expect(said.text).toBe('Merhaba dünya 👋')
      expect(said.deltas).toHaveLength(request.stream ? 3 : 1)
      expect(said.end).toEqual({
        usage: { inputTokens: 40, outputTokens: 9 },
        isEstimated: false,
        model: 'small',
        finishReason: 'stop',
      })
    },
  )

  test.each([STREAMED, WHOLE])('gives tool calls whole, after the text (%#)', async (request) => {
    server.act = { text: ['One moment.'], calls: [CALL, { ...CALL, id: 'call_2' }] }
    const said = await listen(opened.model, request)
    expect(said.text).toBe('One moment.')
    expect(said.calls.map(({ id }) => id)).toEqual(['call_1', 'call_2'])
    expect(said.calls.map(({ input }): unknown => JSON.parse(input))).toEqual([
      { reason: 'wants a person, ş' },
      { reason: 'wants a person, ş' },
    ])
    expect(said.end?.finishReason).toBe('tool_calls')
  })

  test.each([STREAMED, WHOLE])('says that the answer was cut at the cap (%#)', async (request) => {
    server.act = { text: ['Too lo'], finish: 'length' }
    expect((await listen(opened.model, request)).end?.finishReason).toBe('length')
  })

  test.each([STREAMED, WHOLE])(
    'counts tokens where the response has no usage (%#)',
    async (request) => {
      server.act = { text: ['1234'.repeat(10)], usageIn: 'nowhere' }
      const { end } = await listen(opened.model, request)
      expect(end).toMatchObject({ isEstimated: true, usage: { outputTokens: 10 } })
      expect(end?.usage.inputTokens).toBeGreaterThan(0)
    },
  )

  test.each([
    { lineEnd: '\r\n' },
    { lineEnd: '\r' },
    { multiline: true },
    { sliceBytes: 1 },
    { sliceBytes: 3, lineEnd: '\r\n', multiline: true },
  ] as const)('reads the stream however it is written down: %o', async (manner) => {
    server.act = { text: ['Işık ', 'ığdır ', '👩‍👩‍👧 ', '第一'], calls: [CALL], ...manner }
    const said = await listen(opened.model)
    expect(said.deltas).toEqual(['Işık ', 'ığdır ', '👩‍👩‍👧 ', '第一'])
    expect(said.calls).toEqual([CALL])
  })

  test('sends the key, the cap, the instructions and the whole talk', async () => {
    server.act = { text: ['Done.'] }
    const before = server.calls.length
    await listen(opened.model, {
      ...ASKED,
      messages: [
        { role: 'user', content: 'A person, please.' },
        { role: 'assistant', content: 'A moment.', calls: [CALL] },
        { role: 'tool', callId: 'call_1', content: '{"ok":true}' },
      ],
      tools: [{ name: 'handoff', description: 'Hands over.', schema: { type: 'object' } }],
    })
    const call = server.calls[before]
    expect(call?.body).toMatchObject({ model: 'small', max_tokens: 64, stream: true })
    expect(call).toMatchObject(SENT[name])
  })

  test('uses connections again', async () => {
    server.act = { text: ['Hello'] }
    const ports = new Set<string | undefined>()
    for (let turn = 0; turn < 8; turn += 1) {
      const before = server.calls.length
      await listen(opened.model)
      ports.add(server.calls[before]?.from)
    }
    // The next call may begin before the last one's connection is free again.
    expect(ports.size).toBeLessThanOrEqual(2)
  })
})

describe('OpenAI and those who are compatible', () => {
  let server: ModelServer
  let opened: ReturnType<typeof openModel>

  beforeAll(async () => {
    server = await startModelServer()
    opened = openModel(openAiCompatible, server)
  })
  afterAll(async () => {
    await opened.close()
    await server.close()
  })

  test.each(['own chunk', 'last chunk', 'every chunk'] as const)(
    'finds the usage in its %s',
    async (usageIn) => {
      server.act = { text: ['Hi'], usageIn, usage: { input: 5, output: 3 } }
      const { end } = await listen(opened.model)
      expect(end).toMatchObject({
        usage: { inputTokens: 5, outputTokens: 3 },
        isEstimated: false,
      })
    },
  )

  test('draws images', async () => {
    server.act = { usage: { input: 11, output: 7 } }
    const { signal } = new AbortController()
    const drawn = await opened.model.generateImages({ prompt: 'A cat', count: 2 }, signal)
    expect(drawn).toMatchObject({
      model: 'painter',
      usage: { inputTokens: 11, outputTokens: 7 },
      images: [{ mediaType: 'image/png' }, { mediaType: 'image/png' }],
    })
    expect(Buffer.from(drawn.images[0]?.bytes ?? []).equals(PNG)).toBe(true)
    expect(server.calls.at(-1)?.body).toMatchObject({ model: 'painter', prompt: 'A cat', n: 2 })
  })

  test('shows nothing that is no image', async () => {
    server.act = { images: [Buffer.from('<svg onload="alert(1)"/>')] }
    const { signal } = new AbortController()
    const drawing = opened.model.generateImages({ prompt: 'A cat', count: 1 }, signal)
    await expect(drawing).rejects.toThrow(ModelFailure)
  })
})
