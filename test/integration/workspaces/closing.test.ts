import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DAY_MS } from '../../../server/lib/durations.ts'
import { listTablesWith } from '../../../server/storage/catalog.ts'
import { eraseClosedWorkspaces } from '../../../server/workspaces/closing.ts'
import type { WorkspaceSettings } from '../../../server/workspaces/schema.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ALWAYS_OPEN, fillWorkspace } from '../security/access/filled-workspace.ts'

const PASSWORD = 'a long password'
/** A slug stays with its first workspace for ever, because pages may still have its tag. */
const OUTLIVE = new Set(['tenant_slugs'])
/** The columns that refer to a workspace or to something in it. */
const ID_COLUMNS = [
  'id',
  'workspace_id',
  'tenant_id',
  'session_id',
  'user_id',
  'visitor_id',
  'document_id',
  'family_id',
  'endpoint_id',
  'integration_id',
  'run_id',
  'assignee_id',
  'owner_id',
]
const Rows = z.array(z.record(z.string(), z.unknown()))

describeOnBothDatabases('a workspace that is taken away', (database) => {
  const clock = new TestClock(Date.UTC(2027, 4, 10, 9))
  const product = useProduct(database, { clock, settings: { ALLOW_PRIVATE_TARGETS: 'true' } })

  const close = (token: string, password = PASSWORD) =>
    product.call<{ closes_at: string } & Problem>('/api/v1/workspace/close', {
      token,
      body: { password },
    })
  const settings = async (token: string) =>
    (await product.call<WorkspaceSettings>('/api/v1/workspace', { token })).body
  const signIn = async ({ email }: TestWorkspace) => {
    const body = { email, password: PASSWORD }
    return product.call<TokenAnswer & Problem>('/api/v1/auth/token', { body })
  }
  async function filled(): Promise<{ own: TestWorkspace; ids: string[] }> {
    const own = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    const known = await fillWorkspace(product, own, await addVisitor(product, own))
    await product.call(`/api/v1/inbox/${known['session_id']}`, {
      method: 'PATCH',
      token: own.token,
      body: { tags: ['vip'] },
    })
    const users = await product.ctx.db
      .selectFrom('users')
      .select('id')
      .where('workspace_id', '=', own.id)
      .execute()
    return { own, ids: [own.id, ...Object.values(known), ...users.map(({ id }) => id)] }
  }
  /** The tables in which a row names one of the ids. */
  async function tablesNaming(ids: readonly string[]): Promise<string[]> {
    const { db } = product.ctx
    const found: string[] = []
    for (const column of ID_COLUMNS) {
      for (const table of await listTablesWith(db, column)) {
        const { rows } = await sql`
          select ${sql.ref(column)} from ${sql.table(table)}
          where ${sql.ref(column)} in (${sql.join(ids)})`.execute(db)
        if (Rows.parse(rows).length > 0 && !OUTLIVE.has(table)) found.push(table)
      }
    }
    return [...new Set(found)]
  }

  test('is exported as a whole, without secrets, to its owner alone', async () => {
    const { own, ids } = await filled()
    const place = await product.call<{ url: string }>('/api/v1/workspace/export', {
      method: 'POST',
      token: own.token,
    })
    expect([place.status, place.body.url]).toEqual([202, '/api/v1/workspace/export'])
    const response = await fetch(product.url + place.body.url, {
      headers: { authorization: `Bearer ${own.token}` },
    })
    expect(response.headers.get('content-type')).toBe('application/zip')
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const rowsOf = (name: string) =>
      Rows.parse(JSON.parse(strFromU8(files[`${name}.json`] ?? new Uint8Array())))
    for (const name of Object.keys(files).filter((file) => file.endsWith('.json'))) {
      expect(Array.isArray(JSON.parse(strFromU8(files[name] ?? new Uint8Array()))), name).toBe(true)
    }
    expect(rowsOf('workspaces')).toMatchObject([{ id: own.id }])
    expect(rowsOf('messages').length).toBeGreaterThan(1)
    expect(rowsOf('leads')).toMatchObject([{ name: 'Ayşe', status: 'new' }])
    expect(rowsOf('session_tags')).toMatchObject([{ tag: 'vip' }])
    expect(strFromU8(files['leads.csv'] ?? new Uint8Array())).toContain('ayse@example.com')
    const all = Object.values(files)
      .map((file) => strFromU8(file))
      .join('')
    const secrets = await sql`
      select password_hash as secret from users where workspace_id = ${own.id}
      union all select identity_secret from tenants where workspace_id = ${own.id}
      union all select secret from rules where workspace_id = ${own.id}
      union all select secret from subscriptions where workspace_id = ${own.id}
      union all select secret_hash from api_keys where workspace_id = ${own.id}`.execute(
      product.ctx.db,
    )
    for (const { secret } of Rows.parse(secrets.rows)) expect(all).not.toContain(secret)
    expect(ids.length).toBeGreaterThan(5)

    const admin = await addMember(product, own, { role: 'admin' })
    const refused = await product.call('/api/v1/workspace/export', { token: admin.token })
    expect(refused.status).toBe(403)
  })

  test('closes with the password, and opens again with the sites that were on', async () => {
    const own = await addWorkspace(product)
    await product.call('/api/v1/tenants', {
      token: own.token,
      body: { tenant_id: `${own.tenantId}-off`, name: 'Off' },
    })
    const siteOf = async (id: string) =>
      (await product.call<{ active: boolean }>(`/api/v1/tenants/${id}`, { token: own.token })).body
        .active
    const turn = (id: string, active: boolean) =>
      product.call<Problem>(`/api/v1/tenants/${id}`, {
        method: 'PATCH',
        token: own.token,
        body: { active },
      })
    await turn(`${own.tenantId}-off`, false)
    const wrong = await close(own.token, 'not the password')
    expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([422, '/password'])
    clock.move(1_000)
    const closed = await close(own.token)
    const closesAt = new Date(clock.now() + 14 * DAY_MS).toISOString()
    expect([closed.status, closed.body.closes_at]).toEqual([200, closesAt])
    expect((await settings(own.token)).closes_at).toBe(closesAt)
    expect(await siteOf(own.tenantId)).toBe(false)
    const visitor = await product.call('/api/v1/auth/visitor', {
      body: { tenant_id: own.tenantId },
    })
    expect(visitor.status).toBe(403)
    expect((await turn(own.tenantId, true)).status).toBe(409)
    expect((await signIn(own)).status).toBe(200)
    const mails = await product.call(`${product.devPath}/mail`)
    expect(mails.text).toContain(own.email)

    const reopened = await product.call('/api/v1/workspace/reopen', {
      method: 'POST',
      token: own.token,
    })
    expect(reopened.status).toBe(204)
    expect([await siteOf(own.tenantId), await siteOf(`${own.tenantId}-off`)]).toEqual([true, false])
    expect((await settings(own.token)).closes_at).toBeNull()
    clock.move(15 * DAY_MS)
    await eraseClosedWorkspaces(product.ctx)
    expect((await signIn(own)).status).toBe(200)
  })

  test('is erased from every table after 14 days, and others are not', async () => {
    const { own, ids } = await filled()
    const other = await addWorkspace(product)
    await close(own.token)
    clock.move(13 * DAY_MS)
    await eraseClosedWorkspaces(product.ctx)
    expect(await tablesNaming([own.id])).toContain('messages')
    clock.move(DAY_MS)
    const { body } = await signIn(own)
    const late = await product.call('/api/v1/workspace/reopen', {
      method: 'POST',
      token: body.access_token,
    })
    expect(late.status).toBe(409)
    await eraseClosedWorkspaces(product.ctx)
    await eraseClosedWorkspaces(product.ctx)
    expect(await tablesNaming(ids)).toEqual([])
    expect((await signIn(own)).status).toBe(401)
    expect((await signIn(other)).status).toBe(200)
  })

  test('warns its managers once below a mark of their own', async () => {
    const own = await addWorkspace(product, { credits: 100 })
    const set = (credit_warning: number | null) =>
      product.call<WorkspaceSettings>('/api/v1/workspace', {
        method: 'PATCH',
        token: own.token,
        body: { credit_warning },
      })
    expect((await set(99.5)).body.credit_warning).toBe(99.5)
    expect((await set(0)).status).toBe(422)
    const visitor = await addVisitor(product, own)
    for (const message of ['Merhaba', 'Orada mısınız?']) {
      const body = { tenant_id: own.tenantId, message }
      await product.call('/api/v1/chatbot/message', { token: visitor, body })
    }
    const mails = await product.ctx.db
      .selectFrom('mails')
      .select('id')
      .where('workspace_id', '=', own.id)
      .execute()
    expect(mails).toHaveLength(1)
    expect((await set(null)).body.credit_warning).toBeNull()
  })
})
