const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A day like `2026-11-23` and the minutes since its midnight, on the clock of a zone. */
export interface ZonedTime {
  day: string
  minutes: number
}

export function zoned(at: string | Date, timeZone: string): ZonedTime {
  // Swedish writes dates as ISO does.
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(at))
  const [day = '', time = ''] = text.split(' ')
  return { day, minutes: minutesOf(time) }
}

/** Returns the moment of a day and a time like `09:30` on the clock of a zone. */
export function momentOf(day: string, time: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(wanted)) return undefined
  let at = wanted
  // Twice, for the days on which the clocks change.
  for (let round = 0; round < 2; round += 1) {
    const shown = zoned(new Date(at), timeZone)
    at += wanted - (Date.parse(`${shown.day}T00:00Z`) + shown.minutes * MINUTE_MS)
  }
  return new Date(at).toISOString()
}

export function todayIn(timeZone: string): string {
  return zoned(new Date(), timeZone).day
}

/** Minutes since midnight of a time like `09:30`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the Monday of the day's week. */
export function mondayOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

/** The day's name in the reader's language. */
export function dayName(
  day: string,
  language: string,
  options: Intl.DateTimeFormatOptions,
): string {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** The days of the week that begins with that Monday, as “November 30 – December 6, 2026”. */
export function weekName(monday: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return format.formatRange(
    new Date(`${monday}T00:00:00Z`),
    new Date(`${addDays(monday, 6)}T00:00:00Z`),
  )
}

/**
 * Minutes since midnight as a clock of the language shows them: 9:30 AM or 09:30. A full hour is as
 * short as the language allows: 9 AM, but 09:00.
 */
export function clockName(minutes: number, language: string, style: 'hour' | 'short'): string {
  const short = { timeStyle: 'short', timeZone: 'UTC' } as const
  const { hour12 } = new Intl.DateTimeFormat(language, short).resolvedOptions()
  const hour = { hour: 'numeric', timeZone: 'UTC' } as const
  return timeName(
    new Date(minutes * MINUTE_MS),
    language,
    style === 'hour' && hour12 ? hour : short,
  )
}

/** A moment on the site's clock. */
export function timeName(
  at: string | Date,
  language: string,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(language, options).format(new Date(at))
}
