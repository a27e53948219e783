import ICAL from 'ical.js'
import ical from 'node-ical'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Appointment } from '../../../server/appointments/schema.ts'
import type { Session } from '../../../server/chat/schema.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type ReceivedMail, type SmtpServer, startSmtpServer } from '../../helpers/servers/smtp.ts'
import { useProduct } from '../../helpers/use-product.ts'

const OFFICE = {
  name: 'Gülüş, "Diş" Kliniği',
  locale: 'tr',
  office_hours: { mon: [{ from: '09:00', to: '12:00' }], tue: [{ from: '13:00', to: '15:00' }] },
  time_zone: 'Europe/Istanbul',
  forms: {
    appointment: {
      services: [{ name: 'Kontrol', minutes: 30 }],
      notify_email: 'desk@example.com',
    },
  },
}
const WORDS = {
  tr: /Randevu|Pazartesi|Salı|Merhaba/,
  en: /appointment|Monday|Tuesday|Hello/i,
  de: /Termin|Montag|Dienstag/,
  ar: /موعد|الاثنين|الثلاثاء/,
}

const linesOf = (part: { content: string } | undefined) => part?.content.split(/\r?\n/)

/** The first entry of a calendar, as the library of Thunderbird reads it. */
function entryOf(content: string) {
  const calendar = new ICAL.Component(ICAL.parse(content))
  const entry = calendar.getFirstSubcomponent('vevent')
  if (!entry) throw new Error('The calendar has no entry.')
  const [attendee] = entry.getAllProperties('attendee')
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: entry.getFirstPropertyValue('uid'),
    sequence: entry.getFirstPropertyValue('sequence'),
    status: entry.getFirstPropertyValue('status'),
    start: String(entry.getFirstPropertyValue('dtstart')),
    organizer: [
      entry.getFirstProperty('organizer')?.getFirstParameter('cn'),
      entry.getFirstPropertyValue('organizer'),
    ],
    attendee: [attendee?.getFirstParameter('cn'), attendee?.getFirstValue()],
  }
}

describeOnDatabase('mails of an appointment', (database) => {
  let smtp: SmtpServer
  let awaited = 0

  beforeAll(async () => {
    smtp = await startSmtpServer()
  })
  afterAll(() => smtp.close())
  const product = useProduct(database, () => ({
    clock: new TestClock(Date.parse('2026-11-21T09:00:00Z')),
    settings: { MAIL_FROM: 'Sohbet <hello@example.com>', SMTP_URL: smtp.url },
  }))

  /** Books, moves and cancels an appointment; returns the visitor's mails and the site's. */
  async function mailsOf(locale: string) {
    const email = `${locale.toLowerCase()}@example.com`
    const workspace = await addWorkspace(product, { tenant: OFFICE })
    const token = await addVisitor(product, workspace)
    const session = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: workspace.tenantId, locale },
    })
    const book = await product.call<Appointment>(
      `/api/v1/chatbot/sessions/${session.body.session_id}/appointment`,
      { token, body: { start: '2026-11-23T06:00:00Z', name: 'Ayşe', email } },
    )
    expect(book.status, book.text).toBe(201)
    for (const body of [{ start: '2026-11-24T10:00:00Z' }, { state: 'cancelled' }]) {
      const path = `/api/v1/appointments/${book.body.appointment_id}`
      await product.call(path, { method: 'PATCH', token: workspace.token, body })
    }
    awaited += 6
    const mails = (await smtp.waitFor(awaited)).slice(-6)
    const to = (address: string) => mails.filter((mail) => mail.to.includes(address))
    return { id: book.body.appointment_id, visitor: to(email), site: to('desk@example.com') }
  }

  const calendarsOf = (mails: readonly ReceivedMail[]) =>
    mails
      .map(({ attachments }) => attachments.find(({ mediaType }) => mediaType === 'text/calendar'))
      .map((part) => [part?.method, entryOf(part?.content ?? '')] as const)
      .toSorted(([, a], [, b]) => Number(a.sequence) - Number(b.sequence))

  test('are calendar invitations that are moved and cancelled under one id', async () => {
    const { id, visitor, site } = await mailsOf('tr')
    const shared = {
      uid: `${id}@sohbet`,
      organizer: ["Gülüş, 'Diş' Kliniği", 'mailto:hello@example.com'],
      attendee: ['Ayşe', 'mailto:tr@example.com'],
    }
    const steps = [
      { method: 'REQUEST', sequence: 0, status: 'CONFIRMED', start: '2026-11-23T06:00:00Z' },
      { method: 'REQUEST', sequence: 1, status: 'CONFIRMED', start: '2026-11-24T10:00:00Z' },
      { method: 'CANCEL', sequence: 2, status: 'CANCELLED', start: '2026-11-24T10:00:00Z' },
    ]
    const expected = steps.map((step) => [step.method, { ...shared, ...step }])
    expect(calendarsOf(visitor)).toEqual(expected)
    expect(calendarsOf(site).map(([, { attendee }]) => attendee[1])).toEqual(
      Array.from({ length: 3 }, () => 'mailto:desk@example.com'),
    )
    for (const { raw, attachments } of [...visitor, ...site]) {
      expect(raw).toMatch(/multipart\/alternative/)
      const [alternative, file] = attachments
      expect(file?.filename).toBe('appointment.ics')
      expect(linesOf(file)).toEqual(linesOf(alternative))
      const read = Object.values(ical.sync.parseICS(alternative?.content ?? ''))
      expect(read.filter((one) => one?.type === 'VEVENT')).toHaveLength(1)
    }
  })

  test.each([
    ['tr', 'tr'],
    ['de', 'de'],
    ['ar', 'ar'],
    ['fr', 'en'],
    ['en-GB', 'en'],
  ] as const)('to a visitor in %s are wholly in %s', async (locale, language) => {
    const { visitor } = await mailsOf(locale)
    expect(visitor).toHaveLength(3)
    for (const { headers, text } of visitor) {
      expect(headers['content-language']).toBe(language)
      const words = `${headers.subject} ${text.replace(/https?:\S+/, '')}`
      for (const [name, pattern] of Object.entries(WORDS)) {
        expect([name, pattern.test(words)], words).toEqual([name, name === language])
      }
    }
  })
})
