import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { COMPILE_CACHE } from '../../../server/boot/compile-cache.ts'
import { type DatabasePlace, describeOnPostgres, useDatabase } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startPgBouncer } from '../../helpers/servers/pgbouncer.ts'

const execute = promisify(execFile)
const PROGRAM = resolve(import.meta.dirname, '../../../tools/sohbet.ts')
const SIMPLE = { DATABASE_STATEMENTS: 'simple', DATABASE_POOL_MAX: '12' }
const MESSAGES = 12

describeOnPostgres('DATABASE_STATEMENTS=simple', (database) => {
  const embeddedDatabase = useDatabase('sqlite')
  const running: { stop(): Promise<unknown> }[] = []
  afterAll(async () => {
    for (const each of running.toReversed()) await each.stop()
  })

  async function start(place: DatabasePlace, settings: Record<string, string>) {
    const product = await startTestProduct(place, { settings })
    running.push(product)
    return product
  }

  /** Conversations at once: transactions of several statements, with the ledger in the same commits. */
  async function converse(product: StartedProduct): Promise<number[]> {
    const workspace = await addWorkspace(product)
    const visitors = await Promise.all(
      Array.from({ length: MESSAGES }, () => addVisitor(product, workspace)),
    )
    const answers = await Promise.all(
      visitors.map((token) =>
        product.call('/api/v1/chatbot/message', {
          token,
          body: { tenant_id: workspace.tenantId, message: 'Hello?' },
        }),
      ),
    )
    return answers.map(({ status }) => status)
  }

  test('leaves nothing in the sessions of the server', async () => {
    const product = await start(await database.create(), SIMPLE)
    expect(new Set(await converse(product))).toEqual(new Set([200]))
    const { rows } = await sql<{ named: number; timeout: string }>`
      select (select count(*) from pg_prepared_statements) as named,
        current_setting('statement_timeout') as timeout`.execute(product.ctx.db)
    expect(rows).toEqual([{ named: 0, timeout: '0' }])
  })

  test('works behind PgBouncer in transaction mode, with fewer sessions than connections', async () => {
    const place = await database.create()
    const bouncer = await startPgBouncer(place)
    running.push(bouncer)
    const product = await start(bouncer.placeBehind(place), SIMPLE)
    for (let round = 0; round < 3; round += 1) {
      expect(new Set(await converse(product))).toEqual(new Set([200]))
    }
    const sessions = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database()`.execute(product.ctx.db)
    expect(sessions.rows[0]?.count).toBeLessThanOrEqual(3)
  })

  test('lets the command line import, back up and restore behind PgBouncer', async () => {
    const embedded = await embeddedDatabase.create()
    const filled = await startTestProduct(embedded)
    await addWorkspace(filled)
    await filled.stop()
    const [first, second] = [await database.createEmpty(), await database.createEmpty()]
    const bouncer = await startPgBouncer(first)
    running.push(bouncer)
    const file = join(first.dataDir, 'today.sohbet')
    const imported = bouncer.placeBehind(first)
    const agrees = 'row counts and ledger sums agree'
    expect(await sohbet(imported, 'import-sqlite', embedded.dataDir)).toContain(agrees)
    expect(await sohbet(imported, 'backup', file)).toContain(file)
    expect(await sohbet(bouncer.placeBehind(second), 'restore', file)).toContain(agrees)
  })
})

/** Runs `npx sohbet …` for a place, and returns what it prints. */
async function sohbet(place: DatabasePlace, ...words: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    SECRET_KEY: 'a-secret-key-for-tests-only',
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    ...SIMPLE,
  }
  const { stdout } = await execute(process.execPath, [PROGRAM, ...words], { env })
  return stdout
}
