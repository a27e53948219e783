import { connect } from 'node:net'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type DatabasePlace, describeOnPostgres } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'

const EVENTS = '/api/v1/analytics/events'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

describeOnPostgres(
  'workspaces whose rows are locked, as a frozen process leaves them',
  (database) => {
    test('leave the connections of the process to others', async () => {
      const place = await database.create()
      const product = await start(place)
      const stuck = await addWorkspace(product)
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockRows(place, [stuck])
      const patches = all(40, () => rename(product, stuck))
      // A quarter of the default 20.
      await expect.poll(waiting).toBe(5)
      expect([...(await signIn(product, other)), await rename(product, other)]).toEqual([
        200, 200, 200,
      ])
      expect(await waiting()).toBe(5)
      await unlock()
      expect(await patches).toEqual(new Set([200]))
    })

    test('leave them to others where the callers hang up at once', async () => {
      const place = await database.create()
      const product = await start(place)
      const stuck = await addWorkspace(product)
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockRows(place, [stuck])
      for (let n = 0; n < 60; n += 1) hangUp(product, stuck)
      await expect.poll(waiting).toBe(5)
      expect(await signIn(product, other)).toEqual([200, 200])
      expect(await waiting()).toBe(5)
      await unlock()
    })

    test('leave the last connection to others where there are two', async () => {
      const place = await database.create()
      const product = await start(place, { DATABASE_POOL_MAX: '2' })
      const stuck = [await addWorkspace(product), await addWorkspace(product)]
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockRows(place, stuck)
      const patches = stuck.map((one) => rename(product, one))
      await expect.poll(waiting).toBe(1)
      expect(await signIn(product, other)).toEqual([200, 200])
      await unlock()
      expect(await Promise.all(patches)).toEqual([200, 200])
    })

    test('leave them to others where their pages, without a caller, are what waits', async () => {
      const place = await database.create()
      const product = await start(place, { DATABASE_POOL_MAX: '8' })
      const stuck = await addWorkspace(product)
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockRows(place, [stuck])
      const event = { type: 'widget.opened', at: new Date().toISOString() }
      const body = { tenant_id: stuck.tenantId, events: [event] }
      const reports = all(10, async () => (await product.call(EVENTS, { body })).status)
      await expect.poll(waiting).toBe(2)
      expect(await signIn(product, other)).toEqual([200, 200])
      await unlock()
      expect(await reports).toEqual(new Set([202]))
    })

    test('leave a part to sign-in and reads where they are many', async () => {
      const place = await database.create()
      const product = await start(place, { DATABASE_POOL_MAX: '8' })
      const stuck: TestWorkspace[] = []
      for (let n = 0; n < 4; n += 1) stuck.push(await addWorkspace(product))
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockRows(place, stuck)
      const patches = stuck.map((one) => all(5, () => rename(product, one)))
      await expect.poll(waiting).toBe(6)
      const renamed = rename(product, other)
      expect(await signIn(product, other)).toEqual([200, 200])
      await unlock()
      expect(await renamed).toBe(200)
      expect(await Promise.all(patches)).toEqual(patches.map(() => new Set([200])))
    })

    async function start(
      place: DatabasePlace,
      settings: Record<string, string> = {},
    ): Promise<StartedProduct> {
      const product = await startTestProduct(place, { settings })
      stops.push(() => product.stop())
      return product
    }

    /** Locks the rows in a session of its own; `waiting` counts the sessions that want them. */
    async function lockRows(place: DatabasePlace, workspaces: readonly TestWorkspace[]) {
      const admin = new pg.Client({ connectionString: place.databaseUrl })
      await admin.connect()
      stops.push(() => admin.end())
      await admin.query('begin')
      const ids = workspaces.map(({ id }) => id)
      await admin.query('select from workspaces where id = any($1) for update', [ids])
      return {
        waiting: async () => {
          const { rows } = await admin.query<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return rows[0]?.count
        },
        unlock: () => admin.query('rollback'),
      }
    }

    async function rename(
      product: StartedProduct,
      { tenantId, token }: TestWorkspace,
    ): Promise<number> {
      const call = { method: 'PATCH', token, body: { name: 'Another name' } }
      return (await product.call(`/api/v1/tenants/${tenantId}`, call)).status
    }

    /** Asks for another name, and is gone when the server reads it. */
    function hangUp({ url }: StartedProduct, { tenantId, token }: TestWorkspace): void {
      const { hostname, port } = new URL(url)
      const body = JSON.stringify({ name: 'Another name' })
      const lines = [
        `PATCH /api/v1/tenants/${tenantId} HTTP/1.1`,
        `host: ${hostname}`,
        `authorization: Bearer ${token}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        '',
        body,
      ]
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.end(lines.join('\r\n'), () => socket.destroy())
    }

    /** Reads who is signed in, and signs in again; returns the statuses. */
    async function signIn(product: StartedProduct, { token, email }: TestWorkspace) {
      const me = await product.call('/api/v1/auth/me', { token })
      const body = { email, password: 'a long password' }
      const signedIn = await product.call('/api/v1/auth/token', { body })
      return [me.status, signedIn.status]
    }
  },
)

async function all(times: number, call: () => Promise<number>): Promise<Set<number>> {
  return new Set(await Promise.all(Array.from({ length: times }, call)))
}
