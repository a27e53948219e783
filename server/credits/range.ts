import { invalidFields } from '../http/errors.ts'
import { DAY_FORM, addDays, dayOf, startOfDay } from '../lib/days.ts'
import type { RangeQuery } from './schema.ts'
import type { DayRange } from './store.usage.ts'

const DEFAULT_DAYS = 30

/** A half-open range of instants; an undefined side is unbounded. */
export interface Instants {
  from: number | undefined
  until: number | undefined
}

/**
 * Parses `?from` and `?to`. A day covers the whole day in the workspace's time zone; an instant in
 * `to` is excluded. Throws 422 for a range that ends before it begins.
 */
export function parseInstants({ from, to }: RangeQuery, timeZone: string): Instants {
  const range = {
    from: from === undefined ? undefined : startOf(from, timeZone),
    until: to === undefined ? undefined : endOf(to, timeZone),
  }
  if (range.from !== undefined && range.until !== undefined && range.from >= range.until) {
    throw invalidFields([{ path: '/to', message: 'does not come after from' }])
  }
  return range
}

/** Parses `?from` and `?to` to whole days; the last 30 days by default. Throws 422. */
export function parseDays(query: RangeQuery, timeZone: string, now: number): DayRange {
  const { from, until } = parseInstants(query, timeZone)
  const to = dayOf(until === undefined ? now : until - 1, timeZone).name
  const days = {
    from: from === undefined ? addDays(to, 1 - DEFAULT_DAYS) : dayOf(from, timeZone).name,
    to,
  }
  if (days.from > days.to) throw invalidFields([{ path: '/from', message: 'is after to' }])
  return days
}

function startOf(moment: string, timeZone: string): number {
  return DAY_FORM.test(moment) ? startOfDay(moment, timeZone) : Date.parse(moment)
}

function endOf(moment: string, timeZone: string): number {
  return DAY_FORM.test(moment) ? startOfDay(addDays(moment, 1), timeZone) : Date.parse(moment)
}
