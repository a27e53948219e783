import { type MailCause, tryQueueVisitorMail } from '../chat/visitor/visitor-mails.ts'
import { type TenantRow, appointmentFormOf } from '../tenants/tenants.ts'
import type { Transaction } from '../context.ts'
import { type AppointmentStrings, en } from '../locales/appointment.en.ts'
import { tr } from '../locales/appointment.tr.ts'
import { oneLine } from '../lib/text/typed-text.ts'
import { calendarFile } from './calendar-file.ts'
import { manageLink } from './manage-links.ts'
import { type AppointmentRow, listOwnerEmails } from './store.ts'

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

/**
 * Queues the mails to the visitor and to the site, each in its locale, with a calendar file. Beyond the
 * limits of mails a change is made without them.
 */
export async function sendBookingEmails(
  tx: Transaction,
  cause: MailCause,
  { row, what }: { row: AppointmentRow; what: 'booked' | 'moved' | 'cancelled' },
): Promise<void> {
  const { tenant } = cause
  const typed = { name: row.name, service: typedService(tenant, row) }
  const contentIn = (locale: string, isToSite: boolean) => (safe: typeof typed) => {
    const strings = appointmentStrings(locale)
    const shown = { ...row, name: safe.name, service: safe.service || row.service }
    const fields = {
      name: shown.name,
      site: oneLine(tenant.name),
      when: formatWhen(row.start_at, locale, tenant.time_zone),
      service: shown.service ?? strings.appointment,
      link: manageLink(tx, row),
    }
    const method = what === 'cancelled' ? 'CANCEL' : 'REQUEST'
    const file = calendarFile([shown], () => calendarEntryStrings(strings, tenant, shown), method)
    const mediaType = `text/calendar; charset=utf-8; method=${method}`
    return {
      subject: isToSite ? strings.owner[what](fields) : strings.visitor[what].subject(fields),
      text: isToSite
        ? strings.owner.text({ ...fields, phone: row.phone ?? '', email: row.email ?? '' })
        : strings.visitor[what].text(fields),
      attachments: [{ filename: 'appointment.ics', mediaType, content: file }],
    }
  }
  if (row.email !== null) {
    await tryQueueVisitorMail(tx, cause, {
      to: row.email,
      typed,
      build: contentIn(row.locale, false),
    })
  }
  const { notify_email: notified } = appointmentFormOf(tenant)
  const owners = notified ? [notified] : await listOwnerEmails(tx.db, tenant.workspace_id)
  for (const to of owners) {
    const build = contentIn(tenant.locale, true)
    await tryQueueVisitorMail(tx, cause, { to, isToSite: true, typed, build })
  }
}

/** Returns the service that a visitor typed; empty for none, and for one of the site's services. */
function typedService(tenant: TenantRow, { service }: AppointmentRow): string {
  const { services = [] } = appointmentFormOf(tenant)
  return service === null || services.some(({ name }) => name === service) ? '' : service
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
