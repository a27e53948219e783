import type { AppointmentRow } from './store.ts'

const LINE_BYTES = 74
const PRODUCT = '-//Sohbet//Appointments//EN'

/** The texts of a calendar entry. */
export interface CalendarStrings {
  summary: string
  location: string
}

/**
 * Returns appointments as iCalendar (RFC 5545). The method `CANCEL` makes calendars remove the entry.
 * Every change keeps the UID and increments SEQUENCE, so calendars keep the newest.
 */
export function calendarFile(
  rows: readonly AppointmentRow[],
  stringsFor: (row: AppointmentRow) => CalendarStrings,
  method: 'PUBLISH' | 'REQUEST' | 'CANCEL' = 'PUBLISH',
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${PRODUCT}`,
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...rows.flatMap((row) => formatEntry(row, stringsFor(row))),
    'END:VCALENDAR',
  ]
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}

function formatEntry(row: AppointmentRow, { summary, location }: CalendarStrings): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${row.id}@sohbet`,
    `SEQUENCE:${row.changes}`,
    `DTSTAMP:${formatInstant(row.updated_at)}`,
    `DTSTART:${formatInstant(row.start_at)}`,
    `DTEND:${formatInstant(row.end_at)}`,
    `SUMMARY:${escapeText(summary)}`,
    `LOCATION:${escapeText(location)}`,
    `STATUS:${row.state === 'booked' ? 'CONFIRMED' : 'CANCELLED'}`,
    'END:VEVENT',
  ]
}

/** Returns 2026-11-24T08:00:00.000Z as 20261124T080000Z. */
function formatInstant(at: number): string {
  return `${new Date(at).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
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
