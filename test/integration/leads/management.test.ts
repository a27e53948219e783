import { beforeAll, expect, test } from 'vitest'
import type { Session } from '../../../server/chat/schema.ts'
import type { WidgetConfig } from '../../../server/tenants/schema.ts'
import type { ManagedLead } from '../../../server/leads/schema.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const CONSENT = 'Verilerimin işlenmesini kabul ediyorum.'
const AYSE = { name: 'Ayşe Yılmaz', phone: '0532 123 45 67', email: 'ayse@example.com' }
const HOSTILE = [
  '=HYPERLINK("http://evil.example","x")',
  '+1+1',
  '@SUM(A1)',
  '-2+3',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'Line\nbreak, "quoted"',
]

describeOnDatabase('what operators do with leads', (database) => {
  let workspace: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product, {
      tenant: { forms: { lead: { consent_text: CONSENT } } },
    })
  })

  async function leave(body: object, at = workspace): Promise<ManagedLead> {
    const token = await addVisitor(product, at)
    const session = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: at.tenantId },
    })
    const path = `/api/v1/chatbot/sessions/${session.body.session_id}/lead`
    const left = await product.call<ManagedLead>(path, { token, body })
    expect(left.status, left.text).toBe(201)
    return left.body
  }
  const read = <Body = ManagedLead>(path: string, at = workspace) =>
    product.call<Body>(`/api/v1/leads${path}`, { token: at.token })
  const change = <Body = ManagedLead>(id: string, body: object) =>
    product.call<Body>(`/api/v1/leads/${id}`, { method: 'PATCH', token: workspace.token, body })

  test('corrects them, checked like the form', async () => {
    const { lead_id } = await leave(AYSE)
    const changed = await change(lead_id, { phone: '0541 765 43 21', name: 'Ayşe Demir' })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      lead_id,
      name: 'Ayşe Demir',
      phone: '+905417654321',
      email: AYSE.email,
    })
    expect((await read(`/${lead_id}`)).body).toEqual(changed.body)
    for (const [body, path] of [
      [{ phone: '123' }, '/phone'],
      [{ email: 'ayse@' }, '/email'],
      [{ name: ' ' }, '/name'],
      [{ source: 'api' }, '/source'],
    ] as const) {
      const { status, body: problem } = await change<Problem>(lead_id, body)
      expect([status, problem.errors?.[0]?.path]).toEqual([422, path])
    }
    expect((await read(`/${lead_id}`)).body).toEqual(changed.body)
  })

  test('shows what was agreed to, when, and by a name that changes with the words', async () => {
    const at = await addWorkspace(product, {
      tenant: { forms: { lead: { consent_text: CONSENT } } },
    })
    const first = await leave({ ...AYSE, consent: true }, at)
    await product.call(`/api/v1/tenants/${at.tenantId}`, {
      method: 'PATCH',
      token: at.token,
      body: { forms: { lead: { consent_text: 'Other words.' } } },
    })
    const second = await leave({ ...AYSE, consent: true }, at)
    const [one, other] = await Promise.all(
      [first, second].map(async ({ lead_id }) => (await read(`/${lead_id}`, at)).body.consent),
    )
    expect(one).toEqual({
      text: CONSENT,
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
      given_at: expect.stringMatching(/Z$/),
    })
    expect(other?.text).toBe('Other words.')
    expect(other?.version).not.toBe(one?.version)
  })

  test('finds them by site, time, source and words', async () => {
    const at = await addWorkspace(product)
    const ayse = await leave({ ...AYSE, interest: 'Diş 100%' }, at)
    const bob = await leave({ name: 'Bob_Smith', phone: '+1 415 555 2671', email: 'b@x.com' }, at)
    const found = async (query: string) =>
      (await read<{ data: ManagedLead[] }>(`?${query}`, at)).body.data.map(({ lead_id }) => lead_id)
    expect(await found('')).toEqual([bob.lead_id, ayse.lead_id])
    expect(await found('q=bob_')).toEqual([bob.lead_id])
    expect(await found(`q=${encodeURIComponent('Yılmaz')}`)).toEqual([ayse.lead_id])
    expect(await found('q=100%25')).toEqual([ayse.lead_id])
    expect(await found('q=1005')).toEqual([])
    expect(await found('q=%2B90532')).toEqual([ayse.lead_id])
    expect(await found('source=conversation')).toEqual([])
    expect(await found('source=widget_form&q=bob')).toEqual([bob.lead_id])
    expect(await found(`tenant_id=${workspace.tenantId}`)).toEqual([])
    expect(await found('to=2020-01-01T00:00:00Z')).toEqual([])
    expect((await found('from=2020-01-01T00:00:00Z')).length).toBe(2)
    expect((await read('?source=elsewhere', at)).status).toBe(422)
  })

  test('gets them as a file in which nothing is a formula, and as text everywhere', async () => {
    const at = await addWorkspace(product)
    for (const name of HOSTILE) await leave({ ...AYSE, name, interest: name }, at)
    const file = await read('.csv', at)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    const [head = ''] = file.text.split('\r\n')
    expect(head.split(',').slice(3, 6)).toEqual(['name', 'phone', 'email'])
    expect(file.text).toContain(`,"'=HYPERLINK(""http://evil.example"",""x"")","+905321234567",`)
    // A phone number in E.164 is none.
    expect(file.text).not.toMatch(/(^|,)"?(?!\+\d{7,15}",)[=+@-]/m)
    const list = await read<{ data: ManagedLead[] }>('', at)
    expect(list.headers.get('content-type')).toMatch(/^application\/json/)
    expect(list.body.data.map(({ name }) => name)).toEqual(HOSTILE.toReversed())
    expect((await read('.csv?q=nobody', at)).text.split('\r\n').length).toBe(2)
  })
})

describeOnDatabase('how far a workspace is with its leads', (database) => {
  const product = useProduct(database)

  test('statuses, owners and notes are kept, and a lead merges with its double', async () => {
    const workspace = await addWorkspace(product)
    const { token } = workspace
    const ayse = await addMember(product, workspace, { name: 'Ayşe' })
    const leave = async (more: object) => {
      const visitor = await addVisitor(product, workspace)
      const session = await product.call<Session>('/api/v1/chatbot/sessions', {
        token: visitor,
        body: { tenant_id: workspace.tenantId },
      })
      const path = `/api/v1/chatbot/sessions/${session.body.session_id}/lead`
      return (await product.call<ManagedLead>(path, { token: visitor, body: { ...AYSE, ...more } }))
        .body.lead_id
    }
    const change = (id: string, body: object) =>
      product.call<ManagedLead>(`/api/v1/leads/${id}`, { method: 'PATCH', token, body })
    const [first, second] = [await leave({}), await leave({ interest: 'Implant' })]
    const won = await change(second, { status: 'won', owner_id: ayse.id, notes: 'Called twice.' })
    expect([won.status, won.body]).toMatchObject([
      200,
      { status: 'won', owner: { user_id: ayse.id, name: 'Ayşe' }, notes: 'Called twice.' },
    ])
    await change(first, { notes: 'Prefers mornings.' })
    const list = (query: string) =>
      product.call<Page<ManagedLead>>(`/api/v1/leads?${query}`, { token })
    expect((await list('status=won')).body.data.map(({ lead_id }) => lead_id)).toEqual([second])
    const stranger = await addWorkspace(product)
    const outsider = await addMember(product, stranger)
    expect((await change(first, { owner_id: outsider.id })).status).toBe(403)
    expect((await change(first, { status: 'sold' })).status).toBe(422)

    const merge = (into: string, other: string) =>
      product.call<ManagedLead>(`/api/v1/leads/${into}/merge`, { token, body: { lead_id: other } })
    expect((await merge(first, first)).status).toBe(422)
    const merged = await merge(first, second)
    expect(merged.body).toMatchObject({
      lead_id: first,
      status: 'won',
      interest: 'Implant',
      notes: 'Prefers mornings.\n\nCalled twice.',
      owner: { user_id: ayse.id },
    })
    expect((await list('')).body.data).toHaveLength(1)
    const gone = await product.call(`/api/v1/leads/${first}`, { method: 'DELETE', token })
    expect([gone.status, (await list('')).body.data]).toEqual([204, []])
  })
})

describeOnDatabase('a site that asks for an e-mail address alone', (database) => {
  const product = useProduct(database, { settings: { ALLOW_PRIVATE_TARGETS: 'true' } })

  test('keeps an incomplete lead, announces it once, and once more when it is complete', async () => {
    const workspace = await addWorkspace(product, {
      tenant: { forms: { lead: { required: ['email'] } } },
    })
    const { token } = workspace
    const config = await product.call<WidgetConfig>(`/api/v1/widget/${workspace.tenantId}/config`)
    expect(config.body.forms.lead.required).toEqual(['email'])
    const rule = { name: 'Leads', event: 'lead.created', url: 'http://127.0.0.1:9/' }
    await product.call('/api/v1/webhooks/rules-engine/rules', { token, body: rule })
    const subscription = { url: 'http://127.0.0.1:9/', events: ['chatbot.lead'] }
    await product.call('/api/v1/webhooks', { token, body: subscription })
    const told = async () => {
      const rows = await product.ctx.db
        .selectFrom('deliveries')
        .select('event')
        .where('workspace_id', '=', workspace.id)
        .execute()
      return rows.map(({ event }) => event).toSorted()
    }
    const visitor = await addVisitor(product, workspace)
    const session = await product.call<Session>('/api/v1/chatbot/sessions', {
      token: visitor,
      body: { tenant_id: workspace.tenantId },
    })
    const path = `/api/v1/chatbot/sessions/${session.body.session_id}/lead`
    const leave = (body: object) => product.call<ManagedLead>(path, { token: visitor, body })
    const list = async () =>
      (await product.call<Page<ManagedLead>>('/api/v1/leads', { token })).body.data

    expect((await leave({ name: 'Ayşe' })).status).toBe(422)
    const first = await leave({ email: AYSE.email })
    expect([first.status, first.body]).toMatchObject([201, { email: AYSE.email, phone: '' }])
    expect(await list()).toMatchObject([{ complete: false, name: '' }])
    expect(await told()).toEqual(['chatbot.lead'])
    await leave({ email: AYSE.email, name: AYSE.name })
    expect(await told()).toEqual(['chatbot.lead'])
    await leave({ email: AYSE.email, phone: AYSE.phone })
    expect(await list()).toMatchObject([{ complete: true, name: AYSE.name }])
    expect(await told()).toEqual(['chatbot.lead', 'lead.created'])
    await leave(AYSE)
    expect(await told()).toEqual(['chatbot.lead', 'lead.created'])
  })
})

describeOnDatabase('a site that wants the address proved', (database) => {
  let workspace: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product, {
      tenant: { forms: { lead: { verify_email: true } } },
    })
  })

  async function begin() {
    const token = await addVisitor(product, workspace)
    const session = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: workspace.tenantId },
    })
    const path = `/api/v1/chatbot/sessions/${session.body.session_id}/lead`
    return (body: object) =>
      product.call<Problem & Omit<ManagedLead, 'status'>>(path, { token, body })
  }
  let person = 0
  const somebody = () => ({ ...AYSE, email: `ayse${(person += 1)}@example.com` })
  /** Returns the code of the last mail to an address. */
  async function codeFor(email: string): Promise<string> {
    const page = await product.call(`${product.devPath}/mail`)
    const at = page.text.indexOf(email)
    return /\b\d{6}\b/.exec(page.text.slice(at))?.[0] ?? ''
  }

  test('says so to the widget, mails a code, and takes the lead with it', async () => {
    const config = await product.call<WidgetConfig>(`/api/v1/widget/${workspace.tenantId}/config`)
    expect(config.body.forms).toMatchObject({ lead: { verify_email: true } })
    const submit = await begin()
    const fields = somebody()
    const asked = await submit(fields)
    expect([asked.status, asked.body]).toEqual([202, { verification: 'email', expires_in: 900 }])
    const none = await product.call<Page<ManagedLead>>('/api/v1/leads', { token: workspace.token })
    expect(none.body.data).toEqual([])
    const code = await codeFor(fields.email)
    const wrong = await submit({ ...fields, code: code === '000000' ? '111111' : '000000' })
    expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([422, '/code'])
    const other = await submit({ ...fields, email: 'other@example.com', code })
    expect(other.status).toBe(422)
    const left = await submit({ ...fields, code })
    expect(left.status, left.text).toBe(201)
    expect(left.body).toMatchObject({ email: fields.email })
    expect((await submit({ ...fields, code })).status).toBe(422)
  })

  test('lets nobody guess: five tries, six codes', async () => {
    const submit = await begin()
    const fields = somebody()
    await submit(fields)
    const code = await codeFor(fields.email)
    const wrong = code === '000000' ? '111111' : '000000'
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await submit({ ...fields, code: wrong })).status).toBe(422)
    }
    expect((await submit({ ...fields, code })).status).toBe(422)
    for (let codes = 1; codes < 6; codes += 1) {
      expect((await submit(fields)).status).toBe(202)
    }
    const often = await submit(fields)
    expect([often.status, often.body.code]).toEqual([429, 'rate_limited'])
  })

  test('keeps no code that anybody could read', async () => {
    const submit = await begin()
    const fields = somebody()
    await submit(fields)
    const code = await codeFor(fields.email)
    const rows = await product.ctx.db.selectFrom('lead_codes').select('digest').execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const { digest } of rows) expect(digest).not.toContain(code)
  })
})
