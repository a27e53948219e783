import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Appointment } from '../../../../server/appointments/schema.ts'
import type { Turn } from '../../../../server/chat/schema.ts'
import type { Tenant } from '../../../../server/tenants/schema.ts'
import type { Page, Problem, VisitorAnswer } from '../../../helpers/answers.ts'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnBothDatabases, describeOnDatabase } from '../../../helpers/databases.ts'
import {
  OPERATOR_TOKEN,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../../helpers/product.ts'
import { type ModelServer, startModelServer } from '../../../helpers/servers/model-server.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { readBy, settingsOf } from '../../models/answering-visitor.ts'

describeOnBothDatabases('a stranger who writes and writes', (database) => {
  const product = useProduct(database)

  test('uses a tenth of the month in a day, unless the site chose otherwise', async () => {
    const workspace = await addWorkspace(product, { credits: 50 })
    const { token } = workspace
    const tenant_id = `${workspace.tenantId}-2`
    const made = await product.call<Tenant>('/api/v1/tenants', {
      token,
      body: { tenant_id, name: 'Site' },
    })
    expect(made.body.daily_credit_cap).toBe(5)
    const path = `/api/v1/tenants/${tenant_id}`
    const visitor = await addVisitor(product, { ...workspace, tenantId: tenant_id })
    const write = () =>
      product.call<Turn & Problem>('/api/v1/chatbot/message', {
        token: visitor,
        body: { tenant_id, message: 'Merhaba' },
      })
    const codes: string[] = []
    for (let at = 0; at < 6; at += 1) codes.push((await write()).body.code ?? 'answered')
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'answered'), 'credits_exhausted'])

    // It follows the plan while nobody has chosen, and is a cap of a day for each site.
    await product.call(`/api/v1/operator/workspaces/${workspace.id}`, {
      method: 'PATCH',
      token: OPERATOR_TOKEN,
      body: { monthly_credits: 80 },
    })
    expect((await product.call<Tenant>(path, { token })).body.daily_credit_cap).toBe(8)
    const listed = await product.call<Page<Tenant>>('/api/v1/tenants', { token })
    expect(listed.body.data.map(({ daily_credit_cap }) => daily_credit_cap)).toEqual([8, null])
    expect((await write()).status).toBe(200)

    for (const daily_credit_cap of [6, null]) {
      const patch = { method: 'PATCH', token, body: { daily_credit_cap } }
      const changed = await product.call<Tenant>(path, patch)
      expect(changed.body.daily_credit_cap).toBe(daily_credit_cap)
      // A change of something else leaves the choice.
      const renamed = await product.call<Tenant>(path, { ...patch, body: { name: 'Other' } })
      expect(renamed.body.daily_credit_cap).toBe(daily_credit_cap)
      expect((await write()).status).toBe(daily_credit_cap === null ? 200 : 402)
    }
  })

  test('gets an answer even where a tenth would not pay for one', async () => {
    const workspace = await addWorkspace(product, { credits: 9 })
    const tenant_id = `${workspace.tenantId}-2`
    const made = await product.call<Tenant>('/api/v1/tenants', {
      token: workspace.token,
      body: { tenant_id, name: 'Site' },
    })
    expect(made.body.daily_credit_cap).toBe(3)
  })
})

describeOnBothDatabases('a stranger with a site to himself', (database) => {
  const product = useProduct(database, {
    settings: { TRUSTED_PROXIES: '127.0.0.0/8', LIMIT_DAILY_SHARE: '50' },
  })

  test('uses his share of the day, and others go on', async () => {
    const workspace = await addWorkspace(product, { tenant: { daily_credit_cap: 44 } })
    const write = async (address: string) => {
      const { tenantId: tenant_id } = workspace
      const headers = { 'x-forwarded-for': address }
      const { body } = await product.call<VisitorAnswer>('/api/v1/auth/visitor', {
        headers,
        body: { tenant_id },
      })
      return product.call<Turn & Problem>('/api/v1/chatbot/message', {
        token: body.access_token,
        headers,
        body: { tenant_id, message: 'Merhaba' },
      })
    }
    const many = await Promise.all(Array.from({ length: 30 }, () => write('203.0.113.1')))
    let answered = many.filter(({ status }) => status === 200).length
    // Answers in flight hold more than they cost in the end.
    for (let left = 22 - answered; left > 0; left -= 1) {
      if ((await write('203.0.113.1')).status === 200) answered += 1
    }
    expect(answered).toBe(22)
    const refused = await write('203.0.113.1')
    expect(refused).toMatchObject({ status: 402, body: { code: 'credits_exhausted' } })
    expect(refused.body).toHaveProperty('reset_at')
    expect(refused.text).not.toContain('remaining')
    expect((await write('203.0.113.2')).status).toBe(200)
    const { rows } = await sql<{ used: number }>`select cast(used as bigint) as used
      from client_spent where workspace_id = ${workspace.id} order by used`.execute(product.ctx.db)
    expect(rows.map(({ used }) => used)).toEqual([1_000, 22_000])
  })
})

/** Saturday, 21 November 2026, 12:00 in Istanbul. */
const NOW = Date.parse('2026-11-21T09:00:00Z')

describeOnDatabase('a stranger who has a model book', (database) => {
  let server: ModelServer
  let clinic: TestWorkspace
  let booking: object = {}

  beforeAll(async () => {
    server = await startModelServer(({ body }) => {
      const [result] = readBy(body).results
      if (result !== undefined) return { text: [result] }
      return { calls: [{ id: 'c1', name: 'book_appointment', input: JSON.stringify(booking) }] }
    })
  })
  afterAll(() => server.close())
  const clock = new TestClock(NOW)
  const product = useProduct(database, () => ({
    clock,
    settings: { ...settingsOf(server), LOG_LEVEL: 'fatal', LIMIT_DEFAULT: '1000' },
  }))
  beforeAll(async () => {
    clinic = await addWorkspace(product, {
      tenant: {
        locale: 'en',
        time_zone: 'Europe/Istanbul',
        office_hours: { mon: [{ from: '09:00', to: '17:00' }] },
        slot_minutes: 30,
      },
    })
  })

  /** Books the half hours of Monday from nine, each as a new visitor. */
  async function book(at: number): Promise<string> {
    const start = new Date(Date.parse('2026-11-23T06:00:00.000Z') + at * 1_800_000).toISOString()
    booking = { start, name: 'Ayşe Yılmaz', phone: '+90 532 123 45 67' }
    const hour = 9 + Math.floor(at / 2)
    const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
      token: await addVisitor(product, clinic),
      body: {
        tenant_id: clinic.tenantId,
        message: `Monday at ${hour} please. I am Ayşe Yılmaz, 0532 123 45 67`,
      },
    })
    return body.reply?.content ?? ''
  }

  test('takes five times an hour from everybody else, like one who fills the form', async () => {
    const said: string[] = []
    for (let at = 0; at < 4; at += 1) said.push(await book(at))
    // The form and the model share one count.
    const token = await addVisitor(product, clinic)
    const { body } = await product.call<{ session_id: string }>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: clinic.tenantId },
    })
    const path = `/api/v1/chatbot/sessions/${body.session_id}/appointment`
    const fields = { name: 'Ayşe', start: '2026-11-23T13:00:00Z' }
    const form = { token, body: fields }
    const retried = { ...form, headers: { 'x-request-id': 'the-form-once' } }
    expect((await product.call(path, retried)).status).toBe(201)
    said.push(await book(4), await book(5))
    expect(said.map((text) => text.includes('Booked for Monday'))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect((await product.call(path, form)).status).toBe(429)
    // The retry of a booking that was made is no new one.
    expect((await product.call(path, retried)).status).toBe(201)
    const another = { ...form, headers: { 'x-request-id': 'another-one' } }
    expect((await product.call(path, another)).status).toBe(429)
    const { rows } = await product.ctx.db
      .selectFrom('appointments')
      .select(({ fn }) => fn.countAll<Appointment[]['length']>().as('rows'))
      .executeTakeFirstOrThrow()
    expect(rows).toBe(5)
  })
})
