import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../server/lib/clock.ts'
import { DatabaseClock } from '../../../server/runtime/database-clock.ts'
import type { CreatedRule, Problem } from '../../helpers/answers.ts'
import { describeOnPostgres, useDatabase } from '../../helpers/databases.ts'
import { startTestProcess } from '../../helpers/process.ts'
import {
  type ProductOptions,
  type StartedProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'

const SILENT = { LOG_LEVEL: 'silent' }
const MESSAGE = '/api/v1/chatbot/message'
/** A frozen process loses its locks after 7 s; who waits for them answers before this. */
const FREEZE_TEST_MS = 60_000

interface Ready {
  status: string
  detail?: string
  warnings?: { code: string }[]
}

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function start(
  place: { dataDir: string; databaseUrl: string | undefined },
  options: ProductOptions = {},
): Promise<StartedProduct> {
  const settings = { ...SILENT, ...options.settings }
  const product = await startTestProduct(place, { ...options, settings })
  stops.push(() => product.stop())
  return product
}

async function connect(connectionString: string | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  stops.push(() => client.end())
  return client
}

const ready = (product: StartedProduct) => product.call<Ready>('/health/ready')
const endSessions =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

function offBy(ms: number): Clock {
  const system: Clock = {
    now: () => systemClock.now() + ms,
    after: (wait, call) => systemClock.after(wait, call),
  }
  return new DatabaseClock(system)
}

test('a process is not ready while its full disk takes no writes, and is again afterwards', async () => {
  const product = await start(await useDatabase('sqlite').create())
  const { db } = product.ctx
  const { token } = await addWorkspace(product)
  const addSite = async () => {
    const body = { tenant_id: `site-${Math.random().toString(36).slice(2)}`, name: 'Site' }
    return (await product.call('/api/v1/tenants', { token, body })).status
  }
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  const setPages = (count: number) => sql.raw(`pragma max_page_count = ${count}`).execute(db)
  await setPages(rows[0]?.page_count ?? 1)
  await expect.poll(addSite, { interval: 1 }).toBe(503)
  const refused = await ready(product)
  expect([refused.status, refused.body.detail]).toEqual([
    503,
    'The database takes no writes: it is full or read-only.',
  ])
  await setPages(1_000_000_000)
  expect(await ready(product)).toMatchObject({ status: 200, body: { status: 'ok' } })
})

describeOnPostgres('readiness', (database) => {
  test('ends while the server takes no writes, and while its schema is an older one', async () => {
    const place = await database.create()
    const product = await start(place)
    const admin = await connect(place.databaseUrl)
    const { rows } = await admin.query<{ name: string }>('select current_database() as name')
    const setReadOnly = async (to: 'on' | 'off') => {
      const name = String(rows[0]?.name)
      await admin.query(`alter database ${name} set default_transaction_read_only = ${to}`)
      await admin.query(endSessions)
    }
    await setReadOnly('on')
    const detail = async () => (await ready(product)).body.detail
    await expect.poll(detail).toBe('The database is read-only.')
    await setReadOnly('off')
    await expect.poll(async () => (await ready(product)).status).toBe(200)

    const { rows: last } = await admin.query('delete from migrations where name = $1 returning *', [
      'setup-001',
    ])
    expect(await detail()).toContain('older version')
    expect(last).toHaveLength(1)
  })

  test('stays where every connection is busy, and says so', async () => {
    const place = await database.create()
    const product = await start(place, { settings: { DATABASE_POOL_MAX: '2' } })
    const workspace = await addWorkspace(product)
    const visitor = await addVisitor(product, workspace)
    const admin = await connect(place.databaseUrl)
    await admin.query('begin')
    await admin.query('lock table messages in exclusive mode')
    const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const asked = Array.from({ length: 5 }, () => product.call(MESSAGE, { token: visitor, body }))
    const codes = async () => {
      const { status, body: state } = await ready(product)
      return [status, ...(state.warnings ?? []).map(({ code }) => code)]
    }
    await expect.poll(codes).toEqual([200, 'connections'])
    await admin.query('rollback')
    await Promise.all(asked)
    expect(await codes()).toEqual([200])
  })

  test.each([
    [-3_000, { status: 200, body: { warnings: [{ code: 'clock' }] } }],
    [20_000, { status: 503, body: { detail: expect.stringMatching(/^The clock .* s ahead of/) } }],
  ])('judges a clock that is off by %i ms', async (ms, judgement) => {
    const product = await start(await database.create(), { clock: offBy(ms) })
    expect(await ready(product)).toMatchObject(judgement)
  })
})

describeOnPostgres('processes whose clocks are two minutes off, each way', (database) => {
  test('share tokens, turns and deliveries as if they were not', async () => {
    const place = await database.create()
    const settings = { ALLOW_PRIVATE_TARGETS: 'true' }
    const early = await start(place, { settings, clock: offBy(-120_000) })
    const late = await start(place, { settings, clock: offBy(120_000) })
    const receiver = await startReceiver()
    stops.push(() => receiver.close())
    const workspace = await addWorkspace(early)
    const rule = { name: 'Sessions', event: 'session.started', url: receiver.url }
    const made = await late.call<CreatedRule>('/api/v1/webhooks/rules-engine/rules', {
      token: workspace.token,
      body: rule,
    })
    expect(made.status).toBe(201)
    const visitor = await addVisitor(late, workspace)
    const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const turns = Array.from({ length: 12 }, (_, index) =>
      (index % 2 ? early : late).call<Problem>(MESSAGE, {
        token: visitor,
        body,
        headers: { 'x-request-id': `turn-${index}` },
      }),
    )
    const answers = await Promise.all(turns)
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(({ text }) => [200, text]),
    )
    const again = await early.call(MESSAGE, {
      token: visitor,
      body,
      headers: { 'x-request-id': 'turn-0' },
    })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    await expect.poll(() => receiver.received.length).toBe(12)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(12)
  })
})

describeOnPostgres('a process that freezes in the middle of a transaction', (database) => {
  test(
    'does not freeze the others: they answer for the same workspace',
    async () => {
      const place = await database.create()
      const frozen = await startTestProcess(place)
      stops.push(() => frozen.end('SIGKILL'))
      const other = await start(place)
      const workspace = await addWorkspace(other)
      const visitor = await addVisitor(other, workspace)
      const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
      const admin = await connect(place.databaseUrl)
      await admin.query('begin')
      await admin.query('lock table balances in exclusive mode')
      const lost = fetch(frozen.url + MESSAGE, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${visitor}` },
        body: JSON.stringify(body),
      }).catch(() => undefined)
      const sessions = async (condition: string) => {
        const { rows } = await admin.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
            where datname = current_database() and ${condition}`,
        )
        return rows[0]?.count
      }
      await expect.poll(() => sessions("wait_event_type = 'Lock'")).toBe(1)
      frozen.child.kill('SIGSTOP')
      await admin.query('rollback')
      await expect.poll(() => sessions("state like 'idle in transaction%'")).toBe(1)

      const answer = await other.call(MESSAGE, { token: visitor, body })
      expect(answer.status).toBe(200)
      expect(await sessions("state like 'idle in transaction%'")).toBe(0)
      await frozen.end('SIGKILL')
      await lost
    },
    FREEZE_TEST_MS,
  )
})
