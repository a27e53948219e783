/** Calendar months in UTC, named by their first millisecond. */

/** The first instant of the month that holds `at`. */
export function monthOf(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** The first instant of the month after the one that holds `at`. */
export function nextMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
