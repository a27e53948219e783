import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Appointment, CalendarFeed, Slots } from '../../../server/appointments/schema.ts'
import type { Session } from '../../../server/chat/schema.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** Saturday, 21 November 2026, 12:00 in Istanbul. */
const NOW = Date.parse('2026-11-21T09:00:00Z')
const OFFICE = {
  office_hours: { mon: [{ from: '09:00', to: '12:00' }], tue: [{ from: '13:00', to: '15:00' }] },
  slot_minutes: 30,
  time_zone: 'Europe/Istanbul',
  forms: {
    appointment: {
      services: [
        { name: 'Kontrol', minutes: 30 },
        { name: 'Dolgu', minutes: 60 },
      ],
      holidays: ['2026-11-30'],
      notify_email: 'desk@example.com',
    },
  },
}
const MONDAY_NINE = '2026-11-23T06:00:00.000Z'

describeOnDatabase('appointments', (database) => {
  let receiver: Receiver
  const clock = new TestClock(NOW)

  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })

  const openSite = () => addWorkspace(product, { tenant: OFFICE })

  async function openTalk(workspace: TestWorkspace) {
    const token = await addVisitor(product, workspace)
    const session = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: workspace.tenantId },
    })
    const path = `/api/v1/chatbot/sessions/${session.body.session_id}`
    return {
      slots: (query = '') => product.call<Slots>(`${path}/slots${query}`, { token }),
      book: (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
        product.call<Appointment & Problem>(`${path}/appointment`, {
          token,
          headers,
          body: { name: 'Ayşe', ...body },
        }),
    }
  }

  test('shows what is free within the office hours, and not on holidays', async () => {
    const talk = await openTalk(await openSite())
    const { body } = await talk.slots()
    expect(body.time_zone).toBe('Europe/Istanbul')
    expect(body.data[0]).toEqual({ start: MONDAY_NINE, end: '2026-11-23T06:30:00.000Z' })
    // Two Tuesdays of four slots, one Monday of six: the other Monday is a holiday.
    expect(body.data).toHaveLength(14)
    const day = await talk.slots('?from=2026-11-24&to=2026-11-24')
    expect(day.body.data.map(({ start }) => start.slice(11, 16))).toEqual([
      '10:00',
      '10:30',
      '11:00',
      '11:30',
    ])
    const long = await talk.slots('?from=2026-11-24&to=2026-11-24&service=Dolgu')
    expect(long.body.data).toHaveLength(3)
  })

  test('follows the holidays of the office, and hours that end after midnight', async () => {
    const workspace = await addWorkspace(product, {
      tenant: {
        time_zone: 'Europe/Istanbul',
        slot_minutes: 60,
        office_hours: { mon: [{ from: '22:00', to: '01:00' }], holidays: ['2026-11-30'] },
      },
    })
    const talk = await openTalk(workspace)
    const { body } = await talk.slots('?from=2026-11-23&to=2026-12-01')
    expect(body.data.map(({ start }) => start)).toEqual([
      '2026-11-23T19:00:00.000Z',
      '2026-11-23T20:00:00.000Z',
      '2026-11-23T21:00:00.000Z',
    ])
    const after = await talk.slots('?from=2026-11-24&to=2026-11-24')
    expect(after.body.data.map(({ start }) => start)).toEqual(['2026-11-23T21:00:00.000Z'])
    expect((await talk.book({ start: '2026-11-23T21:00:00Z' })).status).toBe(201)
    expect((await talk.book({ start: '2026-11-30T19:00:00Z' })).status).toBe(422)
  })

  test('books a slot once, tells both sides, and announces it', async () => {
    const workspace = await openSite()
    await product.call('/api/v1/webhooks/rules-engine/rules', {
      token: workspace.token,
      body: { name: 'Calendar', event: 'appointment.created', url: receiver.url },
    })
    const talk = await openTalk(workspace)
    const booked = await talk.book({
      start: MONDAY_NINE,
      service: 'Kontrol',
      phone: '0532 123 45 67',
      email: 'Ayse@Example.com',
    })
    expect(booked.status, booked.text).toBe(201)
    expect(booked.body).toMatchObject({
      appointment_id: expect.stringMatching(/^apt_/),
      start: MONDAY_NINE,
      end: '2026-11-23T06:30:00.000Z',
      phone: '+905321234567',
      email: 'ayse@example.com',
      service: 'Kontrol',
      state: 'booked',
    })
    const [delivery] = await receiver.waitFor(1)
    const sent: { data: unknown } = JSON.parse(String(delivery?.body))
    expect(sent.data).toMatchObject({
      appointment_id: booked.body.appointment_id,
      start: MONDAY_NINE,
      service: 'Kontrol',
      confidence: 1,
    })
    const mails = await product.ctx.db
      .selectFrom('mails')
      .select('recipient')
      .where('workspace_id', '=', workspace.id)
      .execute()
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual([
      'ayse@example.com',
      'desk@example.com',
    ])
    const free = await talk.slots()
    expect(free.body.data.map(({ start }) => start)).not.toContain(MONDAY_NINE)
    const other = await openTalk(workspace)
    const late = await other.book({ start: MONDAY_NINE })
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
    // An hour that begins before it would run into it.
    const across = await other.book({ start: '2026-11-23T06:30:00Z', service: 'Dolgu' })
    expect(across.status).toBe(201)
  })

  test('refuses times that are not open', async () => {
    const talk = await openTalk(await openSite())
    const wrong = [
      '2026-11-23T06:10:00Z',
      '2026-11-23T09:00:00Z',
      '2026-11-22T06:00:00Z',
      '2026-11-30T06:00:00Z',
      '2026-11-16T06:00:00Z',
      '2027-11-22T06:00:00Z',
    ]
    for (const start of wrong) {
      const answer = await talk.book({ start })
      expect([answer.status, answer.body.errors?.[0]?.path], start).toEqual([422, '/start'])
    }
    const unknown = await talk.book({ start: MONDAY_NINE, service: 'Saç' })
    expect(unknown.body.errors?.[0]?.path).toBe('/service')
    const phone = await talk.book({ start: MONDAY_NINE, phone: '12345' })
    expect(phone.body.errors?.[0]?.path).toBe('/phone')
  })

  test('gives one slot to one of two hundred who want it at once', async () => {
    const workspace = await openSite()
    const talks = await Promise.all(Array.from({ length: 20 }, () => openTalk(workspace)))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => talks)
        .flat()
        .map((talk) => talk.book({ start: '2026-11-24T10:00:00Z' })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(199)
  })

  test('books once for the same request id', async () => {
    const talk = await openTalk(await openSite())
    const headers = { 'x-request-id': 'book-once' }
    const first = await talk.book({ start: MONDAY_NINE }, headers)
    const again = await talk.book({ start: MONDAY_NINE }, headers)
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.appointment_id).toBe(first.body.appointment_id)
  })

  test('can be moved and cancelled by the link, and by nobody with another link', async () => {
    const workspace = await openSite()
    const talk = await openTalk(workspace)
    const booked = await talk.book({ start: MONDAY_NINE, service: 'Kontrol' })
    const path = (booked.body.manage_url ?? '').replace('http://localhost:3000', '')
    const page = await fetch(product.url + path)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Randevuyu iptal et')
    const post = (form: Record<string, string>) =>
      fetch(product.url + path, { method: 'POST', body: new URLSearchParams(form) })
    const moved = await post({ start: '2026-11-23T07:00:00.000Z' })
    expect(await moved.text()).toContain('Randevunuz değiştirildi.')
    const free = await talk.slots()
    expect(free.body.data[0]?.start).toBe(MONDAY_NINE)
    await post({ cancel: 'yes' })
    const seen = await product.call<Appointment & Problem>(
      `/api/v1/appointments/${booked.body.appointment_id}`,
      {
        token: workspace.token,
      },
    )
    expect(seen.body.state).toBe('cancelled')
    const forged = await fetch(`${product.url}${path.slice(0, -2)}AA`)
    expect(forged.status).toBe(404)
  })

  test('keeps opening hours on days when the clocks change', async () => {
    const workspace = await addWorkspace(product, {
      tenant: {
        ...OFFICE,
        time_zone: 'Europe/Berlin',
        office_hours: { sun: [{ from: '01:00', to: '04:00' }] },
        slot_minutes: 60,
        forms: { appointment: { days_ahead: 365 } },
      },
    })
    const talk = await openTalk(workspace)
    const spring = await talk.slots('?from=2027-03-28&to=2027-03-28')
    expect(spring.body.data.map(({ start }) => start)).toEqual([
      '2027-03-28T00:00:00.000Z',
      '2027-03-28T01:00:00.000Z',
    ])
    const autumn = await talk.slots('?from=2027-10-31&to=2027-10-31')
    expect(autumn.body.data).toHaveLength(4)
  })

  test('is listed, moved, cancelled and exported by the people of the workspace', async () => {
    const workspace = await openSite()
    const talk = await openTalk(workspace)
    const { body } = await talk.book({ start: MONDAY_NINE, name: '=1+1', service: 'Kontrol' })
    const { token } = workspace
    const path = `/api/v1/appointments/${body.appointment_id}`
    const list = await product.call<Page<Appointment & Problem>>('/api/v1/appointments', { token })
    expect(list.body.data).toHaveLength(1)
    const moved = await product.call<Appointment & Problem>(path, {
      method: 'PATCH',
      token,
      body: { start: '2026-11-24T10:00:00Z', name: 'Ayşe Yılmaz' },
    })
    expect(moved.body).toMatchObject({ start: '2026-11-24T10:00:00.000Z', name: 'Ayşe Yılmaz' })
    const calendar = await product.call(`${path}.ics`, { token })
    expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(calendar.text).toContain('DTSTART:20261124T100000Z')
    expect(calendar.text).toContain('SEQUENCE:2')
    const all = await product.call('/api/v1/appointments.ics', { token })
    expect(all.text).toContain(`UID:${body.appointment_id}@sohbet`)
    const csv = await product.call('/api/v1/appointments.csv', { token })
    expect(csv.text.split('\r\n')[0]).toContain('appointment_id,tenant_id,start')
    const cancelled = await product.call<Appointment & Problem>(path, {
      method: 'PATCH',
      token,
      body: { state: 'cancelled' },
    })
    expect(cancelled.body.state).toBe('cancelled')
    const again = await product.call(path, { method: 'PATCH', token, body: { state: 'cancelled' } })
    expect(again.status).toBe(409)
    const stranger = await addWorkspace(product)
    expect((await product.call(path, { token: stranger.token })).status).toBe(403)
    expect((await product.call(`${path}.ics`, { token: stranger.token })).status).toBe(403)
  })

  test('are followed by calendar apps under a secret address, until it is replaced', async () => {
    const own = await openSite()
    const talk = await openTalk(own)
    const booked = (await talk.book({ start: MONDAY_NINE })).body
    const path = `/api/v1/tenants/${own.tenantId}/calendar-feed`
    const { url } = (await product.call<CalendarFeed>(path, own)).body
    const read = (address: string) => fetch(new URL(new URL(address).pathname, product.url))
    const feed = await read(url)
    expect(feed.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(await feed.text()).toContain(`UID:${booked.appointment_id}@sohbet`)
    expect((await read(url.replace(/.{6}\.ics$/, 'AAAAAA.ics'))).status).toBe(404)

    await product.call(`/api/v1/appointments/${booked.appointment_id}`, {
      method: 'PATCH',
      token: own.token,
      body: { state: 'cancelled' },
    })
    expect(await (await read(url)).text()).not.toContain('VEVENT')
    const stranger = await openSite()
    expect((await product.call(path, stranger)).status).toBe(403)
    const reset = { method: 'POST', token: own.token }
    const next = (await product.call<CalendarFeed>(path, reset)).body
    expect((await read(url)).status).toBe(404)
    expect((await read(next.url)).status).toBe(200)
    const again = (await product.call<CalendarFeed>(path, reset)).body
    expect(again.url).not.toBe(next.url)
    expect((await product.call<CalendarFeed>(path, own)).body).toEqual(again)
  })

  test('offers nothing where there are no office hours', async () => {
    const talk = await openTalk(await addWorkspace(product))
    expect((await talk.slots()).body.data).toEqual([])
    expect((await talk.book({ start: MONDAY_NINE })).status).toBe(422)
  })
})
