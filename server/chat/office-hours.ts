import { addDays, dayOf, timeOn } from '../lib/days.ts'
import { OfficeHours } from './schema.ts'
import type { TenantRow } from './tenants.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** Opening hours repeat each week; one more day for hours that end after midnight. */
const DAYS_AHEAD = 8

interface Opening {
  from: number
  to: number
}

/**
 * Whether somebody is there at this time, and if not when next (milliseconds; `undefined` for
 * never). A tenant that has not said its hours is always open. Hours that end before they begin end
 * on the next day.
 */
export function officeAt(
  tenant: Pick<TenantRow, 'office_hours' | 'time_zone'>,
  now: number,
): { isOpen: true } | { isOpen: false; opensAt: number | undefined } {
  const hours = OfficeHours.parse(JSON.parse(tenant.office_hours))
  if (DAYS.every((day) => hours[day] === undefined)) return { isOpen: true }
  const today = dayOf(now, tenant.time_zone).name
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead += 1) {
    const openings = openingsOn(hours, addDays(today, ahead), tenant.time_zone)
    if (openings.some(({ from, to }) => from <= now && now < to)) return { isOpen: true }
    const later = openings.map(({ from }) => from).filter((from) => from > now)
    if (later.length > 0) return { isOpen: false, opensAt: Math.min(...later) }
  }
  return { isOpen: false, opensAt: undefined }
}

function openingsOn(hours: OfficeHours, date: string, timeZone: string): Opening[] {
  const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]
  return ((day && hours[day]) ?? []).map(({ from, to }) => ({
    from: timeOn(date, from, timeZone),
    to: timeOn(to > from ? date : addDays(date, 1), to, timeZone),
  }))
}
