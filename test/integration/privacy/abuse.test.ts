import { expect, test } from 'vitest'
import type { Summary } from '../../../server/analytics/schema.ts'
import type { HistoryMessage, Turn } from '../../../server/chat/schema.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import type { Page, Problem, UsagePage } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  type TestProduct,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { freshToken } from '../credits/ledger.ts'

const say = (product: TestProduct, { tenantId }: TestWorkspace, token: string) =>
  product.call<Turn & Problem>('/api/v1/chatbot/message', {
    token,
    body: { tenant_id: tenantId, message: 'Merhaba' },
  })

describeOnDatabase('a site with a cap on its credits of a day', (database) => {
  /** Ten in the evening in London, one in the morning in Istanbul. */
  const clock = new TestClock(Date.UTC(2027, 5, 15, 21))

  const product = useProduct(database, { clock })

  const capped = (daily_credit_cap: number) =>
    addWorkspace(product, { tenant: { daily_credit_cap, time_zone: 'Europe/London' } })

  test('answers until it is used up, keeps what comes then, and goes on the next day', async () => {
    const workspace = await capped(3)
    const visitor = await addVisitor(product, workspace)
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await say(product, workspace, visitor)).status).toBe(200)
    }
    const { status, body } = await say(product, workspace, visitor)
    expect(status).toBe(402)
    expect(body).toMatchObject({
      code: 'credits_exhausted',
      // Midnight in London, where it is summer.
      reset_at: '2027-06-15T23:00:00.000Z',
    })
    const path = `/api/v1/chatbot/sessions/${body.session_id}`
    const kept = await product.call<Page<HistoryMessage>>(`${path}/messages`, {
      token: visitor,
    })
    expect(kept.body.data.map(({ role }) => role)).toEqual(['visitor'])
    const lead = { name: 'Ayşe', phone: '+905321234567', email: 'ayse@example.com' }
    expect((await product.call(`${path}/lead`, { token: visitor, body: lead })).status).toBe(201)
    const token = await freshToken(product, workspace)
    const summary = await product.call<Summary>('/api/v1/analytics/summary', { token })
    expect(summary.body.totals.capped).toBe(1)
    clock.move(2 * HOUR_MS)
    expect((await say(product, workspace, visitor)).status).toBe(200)
  })

  test('is never passed, however many write at once', async () => {
    const workspace = await capped(5)
    const visitors = await Promise.all(
      Array.from({ length: 16 }, () => addVisitor(product, workspace)),
    )
    let answered = 0
    for (let round = 0; round < 6; round += 1) {
      const turns = await Promise.all(visitors.map((one) => say(product, workspace, one)))
      answered += turns.filter(({ status }) => status === 200).length
      const codes = new Set(turns.map(({ body }) => body.code ?? 'answered'))
      const allowed = new Set(['answered', 'credits_exhausted', 'credits_held'])
      expect([...codes].filter((code) => !allowed.has(code))).toEqual([])
    }
    expect(answered).toBe(5)
    const token = await freshToken(product, workspace)
    const usage = await product.call<UsagePage>('/api/v1/credits/usage', {
      token,
    })
    expect(usage.body.total.credits_used).toBe(5)
  })

  test('may be none at all', async () => {
    const workspace = await capped(0)
    const visitor = await addVisitor(product, workspace)
    expect((await say(product, workspace, visitor)).status).toBe(402)
    await product.call(`/api/v1/tenants/${workspace.tenantId}`, {
      method: 'PATCH',
      token: await freshToken(product, workspace),
      body: { daily_credit_cap: null },
    })
    expect((await say(product, workspace, visitor)).status).toBe(200)
  })
})

describeOnDatabase('who becomes a new visitor again and again', (database) => {
  const product = useProduct(database, {
    clock: new TestClock(Date.UTC(2027, 5, 15)),
    settings: { LIMIT_MESSAGE: '2', LIMIT_DEFAULT: '1' },
  })

  test('writes no more from one address than two visitors would', async () => {
    const workspace = await addWorkspace(product)
    const other = await addWorkspace(product)
    const statuses: number[] = []
    const limits: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const visitor = await addVisitor(product, workspace)
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await say(product, workspace, visitor)
        statuses.push(answer.status)
        limits.push(answer.headers.get('x-ratelimit-limit') ?? '')
      }
    }
    expect(statuses.filter((status) => status === 200).length).toBe(4)
    // A visitor sees the pool that has less left: nearly always their own.
    expect(limits[0]).toBe('2')
    expect(statuses.slice(4)).toEqual([429, 429])
    const visitor = await addVisitor(product, other)
    expect((await say(product, other, visitor)).status).toBe(200)
  })

  test('nor does anything else more often than fifty', async () => {
    const workspace = await addWorkspace(product)
    const other = await addWorkspace(product)
    const open = async (site: TestWorkspace) => {
      const token = await addVisitor(product, site)
      const body = { tenant_id: site.tenantId }
      return (await product.call('/api/v1/chatbot/sessions', { token, body })).status
    }
    const statuses: number[] = []
    for (let count = 0; count < 51; count += 1) statuses.push(await open(workspace))
    expect(statuses.filter((status) => status === 201).length).toBe(50)
    expect(statuses.at(-1)).toBe(429)
    expect(await open(other)).toBe(201)
  })
})
