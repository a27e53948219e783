import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { AppError, toAppError } from '../../../../server/http/errors.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { addWorkspace } from '../../../helpers/product.ts'
import { withoutRandomParts } from '../../../helpers/random-parts.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const RETRIED = { status: 503, body: { code: 'unavailable', status: 503 } }

describeOnBothDatabases('a database that refuses', (database) => {
  const product = useProduct(database, { settings: { LOG_LEVEL: 'silent' } })
  const addSite = (token: string) =>
    product.call<Problem>('/api/v1/tenants', {
      token,
      body: { tenant_id: `site-${Math.random().toString(36).slice(2)}`, name: 'Site' },
    })

  /** Makes the database refuse writes, each time in another way; the returned function ends it. */
  const faults: Record<string, () => Promise<() => Promise<unknown>>> =
    database.kind === 'sqlite'
      ? {
          'is full': async () => {
            const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(
              product.ctx.db,
            )
            const set = (pages: number) =>
              sql.raw(`pragma max_page_count = ${pages}`).execute(product.ctx.db)
            await set(rows[0]?.page_count ?? 1)
            return () => set(1_000_000_000)
          },
          'is read-only': async () => {
            const set = (to: number) => sql.raw(`pragma query_only = ${to}`).execute(product.ctx.db)
            await set(1)
            return () => set(0)
          },
        }
      : Object.fromEntries(
          ['53100', '53200', '25006', '53300'].map((code) => [
            `answers with ${code}`,
            async () => {
              await sql
                .raw(
                  `create function refuse() returns trigger language plpgsql as
                    $$ begin raise exception 'no' using errcode = '${code}'; end $$`,
                )
                .execute(product.ctx.db)
              await sql
                .raw(
                  'create trigger refuse before insert on tenants for each row execute function refuse()',
                )
                .execute(product.ctx.db)
              return () => sql.raw('drop function refuse() cascade').execute(product.ctx.db)
            },
          ]),
        )

  test.each(Object.keys(faults))('because it %s asks callers to come back', async (name) => {
    const { token } = await addWorkspace(product)
    const restore = await faults[name]?.()
    try {
      let answer = await addSite(token)
      // The last page of a full database has room for some rows.
      for (let n = 0; n < 500 && answer.status === 201; n += 1) answer = await addSite(token)
      expect(answer).toMatchObject(RETRIED)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(withoutRandomParts(answer.text)).not.toMatch(/sqlite|postgres|SQL|errcode/i)
    } finally {
      await restore?.()
    }
    expect((await addSite(token)).status).toBe(201)
  })
})

test.each([
  'ECONNREFUSED',
  'ENOSPC',
  'EROFS',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_IOERR_WRITE',
  'SQLITE_READONLY',
  'SQLITE_READONLY_DBMOVED',
  '53100',
  '53200',
  '53300',
  '25006',
  '57P01',
  '08006',
])('the fault %s is for later, wherever it is wrapped; a defect is not', (code) => {
  const fault = Object.assign(new Error('no'), { code })
  const wrapped = new Error('The write failed.', { cause: fault })
  for (const error of [fault, wrapped]) {
    const known = toAppError(error)
    expect([known.code, known.headers['retry-after']]).toEqual(['unavailable', '5'])
  }
  expect(toAppError(Object.assign(new Error('no'), { code: '42601' })).code).toBe('internal')
  const own = new AppError('conflict', 'Taken.', { cause: fault })
  expect(toAppError(own)).toBe(own)
})
