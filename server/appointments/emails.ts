import { tryConsumeMailQuota } from '../chat/visitor/mail-limits.ts'
import type { TenantRow } from '../tenants/tenants.ts'
import { appointmentFormOf } from '../tenants/tenants.ts'
import type { Context, Transaction } from '../context.ts'
import { type AppointmentStrings, en } from '../locales/appointment.en.ts'
import { tr } from '../locales/appointment.tr.ts'
import { type NewMail, mailSender, queueMail } from '../mail/mail.ts'
import { type CalendarEntry, type CalendarPerson, calendarFile } from './calendar-file.ts'
import { manageLink } from './manage-links.ts'
import { type AppointmentRow, listOwnerEmails } from './store.ts'

/** Mails to one address in a day: a visitor can enter the address of a third person. */
const MAX_MAILS = 10

/** Returns the Turkish strings for `tr` and its regions, else the English ones. */
export function appointmentStrings(locale: string): AppointmentStrings {
  return /^tr\b/i.test(locale) ? tr : en
}

/** Returns the language of `appointmentStrings`, with the locale's region where it is the same. */
export function appointmentLanguage(locale: string): string {
  const { language } = appointmentStrings(locale)
  return new Intl.Locale(locale).language === language ? locale : language
}

/**
 * Formats a time in the site's time zone, such as "Monday, 24 November 2026 at 11:00 GMT+3", in the
 * language of `appointmentStrings`.
 */
export function formatWhen(at: number, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(appointmentLanguage(locale), {
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

/** Queues the mails to the visitor and to the site, each in its language, with a calendar entry. */
export async function sendBookingEmails(
  tx: Transaction,
  tenant: TenantRow,
  row: AppointmentRow,
  what: 'booked' | 'moved' | 'cancelled',
): Promise<void> {
  const visitor = row.email === null ? [] : [{ name: row.name, email: row.email }]
  const shared = { workspaceId: tenant.workspace_id }
  const address = { email: row.email ?? '', purpose: 'appointment', max: MAX_MAILS } as const
  if (row.email !== null && (await tryConsumeMailQuota(tx, address))) {
    const { strings, fields } = wordsIn(tx, row.locale, { tenant, row })
    await queueMail(tx, {
      ...shared,
      to: row.email,
      subject: strings.visitor[what].subject(fields),
      text: strings.visitor[what].text(fields),
      calendar: calendarMessage(tx, { tenant, row }, { what, strings, attendees: visitor }),
    })
  }
  const { strings, fields } = wordsIn(tx, tenant.locale, { tenant, row })
  const { notify_email: notified } = appointmentFormOf(tenant)
  const owners = notified ? [notified] : await listOwnerEmails(tx.db, tenant.workspace_id)
  for (const to of owners) {
    const attendees = [{ name: tenant.name, email: to }, ...visitor]
    await queueMail(tx, {
      ...shared,
      to,
      subject: strings.owner[what](fields),
      text: strings.owner.text({ ...fields, phone: row.phone ?? '', email: row.email ?? '' }),
      calendar: calendarMessage(tx, { tenant, row }, { what, strings, attendees }),
    })
  }
}

/** Returns the strings of a locale, and the values for them, in one language. */
function wordsIn(
  tx: Transaction,
  locale: string,
  { tenant, row }: { tenant: TenantRow; row: AppointmentRow },
) {
  const strings = appointmentStrings(locale)
  const fields = {
    name: row.name,
    site: tenant.name,
    when: formatWhen(row.start_at, locale, tenant.time_zone),
    service: row.service ?? strings.appointment,
    link: manageLink(tx, row),
  }
  return { strings, fields }
}

function calendarMessage(
  tx: Transaction,
  { tenant, row }: { tenant: TenantRow; row: AppointmentRow },
  message: {
    what: 'booked' | 'moved' | 'cancelled'
    strings: AppointmentStrings
    attendees: readonly CalendarPerson[]
  },
): NewMail['calendar'] {
  const { what, strings, attendees } = message
  const method = what === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const entry = { ...calendarEntry(tx, { tenant, row }, strings), attendees }
  return { method, filename: 'appointment.ics', content: calendarFile([row], () => entry, method) }
}

/** Returns an appointment's calendar entry; the installation's sender is the organizer, for the site. */
export function calendarEntry(
  { config }: Context | Transaction,
  { tenant, row }: { tenant: Pick<TenantRow, 'name'>; row: AppointmentRow },
  strings: AppointmentStrings,
): CalendarEntry {
  const service = row.service ?? strings.appointment
  return {
    summary: `${service}: ${row.name}`,
    location: tenant.name,
    organizer: { name: tenant.name, email: mailSender(config).address },
  }
}
