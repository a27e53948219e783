import { afterEach, beforeAll, expect, test } from 'vitest'
import { HOLD_LEASE_MS } from '../../../../server/credits/ledger.ts'
import { releaseEveryHold, releaseLapsedHolds } from '../../../../server/credits/lapsed-holds.ts'
import { extractiveAnswerer } from '../../../../server/models/embedded/extractive.ts'
import type { Workspace } from '../../../helpers/answers.ts'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import {
  OPERATOR_TOKEN,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { eventually } from '../../../helpers/eventually.ts'

describeOnBothDatabases('a turn that outlives its hold', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 15))
  let workspace: TestWorkspace
  let visitor: string

  const product = useProduct(database, {
    clock,
    settings: { LOG_LEVEL: 'silent' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product, { credits: 10 })
    visitor = await addVisitor(product, workspace)
  })
  afterEach(() => void Object.assign(product.ctx, { extractive: extractiveAnswerer }))

  test.each([
    ['a stream', true],
    ['one piece', false],
  ])('costs nothing as %s, and may be tried again under its id', async (_, stream) => {
    Object.assign(product.ctx, {
      extractive: {
        ...extractiveAnswerer,
        async *answer(...given: Parameters<typeof extractiveAnswerer.answer>) {
          yield { delta: 'Well, ' }
          await releaseEveryHold(product.ctx)
          yield* extractiveAnswerer.answer(...given)
        },
      },
    })
    const ask = () =>
      product.call('/api/v1/chatbot/message', {
        token: visitor,
        headers: { 'x-request-id': `lapsed-${stream}` },
        body: { tenant_id: workspace.tenantId, message: 'Hello?', stream },
      })
    const before = await creditsOf()
    const broken = await ask()
    expect(broken.text).toContain('"internal"')
    expect(await creditsOf()).toMatchObject({ remaining: before.remaining, held: 0 })

    Object.assign(product.ctx, { extractive: extractiveAnswerer })
    const answer = await ask()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
    const replay = await ask()
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    expect(await creditsOf()).toMatchObject({ remaining: before.remaining - 1, held: 0 })
  })

  test('tells a member, where it broke off, that it cost nothing and what is left', async () => {
    Object.assign(product.ctx, {
      extractive: {
        ...extractiveAnswerer,
        async *answer() {
          yield { delta: 'Well, ' }
        },
      },
    })
    const before = await creditsOf()
    const answer = await product.call('/api/v1/chatbot/message', {
      token: workspace.token,
      body: { tenant_id: workspace.tenantId, message: 'Hello?', stream: true },
    })
    const [last = ''] = answer.text.trim().split('data: ').slice(-1)
    expect(JSON.parse(last)).toEqual({
      error: { code: 'model_failed', detail: expect.any(String) },
      done: true,
      credits_used: 0,
      credits_remaining: before.remaining,
    })
  })

  test('keeps its hold for as long as the answer takes', async () => {
    const isKept = async () => {
      const holds = await product.ctx.db.selectFrom('holds').select('lease_until').execute()
      expect(holds).toEqual([{ lease_until: clock.now() + HOLD_LEASE_MS }])
    }
    Object.assign(product.ctx, {
      extractive: {
        ...extractiveAnswerer,
        async *answer(...given: Parameters<typeof extractiveAnswerer.answer>) {
          for (let tick = 0; tick < 4; tick += 1) {
            clock.move(HOLD_LEASE_MS / 3)
            await eventually(isKept)
          }
          await releaseLapsedHolds(product.ctx)
          yield* extractiveAnswerer.answer(...given)
        },
      },
    })
    const before = await creditsOf()
    const answer = await product.call('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: 'Hello?' },
    })
    expect(answer.status).toBe(200)
    expect(await creditsOf()).toMatchObject({ remaining: before.remaining - 1, held: 0 })
  })

  async function creditsOf(): Promise<{ remaining: number; held: number }> {
    const { body } = await product.call<Workspace>(`/api/v1/operator/workspaces/${workspace.id}`, {
      token: OPERATOR_TOKEN,
    })
    return body.credits
  }
})
