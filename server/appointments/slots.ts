import { type OfficeSchedule, type OpeningHours, openingHoursOn } from '../tenants/office-hours.ts'
import { addDays, dayOf } from '../lib/days.ts'

const MINUTE_MS = 60_000

/** A half-open range in milliseconds since 1970, UTC: the end is excluded. */
export type TimeRange = OpeningHours

/** A site's opening hours and the grid of its slots. */
export interface Calendar extends OfficeSchedule {
  /** Minutes between the possible starts, counted from the opening. */
  slotMinutes: number
}

/**
 * Returns the open ranges of `minutes` that begin within the range, booked or free, in order. A day of
 * a clock change has its actual hours.
 */
export function openRanges(calendar: Calendar, range: TimeRange, minutes: number): TimeRange[] {
  const spans: TimeRange[] = []
  const last = dayOf(range.end, calendar.timeZone).name
  // Opening hours of the evening before may end after midnight.
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

/** Returns whether two ranges overlap. */
export function overlap(one: TimeRange, other: TimeRange): boolean {
  return one.start < other.end && other.start < one.end
}

/** Returns the first instant of a day in the time zone; an instant stays the same. */
export function startOfRange(text: string, timeZone: string): number {
  if (text.includes('T')) return Date.parse(text)
  return Temporal.PlainDate.from(text).toZonedDateTime(timeZone).epochMilliseconds
}

/** Returns the first instant after a day in the time zone; an instant stays the same. */
export function endOfRange(text: string, timeZone: string): number {
  if (text.includes('T')) return Date.parse(text)
  const next = Temporal.PlainDate.from(text).add({ days: 1 })
  return next.toZonedDateTime(timeZone).epochMilliseconds
}
