import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type DatabasePlace, describeOnPostgres } from '../../helpers/databases.ts'
import { addVisitor, addWorkspace, startTestProduct } from '../../helpers/product.ts'

const CALLERS = 60

interface Ready {
  status: string
  warnings?: { code: string; detail: string }[]
}

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

describeOnPostgres('a database that refuses further connections', (database) => {
  test('is used through those that exist, and readiness says so until it takes more', async () => {
    const place = await database.create()
    const product = await startTestProduct(place)
    stops.push(() => product.stop())
    const workspace = await addWorkspace(product)
    const visitor = await addVisitor(product, workspace)
    const ready = async () => {
      const { status, body } = await product.call<Ready>('/health/ready')
      return [status, ...(body.warnings ?? []).map(({ detail }) => detail)]
    }
    expect(await ready()).toEqual([200])
    const admin = await connect(place)
    const { rows } = await admin.query<{ name: string; count: number }>(
      `select datname as name, count(*)::int as count from pg_stat_activity
        where datname = current_database() group by 1`,
    )
    const [{ name, count } = { name: '', count: 0 }] = rows
    await admin.query(`alter database ${name} connection limit ${count}`)

    const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const calls = Array.from({ length: CALLERS }, (_, index) =>
      index % 2 === 0
        ? product.call('/api/v1/auth/me', { token: workspace.token })
        : product.call('/api/v1/chatbot/message', { token: visitor, body }),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))

    // With all connections busy, the process stays ready on the one of its probe.
    await admin.query('begin')
    await admin.query('lock table sessions, messages in exclusive mode')
    const busy = Array.from({ length: CALLERS }, () =>
      product.call('/api/v1/chatbot/sessions', { token: visitor, body: {} }),
    )
    await expect.poll(ready).toEqual([200, 'The database refuses further connections.'])
    await admin.query('rollback')
    await Promise.all(busy)
    await admin.query(`alter database ${name} connection limit -1`)
    await expect.poll(ready).toEqual([200])
  })
})

async function connect({ databaseUrl }: DatabasePlace): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  stops.push(() => client.end())
  return client
}
