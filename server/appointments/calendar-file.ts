import type { AppointmentRow } from './store.ts'

const LINE_BYTES = 74
const PRODUCT = '-//Sohbet//Appointments//EN'

/** A person of a calendar entry: the name as calendars show it, and the address. */
export interface CalendarPerson {
  name: string
  email: string
}

/** The texts and the people of a calendar entry. A published entry names no attendees. */
export interface CalendarEntry {
  summary: string
  location: string
  organizer: CalendarPerson
  attendees?: readonly CalendarPerson[]
}

export type CalendarMethod = 'PUBLISH' | 'REQUEST' | 'CANCEL'

/**
 * Returns appointments as iCalendar (RFC 5545) with a method of iTIP (RFC 5546). The method `CANCEL`
 * makes calendars remove the entry. Every change keeps the UID and increments SEQUENCE, so calendars
 * keep the newest.
 */
export function calendarFile(
  rows: readonly AppointmentRow[],
  entryFor: (row: AppointmentRow) => CalendarEntry,
  method: CalendarMethod = 'PUBLISH',
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${PRODUCT}`,
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...rows.flatMap((row) => formatEntry(row, entryFor(row))),
    'END:VCALENDAR',
  ]
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}

function formatEntry(
  row: AppointmentRow,
  { summary, location, organizer, attendees = [] }: CalendarEntry,
): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${row.id}@sohbet`,
    `SEQUENCE:${row.changes}`,
    `DTSTAMP:${formatInstant(row.updated_at)}`,
    `DTSTART:${formatInstant(row.start_at)}`,
    `DTEND:${formatInstant(row.end_at)}`,
    `SUMMARY:${escapeText(summary)}`,
    `LOCATION:${escapeText(location)}`,
    `ORGANIZER;CN=${quoted(organizer.name)}:mailto:${organizer.email}`,
    ...attendees.map(
      ({ name, email }) =>
        `ATTENDEE;CN=${quoted(name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${email}`,
    ),
    `STATUS:${row.state === 'booked' ? 'CONFIRMED' : 'CANCELLED'}`,
    'END:VEVENT',
  ]
}

/** Returns 2026-11-24T08:00:00.000Z as 20261124T080000Z. */
function formatInstant(at: number): string {
  return `${new Date(at).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
}

/** Returns a parameter's value in quotes; a quotation mark or a line end in it becomes a plain one. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', "'").replaceAll(/\p{Cc}+/gu, ' ')}"`
}

function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
}

/** Folds a content line at 75 bytes (RFC 5545, section 3.1) without splitting a character. */
function foldLine(line: string): string {
  const parts: string[] = []
  let part = ''
  let bytes = 0
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (bytes + size > LINE_BYTES) {
      parts.push(part)
      part = ''
      bytes = 1
    }
    part += letter
    bytes += size
  }
  return [...parts, part].join('\r\n ')
}
