const DAY_MS = 86_400_000

/**
 * Returns the name of a day, such as `2027-06-15`, counted back from today in a time zone; in the
 * browser's time zone without one.
 */
export function dayBefore(days: number, timeZone: string | undefined): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  // Sweden writes days as ISO 8601 does.
  const today = new Intl.DateTimeFormat('sv', { ...zone, dateStyle: 'short' }).format(new Date())
  return new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)
}
