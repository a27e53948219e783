import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { serialized, pipelined } from '../../../server/storage/query-hints.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases('a transaction that does not wait for every answer', (database) => {
  const product = useProduct(database)

  const nameOf = async (id: string) => {
    const { rows } = await sql<{ name: string }>`
      select name from workspaces where id = ${id}`.execute(product.ctx.db)
    return rows[0]?.name
  }
  const rename = (id: string, name: string) =>
    pipelined(sql`update workspaces set name = ${name} where id = ${id}`)
  const breaks = (id: string) =>
    pipelined(sql`insert into workspaces (id, name, locale, plan, time_zone, created_at)
      values (${id}, 'twice', 'tr', 'starter', 'UTC', 1)`)

  test('keeps what it sent, in the order in which it was sent', async () => {
    const { id } = await addWorkspace(product)
    const seen = await transaction(product.ctx, async (tx) => {
      await rename(id, 'one').execute(tx.db)
      await rename(id, 'two').execute(tx.db)
      const { rows } = await sql<{ name: string }>`
        select name from workspaces where id = ${id}`.execute(tx.db)
      await rename(id, 'three').execute(tx.db)
      return rows[0]?.name
    })
    expect([seen, await nameOf(id)]).toEqual(['two', 'three'])
  })

  test('fails with the error of the statement, and keeps nothing', async () => {
    const { id } = await addWorkspace(product)
    for (const follows of [false, true]) {
      const failing = transaction(product.ctx, async (tx) => {
        await rename(id, 'never').execute(tx.db)
        await breaks(id).execute(tx.db)
        if (follows) await sql`select 1 as one`.execute(tx.db)
      })
      await expect(failing).rejects.toThrow(/unique/i)
    }
    expect(await nameOf(id)).not.toBe('never')
    await transaction(product.ctx, (tx) => rename(id, 'afterwards').execute(tx.db))
    expect(await nameOf(id)).toBe('afterwards')
  })

  test('waits its turn for a row that many want, and for nobody who waits for it', async () => {
    const one = await addWorkspace(product)
    const other = await addWorkspace(product)
    const count = (id: string) =>
      serialized(id, sql`update balances set entries = entries + 1 where workspace_id = ${id}`)
    const entriesOf = async (id: string) => {
      const { rows } = await sql<{ entries: number }>`
        select entries from balances where workspace_id = ${id}`.execute(product.ctx.db)
      return rows[0]?.entries ?? 0
    }
    const before = await entriesOf(one.id)
    const many = Array.from({ length: 30 }, (_, index) =>
      transaction(product.ctx, async (tx) => {
        await count(one.id).execute(tx.db)
        if (index % 3 === 0) throw new Error('Changed its mind.')
        await count(one.id).execute(tx.db)
      }).catch((error: unknown) => String(error)),
    )
    await Promise.all(many)
    expect(await entriesOf(one.id)).toBe(before + 40)
    // On Postgres these two wait for each other; the database detects it and one starts again.
    const crossing = (first: string, second: string) =>
      transaction(product.ctx, async (tx) => {
        await count(first).execute(tx.db)
        await rename(second, 'crossed').execute(tx.db)
        await count(second).execute(tx.db)
      })
    await Promise.all([crossing(one.id, other.id), crossing(other.id, one.id)])
    expect([await nameOf(one.id), await nameOf(other.id)]).toEqual(['crossed', 'crossed'])
  })
})
