import { connect } from 'node:net'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import type { Problem } from '../../helpers/answers.ts'
import { type DatabasePlace, describeOnPostgres } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import {
  type Answer,
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
      // The work of a caller who is gone before it begins is dropped: more of them call until it has begun.
      const callMore = () => {
        for (let turns = 0; turns < 60; turns += 1) hangUp(product, stuck, turns)
        return waiting()
      }
      await expect.poll(callMore, { timeout: 10_000, interval: 200 }).toBe(5)
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

    test('leave them to others where 40 sign in to one locked account', async () => {
      const place = await database.create()
      const product = await start(place)
      const stuck = await addWorkspace(product)
      const colleague = await addMember(product, stuck)
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockAccounts(place, [stuck.email])
      const answers: Answer<Problem>[] = []
      const signIns = Array.from({ length: 40 }, async () => {
        answers.push(await callSignIn(product, stuck.email))
      })
      await expect.poll(waiting).toBe(1)
      expect(await signIn(product, other)).toEqual([200, 200])
      expect((await callSignIn(product, colleague.email)).status).toBe(200)
      expect(await rename(product, stuck)).toBe(200)
      expect(await waiting()).toBe(1)
      // All but the one that has the connection have waited for long enough.
      await expect.poll(() => answers.length).toBe(39)
      const refusals = answers.map(({ status, body, headers }) => [
        status,
        body.code,
        headers.get('retry-after'),
      ])
      expect(refusals).toEqual(refusals.map(() => [503, 'overloaded', '5']))
      await unlock()
      await Promise.all(signIns)
      expect(answers.at(-1)?.status).toBe(200)
      expect((await callSignIn(product, stuck.email)).status).toBe(200)
    })

    test('leave them to others where many locked accounts are signed in to', async () => {
      const place = await database.create()
      const product = await start(place)
      const stuck: TestWorkspace[] = []
      for (let n = 0; n < 4; n += 1) stuck.push(await addWorkspace(product))
      const emails = stuck.map(({ email }) => email)
      for (const workspace of stuck) {
        for (let n = 0; n < 3; n += 1) emails.push((await addMember(product, workspace)).email)
      }
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockAccounts(place, emails)
      const signIns = emails.map((email) => callSignIn(product, email))
      // The reserve of the default 20 is 5, one of which is for reads.
      await expect.poll(waiting).toBe(4)
      const me = await product.call('/api/v1/auth/me', { token: other.token })
      expect([me.status, await rename(product, other)]).toEqual([200, 200])
      await unlock()
      const statuses = (await Promise.all(signIns)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([200]))
    })

    test('leave them to others where the members of a locked workspace sign in', async () => {
      const place = await database.create()
      const product = await start(place)
      const stuck = await addWorkspace(product)
      const emails = [stuck.email]
      while (emails.length < 10) emails.push((await addMember(product, stuck)).email)
      const other = await addWorkspace(product)
      const { waiting, unlock } = await lockRows(place, [stuck])
      const signIns = emails.map((email) => callSignIn(product, email))
      await expect.poll(waiting).toBe(2)
      expect(await signIn(product, other)).toEqual([200, 200])
      expect(await waiting()).toBe(2)
      await unlock()
      const statuses = (await Promise.all(signIns)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([200]))
    })

    async function start(
      place: DatabasePlace,
      settings: Record<string, string> = {},
    ): Promise<StartedProduct> {
      const product = await startTestProduct(place, { settings })
      stops.push(() => product.stop())
      return product
    }

    function lockRows(place: DatabasePlace, workspaces: readonly TestWorkspace[]) {
      const ids = workspaces.map(({ id }) => id)
      return lock(place, 'select from workspaces where id = any($1) for update', ids)
    }

    function lockAccounts(place: DatabasePlace, emails: readonly string[]) {
      return lock(place, 'select from users where email = any($1) for update', emails)
    }

    /** Locks rows in a session of its own; `waiting` counts the sessions that want them. */
    async function lock(place: DatabasePlace, statement: string, values: readonly string[]) {
      const admin = new pg.Client({ connectionString: place.databaseUrl })
      await admin.connect()
      stops.push(() => admin.end())
      await admin.query('begin')
      await admin.query(statement, [values])
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

    /** Asks for another name, and is gone so many turns of the event loop later: before the server reads it, or while it works. */
    function hangUp(
      { url }: StartedProduct,
      { tenantId, token }: TestWorkspace,
      turns: number,
    ): void {
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
      const leaveIn = (left: number): unknown =>
        left === 0 ? socket.destroy() : setImmediate(() => leaveIn(left - 1))
      socket.end(lines.join('\r\n'), () => leaveIn(turns))
    }

    /** Reads who is signed in, and signs in again; returns the statuses. */
    async function signIn(product: StartedProduct, { token, email }: TestWorkspace) {
      const me = await product.call('/api/v1/auth/me', { token })
      return [me.status, (await callSignIn(product, email)).status]
    }

    function callSignIn(product: StartedProduct, email: string): Promise<Answer<Problem>> {
      const body = { email, password: 'a long password' }
      return product.call<Problem>('/api/v1/auth/token', { body })
    }
  },
)

async function all(times: number, call: () => Promise<number>): Promise<Set<number>> {
  return new Set(await Promise.all(Array.from({ length: times }, call)))
}
