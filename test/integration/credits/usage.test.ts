import { expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { holdCredits, settleHold } from '../../../server/credits/ledger.ts'
import type { UsageRow } from '../../../server/credits/schema.ts'
import type { UsageCount } from '../../../server/credits/usage.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import type { CreatedApiKey, Me, UsagePage } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ask, freshToken } from './ledger.ts'

describeOnBothDatabases('what credits were used for', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 10))

  const product = useProduct(database, { clock })

  async function usageOf(workspace: TestWorkspace, query: string): Promise<UsagePage> {
    const token = await freshToken(product, workspace)
    const answer = await product.call<UsagePage>(`/api/v1/credits/usage?${query}`, { token })
    expect(answer.status).toBe(200)
    return answer.body
  }

  const settle = ({ id }: TestWorkspace, cost: number, usage: UsageCount) =>
    transaction(product.ctx, async (tx) =>
      settleHold(tx, await holdCredits(tx, id, cost), cost, usage),
    )

  test('is counted for the bot, and for the user and the key that asked', async () => {
    const workspace = await addWorkspace(product)
    const token = await freshToken(product, workspace)
    const { body: key } = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token,
      body: { name: 'Site' },
    })
    const me = await product.call<Me>('/api/v1/auth/me', { token })
    await ask(product, workspace, await addVisitor(product, workspace))
    await ask(product, workspace, token)
    await ask(product, workspace, key.key)
    const runsOf = async (by: string) =>
      (await usageOf(workspace, `by=${by}`)).data.map(({ subject, runs }) => [subject, runs])
    expect(await runsOf('bot')).toEqual([[workspace.tenantId, 3]])
    expect(await runsOf('user')).toEqual([[me.body.user.id, 2]])
    expect(await runsOf('key')).toEqual([[key.id, 1]])
    expect(await runsOf('prompt')).toEqual([])
    const { data, total } = await usageOf(workspace, '')
    expect(data).toEqual([{ subject: '2027-06-15', ...total }])
    expect(total).toMatchObject({ runs: 3, credits_used: 3 })
    expect(total.input_tokens).toBeGreaterThan(0)
  })

  test('falls on the day that it is where the workspace is', async () => {
    const workspace = await addWorkspace(product)
    const usage = { promptId: 'summary', inputTokens: 2_000, outputTokens: 10 }
    await settle(workspace, 2_030, usage)
    clock.move(Date.UTC(2027, 5, 15, 21) - 1 - clock.now())
    await settle(workspace, 1, usage)
    clock.move(1)
    await settle(workspace, 3, usage)
    clock.move(3 * DAY_MS)
    await settle(workspace, 4_000, usage)
    const { data, from, to } = await usageOf(workspace, '')
    expect([from, to]).toEqual(['2027-05-21', '2027-06-19'])
    expect(data.map((row) => [row.subject, row.runs, row.credits_used, row.input_tokens])).toEqual([
      ['2027-06-19', 1, 4, 2_000],
      ['2027-06-16', 1, 0.003, 2_000],
      ['2027-06-15', 2, 2.031, 4_000],
    ])
    const two = await usageOf(workspace, 'from=2027-06-15&to=2027-06-16&by=prompt')
    expect(two.data).toEqual([{ subject: 'summary', ...two.total }])
    expect(two.total).toEqual({
      runs: 3,
      credits_used: 2.034,
      input_tokens: 6_000,
      output_tokens: 30,
    })
    const instant = await usageOf(workspace, 'to=2027-06-15T21:00:00Z')
    expect([instant.to, instant.total.runs]).toEqual(['2027-06-15', 2])
  })

  test('is read page by page, who used most first, each exactly once', async () => {
    const workspace = await addWorkspace(product)
    for (let count = 0; count < 23; count += 1) {
      const cost = 1_000 + (count % 5)
      const promptId = `prompt-${count % 12}`
      await settle(workspace, cost, { promptId, inputTokens: 1, outputTokens: 1 })
    }
    const seen: UsageRow[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: UsagePage = await usageOf(
        workspace,
        `by=prompt&limit=5${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...page.data)
      cursor = page.next_cursor
    }
    expect(seen.length).toBe(12)
    expect(new Set(seen.map(({ subject }) => subject)).size).toBe(12)
    expect(seen).toEqual(
      seen.toSorted((a, b) => b.credits_used - a.credits_used || (a.subject < b.subject ? -1 : 1)),
    )
    const days: string[] = []
    for (let day = 0; day < 3; day += 1) {
      clock.move(DAY_MS)
      await settle(workspace, 1_000, { inputTokens: 0, outputTokens: 0 })
    }
    for (let next: string | null = ''; next !== null;) {
      const page: UsagePage = await usageOf(workspace, `limit=2${next && `&cursor=${next}`}`)
      days.push(...page.data.map(({ subject }) => subject))
      next = page.next_cursor
    }
    expect(days).toEqual(days.toSorted().toReversed())
    expect(days.length).toBe(4)
  })

  test('adds up when many runs of many kinds end at once', async () => {
    const workspace = await addWorkspace(product)
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        settle(workspace, 1_000, {
          promptId: `p-${index % 3}`,
          tenantId: index % 2 ? 'one' : undefined,
          userId: `u-${index % 4}`,
          inputTokens: 3,
          outputTokens: 2,
        }),
      ),
    )
    for (const [by, runs] of [
      ['prompt', 40],
      ['user', 40],
      ['bot', 20],
      ['day', 40],
    ] as const) {
      const { data } = await usageOf(workspace, `by=${by}`)
      expect([by, data.reduce((sum, row) => sum + row.runs, 0)]).toEqual([by, runs])
      expect(data.reduce((sum, row) => sum + row.output_tokens, 0)).toBe(runs * 2)
    }
  })

  test('is refused for days that there are not', async () => {
    const workspace = await addWorkspace(product)
    const token = await freshToken(product, workspace)
    for (const query of [
      'from=2027-02-29',
      'to=yesterday',
      'from=2027-06-16&to=2027-06-15',
      'by=tenant',
      'from=',
      'cursor=xx',
      'since=2027-06-15',
    ]) {
      const { status } = await product.call(`/api/v1/credits/usage?${query}`, { token })
      expect([query, status]).toEqual([query, 422])
    }
  })
})
