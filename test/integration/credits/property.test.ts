import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { type Hold, holdCredits, releaseHold, settleHold } from '../../../server/credits/ledger.ts'
import { releaseLapsedHolds } from '../../../server/credits/lapsed-holds.ts'
import { AppError } from '../../../server/http/errors.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { buy, creditsOf, expectBalanced, expectExact, patchWorkspace } from './ledger.ts'

type Step =
  | { do: 'run'; held: number; cost: number }
  | { do: 'leave'; held: number }
  | { do: 'fail'; held: number }
  | { do: 'buy'; credits: number; reference: number }
  | { do: 'limit'; credits: number }
  | { do: 'sleep'; days: number }
  | { do: 'sweep' }

const amount = fc.integer({ min: 1, max: 6_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('run' as const), held: amount, cost: amount }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), held: amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), held: amount }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      credits: fc.integer({ min: 1, max: 4_000 }).map((milli) => milli / 1_000),
      reference: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      credits: fc.integer({ min: 0, max: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sleep' as const),
      days: fc.integer({ min: 1, max: 70 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'sweep' as const }) },
)

describeOnBothDatabases('whatever happens to credits, by many callers at once', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 10))

  const product = useProduct(database, { clock })

  async function perform(workspace: TestWorkspace, now: Step): Promise<void> {
    const { ctx } = product
    if (now.do === 'buy') await buy(product, workspace, now.credits, `order-${now.reference}`)
    else if (now.do === 'limit') {
      await patchWorkspace(product, workspace, { monthly_credits: now.credits })
    } else if (now.do === 'sleep') clock.move(now.days * DAY_MS)
    else if (now.do === 'sweep') await releaseLapsedHolds(ctx)
    else {
      const hold = await take(workspace, now.held)
      if (!hold || now.do === 'leave') return
      if (now.do === 'fail') {
        await transaction(ctx, (tx) => releaseHold(tx, hold))
        return
      }
      await transaction(ctx, (tx) => settleHold(tx, hold, now.cost)).catch(onlyWhenSwept)
    }
  }

  async function take(workspace: TestWorkspace, held: number): Promise<Hold | undefined> {
    try {
      return await transaction(product.ctx, (tx) => holdCredits(tx, workspace.id, held))
    } catch (error) {
      if (error instanceof AppError && error.code.startsWith('credits_')) return undefined
      throw error
    }
  }

  test('the ledger adds up to the balance, and nobody ever sees less than nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
        async (callers) => {
          const workspace = await addWorkspace(product, { credits: 10 })
          await Promise.all(
            callers.map(async (steps) => {
              for (const one of steps) {
                await perform(workspace, one)
                const credits = await creditsOf(product, workspace)
                expect(credits.remaining).toBeGreaterThanOrEqual(0)
                expect(credits.held).toBeGreaterThanOrEqual(0)
              }
            }),
          )
          await expectBalanced(product, workspace)
          clock.move(2 * 60_000)
          await releaseLapsedHolds(product.ctx)
          await buy(product, workspace, 0.001, 'brings the month up to date')
          expect((await expectExact(product, workspace)).held).toBe(0)
        },
      ),
      { numRuns: 10, endOnFailure: true },
    )
  })
})

function onlyWhenSwept(error: unknown): void {
  if (!(error instanceof Error && /settled or released before/.test(error.message))) throw error
}
