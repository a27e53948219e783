import { beforeAll, describe, expect, test } from 'vitest'
import type { CreditsAnswer } from '../../helpers/answers.ts'
import { impatientClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import type { ModelAct } from '../../helpers/servers/model-server.ts'
import type { TestWorkspace } from '../../helpers/product.ts'
import {
  NAME,
  addPrompt,
  eventsOf,
  execute,
  openPromptWorkspace,
  usePromptProduct,
} from './setup.ts'

const ASKED = { prompt_id: 'greeting', ...NAME }

describeOnDatabase('a model that fails', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database, {
    clock: impatientClock,
    settings: { MODEL_TIMEOUT_MS: '2000' },
  })
  beforeAll(async () => {
    workspace = await openPromptWorkspace(product)
  })

  async function expectNothingCharged(): Promise<void> {
    const { body } = await product.call<CreditsAnswer>('/api/v1/credits', {
      token: workspace.token,
    })
    expect(body).toMatchObject({ remaining: 20_000, held: 0 })
  }

  describe('before its first piece', () => {
    const failures: [string, ModelAct, number, string][] = [
      ['refuses with 500', { status: 500 }, 502, 'model_failed'],
      ['hangs up', 'drop', 502, 'model_failed'],
      [
        'answers with something that is no JSON',
        { text: ['x'], brokenAfter: 0 },
        502,
        'model_failed',
      ],
      ['answers with nothing', { text: [] }, 502, 'model_failed'],
      ['is silent', 'silence', 504, 'model_timeout'],
    ]
    for (const [name, act, status, code] of failures) {
      for (const stream of [false, true]) {
        test(`${name}: an HTTP status ${stream ? 'for a stream' : ''}, and no charge`, async () => {
          product.model.act = act
          const answer = await execute(product, workspace, { ...ASKED, stream })
          expect([answer.status, answer.body.code]).toEqual([status, code])
          await expectNothingCharged()
        })
      }
    }

    test('is asked again, and only then answers: one run, one charge', async () => {
      const other = await openPromptWorkspace(product, { credits: 8 })
      const before = product.model.calls.length
      product.model.act = (_call, count) =>
        count - before < 3 ? { status: 503 } : { text: ['At last'] }
      const answer = await execute(product, other, ASKED)
      expect(answer.body).toMatchObject({ content: 'At last', credits_used: 8 })
      expect(product.model.calls.length - before).toBe(3)
    })
  })

  test('in the middle of a stream: says so in the last event, and charges nothing', async () => {
    for (const fault of [{ cutAfter: 2 }, { endAfter: 2 }, { errorAfter: 2 }, { brokenAfter: 2 }]) {
      product.model.act = { text: ['One', ' two', ' three'], everyMs: 20, ...fault }
      const answer = await execute(product, workspace, { ...ASKED, stream: true })
      expect(answer.status).toBe(200)
      const events = eventsOf(answer.text)
      expect(events.at(-1), JSON.stringify(fault)).toEqual({
        error: { code: 'model_failed', detail: expect.any(String) },
        done: true,
        credits_used: 0,
        credits_remaining: 20_000,
      })
    }
    await expectNothingCharged()
  })

  test('is only slow: a long answer comes whole, however long it takes to write', async () => {
    const other = await openPromptWorkspace(product)
    await addPrompt(product, other, { prompt_id: 'long', max_output_tokens: 16_384 })
    const text = ['It ', 'takes ', 'more ', 'than ', 'a second.']
    product.model.act = ({ body }) =>
      body.stream === true ? { text, everyMs: 260 } : { text, headAfterMs: 1_300 }
    const answer = await execute(product, other, { prompt_id: 'long', ...NAME })
    expect([answer.status, answer.body.content]).toEqual([200, text.join('')])
  })

  test('may be tried again under the same id', async () => {
    const headers = { 'x-request-id': 'again-please' }
    product.model.act = { status: 500 }
    expect((await execute(product, workspace, ASKED, headers)).status).toBe(502)
    const other = await openPromptWorkspace(product)
    product.model.act = { status: 500 }
    expect((await execute(product, other, ASKED, headers)).status).toBe(502)
    product.model.act = { text: ['Now'] }
    const answer = await execute(product, other, ASKED, headers)
    expect(answer.body.content).toBe('Now')
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  })

  test("shows the failed run, and never the provider's words or key", async () => {
    product.model.act = { status: 401 }
    const answer = await execute(product, workspace, ASKED)
    expect(answer.status).toBe(502)
    expect(answer.text).not.toContain('sk-test')
    const { text } = await product.call('/api/v1/runs?state=failed', { token: workspace.token })
    expect(text).toContain('model_failed')
    expect(text).not.toContain('sk-test')
  })
})
