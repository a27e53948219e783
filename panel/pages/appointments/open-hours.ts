import type { OfficeHours } from '../../../server/tenants/schema.ts'
import { addDays, minutesOf } from './zone.ts'

/** The days of a week as opening hours name them, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const DAY_MINUTES = 24 * 60

/** Minutes since the midnight of a day, as [from, to). */
export type Span = readonly [from: number, to: number]

/** What of a site says when it is open. */
interface Site {
  office_hours: OfficeHours
  forms: { appointment?: { holidays?: string[] | undefined } | undefined }
}

/** Whether the site has opening hours at all; without any it is open on all days but holidays. */
export function hasHours({ office_hours: office }: Site): boolean {
  return WEEKDAYS.some((day) => (office[day] ?? []).length > 0)
}

function isHoliday({ office_hours: office, forms }: Site, day: string): boolean {
  return (
    (office.holidays?.includes(day) ?? false) ||
    (forms.appointment?.holidays?.includes(day) ?? false)
  )
}

/** Returns when a site is open on a day, in order; hours past midnight go on in the next day. */
export function openSpans(site: Site, day: string): Span[] {
  if (!hasHours(site)) return isHoliday(site, day) ? [] : [[0, DAY_MINUTES]]
  const own = rangesOf(site, day).map(([from, to]): Span => [from, to > from ? to : DAY_MINUTES])
  const late = rangesOf(site, addDays(day, -1))
    .filter(([from, to]) => to <= from && to > 0)
    .map(([, to]): Span => [0, to])
  return [...late, ...own].toSorted(([a], [b]) => a - b)
}

/** Returns when a site is closed between two times of a day. */
export function closedSpans(site: Site, day: string, [first, last]: Span): Span[] {
  const closed: Span[] = []
  let at = first
  for (const [from, to] of openSpans(site, day)) {
    if (from > at) closed.push([at, Math.min(from, last)])
    at = Math.max(at, to)
  }
  if (at < last) closed.push([at, last])
  return closed.filter(([from, to]) => to > from)
}

function rangesOf(site: Site, day: string): Span[] {
  if (isHoliday(site, day)) return []
  const name = WEEKDAYS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'mon'
  return (site.office_hours[name] ?? []).map(({ from, to }) => [minutesOf(from), minutesOf(to)])
}
