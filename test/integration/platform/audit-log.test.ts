import { beforeAll, expect, test } from 'vitest'
import type { Appointment, Slots } from '../../../server/appointments/schema.ts'
import type { Session } from '../../../server/chat/schema.ts'
import type { Document } from '../../../server/knowledge/schema.ts'
import type { AuditEntry } from '../../../server/platform/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ALWAYS_OPEN } from '../security/access/filled-workspace.ts'

describeOnDatabase('the audit log', (database) => {
  let workspace: TestWorkspace

  const product = useProduct(database, {
    clock: new TestClock(Date.UTC(2027, 5, 15, 9)),
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
  })

  const call = <Body>(path: string, method = 'GET', body?: object) =>
    product.call<Body>(path, { token: workspace.token, method, ...(body ? { body } : {}) })

  async function entriesAfter(deed: () => Promise<unknown>): Promise<AuditEntry[]> {
    const before = await call<Page<AuditEntry>>('/api/v1/audit?limit=100')
    await deed()
    const after = await call<Page<AuditEntry>>('/api/v1/audit?limit=100')
    return after.body.data.slice(0, after.body.data.length - before.body.data.length)
  }

  test('tells who added, changed, synced and removed what the bot knows', async () => {
    const base = `/api/v1/tenants/${workspace.tenantId}/knowledge`
    const entries = await entriesAfter(async () => {
      const id = await addDocument(product, workspace, {
        title: 'Gizli',
        content: '# Bir\n\nİki',
      })
      await call(`${base}/${id}`, 'PATCH', { title: 'Sır' })
      await call(`${base}/${id}`, 'DELETE')
      const url = 'http://127.0.0.1:9/'
      const page = await call<Document>(base, 'POST', { kind: 'url', url })
      await call(`${base}/${page.body.doc_id}/sync`, 'POST')
    })
    const document = { type: 'document', id: expect.stringMatching(/^doc_/) }
    expect(entries.toReversed()).toMatchObject([
      { action: 'document.added', subject: document, actor: { kind: 'user' } },
      { action: 'document.changed', details: { fields: ['title'] } },
      { action: 'document.removed', subject: document },
      { action: 'document.added', details: { kind: 'url' } },
      { action: 'document.synced' },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Gizli|Sır|127\.0\.0\.1/)
  })

  test('tells who did what to visitors and their data, and not the data', async () => {
    const token = await addVisitor(product, workspace)
    const talk = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: workspace.tenantId },
    })
    const path = `/api/v1/chatbot/sessions/${talk.body.session_id}`
    const slots = await product.call<Slots>(`${path}/slots`, { token })
    const booked = await product.call<Appointment>(`${path}/appointment`, {
      token,
      body: { name: 'Ayşe', start: slots.body.data[0]?.start },
    })
    const appointment = `/api/v1/appointments/${booked.body.appointment_id}`
    const [session] = await product.ctx.db
      .selectFrom('sessions')
      .select('visitor_id')
      .where('id', '=', talk.body.session_id)
      .execute()
    const entries = await entriesAfter(async () => {
      await call(appointment, 'PATCH', { name: 'Fatma', start: slots.body.data[1]?.start })
      await call(appointment, 'PATCH', { state: 'cancelled' })
      await call(`/api/v1/visitors/${session?.visitor_id}/export`)
      await call('/api/v1/leads.csv')
      await call(path, 'DELETE')
      await call(`/api/v1/tenants/${workspace.tenantId}/identity-secret/rotate`, 'POST')
    })
    expect(entries.toReversed()).toMatchObject([
      { action: 'appointment.changed', details: { fields: ['start', 'name'] } },
      { action: 'appointment.cancelled', details: { fields: ['state'] } },
      { action: 'visitor.exported' },
      { action: 'leads.exported' },
      { action: 'session.erased' },
      { action: 'identity_secret.rotated', subject: { type: 'tenant', id: workspace.tenantId } },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Fatma|Ayşe/)
  })
})
