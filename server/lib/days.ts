import { DAY_MS } from './durations.ts'

/** Calendar days in a time zone. */

/** The format of a day's name. */
export const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/
/**
 * The end of the calendar; it starts in 1970. Names of days compare as text, which holds for years of
 * four digits only, and a time zone or a range can lead past the edge of a bound.
 */
const MAX_AT = Date.UTC(9_000, 0, 1)

/** Returns whether an instant in milliseconds is in the calendar; `false` for `NaN`. */
export function isInCalendar(at: number): boolean {
  return at >= 0 && at < MAX_AT
}

/** A day: its name, such as `2027-06-15`, and its half-open range in milliseconds. */
export interface Day {
  readonly name: string
  readonly from: number
  readonly until: number
}

/**
 * Caches of time zones: creating a format takes as long as a query, and every message needs its day.
 * The rules of a zone do not change while the process runs.
 */
const caches = {
  formats: new Map<string, Intl.DateTimeFormat>(),
  days: new Map<string, Day>(),
  offsets: new Map<string, number>(),
}
const MAX_ENTRIES = 1_000

/** Returns the day of `at` in a time zone. Days are 23 to 25 hours long where clocks change. */
export function dayOf(at: number, timeZone: string): Day {
  const latest = caches.days.get(timeZone)
  if (latest && latest.from <= at && at < latest.until) return latest
  const name = nameOf(at + offsetOf(at, timeZone))
  const day = {
    name,
    from: startOfDay(name, timeZone),
    until: startOfDay(addDays(name, 1), timeZone),
  }
  remember(caches.days, timeZone, day)
  return day
}

function remember<Value>(values: Map<string, Value>, key: string, value: Value): void {
  if (values.size >= MAX_ENTRIES) values.clear()
  values.set(key, value)
}

/** Returns the start of a day such as `2027-06-15` in a time zone, which is not always midnight. */
export function startOfDay(name: string, timeZone: string): number {
  const midnight = Date.parse(`${name}T00:00:00Z`)
  // Where clocks change on this day, midnight exists at one of two offsets, or is skipped.
  const starts = [midnight - DAY_MS, midnight + DAY_MS].map(
    (nearby) => midnight - offsetOf(nearby, timeZone),
  )
  const right = starts.filter((start) => nameOf(start + offsetOf(start, timeZone)) === name)
  return right.length > 0 ? Math.min(...right) : Math.max(...starts)
}

/**
 * Returns the instant of a wall-clock time such as `09:30` on a day: the first of two, and a skipped
 * time later by the length of the gap.
 */
export function timeOn(name: string, clock: string, timeZone: string): number {
  const wanted = Date.parse(`${name}T${clock}:00Z`)
  const times = [wanted - DAY_MS, wanted + DAY_MS].map(
    (nearby) => wanted - offsetOf(nearby, timeZone),
  )
  const right = times.filter((time) => time + offsetOf(time, timeZone) === wanted)
  return right.length > 0 ? Math.min(...right) : Math.max(...times)
}

/**
 * Returns the names of the days from one to another, both included. Throws `RangeError` for more than
 * `max` days, so that a caller cannot make the list long.
 */
export function listDayNames(first: string, last: string, max: number): string[] {
  const count = (startOfUtcDay(last) - startOfUtcDay(first)) / DAY_MS + 1
  if (!(count <= max)) throw new RangeError(`More than ${max} days from ${first} to ${last}`)
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index))
}

/** Returns the name of the day that many days later, or earlier when negative. */
export function addDays(name: string, days: number): string {
  return nameOf(startOfUtcDay(name) + days * DAY_MS)
}

/** Returns whether a text such as `2028-02-29` names an existing day of the calendar. */
export function isDay(text: string): boolean {
  const at = startOfUtcDay(text)
  return DAY_FORM.test(text) && isInCalendar(at) && nameOf(at) === text
}

function startOfUtcDay(name: string): number {
  return Date.parse(`${name}T00:00:00Z`)
}

/** Throws `RangeError` for a year without four digits: its name would break every comparison. */
function nameOf(localAt: number): string {
  const text = new Date(localAt).toISOString()
  if (!DAY_FORM.test(text.slice(0, 10))) throw new RangeError(`${text} is outside of the calendar`)
  return text.slice(0, 10)
}

/** Returns the UTC offset of a zone in milliseconds. Office hours ask for the same instants all day. */
function offsetOf(at: number, timeZone: string): number {
  const key = `${timeZone} ${at}`
  const known = caches.offsets.get(key)
  if (known !== undefined) return known
  const offset = readOffset(at, timeZone)
  remember(caches.offsets, key, offset)
  return offset
}

function readOffset(at: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(at)
  const field = new Map(parts.map(({ type, value }) => [type, Number(value)]))
  const get = (name: Intl.DateTimeFormatPartTypes) => field.get(name) ?? 0
  const local = Date.UTC(
    get('year'),
    get('month') - 1,
    get('day'),
    get('hour'),
    get('minute'),
    get('second'),
  )
  return local - Math.floor(at / 1_000) * 1_000
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const made = caches.formats.get(timeZone)
  if (made) return made
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  remember(caches.formats, timeZone, format)
  return format
}
