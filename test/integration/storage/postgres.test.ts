import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { enqueueDeliveries } from '../../../server/delivery/queue/enqueue.ts'
import { newId } from '../../../server/lib/ids.ts'
import { prepared } from '../../../server/storage/prepared.ts'
import { unprepared, pipelined } from '../../../server/storage/query-hints.ts'
import { cachedRead } from '../../../server/storage/read-cache.ts'
import { describeOnPostgres } from '../../helpers/databases.ts'
import { addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnPostgres('a connection to the database server', (database) => {
  const product = useProduct(database)

  test('keeps no plan of a statement that is planned on every execution', async () => {
    const name = 'nobody of this name'
    const find = sql`select id from workspaces where name = ${name}`
    const plans = await transaction(product.ctx, async (tx) => {
      await unprepared(find).execute(tx.db)
      await find.execute(tx.db)
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements
        where statement like ${'%select id from workspaces where name%'}`.execute(tx.db)
      return rows.map((row) => row.statement)
    })
    expect(plans).toEqual(['select id from workspaces where name = $1'])
  })

  test('answers equal reads together, each with what was committed before it', async () => {
    const { id } = await addWorkspace(product)
    let asked = 0
    const readNames = cachedRead<{ name: string }>(['workspaces'], (workspaceId) => {
      asked += 1
      return prepared`select name from workspaces where id = ${workspaceId}`
    })
    const read = async () => Number((await readNames(product.ctx.db, id))[0]?.name)
    const rename = (name: number) =>
      sql`update workspaces set name = ${String(name)} where id = ${id}`.execute(product.ctx.db)
    await rename(0)
    await Promise.all(Array.from({ length: 20 }, read))
    expect(asked).toBe(2)
    let acknowledged = 0
    const writer = (async () => {
      for (let round = 1; round <= 50; round += 1) {
        await rename(round)
        acknowledged = round
      }
    })()
    const readers = Array.from({ length: 10 }, async () => {
      for (let round = 0; round < 50; round += 1) {
        const before = acknowledged
        expect(await read()).toBeGreaterThanOrEqual(before)
      }
    })
    await Promise.all([writer, ...readers])
  })

  test('keeps every value as it was given, also of statements that go out together', async () => {
    const { id } = await addWorkspace(product)
    const texts = ['{"a",NULL}', String.raw`back\slash "quoted", comma`, 'NULL', '', 'ğ\n\tİ']
    // Twice, because a connection sends together what it has sent before.
    for (const mark of ['first', 'second']) {
      const name = await transaction(product.ctx, async (tx) => {
        await pipelined(sql`
          update workspaces set name = given.name
          from (select string_agg(coalesce(part, 'none'), '|' order by place) as name
            from unnest(cast(${[...texts, null, mark]} as text[])) with ordinality as one (part, place)
          ) as given where id = ${id}`).execute(tx.db)
        const found = await sql<{ name: string }>`
          select name from workspaces where id = ${id}`.execute(tx.db)
        return found.rows[0]?.name
      })
      expect(name).toBe([...texts, 'none', mark].join('|'))
    }
  })

  test('goes on after a transaction that failed in the middle, or had nothing to do', async () => {
    const { id } = await addWorkspace(product)
    const rename = (name: string) =>
      pipelined(sql`update workspaces set name = ${name} where id = ${id}`)
    const breaks = () =>
      pipelined(sql`update workspaces set created_at = ${'never'} where id = ${id}`)
    for (let round = 0; round < 2; round += 1) {
      await transaction(product.ctx, async (tx) => {
        await rename(`kept ${round}`).execute(tx.db)
      })
      for (const statements of [[breaks], [() => rename('lost'), breaks, () => rename('lost')]]) {
        const failing = transaction(product.ctx, async (tx) => {
          for (const make of statements) await make().execute(tx.db)
        })
        await expect(failing).rejects.toThrow(/never/)
      }
      await transaction(product.ctx, async () => undefined)
      const { rows } = await sql<{ name: string }>`
        select name from workspaces where id = ${id}`.execute(product.ctx.db)
      expect(rows).toEqual([{ name: `kept ${round}` }])
    }
  })

  test('is given back, and has no transaction open, after work that broke off in its first statement', async () => {
    const { db } = product.ctx
    const unheard: Promise<unknown>[] = []
    const broken = Array.from({ length: 30 }, () =>
      transaction(product.ctx, (tx) => {
        const first = sql`select pg_sleep(0.01)`.execute(tx.db)
        unheard.push(first.catch(() => undefined))
        return Promise.all([first, Promise.reject(new Error('Changed its mind.'))])
      }),
    )
    const ended = await Promise.allSettled(broken)
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['rejected']))
    await Promise.all(unheard)
    const { rows } = await sql`
      select pid from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(db)
    expect(rows).toEqual([])
    const many = Array.from({ length: 40 }, () => sql`select 1 as one`.execute(db))
    expect(await Promise.all(many)).toHaveLength(40)
  })

  test('commits what comes together once, and refuses nobody for the sake of another', async () => {
    const { id: workspaceId } = await addWorkspace(product)
    const newIds = (count: number) => Array.from({ length: count }, () => newId('wh'))
    const add = (id: string) =>
      transaction(product.ctx, (tx) =>
        enqueueDeliveries(tx, [{ ...heldDelivery(workspaceId), id }]),
      )
    const commitsOf = async (ids: readonly string[]) => {
      const { rows } = await sql<{ xmin: string }>`
        select cast(xmin as text) as xmin from deliveries
        where id in (${sql.join(ids)})`.execute(product.ctx.db)
      expect(rows).toHaveLength(ids.length)
      return new Set(rows.map((row) => row.xmin)).size
    }
    const [taken = '', ...others] = newIds(30)
    await Promise.all([taken, ...others].map(add))
    expect(await commitsOf([taken, ...others])).toBeLessThan(30)

    const [before = '', after = ''] = newIds(2)
    const ended = await Promise.allSettled([before, taken, after].map(add))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(ended[1]).toMatchObject({ reason: { message: expect.stringMatching(/unique/) } })
    expect(await commitsOf([before, taken, after])).toBe(3)
  })
})

function heldDelivery(workspaceId: string) {
  const endpointId = newId('rule')
  const family = 'chat' as const
  return { workspaceId, family, endpointId, event: 'lead.created', body: '{}', isHeld: true }
}
