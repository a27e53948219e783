import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { TransactionBatcher } from '../../../server/runtime/transaction-batcher.ts'
import type { Transaction } from '../../../server/context.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases('work that many ask for at the same time', (database) => {
  const product = useProduct(database)
  beforeAll(async () => {
    await sql`create table marks (word text primary key)`.execute(product.ctx.db)
  })

  const put = (tx: Transaction, word: string) =>
    sql`insert into marks (word) values (${word})`.execute(tx.db)
  const kept = async (like: string) => {
    const { rows } = await sql<{ word: string }>`
      select word from marks where word like ${like} order by word`.execute(product.ctx.db)
    return rows.map(({ word }) => word)
  }
  const outcome = (promise: Promise<string>) =>
    promise.catch((error: unknown) => (error instanceof Error ? error.message : 'something else'))

  test('is done in a few transactions, and everybody gets their own answer', async () => {
    const sizes: number[] = []
    const batcher = new TransactionBatcher<string, string>(async (tx, workspace, words) => {
      sizes.push(words.length)
      for (const word of words) await put(tx, `${workspace}-${word}`)
      return words.map((word) => word.toUpperCase())
    })
    const words = Array.from({ length: 40 }, (_, at) => `a${at}`)
    const answers = await Promise.all(words.map((word) => batcher.run(product.ctx, 'all', word)))
    expect(answers).toEqual(words.map((word) => word.toUpperCase()))
    expect(await kept('all-%')).toHaveLength(40)
    expect(sizes.length).toBeLessThanOrEqual(2)
  })

  test('does not fail for what one of them asks', async () => {
    const batcher = new TransactionBatcher<string, string>(async (tx, _, words) => {
      for (const word of words) await put(tx, word)
      return [...words]
    })
    const asked = ['b1', 'b2', 'b2', 'b3'].map((word) =>
      outcome(batcher.run(product.ctx, 'own', word)),
    )
    const answers = await Promise.all(asked)
    const lower = answers.map((answer) => answer.toLowerCase()).toSorted()
    expect(lower).toEqual(['b1', 'b2', 'b3', expect.stringMatching(/unique/)])
    expect(await kept('b%')).toEqual(['b1', 'b2', 'b3'])
  })

  test('refuses one and does what the others ask, in one transaction', async () => {
    const batcher = new TransactionBatcher<string, string>(async (tx, _, words) => {
      const allowed = words.filter((word) => word !== 'c2')
      for (const word of allowed) await put(tx, word)
      return words.map((word) => (word === 'c2' ? new Error('not this one') : word))
    })
    const asked = ['c1', 'c2', 'c3'].map((word) => outcome(batcher.run(product.ctx, 'w', word)))
    expect(await Promise.all(asked)).toEqual(['c1', 'not this one', 'c3'])
    expect(await kept('c%')).toEqual(['c1', 'c3'])
  })

  test('is refused where it waited too long, and more waits than one transaction does', async () => {
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const batcher = new TransactionBatcher<string, string>(
      async (tx, _, words) => {
        for (const word of words) await put(tx, word)
        begun.resolve()
        await gate.promise
        return [...words]
      },
      { maxBatchSize: 2, refuse: () => new Error('late') },
    )
    const ask = (word: string, maxWaitMs = 0) =>
      outcome(batcher.run(product.ctx, 'w', word, { maxWaitMs }))
    const first = ask('e1')
    await begun.promise
    const late = [ask('e2', Number.MIN_VALUE), ask('e3', Number.MIN_VALUE)]
    const patient = ask('e4')
    gate.resolve()
    expect(await Promise.all([first, ...late, patient])).toEqual(['e1', 'late', 'late', 'e4'])
    // Alone it delays nobody.
    expect(await ask('e5', Number.MIN_VALUE)).toBe('e5')
    expect(await kept('e%')).toEqual(['e1', 'e4', 'e5'])
  })

  test('what follows one answer for long does not keep the event loop from the rest', async () => {
    const batcher = new TransactionBatcher<string, string>(async (_tx, _, words) => [...words])
    const order: string[] = []
    const ask = async (word: string, ms: number) => {
      order.push(await batcher.run(product.ctx, 'w', word))
      if (word === 'f1') setImmediate(() => order.push('others'))
      for (const until = performance.now() + ms; performance.now() < until;);
    }
    await Promise.all([ask('f1', 0), ask('f2', 100), ask('f3', 0)])
    expect(order).toEqual(['f1', 'f2', 'others', 'f3'])
  })

  test('goes on after everything has failed', async () => {
    let isDown = true
    const batcher = new TransactionBatcher<string, string>(async (tx, _, words) => {
      if (isDown) throw new Error('down')
      for (const word of words) await put(tx, word)
      return [...words]
    })
    const ask = (word: string) => outcome(batcher.run(product.ctx, 'w', word))
    expect(await Promise.all([ask('d1'), ask('d2')])).toEqual(['down', 'down'])
    isDown = false
    expect(await Promise.all([ask('d3'), ask('d4')])).toEqual(['d3', 'd4'])
    expect(await kept('d%')).toEqual(['d3', 'd4'])
  })
})
