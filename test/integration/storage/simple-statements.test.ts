import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type DatabasePlace, describeOnPostgres } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'

const SIMPLE = { DATABASE_STATEMENTS: 'simple', DATABASE_POOL_MAX: '12' }
const MESSAGES = 12

describeOnPostgres('DATABASE_STATEMENTS=simple', (database) => {
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

  // Small and rarely installed: where `TEST_PGBOUNCER` names the program, it is in between.
  if (process.env.TEST_PGBOUNCER) {
    test('works behind PgBouncer in transaction mode, with fewer sessions than connections', async () => {
      const place = await database.create()
      const bouncer = await startBouncer(place)
      running.push(bouncer)
      const product = await start({ ...place, databaseUrl: bouncer.url }, SIMPLE)
      for (let round = 0; round < 3; round += 1) {
        expect(new Set(await converse(product))).toEqual(new Set([200]))
      }
      const sessions = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity
        where datname = current_database()`.execute(product.ctx.db)
      expect(sessions.rows[0]?.count).toBeLessThanOrEqual(3)
    })
  }
})

/** Starts PgBouncer in front of a database, in transaction mode and with three sessions. */
async function startBouncer(place: DatabasePlace): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port, username, password, pathname } = new URL(place.databaseUrl ?? '')
  const file = join(place.dataDir, 'pgbouncer.ini')
  const listenPort = await findFreePort()
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
    // The program refuses to run as root.
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
  ]
  await writeFile(file, lines.join('\n'))
  const child = spawn(process.env.TEST_PGBOUNCER ?? '', [file], { stdio: 'pipe' })
  const ended = once(child, 'exit')
  const up = Promise.withResolvers<void>()
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.includes('process up')) up.resolve()
  })
  void ended.then(() => up.reject(new Error(`PgBouncer ended: ${printed}`)))
  await up.promise
  return {
    url: `postgres://${username}@127.0.0.1:${listenPort}${pathname}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
