import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { LedgerRow } from '../../../server/credits/schema.ts'
import type { CreditsAnswer, Page, Run } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { OPERATOR_TOKEN, type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import {
  NAME,
  addPrompt,
  eventsOf,
  execute,
  openPromptWorkspace,
  startPromptProduct,
  usePromptProduct,
} from './setup.ts'

/** The price of tokens, in credits. */
function costOf(tokens: { input_tokens: number; output_tokens: number } | undefined): number {
  return tokens ? (tokens.input_tokens + 3 * tokens.output_tokens) / 1000 : Number.NaN
}

describeOnBothDatabases('running prompts', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database)
  beforeAll(async () => {
    workspace = await openPromptWorkspace(product)
  })
  beforeEach(() => {
    product.model.act = { text: ['Hello', ' Ada'], usage: { input: 12, output: 3 } }
  })

  async function creditsOf({ token }: TestWorkspace) {
    const { body } = await product.call<CreditsAnswer>('/api/v1/credits', {
      token,
    })
    return body
  }

  test('answers with the text, its price, and what is left', async () => {
    const before = (await creditsOf(workspace)).remaining
    const { status, body } = await execute(product, workspace, { prompt_id: 'greeting', ...NAME })
    expect(status).toBe(200)
    expect(body).toEqual({
      run_id: expect.stringMatching(/^run_[0-9A-Za-z]{22,}$/),
      prompt_id: 'greeting',
      prompt_version: 1,
      content: 'Hello Ada',
      credits_used: 8,
      credits_remaining: before - 8,
      usage: { input_tokens: 12, output_tokens: 3 },
      model: expect.any(String),
      locale: 'tr',
      finish_reason: 'stop',
    })
    expect(await creditsOf(workspace)).toMatchObject({ remaining: before - 8, held: 0 })
  })

  test('charges an expert bot 0.001 credits for an input token and 0.003 for an output token', async () => {
    product.model.act = { text: ['Long'], usage: { input: 2_175, output: 275 } }
    const { body } = await execute(product, workspace, { prompt_id: 'expert', ...NAME })
    expect(body.credits_used).toBe(3)
    expect(body.usage).toEqual({ input_tokens: 2_175, output_tokens: 275 })
  })

  test('streams the pieces, then the price', async () => {
    const answer = await execute(product, workspace, {
      prompt_id: 'greeting',
      ...NAME,
      stream: true,
    })
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    const events = eventsOf(answer.text)
    const last = events.pop()
    expect(events.map(({ delta }) => delta).join('')).toBe('Hello Ada')
    expect(last).toEqual({
      done: true,
      credits_used: 8,
      credits_remaining: (await creditsOf(workspace)).remaining,
      run_id: expect.stringMatching(/^run_/),
      finish_reason: 'stop',
    })
  })

  test('gives an image a link that works for anyone who has it, and for nobody who changes it', async () => {
    const { body } = await execute(product, workspace, { prompt_id: 'picture', ...NAME })
    expect(body.credits_used).toBe(10)
    const [image] = body.images ?? []
    expect(image?.media_type).toBe('image/png')
    const path = String(image?.url).replace('http://localhost:3000', '')
    const shown = await fetch(product.url + path)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    const changed = path.replace(/expires=\d/, 'expires=9')
    expect((await fetch(product.url + changed)).status).toBe(404)
  })

  test('says which inputs do not fit, and where they are in the body', async () => {
    const calls = product.model.calls.length
    const { status, body } = await execute(product, workspace, {
      prompt_id: 'greeting',
      inputs: { name: 7 },
    })
    expect(status).toBe(422)
    expect(body.code).toBe('validation_failed')
    expect(body.errors).toEqual([{ path: '/inputs/name', message: 'must be string' }])
    expect(product.model.calls.length).toBe(calls)
  })

  test('refuses what is not a run', async () => {
    for (const body of [{}, { prompt_id: 'greeting' }, { inputs: {} }, { ...NAME, prompt_id: 5 }]) {
      const answer = await execute(product, workspace, body)
      expect(answer.status, JSON.stringify(body)).toBe(422)
    }
    const more = await execute(product, workspace, { prompt_id: 'greeting', ...NAME, model: 'x' })
    expect(more.body.errors?.[0]?.path).toBe('/model')
    const unknown = await execute(product, workspace, { prompt_id: 'no-such', ...NAME })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  })

  test("does not know another workspace's prompt", async () => {
    const stranger = await addWorkspace(product)
    const { status } = await execute(product, stranger, { prompt_id: 'greeting', ...NAME })
    expect(status).toBe(404)
  })

  test('refuses a bot on Starter, and a prompt above the plan, before it looks at the inputs', async () => {
    const starter = await openPromptWorkspace(product, { plan: 'starter' })
    await addPrompt(product, starter, { prompt_id: 'for-clinics', min_plan: 'klinik_pro' })
    for (const prompt_id of ['expert', 'for-clinics']) {
      const { status, body } = await execute(product, starter, { prompt_id, inputs: {} })
      expect([status, body.code]).toEqual([402, 'plan_insufficient'])
    }
    const { status } = await execute(product, starter, { prompt_id: 'greeting', ...NAME })
    expect(status).toBe(200)
  })

  test('names the plans that have a prompt: each of the Pro plans, or Enterprise alone', async () => {
    const starter = await openPromptWorkspace(product, { plan: 'starter' })
    await addPrompt(product, starter, { prompt_id: 'for-agencies', min_plan: 'ajans_pro' })
    await addPrompt(product, starter, { prompt_id: 'big', kind: 'bot', min_plan: 'enterprise' })
    const agencies = await execute(product, starter, { prompt_id: 'for-agencies', inputs: {} })
    expect(agencies.body.detail).toContain('klinik_pro, ajans_pro, eticaret_pro, enterprise')
    const big = await execute(product, starter, { prompt_id: 'big', inputs: {} })
    expect(big.body).toMatchObject({ code: 'plan_insufficient', required_plan: 'enterprise' })
    expect(big.body.detail).not.toContain('klinik_pro')
  })

  test('refuses a run that the credits cannot pay, and says what is missing', async () => {
    const poor = await openPromptWorkspace(product, { credits: 1 })
    const calls = product.model.calls.length
    const { status, body } = await execute(product, poor, { prompt_id: 'greeting', ...NAME })
    expect([status, body.code]).toEqual([402, 'credits_exhausted'])
    expect(body).toMatchObject({ required: 8, remaining: 1, reset_at: expect.any(String) })
    expect(body.detail).toMatch(/^Credits needed: 8; left: 1\. Add credits/)
    expect(product.model.calls.length).toBe(calls)
  })

  test("shrinks a bot's output to what the credits can pay", async () => {
    const poor = await openPromptWorkspace(product, { credits: 1 })
    product.model.act = { text: ['Short'], usage: { input: 20, output: 100 } }
    const { status, body } = await execute(product, poor, { prompt_id: 'expert', ...NAME })
    expect(status).toBe(200)
    expect(body.credits_used).toBe(0.32)
    const cap = Number(product.model.calls.at(-1)?.body.max_tokens)
    expect(cap).toBeGreaterThanOrEqual(64)
    expect(cap * 0.003).toBeLessThan(1)
  })

  test('never charges more than was held, whatever the model says it used', async () => {
    const poor = await openPromptWorkspace(product, { credits: 1 })
    product.model.act = { text: ['Long'], usage: { input: 50_000, output: 50_000 } }
    const { body } = await execute(product, poor, { prompt_id: 'expert', ...NAME })
    expect(body.credits_used).toBeLessThanOrEqual(1)
    expect(body.credits_remaining).toBeGreaterThanOrEqual(0)
    const { billed, ...reported } = body.usage
    expect(reported).toEqual({ input_tokens: 50_000, output_tokens: 50_000 })
    expect(costOf(billed)).toBe(body.credits_used)
    const { token } = poor
    const run = await product.call<Run>(`/api/v1/runs/${body.run_id}`, { token })
    expect(run.body.usage).toEqual(body.usage)
    const ledger = await product.call<Page<LedgerRow>>('/api/v1/credits/ledger?type=settle', {
      token,
    })
    expect(ledger.body.data).toMatchObject([
      {
        run_id: body.run_id,
        amount: -body.credits_used,
        billed_input_tokens: billed?.input_tokens,
        billed_output_tokens: billed?.output_tokens,
      },
    ])
  })

  test('runs in one of the languages of the prompt, and in no other', async () => {
    const { token } = workspace
    await addPrompt(product, workspace, { prompt_id: 'german-only', locales: ['de'] })
    const run = (prompt_id: string, locale?: string) =>
      execute(product, { token }, { prompt_id, ...NAME, ...(locale ? { locale } : {}) })
    const wrong = await run('german-only', 'en')
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [{ path: '/locale', message: 'must be one of: de' }],
    ])
    expect((await run('german-only', 'de')).body.locale).toBe('de')
    expect((await run('german-only')).body.locale).toBe('de')
    expect((await run('greeting', 'fr')).body.locale).toBe('fr')
    const inputs = { text: 'Bir metin. İkinci cümle.' }
    const shipped = { prompt_id: 'summary', locale: 'de', inputs }
    expect((await execute(product, { token }, shipped)).status).toBe(422)
  })

  test('shows each run to its workspace and to nobody else', async () => {
    const { body } = await execute(product, workspace, { prompt_id: 'greeting', ...NAME })
    const seen = await product.call(`/api/v1/runs/${body.run_id}`, { token: workspace.token })
    expect(seen.body).toMatchObject({
      run_id: body.run_id,
      prompt_id: 'greeting',
      state: 'done',
      credits_used: 8,
      usage: { input_tokens: 12, output_tokens: 3 },
      error: null,
    })
    const stranger = await addWorkspace(product)
    const refused = await product.call(`/api/v1/runs/${body.run_id}`, { token: stranger.token })
    expect(refused.status).toBe(403)
    const list = await product.call<Page<object>>('/api/v1/runs', { token: stranger.token })
    expect(list.body.data).toEqual([])
  })

  test('runs a prompt as one call with 200 at once and credits for one', async () => {
    const poor = await openPromptWorkspace(product, { credits: 8 })
    const calls = product.model.calls.length
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => execute(product, poor, { prompt_id: 'greeting', ...NAME })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(199)
    expect(product.model.calls.length - calls).toBe(1)
    expect(await creditsOf(poor)).toMatchObject({ remaining: 0, held: 0 })
  })

  test('counts runs in a pool of their own, which Enterprise does not have', async () => {
    const limited = await startPromptProduct(await database.create(), {
      settings: { LIMIT_EXECUTE: '3' },
    })
    try {
      const pro = await openPromptWorkspace(limited)
      const statuses: number[] = []
      for (let count = 0; count < 4; count += 1) {
        const { status, headers } = await execute(limited, pro, { prompt_id: 'no-such', ...NAME })
        statuses.push(status)
        expect(headers.get('x-ratelimit-limit')).toBe('3')
      }
      expect(statuses).toEqual([404, 404, 404, 429])
      const enterprise = await openPromptWorkspace(limited, { plan: 'enterprise' })
      const free = await execute(limited, enterprise, { prompt_id: 'greeting', ...NAME })
      expect(free.status).toBe(200)
      expect(free.headers.get('x-ratelimit-limit')).toBeNull()
    } finally {
      await limited.stop()
    }
  })

  test('marks a run that died with its process as failed, and gives its credits back', async () => {
    const place = await database.create()
    const first = await startPromptProduct(place)
    const mine = await openPromptWorkspace(first)
    first.model.act = 'silence'
    const dying = execute(first, mine, { prompt_id: 'greeting', ...NAME }).catch(() => undefined)
    await first.model.waitFor(1)
    await first.ctx.db.updateTable('holds').set({ lease_until: 0 }).execute()
    const { releaseLapsedHolds } = await import('../../../server/credits/lapsed-holds.ts')
    await releaseLapsedHolds(first.ctx)
    const { body } = await first.call<Page<Run>>('/api/v1/runs', { token: mine.token })
    expect(body.data[0]).toMatchObject({ state: 'failed', error: { code: 'internal' } })
    // The model hangs up, so that nothing is left to be waited for.
    await first.model.close()
    await dying
    await first.stop()
  })

  test('gives no run to an operator token or to nobody', async () => {
    const body = { prompt_id: 'greeting', ...NAME }
    expect((await execute(product, { token: OPERATOR_TOKEN }, body)).status).toBe(401)
    const nobody = await product.call('/api/v1/prompts/execute', { body })
    expect(nobody.status).toBe(401)
  })
})
