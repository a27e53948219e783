import { tryConsumeMailQuota } from '../chat/visitor/mail-limits.ts'
import type { TenantRow } from '../tenants/tenants.ts'
import { appointmentFormOf } from '../tenants/tenants.ts'
import type { Transaction } from '../context.ts'
import { type AppointmentStrings, en } from '../locales/appointment.en.ts'
import { tr } from '../locales/appointment.tr.ts'
import { queueMail } from '../mail/mail.ts'
import { calendarFile } from './calendar-file.ts'
import { manageLink } from './manage-links.ts'
import { type AppointmentRow, listOwnerEmails } from './store.ts'

/** Mails to one address in a day: a visitor can enter the address of a third person. */
const MAX_MAILS = 10

/** Returns the Turkish strings for `tr` and its regions, else the English ones. */
export function appointmentStrings(locale: string): AppointmentStrings {
  return /^tr\b/i.test(locale) ? tr : en
}

/** Formats a time in the site's time zone, such as "Monday, 24 November 2026 at 11:00 GMT+3". */
export function formatWhen(at: number, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at)
}

/** Queues the mails to the visitor and to the site, each in its locale, with a calendar file. */
export async function sendBookingEmails(
  tx: Transaction,
  tenant: TenantRow,
  row: AppointmentRow,
  what: 'booked' | 'moved' | 'cancelled',
): Promise<void> {
  const method = what === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const attachmentsFor = (strings: AppointmentStrings) => [
    {
      filename: 'appointment.ics',
      mediaType: `text/calendar; charset=utf-8; method=${method}`,
      content: calendarFile([row], () => calendarEntryStrings(strings, tenant, row), method),
    },
  ]
  const fieldsIn = (locale: string, strings: AppointmentStrings) => ({
    name: row.name,
    site: tenant.name,
    when: formatWhen(row.start_at, locale, tenant.time_zone),
    service: row.service ?? strings.appointment,
    link: manageLink(tx, row),
  })
  const shared = { workspaceId: tenant.workspace_id }
  const address = { email: row.email ?? '', purpose: 'appointment', max: MAX_MAILS } as const
  if (row.email !== null && (await tryConsumeMailQuota(tx, address))) {
    const strings = appointmentStrings(row.locale)
    const fields = fieldsIn(row.locale, strings)
    await queueMail(tx, {
      ...shared,
      to: row.email,
      subject: strings.visitor[what].subject(fields),
      text: strings.visitor[what].text(fields),
      attachments: attachmentsFor(strings),
    })
  }
  const strings = appointmentStrings(tenant.locale)
  const fields = fieldsIn(tenant.locale, strings)
  const { notify_email: notified } = appointmentFormOf(tenant)
  const owners = notified ? [notified] : await listOwnerEmails(tx.db, tenant.workspace_id)
  for (const to of owners) {
    await queueMail(tx, {
      ...shared,
      to,
      subject: strings.owner[what](fields),
      text: strings.owner.text({ ...fields, phone: row.phone ?? '', email: row.email ?? '' }),
      attachments: attachmentsFor(strings),
    })
  }
}

/** Returns the texts of an appointment's calendar entry. */
export function calendarEntryStrings(
  strings: AppointmentStrings,
  tenant: Pick<TenantRow, 'name'>,
  row: AppointmentRow,
): { summary: string; location: string } {
  const service = row.service ?? strings.appointment
  return { summary: `${service}: ${row.name}`, location: tenant.name }
}
