import { beforeAll, expect, test } from 'vitest'
import { impatientClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import type { TestWorkspace } from '../../helpers/product.ts'
import { NAME, eventsOf, execute, openPromptWorkspace, usePromptProduct } from './setup.ts'

const ASKED = { prompt_id: 'expert', ...NAME }
const EVENTS = { 'content-type': 'text/event-stream' }

/** A stream as its provider writes it, whatever the product asked for. */
const stream = (...events: unknown[]) => ({
  status: 200,
  headers: EVENTS,
  body: events
    .map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
    .join(''),
})
const whole = (answer: object, headers: Record<string, string> = {}) => ({
  status: 200,
  headers,
  body: JSON.stringify(answer),
})

describeOnDatabase('an OpenAI-compatible provider', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database, { clock: impatientClock })
  beforeAll(async () => {
    workspace = await openPromptWorkspace(product)
  })

  const chunk = (content: string, more: object = {}) => ({
    model: 'small',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  })
  const usageOf = (prompt_tokens: number, completion_tokens: number) => ({
    usage: { prompt_tokens, completion_tokens },
  })
  const message = (content: unknown) => ({ choices: [{ message: { content } }], ...usageOf(9, 3) })

  test.each([
    ['in a sentence', { error: 'overloaded' }],
    ['as an object', { error: { message: 'Overloaded.' } }],
    ['as an object of the kind error', { object: 'error', message: 'Overloaded.', code: 50_001 }],
  ])('that reports an error %s in its stream has failed, and is not paid', async (_how, error) => {
    product.model.act = stream(chunk('Half'), error, '[DONE]')
    const answer = await execute(product, workspace, { ...ASKED, stream: true })
    expect(eventsOf(answer.text)).toEqual([
      { delta: 'Half' },
      expect.objectContaining({
        error: { code: 'model_failed', detail: expect.any(String) },
        credits_used: 0,
      }),
    ])
  })

  test('is paid for what it counted up to, though its last count is zero', async () => {
    product.model.act = stream(
      chunk('One', usageOf(1_000, 100)),
      chunk(' two', usageOf(1_000, 200)),
      { choices: [], ...usageOf(0, 0) },
      '[DONE]',
    )
    const { body } = await execute(product, workspace, ASKED)
    expect(body).toMatchObject({
      credits_used: 1.6,
      usage: { input_tokens: 1_000, output_tokens: 200 },
    })
  })

  test('may leave out of what type its answer is', async () => {
    product.model.act = whole(message('Plain'), { 'content-type': 'text/plain' })
    expect((await execute(product, workspace, ASKED)).body.content).toBe('Plain')
    product.model.act = { ...stream(chunk('Plain'), '[DONE]'), headers: { 'content-type': '' } }
    const streamed = await execute(product, workspace, { ...ASKED, stream: true })
    expect(eventsOf(streamed.text)[0]).toEqual({ delta: 'Plain' })
  })

  test('may write its text in parts', async () => {
    product.model.act = whole(
      message([
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
        { type: 'text', text: 'Well,' },
        { type: 'text', text: ' yes.' },
      ]),
    )
    expect((await execute(product, workspace, ASKED)).body.content).toBe('Well, yes.')
  })

  test.each([
    ['with a control character', 'gpt\u0000'],
    ['that has no end', 'm'.repeat(100_000)],
  ])('may give itself a name %s, which nobody is shown', async (_how, model) => {
    product.model.act = whole({ ...message('Here'), model })
    const answer = await execute(product, workspace, ASKED)
    expect(answer.body).toMatchObject({ content: 'Here', model: 'test-model' })
  })

  test('counts nothing that no model can have read', async () => {
    product.model.act = whole({ ...message('12345678'), ...usageOf(9e15, 9e15) })
    const { body } = await execute(product, workspace, ASKED)
    expect(body.usage.output_tokens).toBe(2)
  })
})

describeOnDatabase('a provider that speaks as Anthropic', (database) => {
  let workspace: TestWorkspace

  const settings = { MODEL_PROVIDER: 'anthropic' }
  const product = usePromptProduct(database, { settings })
  beforeAll(async () => {
    workspace = await openPromptWorkspace(product)
  })

  const read = { input_tokens: 10, cache_read_input_tokens: 1_000, output_tokens: 1 }
  const begun = [
    { type: 'message_start', message: { model: 'claude', usage: read } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
  ]

  test.each([
    ['only the output', { output_tokens: 50 }],
    ['no cache', { input_tokens: 10, output_tokens: 50 }],
    ['no input', { input_tokens: 0, output_tokens: 50 }],
    ['all of it', { ...read, output_tokens: 50 }],
  ])('is paid for the cached input too when its last count has %s', async (_what, usage) => {
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }
    product.model.act = stream(...begun, end, { type: 'message_stop' })
    const { body } = await execute(product, workspace, ASKED)
    expect(body).toMatchObject({
      credits_used: 1.16,
      usage: { input_tokens: 1_010, output_tokens: 50 },
    })
  })
})
