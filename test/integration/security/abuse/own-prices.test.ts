import { beforeAll, expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { addPrompt, execute, usePromptProduct } from '../../prompts/setup.ts'

describeOnDatabase('a customer who sets his own price for the paid model', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database, { settings: { MODEL_ALLOWED: 'small, large' } })
  beforeAll(async () => {
    workspace = await addWorkspace(product, { credits: 1_000 })
  })

  const make = (prompt_id: string, model: string, { token } = workspace, kind = 'fixed') =>
    product.call<Problem>('/api/v1/prompts', {
      token,
      body: {
        prompt_id,
        title: 'Own',
        kind,
        model,
        template: 'Hello {{name}}',
        inputs_schema: { type: 'object', properties: { name: { type: 'string' } } },
        ...(kind === 'bot' ? {} : { credits_cost: kind === 'image' ? 10 : 1 }),
      },
    })

  const lastCall = () => JSON.parse(JSON.stringify(product.model.calls.at(-1)?.body ?? {}))

  async function chooseProvider({ token }: TestWorkspace, base_url: string): Promise<void> {
    const model = { provider: 'openai-compatible', base_url, model: 'mine', image_model: 'mine' }
    const body = { model }
    const answer = await product.call('/api/v1/workspace', { method: 'PATCH', token, body })
    expect(answer.status, answer.text).toBe(200)
  }

  test.each(['fixed', 'bot', 'image'])('may name allowed models only, in a %s', async (kind) => {
    const name = kind === 'image' ? 'test-image-model' : 'test-model'
    for (const [at, model] of [name, 'small', 'large'].entries()) {
      expect((await make(`allowed-${kind}-${at}`, model, workspace, kind)).status).toBe(201)
    }
    const refused = await make(`refused-${kind}`, 'most-expensive', workspace, kind)
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, '/model'])
  })

  test('is free with a provider of his own, until he gives it up', async () => {
    const own = await addWorkspace(product, { credits: 1_000 })
    await chooseProvider(own, product.model.url)
    expect((await make('free', 'most-expensive', own)).status).toBe(201)
    const inputs = { name: 'x'.repeat(30_000) }
    expect((await execute(product, own, { prompt_id: 'free', inputs })).status).toBe(200)
    expect(lastCall()).toMatchObject({ model: 'most-expensive', max_tokens: 1_024 })
    const back = { method: 'PATCH', token: own.token, body: { model: null } }
    expect((await product.call('/api/v1/workspace', back)).status).toBe(200)
    const refused = await execute(product, own, { prompt_id: 'free', inputs: {} })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, '/prompt_id'])
  })

  test('does not reach the paid model by a provider that always fails', async () => {
    const own = await addWorkspace(product, { credits: 1_000 })
    await chooseProvider(own, 'http://127.0.0.1:9/v1')
    await addPrompt(product, own, { credits_cost: 1, max_output_tokens: 16_384 })
    const before = product.model.calls.length
    const failed = await execute(product, own, { prompt_id: 'greeting', inputs: { name: 'Ada' } })
    expect(failed.status).toBe(502)
    expect((await make('picture', 'most-expensive', own, 'image')).status).toBe(201)
    await execute(product, own, { prompt_id: 'picture', inputs: { name: 'Ada' } })
    const names = product.model.calls.slice(before).map(({ body }) => JSON.stringify(body))
    expect(names.filter((body) => body.includes('most-expensive'))).toEqual([])
  })

  test('gets at most 4 times the tokens that his price buys', async () => {
    await addPrompt(product, workspace, { credits_cost: 1, max_output_tokens: 16_384 })
    const run = (length: number) =>
      execute(product, workspace, { prompt_id: 'greeting', inputs: { name: 'x'.repeat(length) } })
    expect((await run(1_000)).status).toBe(200)
    const { max_tokens: cap } = lastCall()
    expect(cap).toBeGreaterThanOrEqual(64)
    expect(cap * 3 + 500).toBeLessThanOrEqual(4_000)
    const dear = await run(20_000)
    expect(dear.body).toMatchObject({ status: 422, code: 'validation_failed', least_price: 3 })
    const impossible = await run(100_000)
    expect(impossible.body).toMatchObject({
      status: 422,
      code: 'validation_failed',
      least_price: expect.any(Number),
    })
    expect(impossible.body.least_price).toBeGreaterThan(8)
    expect(impossible.body.detail).toContain('None of 1 to 8')
  })

  test('sends no book to the paid model for the price of a picture', async () => {
    const poster = {
      prompt_id: 'poster',
      kind: 'image',
      credits_cost: 10,
      template: '{{name}}'.repeat(20),
      inputs_schema: {
        type: 'object',
        properties: { name: { type: 'string' }, count: { type: 'integer' } },
      },
    }
    await addPrompt(product, workspace, poster)
    const run = (length: number, count: number) =>
      execute(product, workspace, {
        prompt_id: 'poster',
        inputs: { name: 'x'.repeat(length), count },
      })
    const before = product.model.calls.length
    const large = await run(8_000, 1)
    expect(large.body).toMatchObject({ status: 422, code: 'validation_failed', least_price: 21 })
    const impossible = await run(40_000, 1)
    expect(impossible.body.detail).toContain('None of 10 to 50')
    expect(product.model.calls.length).toBe(before)
    // Four pictures pay for four times the text.
    await run(8_000, 4)
    expect(product.model.calls.length).toBe(before + 1)
  })

  test('cannot repeat an input until the text fills the memory', async () => {
    const template = '{{name}}'.repeat(2_000)
    await addPrompt(product, workspace, { prompt_id: 'repeated', kind: 'bot', template })
    const inputs = { name: 'x'.repeat(200_000) }
    const answer = await execute(product, workspace, { prompt_id: 'repeated', inputs })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, '/inputs'])
  })
})
