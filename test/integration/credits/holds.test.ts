import { expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { type HoldOptions, holdCredits, settleHold } from '../../../server/credits/ledger.ts'
import { AppError } from '../../../server/http/errors.ts'
import { newId } from '../../../server/lib/ids.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { buy, creditsOf, expectExact, readLedger } from './ledger.ts'

describeOnBothDatabases('a run that can shrink to what is left', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 10))

  const product = useProduct(database, { clock })

  const hold = ({ id }: TestWorkspace, amount: number, about: HoldOptions = {}) =>
    transaction(product.ctx, (tx) => holdCredits(tx, id, amount, about))

  /** Returns the refusal that the caller would receive. */
  async function refusal(taking: Promise<unknown>): Promise<AppError> {
    const error = await taking.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof AppError)) throw new Error('Nothing was refused.', { cause: error })
    return error
  }

  test('holds all it asked for, or all there is, and never more than that', async () => {
    const workspace = await addWorkspace(product, { credits: 5 })
    await buy(product, workspace, 1.5, 'pack')
    const runId = newId('run')
    const first = await hold(workspace, 4_000, { min: 200, runId })
    expect(first).toMatchObject({ id: runId, amount: 4_000 })
    const second = await hold(workspace, 4_000, { min: 2_500 })
    expect(second.amount).toBe(2_500)
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 0, held: 6.5 })
    await transaction(product.ctx, (tx) => settleHold(tx, second, 9_000))
    await transaction(product.ctx, (tx) => settleHold(tx, first, 1))
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 3.999, held: 0 })
    const rows = await readLedger(product, workspace)
    expect(rows.filter(({ run_id }) => run_id === runId).map(({ amount }) => amount)).toEqual([
      -4, 4, -0.001,
    ])
  })

  test('is refused with the least it needs, and says whether waiting would help', async () => {
    const workspace = await addWorkspace(product, { credits: 1 })
    const open = await hold(workspace, 900)
    const held = await refusal(hold(workspace, 5_000, { min: 101 }))
    expect(held).toMatchObject({
      code: 'credits_held',
      more: { required: 0.101, remaining: 0.1 },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
    const exhausted = await refusal(hold(workspace, 5_000, { min: 1_001 }))
    expect(exhausted).toMatchObject({
      code: 'credits_exhausted',
      more: { required: 1.001, remaining: 0.1, reset_at: '2027-07-01T00:00:00.000Z' },
    })
    expect((await hold(workspace, 5_000, { min: 100 })).amount).toBe(100)
    await transaction(product.ctx, (tx) => settleHold(tx, open, 900))
    const gone = await refusal(hold(workspace, 5_000, { min: 101 }))
    expect(gone.code).toBe('credits_exhausted')
    await expectExact(product, workspace)
  })

  test('shares what is left with others at the same moment, to the thousandth', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    const taken = await Promise.all(
      Array.from({ length: 60 }, () =>
        hold(workspace, 700, { min: 64 }).catch((error: unknown) => {
          if (error instanceof AppError) return undefined
          throw error
        }),
      ),
    )
    const amounts = taken.flatMap((one) => (one ? [one.amount] : []))
    expect(amounts.filter((amount) => amount === 700).length).toBe(14)
    expect(amounts.filter((amount) => amount !== 700)).toEqual([200])
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 0, held: 10 })
  })

  test('finds the new month at midnight even when it was refused a moment before', async () => {
    const workspace = await addWorkspace(product, { credits: 1 })
    const open = await hold(workspace, 600)
    expect((await refusal(hold(workspace, 500))).code).toBe('credits_held')
    await transaction(product.ctx, (tx) => settleHold(tx, open, 600))
    expect((await refusal(hold(workspace, 500))).code).toBe('credits_exhausted')
    clock.move(Date.UTC(2027, 6, 1) - clock.now())
    expect((await hold(workspace, 700)).amount).toBe(700)
    await expectExact(product, workspace)
    clock.move(Date.UTC(2027, 5, 30) - clock.now())
  })
})
