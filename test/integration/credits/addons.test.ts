import { expect, test } from 'vitest'
import type { Page, Workspace } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { OPERATOR_TOKEN, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import {
  ask,
  buy,
  creditsOf,
  expectExact,
  freshToken,
  patchWorkspace,
  readLedger,
} from './ledger.ts'

describeOnBothDatabases('bought credits and plans', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 10))

  const product = useProduct(database, { clock })

  test('the same purchase reported twice, or ten times at once, counts once', async () => {
    const workspace = await addWorkspace(product, { credits: 5 })
    const first = await buy(product, workspace, 2.5, 'order-1')
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ remaining: 7.5, addons: 2.5, monthly_limit: 5 })
    await Promise.all(Array.from({ length: 10 }, () => buy(product, workspace, 2.5, 'order-1')))
    await Promise.all(Array.from({ length: 10 }, () => buy(product, workspace, 0.001, 'order-2')))
    expect(await expectExact(product, workspace)).toMatchObject({ addons: 2.501, remaining: 7.501 })
    const rows = (await readLedger(product, workspace)).filter(({ type }) => type === 'addon')
    expect(rows.map(({ amount, reference }) => [amount, reference])).toEqual([
      [2.5, 'order-1'],
      [0.001, 'order-2'],
    ])
  })

  test('the same order number of two customers is two purchases', async () => {
    const one = await addWorkspace(product, { credits: 0 })
    const other = await addWorkspace(product, { credits: 0 })
    await buy(product, one, 1, 'order-7')
    await buy(product, other, 1, 'order-7')
    expect((await creditsOf(product, one)).addons).toBe(1)
    expect((await creditsOf(product, other)).addons).toBe(1)
  })

  test('every amount with up to three decimals can be bought, no other', async () => {
    const workspace = await addWorkspace(product, { credits: 0 })
    for (const credits of [0.001, 1.005, 8.2, 4.35, 1_000_000, 19.999]) {
      expect([credits, (await buy(product, workspace, credits, `a-${credits}`)).status]).toEqual([
        credits,
        201,
      ])
    }
    expect((await expectExact(product, workspace)).addons).toBe(1_000_033.555)
    for (const credits of [0, -1, 0.0001, 1.2345, 1e12]) {
      expect([credits, (await buy(product, workspace, credits, `b-${credits}`)).status]).toEqual([
        credits,
        422,
      ])
    }
    for (const raw of [
      '{"credits":"5","reference":"x"}',
      '{"credits":1e999,"reference":"x"}',
      '{"credits":5}',
      '{"credits":5,"reference":" "}',
    ]) {
      const path = `/api/v1/operator/workspaces/${workspace.id}/addons`
      expect((await product.call(path, { token: OPERATOR_TOKEN, raw })).status).toBe(422)
    }
  })

  test('are spent after the monthly ones, and stay when the month ends', async () => {
    const workspace = await addWorkspace(product, { credits: 2 })
    await buy(product, workspace, 3, 'pack')
    const token = await freshToken(product, workspace)
    await ask(product, workspace, token)
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 4, addons: 3 })
    await ask(product, workspace, token)
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 3, addons: 3 })
    await ask(product, workspace, token)
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 2, addons: 2 })
    clock.move(Date.UTC(2027, 6, 1) - clock.now())
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 4, addons: 2 })
    await ask(product, workspace, await freshToken(product, workspace))
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 3, addons: 2 })
    const settled = (await readLedger(product, workspace))
      .filter(({ type }) => type === 'settle')
      .map(({ source, amount }) => [source, amount])
    expect(settled).toEqual([
      ['monthly', -1],
      ['monthly', -1],
      ['addon', -1],
      ['monthly', -1],
    ])
  })

  test('a bigger plan adds what it has more; what was used this month stays used', async () => {
    const workspace = await addWorkspace(product, { plan: 'starter' })
    const token = await freshToken(product, workspace)
    await ask(product, workspace, token)
    expect((await patchWorkspace(product, workspace, { plan: 'klinik_pro' })).status).toBe(200)
    expect(await expectExact(product, workspace)).toMatchObject({
      remaining: 19_999,
      monthly_limit: 20_000,
    })
    const me = await product.call('/api/v1/auth/me', { token })
    expect(me.body).toMatchObject({ user: { plan: 'klinik_pro' }, credits: { remaining: 19_999 } })
    await patchWorkspace(product, workspace, { monthly_credits: 3 })
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 2, monthly_limit: 3 })
    await patchWorkspace(product, workspace, { plan: 'enterprise', monthly_credits: 0 })
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 0, monthly_limit: 0 })
    expect((await ask(product, workspace, token)).status).toBe(402)
  })

  test('going down and up again does not give back what was used', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    const token = await freshToken(product, workspace)
    for (let count = 0; count < 6; count += 1) await ask(product, workspace, token)
    await patchWorkspace(product, workspace, { monthly_credits: 2 })
    expect((await expectExact(product, workspace)).remaining).toBe(0)
    await patchWorkspace(product, workspace, { monthly_credits: 10 })
    expect((await expectExact(product, workspace)).remaining).toBe(4)
  })

  test('the operator lists every workspace with what it has, new ones first', async () => {
    const older = await addWorkspace(product, { credits: 5 })
    clock.move(1)
    const newer = await addWorkspace(product, { credits: 6 })
    const list = (query: string) =>
      product.call<Page<Workspace>>(`/api/v1/operator/workspaces?limit=1${query}`, {
        token: OPERATOR_TOKEN,
      })
    const first = await list('')
    const second = await list(`&cursor=${first.body.next_cursor}`)
    expect([...first.body.data, ...second.body.data]).toMatchObject([
      { ws_id: newer.id, credits: { remaining: 6 } },
      { ws_id: older.id, credits: { remaining: 5 } },
    ])
  })
})
