import { addDays, dayOf, startOfDay, timeOn } from '../lib/days.ts'
import { MAX_HOLIDAYS, type OfficeHours } from './schema.ts'
import { storedForms, storedHours } from './stored-settings.ts'
import type { TenantRow } from './tenants.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** Opening hours repeat weekly, except for holidays; one more day covers hours past midnight. */
const DAYS_AHEAD = 8 + 2 * MAX_HOLIDAYS

/** The opening hours of a tenant. */
export interface OfficeSchedule {
  timeZone: string
  hours: OfficeHours
  /** Closed days, in the tenant's time zone. */
  holidays: ReadonlySet<string>
}

/** An open interval in milliseconds since 1970, UTC; `end` is exclusive. */
export interface OpeningHours {
  start: number
  end: number
}

/** Returns the tenant's schedule, for handoffs and appointments alike. */
export function parseOfficeHours(
  tenant: Pick<TenantRow, 'office_hours' | 'time_zone' | 'forms'>,
): OfficeSchedule {
  const hours = storedHours(tenant.office_hours)
  const { appointment } = storedForms(tenant.forms)
  const holidays = new Set([...(hours.holidays ?? []), ...(appointment?.holidays ?? [])])
  return { timeZone: tenant.time_zone, hours, holidays }
}

/**
 * Returns whether the office is open, and the next opening time otherwise (milliseconds;
 * `undefined` for never). A tenant without office hours is open on all days but holidays.
 */
export function officeStatusAt(
  tenant: Pick<TenantRow, 'office_hours' | 'time_zone' | 'forms'>,
  now: number,
): { isOpen: true } | { isOpen: false; opensAt: number | undefined } {
  const office = parseOfficeHours(tenant)
  const isAlways = DAYS.every((day) => office.hours[day] === undefined)
  if (isAlways && office.holidays.size === 0) return { isOpen: true }
  const today = dayOf(now, office.timeZone).name
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead += 1) {
    const date = addDays(today, ahead)
    const openings = isAlways ? fullDayOpening(office, date) : openingHoursOn(office, date)
    if (openings.some(({ start, end }) => start <= now && now < end)) return { isOpen: true }
    const later = openings.map(({ start }) => start).filter((start) => start > now)
    if (later.length > 0) return { isOpen: false, opensAt: Math.min(...later) }
  }
  return { isOpen: false, opensAt: undefined }
}

/**
 * Returns the intervals that start on a day such as `2027-06-15`, in order. An interval may end on
 * the next day.
 */
export function openingHoursOn(
  { hours, holidays, timeZone }: OfficeSchedule,
  date: string,
): OpeningHours[] {
  if (holidays.has(date)) return []
  const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]
  return ((day && hours[day]) ?? [])
    .map(({ from, to }) => ({
      start: timeOn(date, from, timeZone),
      end: timeOn(to > from ? date : addDays(date, 1), to, timeZone),
    }))
    .toSorted((one, other) => one.start - other.start)
}

function fullDayOpening({ holidays, timeZone }: OfficeSchedule, date: string): OpeningHours[] {
  if (holidays.has(date)) return []
  return [{ start: startOfDay(date, timeZone), end: startOfDay(addDays(date, 1), timeZone) }]
}
