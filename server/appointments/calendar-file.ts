import type { AppointmentRow } from './store.ts'

const LINE_BYTES = 74
const PRODUCT = '-//Sohbet//Appointments//EN'

/** What a calendar file says about an appointment besides its time. */
export interface CalendarStrings {
  summary: string
  location: string
}

/**
 * Appointments as iCalendar (RFC 5545). With `CANCEL` calendars take the entry out; a later change
 * has a higher SEQUENCE under the same UID.
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

/** 2026-11-24T08:00:00.000Z as 20261124T080000Z. */
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

/** No line is longer than 75 bytes; a letter of several bytes stays whole. */
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
