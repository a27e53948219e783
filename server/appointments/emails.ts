import { type MailCause, tryQueueVisitorMail } from '../chat/visitor/visitor-mails.ts'
import { type TenantRow, appointmentFormOf } from '../tenants/tenants.ts'
import type { Context, Transaction } from '../context.ts'
import { ar } from '../locales/appointment.ar.ts'
import { de } from '../locales/appointment.de.ts'
import { type AppointmentStrings, en } from '../locales/appointment.en.ts'
import { tr } from '../locales/appointment.tr.ts'
import { oneLine } from '../lib/text/typed-text.ts'
import { mailSender } from '../mail/mail.ts'
import { type CalendarEntry, calendarFile } from './calendar-file.ts'
import { manageLink } from './manage-links.ts'
import { type AppointmentRow, listOwners } from './store.ts'

const STRINGS = new Map([en, tr, de, ar].map((strings) => [strings.language, strings]))

/** Returns the strings of a locale and its regions, else the English ones. */
export function appointmentStrings(locale: string): AppointmentStrings {
  return STRINGS.get(locale.slice(0, 2).toLowerCase()) ?? en
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

/**
 * Queues the mails to the visitor and to the site, each in the reader's language, with a calendar entry that
 * invites the recipient. Beyond the limits of mails a change is made without them.
 */
export async function sendBookingEmails(
  tx: Transaction,
  cause: MailCause,
  { row, what }: { row: AppointmentRow; what: 'booked' | 'moved' | 'cancelled' },
): Promise<void> {
  const { tenant } = cause
  const typed = { name: row.name, service: typedService(tenant, row) }
  const contentFor = (to: string, locale: string, isToSite: boolean) => (safe: typeof typed) => {
    const strings = appointmentStrings(locale)
    const shown = { ...row, name: safe.name, service: safe.service || row.service }
    const fields = {
      name: shown.name,
      site: oneLine(tenant.name),
      when: formatWhen(row.start_at, locale, tenant.time_zone),
      service: shown.service ?? strings.appointment,
      link: manageLink(tx, row),
    }
    const method = what === 'cancelled' ? ('CANCEL' as const) : ('REQUEST' as const)
    const entry = {
      ...calendarEntry(tx, { tenant, row: shown }, strings),
      attendees: [{ name: isToSite ? tenant.name : shown.name, email: to }],
    }
    const content = calendarFile([shown], () => entry, method)
    return {
      language: strings.language,
      subject: isToSite ? strings.owner[what](fields) : strings.visitor[what].subject(fields),
      text: isToSite
        ? strings.owner.text({ ...fields, phone: row.phone ?? '', email: row.email ?? '' })
        : strings.visitor[what].text(fields),
      calendar: { method, filename: 'appointment.ics', content },
    }
  }
  if (row.email !== null) {
    await tryQueueVisitorMail(tx, cause, {
      to: row.email,
      typed,
      build: contentFor(row.email, row.locale, false),
    })
  }
  const { notify_email: notified } = appointmentFormOf(tenant)
  const owners = notified
    ? [{ email: notified, locale: null }]
    : await listOwners(tx.db, tenant.workspace_id)
  for (const { email: to, locale } of owners) {
    const build = contentFor(to, locale ?? tenant.locale, true)
    await tryQueueVisitorMail(tx, cause, { to, isToSite: true, typed, build })
  }
}

/** Returns the service that a visitor typed; empty for none, and for one of the site's services. */
function typedService(tenant: TenantRow, { service }: AppointmentRow): string {
  const { services = [] } = appointmentFormOf(tenant)
  return service === null || services.some(({ name }) => name === service) ? '' : service
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
