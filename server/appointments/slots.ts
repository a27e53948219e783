import { type OfficeSchedule, type OpeningHours, openingHoursOn } from '../tenants/office-hours.ts'
import { addDays, dayOf, listDayNames } from '../lib/days.ts'
import { MINUTE_MS } from '../lib/durations.ts'

/** Two months of slots with a day at either side. */
const MAX_DAYS = 66

/** A half-open range in milliseconds since 1970, UTC: the end is excluded. */
export type TimeRange = OpeningHours

/** A site's opening hours and the grid of its slots. */
export interface Calendar extends OfficeSchedule {
  /** Minutes between the possible starts, counted from the opening. */
  slotMinutes: number
}

/**
 * Returns the open ranges of `minutes` that begin within the range, booked or free, in order. A day of
 * a clock change has its actual hours. Throws `RangeError` for a range of more than two months.
 */
export function openRanges(calendar: Calendar, range: TimeRange, minutes: number): TimeRange[] {
  const spans: TimeRange[] = []
  const last = dayOf(range.end, calendar.timeZone).name
  // Opening hours of the evening before may end after midnight.
  const first = addDays(dayOf(range.start, calendar.timeZone).name, -1)
  for (const day of listDayNames(first, last, MAX_DAYS)) {
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
  // Hours that end after midnight can overlap those of the next day.
  return spans.toSorted((one, other) => one.start - other.start)
}

/** Returns the ranges that do not overlap a booked one. Both lists are in order of their start. */
export function withoutBooked(
  ranges: readonly TimeRange[],
  booked: readonly TimeRange[],
): TimeRange[] {
  let next = 0
  return ranges.filter(({ start, end }) => {
    for (let other = booked[next]; other && other.end <= start; other = booked[next]) next += 1
    const other = booked[next]
    return !other || other.start >= end
  })
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
