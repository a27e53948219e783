import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { holdCredits } from '../../../server/credits/ledger.ts'
import { releaseLapsedHolds } from '../../../server/credits/lapsed-holds.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { ask, creditsOf, expectExact, freshToken, readLedger } from './ledger.ts'

describeOnBothDatabases('what a turn costs', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 10))
  let place: DatabasePlace
  let product: StartedProduct

  beforeAll(async () => {
    place = await database.create()
    product = await startTestProduct(place, { clock })
  })
  afterAll(() => product.stop())

  test('is held first, then settled, and each step is in the ledger', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    const token = await freshToken(product, workspace)
    const { body } = await ask(product, workspace, token)
    expect(body).toMatchObject({ credits_used: 1, credits_remaining: 9 })
    const rows = await readLedger(product, workspace)
    expect(rows.map(({ type, source }) => [type, source])).toEqual([
      ['grant', 'monthly'],
      ['hold', 'monthly'],
      ['release', 'monthly'],
      ['settle', 'monthly'],
    ])
    const [, hold, release, settle] = rows
    expect(hold?.run_id).toMatch(/^run_/)
    expect([release?.run_id, settle?.run_id]).toEqual([hold?.run_id, hold?.run_id])
    expect(settle).toMatchObject({ amount: -1, monthly_after: 9, addons_after: 0, held_after: 0 })
    await expectExact(product, workspace)
  })

  test('is shown to the owner and never to a visitor', async () => {
    const workspace = await addWorkspace(product, { credits: 10 })
    const token = await addVisitor(product, workspace)
    for (const stream of [false, true]) {
      const answer = await product.call('/api/v1/chatbot/message', {
        token,
        body: { tenant_id: workspace.tenantId, message: 'Hello?', stream },
      })
      expect(answer.status).toBe(200)
      expect(answer.text).not.toMatch(/credits/)
    }
    expect((await creditsOf(product, workspace)).remaining).toBe(8)
  })

  test('says to try again when others hold what is left', async () => {
    const workspace = await addWorkspace(product, { credits: 3 })
    const token = await freshToken(product, workspace)
    await transaction(product.ctx, (tx) => holdCredits(tx, workspace.id, 3_000))
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 0, held: 3 })
    const refused = await ask(product, workspace, token)
    expect([refused.status, refused.body.code]).toEqual([402, 'credits_held'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.body).toMatchObject({ required: 1, remaining: 0 })
    clock.move(120_000)
    await releaseLapsedHolds(product.ctx)
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 3, held: 0 })
    expect((await ask(product, workspace, await freshToken(product, workspace))).status).toBe(200)
  })

  test('goes back after a crash', async () => {
    const workspace = await addWorkspace(product, { credits: 3 })
    await transaction(product.ctx, (tx) => holdCredits(tx, workspace.id, 2_500))
    await product.stop()
    product = await startTestProduct(place, { clock })
    if (database.kind === 'postgres') {
      clock.move(120_000)
      await releaseLapsedHolds(product.ctx)
    }
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 3, held: 0 })
  })

  test('is not given back twice when two processes clean up at once', async () => {
    const workspace = await addWorkspace(product, { credits: 5 })
    await transaction(product.ctx, (tx) => holdCredits(tx, workspace.id, 2_000))
    clock.move(120_000)
    await Promise.all([1, 2, 3].map(() => releaseLapsedHolds(product.ctx)))
    expect(await expectExact(product, workspace)).toMatchObject({ remaining: 5, held: 0 })
  })

  test('is read page by page, newest first, by the members of the workspace alone', async () => {
    const workspace = await addWorkspace(product, { credits: 5 })
    const token = await freshToken(product, workspace)
    for (let count = 0; count < 3; count += 1) await ask(product, workspace, token)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { body: { data: { ledger_id: string }[]; next_cursor: string | null } } =
        await product.call(`/api/v1/credits/ledger?limit=3${cursor && `&cursor=${cursor}`}`, {
          token,
        })
      seen.push(...page.body.data.map(({ ledger_id }) => ledger_id))
      cursor = page.body.next_cursor
    }
    const all = await readLedger(product, workspace)
    expect(seen).toEqual(all.map(({ ledger_id }) => ledger_id).toReversed())
    const visitor = await addVisitor(product, workspace)
    expect((await product.call('/api/v1/credits/ledger', { token: visitor })).status).toBe(403)
  })
})
