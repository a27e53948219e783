import { expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { holdCredits, settleHold } from '../../../server/credits/ledger.ts'
import { isoTime } from '../../../server/http/pagination.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import { nextMonth } from '../../../server/lib/months.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ask, buy, creditsOf, expectExact, freshToken, readLedger } from './ledger.ts'

describeOnBothDatabases('monthly credits', (database) => {
  const clock = new TestClock(Date.UTC(2027, 10, 30, 10))

  const product = useProduct(database, { clock })

  const goTo = (year: number, month: number, day: number, ms = 0) =>
    clock.move(Date.UTC(year, month - 1, day) + ms - clock.now())

  test('come back with the first instant of the month; what was not used lapses', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    const token = await freshToken(product, workspace)
    expect((await ask(product, workspace, token)).body.credits_remaining).toBe(9)
    goTo(2027, 12, 1, -1)
    expect(await creditsOf(product, workspace)).toMatchObject({
      remaining: 9,
      reset_at: '2027-12-01T00:00:00.000Z',
    })
    goTo(2027, 12, 1)
    expect(await creditsOf(product, workspace)).toMatchObject({
      remaining: 10,
      reset_at: '2028-01-01T00:00:00.000Z',
    })
    const later = await freshToken(product, workspace)
    expect((await ask(product, workspace, later)).body.credits_remaining).toBe(9)
    const types = (await readLedger(product, workspace)).map(({ type, amount }) => [type, amount])
    expect(types.slice(-5, -3)).toEqual([
      ['expire', -9],
      ['grant', 10],
    ])
    await expectExact(product, workspace)
  })

  test('of months that nobody used are granted once, not added up', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    await buy(product, workspace, 3, 'kept')
    await ask(product, workspace, await freshToken(product, workspace))
    goTo(2028, 2, 29, 12 * HOUR_MS)
    expect(await creditsOf(product, workspace)).toMatchObject({
      remaining: 13,
      addons: 3,
      reset_at: '2028-03-01T00:00:00.000Z',
    })
    await ask(product, workspace, await freshToken(product, workspace))
    const grants = (await readLedger(product, workspace)).filter(({ type }) => type === 'grant')
    expect(grants.map(({ amount, created_at }) => [amount, created_at])).toEqual([
      [10, expect.any(String)],
      [10, '2028-02-01T00:00:00.000Z'],
    ])
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 12, addons: 3 })
    goTo(2028, 3, 1, -1)
    expect((await creditsOf(product, workspace)).remaining).toBe(12)
    goTo(2028, 3, 1)
    expect(await creditsOf(product, workspace)).toMatchObject({
      remaining: 13,
      reset_at: '2028-04-01T00:00:00.000Z',
    })
  })

  test('pay for a turn in the month in which it ends', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    await ask(product, workspace, await freshToken(product, workspace))
    goTo(2028, 4, 1, -1)
    const hold = await transaction(product.ctx, (tx) => holdCredits(tx, workspace.id, 3_000))
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 6, held: 3 })
    goTo(2028, 4, 1)
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 7, held: 3 })
    await transaction(product.ctx, (tx) => settleHold(tx, hold, 2_000))
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 8, held: 0 })
  })

  test('begin once, however many people come at midnight', async () => {
    const workspace = await addWorkspace(product, { credits: 30 })
    const before = await freshToken(product, workspace)
    await Promise.all(Array.from({ length: 10 }, () => ask(product, workspace, before)))
    goTo(2028, 5, 1)
    const token = await freshToken(product, workspace)
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask(product, workspace, token)),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(30)
    expect(answers.filter(({ status }) => status === 402).length).toBe(10)
    const rows = await readLedger(product, workspace)
    expect(rows.filter(({ type }) => type === 'grant').length).toBe(2)
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 0, held: 0 })
  })

  test('are in the ledger for its first reader, before anything is run', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    await ask(product, workspace, await freshToken(product, workspace))
    for (const file of ['ledger', 'ledger.csv', 'ledger.jsonl']) {
      clock.move(nextMonth(clock.now()) - clock.now())
      const token = await freshToken(product, workspace)
      const { text } = await product.call(`/api/v1/credits/${file}?type=grant`, { token })
      expect([file, text]).toEqual([file, expect.stringContaining(isoTime(clock.now()))])
      expect(await expectExact(product, workspace)).toMatchObject({ remaining: 10 })
    }
  })
})
