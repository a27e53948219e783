import type { OfficeHours } from '../chat/schema.ts'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const MINUTE_MS = 60_000

/** A stretch of time, milliseconds since 1970, UTC; the end is not in it. */
export interface Span {
  start: number
  end: number
}

/** When a site takes appointments. */
export interface Calendar {
  timeZone: string
  hours: OfficeHours
  /** Days of the zone, such as `2026-12-31`. */
  holidays: ReadonlySet<string>
  /** A start is possible every so many minutes from the opening. */
  slotMinutes: number
}

/**
 * The spans of `minutes` that begin within the range and are open, whether somebody has them or
 * not, in order. A day on which the clocks change has the hours that it really has.
 */
export function openSpans(calendar: Calendar, range: Span, minutes: number): Span[] {
  const spans: Span[] = []
  const last = dayOf(range.end, calendar.timeZone)
  for (
    let day = dayOf(range.start, calendar.timeZone);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    for (const { start, end } of openingsOf(calendar, day)) {
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
export function overlap(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end
}

/** The first instant of a day of the zone, or the instant itself. */
export function edgeOf(text: string, timeZone: string): number {
  if (text.includes('T')) return Date.parse(text)
  return Temporal.PlainDate.from(text).toZonedDateTime(timeZone).epochMilliseconds
}

/** The instant after the last of a day of the zone, or the instant itself. */
export function endEdgeOf(text: string, timeZone: string): number {
  if (text.includes('T')) return Date.parse(text)
  const next = Temporal.PlainDate.from(text).add({ days: 1 })
  return next.toZonedDateTime(timeZone).epochMilliseconds
}

function openingsOf(calendar: Calendar, day: Temporal.PlainDate): Span[] {
  if (calendar.holidays.has(day.toString())) return []
  const weekday = WEEKDAYS[day.dayOfWeek - 1]
  const hours = (weekday && calendar.hours[weekday]) ?? []
  return hours
    .map(({ from, to }) => ({
      start: instantOf(day, from, calendar.timeZone),
      end: instantOf(day, to, calendar.timeZone),
    }))
    .toSorted((one, other) => one.start - other.start)
}

function instantOf(day: Temporal.PlainDate, time: string, timeZone: string): number {
  const plainTime = Temporal.PlainTime.from(time)
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
}

function dayOf(at: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
}
