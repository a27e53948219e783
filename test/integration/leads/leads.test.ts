import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Session, Turn } from '../../../server/chat/schema.ts'
import type { Lead } from '../../../server/leads/schema.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'

const SECRET = 'a secret of the receiver'
const CONSENT = 'Verilerimin işlenmesini kabul ediyorum.'
const AYSE = { name: 'Ayşe Yılmaz', phone: '0532 123 45 67', email: ' Ayse@Example.com ' }

describeOnDatabase('who leaves name, phone and e-mail', (database) => {
  let receiver: Receiver
  let workspace: TestWorkspace
  let visitor: string

  afterAll(() => receiver.close())
  const product = useProduct(database, {
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })
  beforeAll(async () => {
    receiver = await startReceiver()
    workspace = await addWorkspace(product, {
      tenant: { sector: 'saglik', forms: { lead: { consent_text: CONSENT } } },
    })
    visitor = await addVisitor(product, workspace)
    await product.call('/api/v1/webhooks/rules-engine/rules', {
      token: workspace.token,
      body: { name: 'CRM', event: 'lead.created', url: receiver.url, secret: SECRET },
    })
  })

  async function openSession(token = visitor): Promise<string> {
    const { body } = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: workspace.tenantId },
    })
    return body.session_id
  }
  const submit = <Body = Lead>(
    session: string,
    body: object,
    more: { token?: string; id?: string } = {},
  ) =>
    product.call<Body>(`/api/v1/chatbot/sessions/${session}/lead`, {
      token: more.token ?? visitor,
      body,
      ...(more.id ? { headers: { 'x-request-id': more.id } } : {}),
    })
  const sentFor = (leadId: string) =>
    receiver.received.filter(({ body }) => JSON.parse(body).data.lead_id === leadId)

  test('becomes a lead with an international number, which the CRM receives signed', async () => {
    const session = await openSession()
    const { status, body } = await submit(session, { ...AYSE, interest: 'Diş beyazlatma' })
    expect(status).toBe(201)
    expect(body).toEqual({
      lead_id: expect.stringMatching(/^lead_[0-9A-Za-z]{22,}$/),
      chatbot_id: expect.stringMatching(/^bot_/),
      session_id: session,
      sector: 'saglik',
      name: 'Ayşe Yılmaz',
      phone: '+905321234567',
      email: 'ayse@example.com',
      interest: 'Diş beyazlatma',
      source: 'widget_form',
      captured_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      confidence: 1,
    })
    await expect.poll(() => sentFor(body.lead_id).length).toBe(1)
    const [sent] = sentFor(body.lead_id)
    const sign = (text: string) =>
      `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`
    expect(sent?.headers['x-chat-signature']).toBe(sign(sent?.body ?? ''))
    const { signature, ...rest } = JSON.parse(sent?.body ?? '')
    expect(signature).toBe(sign(JSON.stringify(rest)))
    expect(rest).toMatchObject({ event: 'lead.created', webhook_id: expect.stringMatching(/^wh_/) })
    expect(rest.data).toEqual(body)
  })

  test('is in the list and can be read, by the workspace alone', async () => {
    const { body: lead } = await submit(await openSession(), AYSE)
    const { token } = workspace
    const list = await product.call<Page<Lead>>('/api/v1/leads', { token })
    const progress = { complete: true, status: 'new', owner: null, notes: '' }
    const managed = { ...lead, tenant_id: workspace.tenantId, consent: null, ...progress }
    expect(list.body.data[0]).toEqual(managed)
    const path = `/api/v1/leads/${lead.lead_id}`
    expect((await product.call(path, { token })).body).toEqual(managed)
    const other = await addWorkspace(product)
    expect((await product.call(path, { token: other.token })).status).toBe(403)
    expect((await product.call('/api/v1/leads/lead_nobody', { token })).status).toBe(404)
    expect(
      (await product.call<Page<Lead>>('/api/v1/leads', { token: other.token })).body.data,
    ).toEqual([])
    const first = await product.call<Page<Lead>>('/api/v1/leads?limit=1', { token })
    const second = await product.call<Page<Lead>>(
      `/api/v1/leads?limit=1&cursor=${first.body.next_cursor}`,
      { token },
    )
    expect(second.body.data.length).toBe(1)
    expect(second.body.data[0]?.lead_id).not.toBe(lead.lead_id)
  })

  test('is told which field does not fit, and nothing is kept', async () => {
    const session = await openSession()
    const cases: [object, string[]][] = [
      [{}, ['/name', '/phone', '/email']],
      [{ ...AYSE, phone: '12345' }, ['/phone']],
      [{ ...AYSE, phone: '+90 532 123 45 6' }, ['/phone']],
      [{ ...AYSE, phone: 'call me maybe' }, ['/phone']],
      [{ ...AYSE, email: 'ayse@' }, ['/email']],
      [{ ...AYSE, email: 'a b@example.com', phone: '1234' }, ['/email', '/phone']],
      [{ ...AYSE, name: '   ' }, ['/name']],
      [{ ...AYSE, name: 'x'.repeat(201) }, ['/name']],
      [{ ...AYSE, consent: 'yes' }, ['/consent']],
      [{ ...AYSE, admin: true }, ['/admin']],
    ]
    for (const [fields, paths] of cases) {
      const { status, body } = await submit<Problem>(session, fields)
      expect([fields, status, body.code]).toEqual([fields, 422, 'validation_failed'])
      expect([fields, new Set(body.errors?.map(({ path }) => path))]).toEqual([
        fields,
        new Set(paths),
      ])
    }
    const rows = await product.ctx.db
      .selectFrom('leads')
      .select('id')
      .where('session_id', '=', session)
      .execute()
    expect(rows).toEqual([])
  })

  test('counts once per session, however often the form is sent, and the last correction holds', async () => {
    const session = await openSession()
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(session, AYSE)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.lead_id)).size).toBe(1)
    const corrected = await submit(session, { ...AYSE, phone: '+49 1512 3456789' })
    const id = answers[0]?.body.lead_id ?? ''
    expect(corrected.body).toMatchObject({ lead_id: id, phone: '+4915123456789' })
    const marker = await submit(await openSession(), AYSE)
    await expect.poll(() => sentFor(marker.body.lead_id).length).toBe(1)
    expect(sentFor(id).length).toBe(1)
  })

  test('can send the form again under its id without a second lead or another answer', async () => {
    const session = await openSession()
    const first = await submit(session, AYSE, { id: 'lead-1' })
    const again = await submit(
      session,
      { email: AYSE.email, name: AYSE.name, phone: AYSE.phone },
      { id: 'lead-1' },
    )
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    const other = await submit<Problem>(session, { ...AYSE, name: 'Fatma' }, { id: 'lead-1' })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
    const refused = await openSession()
    expect((await submit(refused, { ...AYSE, phone: '12345' }, { id: 'lead-2' })).status).toBe(422)
    expect((await submit(refused, AYSE, { id: 'lead-2' })).status).toBe(201)
  })

  test('is on record with the words that were agreed to, also when the consent comes later', async () => {
    const consentOf = async (session: string) =>
      product.ctx.db
        .selectFrom('leads')
        .select(['consent_text', 'consent_at'])
        .where('session_id', '=', session)
        .executeTakeFirst()
    const session = await openSession()
    await submit(session, { ...AYSE, consent: false })
    expect(await consentOf(session)).toEqual({ consent_text: null, consent_at: null })
    await submit(session, { ...AYSE, consent: true })
    const given = await consentOf(session)
    expect(given).toEqual({ consent_text: CONSENT, consent_at: expect.any(Number) })
    await submit(session, AYSE)
    expect(await consentOf(session)).toEqual(given)
  })

  test('does it in their own session alone, and for free', async () => {
    const session = await openSession()
    const stranger = await addVisitor(product, workspace)
    expect((await submit(session, AYSE, { token: stranger })).status).toBe(404)
    const other = await addWorkspace(product)
    expect((await submit(session, AYSE, { token: other.token })).status).toBe(403)
    expect((await submit('ses_nobody', AYSE)).status).toBe(404)
    const poor = await addWorkspace(product, { credits: 0 })
    const guest = await addVisitor(product, poor)
    const asked = await product.call<Turn>('/api/v1/chatbot/message', {
      token: guest,
      body: { tenant_id: poor.tenantId, message: 'Hello?' },
    })
    expect(asked.status).toBe(402)
    expect((await submit(asked.body.session_id, AYSE, { token: guest })).status).toBe(201)
  })
})
