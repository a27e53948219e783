import { dayBefore } from '../../app/language/days.ts'

export const SPANS = [7, 30, 90] as const

/** Days as the API takes them, both included, in the workspace's time zone. */
export interface Days {
  from: string
  to: string
}

/** Returns the last days up to today, and as many before them. */
export function periodsOf(span: number, timeZone: string | undefined): { now: Days; before: Days } {
  const day = (ago: number): string => dayBefore(ago, timeZone)
  return {
    now: { from: day(span - 1), to: day(0) },
    before: { from: day(2 * span - 1), to: day(span) },
  }
}
