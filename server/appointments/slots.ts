import { type OfficeSchedule, type OpeningHours, openingHoursOn } from '../tenants/office-hours.ts'
import { addDays, dayOf } from '../lib/days.ts'

const MINUTE_MS = 60_000

/** A stretch of time, milliseconds since 1970, UTC; the end is not in it. */
export type TimeRange = OpeningHours

/** When a site takes appointments. */
export interface Calendar extends OfficeSchedule {
  /** A start is possible every so many minutes from the opening. */
  slotMinutes: number
}

/**
 * The spans of `minutes` that begin within the range and are open, whether somebody has them or
 * not, in order. A day on which the clocks change has the hours that it really has.
 */
export function openRanges(calendar: Calendar, range: TimeRange, minutes: number): TimeRange[] {
  const spans: TimeRange[] = []
  const last = dayOf(range.end, calendar.timeZone).name
  // What begins in the evening may go on after midnight.
  const first = addDays(dayOf(range.start, calendar.timeZone).name, -1)
  for (let day = first; day <= last; day = addDays(day, 1)) {
    for (const { start, end } of openingHoursOn(calendar, day)) {
      for (
        let at = start;
        at + minutes * MINUTE_MS <= end;
        at += calendar.slotMinutes * MINUTE_MS
      ) {
        if (at >= range.start && at < range.end)
          spans.push({ start: at, end: at + minutes * MINUTE_MS })
      }
    }
  }
  return spans
}

/** Whether two spans share any time. */
export function overlap(one: TimeRange, other: TimeRange): boolean {
  return one.start < other.end && other.start < one.end
}

/** The first instant of a day of the zone, or the instant itself. */
export function startOfRange(text: string, timeZone: string): number {
  if (text.includes('T')) return Date.parse(text)
  return Temporal.PlainDate.from(text).toZonedDateTime(timeZone).epochMilliseconds
}

/** The instant after the last of a day of the zone, or the instant itself. */
export function endOfRange(text: string, timeZone: string): number {
  if (text.includes('T')) return Date.parse(text)
  const next = Temporal.PlainDate.from(text).add({ days: 1 })
  return next.toZonedDateTime(timeZone).epochMilliseconds
}
