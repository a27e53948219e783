import { expect, test } from 'vitest'
import type { Slots } from '../../../server/appointments/schema.ts'
import type { Turn } from '../../../server/chat/schema.ts'
import type { WidgetConfig } from '../../../server/tenants/schema.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import type { AuditEntry } from '../../../server/platform/schema.ts'
import { expireConversations } from '../../../server/privacy/erasure.ts'
import { VisitorExport } from '../../../server/privacy/schema.ts'
import type { Page, Problem, VisitorAnswer } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ALWAYS_OPEN } from '../security/access/filled-workspace.ts'
import { freshToken } from '../credits/ledger.ts'

const AYSE = { name: 'Ayşe Yılmaz', phone: '+905321234567', email: 'ayse@example.com' }

interface Visitor {
  token: string
  id: string
  session: string
}

describeOnDatabase('what a site keeps of its visitors', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 9))

  const product = useProduct(database, { clock })

  /** Somebody who writes, leaves their details unless told otherwise, and books. */
  async function visit(
    workspace: TestWorkspace,
    { leaves = true }: { leaves?: boolean } = {},
  ): Promise<Visitor> {
    const became = await product.call<VisitorAnswer>('/api/v1/auth/visitor', {
      body: { tenant_id: workspace.tenantId },
    })
    const { access_token: token, visitor_id: id } = became.body
    const turn = await product.call<Turn>('/api/v1/chatbot/message', {
      token,
      body: { tenant_id: workspace.tenantId, message: '<b>Merhaba</b>, ben geldim' },
      headers: { 'x-request-id': `visit-${id}` },
    })
    const session = turn.body.session_id
    if (leaves) await leave(token, session)
    return { token, id, session }
  }
  async function leave(token: string, session: string): Promise<void> {
    const path = `/api/v1/chatbot/sessions/${session}`
    const lead = await product.call(`${path}/lead`, { token, body: AYSE })
    const slots = await product.call<Slots>(`${path}/slots`, { token })
    const body = { name: 'Ayşe', start: slots.body.data[0]?.start }
    const booked = await product.call(`${path}/appointment`, { token, body })
    expect([lead.status, booked.status]).toEqual([201, 201])
  }
  /** How many rows of a table speak of the workspace. */
  async function count(
    table: 'sessions' | 'messages' | 'leads' | 'appointments' | 'idempotency',
    { id }: TestWorkspace,
  ): Promise<number> {
    const { rows } = await product.ctx.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('workspace_id', '=', id)
      .executeTakeFirstOrThrow()
    return rows
  }

  test('is given out as a file, and erased, when a visitor asks for it', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    const token = await freshToken(product, workspace)
    const ayse = await visit(workspace)
    const fatma = await visit(workspace)
    const path = `/api/v1/visitors/${ayse.id}`
    const exported = await product.call<VisitorExport>(`${path}/export`, { token })
    expect(exported.status, exported.text).toBe(200)
    expect(exported.headers.get('content-type')).toMatch(/^application\/json/)
    expect(exported.body).toMatchObject({
      visitor_id: ayse.id,
      sessions: [{ session_id: ayse.session, lead: { email: AYSE.email } }],
      appointments: [{ name: 'Ayşe' }],
    })
    expect(exported.body.sessions[0]?.messages[0]?.content).toBe('<b>Merhaba</b>, ben geldim')
    expect(exported.text).not.toContain(fatma.id)

    expect((await product.call(path, { method: 'DELETE', token })).status).toBe(204)
    expect((await product.call(`${path}/export`, { token })).status).toBe(404)
    expect((await product.call(path, { method: 'DELETE', token })).status).toBe(404)
    expect(await count('sessions', workspace)).toBe(1)
    expect(await count('leads', workspace)).toBe(1)
    expect(await count('appointments', workspace)).toBe(1)
    const stored = await product.ctx.db
      .selectFrom('idempotency')
      .select('caller')
      .where('caller', '=', ayse.id)
      .execute()
    expect(stored).toEqual([])
    const rest = await product.call<VisitorExport>(`/api/v1/visitors/${fatma.id}/export`, { token })
    expect(rest.body.sessions.length).toBe(1)
    const audit = await product.call<Page<AuditEntry>>('/api/v1/audit', { token })
    expect(audit.body.data.some(({ action }) => action === 'visitor.erased')).toBe(true)
    expect(audit.text).not.toContain(AYSE.email)
  })

  test('is exported whole, and erased whole, however many conversations there were', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    const token = await freshToken(product, workspace)
    const { id, token: visitor } = await visit(workspace)
    const open = { token: visitor, body: { tenant_id: workspace.tenantId } }
    for (let at = 0; at < 60; at += 1) {
      await product.call('/api/v1/chatbot/sessions', open)
    }
    const path = `/api/v1/visitors/${id}`
    const { headers, body } = await product.call<VisitorExport>(`${path}/export`, { token })
    // It is sent as it is read.
    expect(headers.get('content-length')).toBeNull()
    expect(VisitorExport.parse(body)).toEqual(body)
    expect(new Set(body.sessions.map(({ session_id }) => session_id)).size).toBe(61)
    expect(body.appointments).toHaveLength(1)
    expect((await product.call(path, { method: 'DELETE', token })).status).toBe(204)
    expect(await count('sessions', workspace)).toBe(0)
  })

  test('is for owners and admins of the workspace alone', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    const other = await addWorkspace(product)
    const { id, token: visitor } = await visit(workspace)
    const operator = await addMember(product, workspace)
    const strangers = await freshToken(product, other)
    for (const token of [visitor, operator.token, strangers]) {
      for (const [path, method] of [
        [`/api/v1/visitors/${id}/export`, 'GET'],
        [`/api/v1/visitors/${id}`, 'DELETE'],
      ] as const) {
        expect((await product.call(path, { method, token })).status).toBe(403)
      }
    }
    expect(await count('sessions', workspace)).toBe(1)
  })

  test('is kept as long as the site says, and leads longer where it wants that', async () => {
    const privacy = { retention_days: 30 }
    const short = await addWorkspace(product, { tenant: { ...ALWAYS_OPEN, privacy } })
    const leads = await addWorkspace(product, {
      tenant: { ...ALWAYS_OPEN, privacy: { ...privacy, keep_leads: true } },
    })
    const ever = await addWorkspace(product, {
      tenant: { ...ALWAYS_OPEN, privacy: { retention_days: null } },
    })
    for (const workspace of [short, leads, ever]) {
      await visit(workspace)
      await visit(workspace, { leaves: false })
    }
    clock.move(29 * DAY_MS)
    await visit(short, { leaves: false })
    await expireConversations(product.ctx)
    expect(await count('sessions', short)).toBe(3)
    clock.move(2 * DAY_MS)
    await expireConversations(product.ctx)
    expect(await count('sessions', short)).toBe(1)
    expect(await count('messages', short)).toBe(2)
    expect([await count('leads', short), await count('appointments', short)]).toEqual([0, 0])
    expect([await count('sessions', leads), await count('leads', leads)]).toEqual([1, 1])
    expect([await count('sessions', ever), await count('leads', ever)]).toEqual([2, 1])
  })

  test('is known and erased also where they only said who they are', async () => {
    const privacy = { retention_days: 30 }
    const workspace = await addWorkspace(product, { tenant: { ...ALWAYS_OPEN, privacy } })
    const introduce = async () => {
      const became = await product.call<VisitorAnswer>('/api/v1/auth/visitor', {
        body: { tenant_id: workspace.tenantId },
      })
      const { access_token: token, visitor_id } = became.body
      const body = { name: 'Ayşe', email: AYSE.email }
      await product.call('/api/v1/chatbot/identify', { token, body })
      return `/api/v1/visitors/${visitor_id}`
    }
    const [erased, forgotten] = [await introduce(), await introduce()]
    const token = await freshToken(product, workspace)
    const exported = await product.call<VisitorExport>(`${erased}/export`, { token })
    expect(exported.text).toContain(AYSE.email)
    expect((await product.call(erased, { method: 'DELETE', token })).status).toBe(204)
    expect((await product.call(`${erased}/export`, { token })).status).toBe(404)
    clock.move(31 * DAY_MS)
    await expireConversations(product.ctx)
    const later = await freshToken(product, workspace)
    expect((await product.call(`${forgotten}/export`, { token: later })).status).toBe(404)
  })

  test('is settled by the site, which tells the widget what needs consent', async () => {
    const workspace = await addWorkspace(product, {
      tenant: { ...ALWAYS_OPEN, privacy: { consent_required: true } },
    })
    const { tenantId } = workspace
    const token = await freshToken(product, workspace)
    const config = await product.call<WidgetConfig>(`/api/v1/widget/${tenantId}/config`)
    expect(config.body.privacy).toEqual({ consent_required: true })
    const { token: visitor, session } = await visit(workspace, { leaves: false })
    const submit = (consent?: boolean) =>
      product.call<Partial<Problem>>(`/api/v1/chatbot/sessions/${session}/lead`, {
        token: visitor,
        body: { ...AYSE, ...(consent === undefined ? {} : { consent }) },
      })
    for (const consent of [undefined, false]) {
      const { status, body } = await submit(consent)
      expect([status, body.errors?.[0]?.path]).toEqual([422, '/consent'])
    }
    expect((await submit(true)).status).toBe(201)
    for (const privacy of [{ retention_days: 0 }, { retention_days: 9_999 }, { other: true }]) {
      const path = `/api/v1/tenants/${tenantId}`
      const changed = await product.call(path, { method: 'PATCH', token, body: { privacy } })
      expect(changed.status).toBe(422)
    }
  })
})
