/** Calendar days in a time zone. */

const DAY_MS = 86_400_000
/** How the name of a day looks. */
export const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/

/** A day: its name, such as `2027-06-15`, and its half-open range in milliseconds. */
export interface Day {
  readonly name: string
  readonly from: number
  readonly until: number
}

/**
 * What was worked out before, by time zone: to make a format takes as long as a query, and every
 * message asks which day it is. A zone's rules do not change while the process runs.
 */
const known = { formats: new Map<string, Intl.DateTimeFormat>(), days: new Map<string, Day>() }
const MAX_ZONES = 1_000

/** The day that holds `at` in a time zone. Days are 23 to 25 hours long where clocks change. */
export function dayOf(at: number, timeZone: string): Day {
  const latest = known.days.get(timeZone)
  if (latest && latest.from <= at && at < latest.until) return latest
  const name = nameOf(at + offsetOf(at, timeZone))
  const day = {
    name,
    from: startOfDay(name, timeZone),
    until: startOfDay(addDays(name, 1), timeZone),
  }
  remember(known.days, timeZone, day)
  return day
}

function remember<Value>(values: Map<string, Value>, timeZone: string, value: Value): void {
  if (values.size >= MAX_ZONES) values.clear()
  values.set(timeZone, value)
}

/** When a day such as `2027-06-15` begins in a time zone, which is not midnight everywhere. */
export function startOfDay(name: string, timeZone: string): number {
  const midnight = Date.parse(`${name}T00:00:00Z`)
  // Where clocks change on this day, midnight is in one of two offsets, or in none.
  const starts = [midnight - DAY_MS, midnight + DAY_MS].map(
    (nearby) => midnight - offsetOf(nearby, timeZone),
  )
  const right = starts.filter((start) => nameOf(start + offsetOf(start, timeZone)) === name)
  return right.length > 0 ? Math.min(...right) : Math.max(...starts)
}

/**
 * When clocks in a time zone show a time such as `09:30` on a day: the first of two, and where the
 * time is skipped, as much later as clocks are put forward.
 */
export function timeOn(name: string, clock: string, timeZone: string): number {
  const wanted = Date.parse(`${name}T${clock}:00Z`)
  const times = [wanted - DAY_MS, wanted + DAY_MS].map(
    (nearby) => wanted - offsetOf(nearby, timeZone),
  )
  const right = times.filter((time) => time + offsetOf(time, timeZone) === wanted)
  return right.length > 0 ? Math.min(...right) : Math.max(...times)
}

/** The name of the day that many days later, or earlier when negative. */
export function addDays(name: string, days: number): string {
  return nameOf(Date.parse(`${name}T00:00:00Z`) + days * DAY_MS)
}

/** Whether a text such as `2027-02-29` names a day that there is. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return DAY_FORM.test(text) && !Number.isNaN(at) && nameOf(at) === text
}

function nameOf(localAt: number): string {
  return new Date(localAt).toISOString().slice(0, 10)
}

/** What to add to UTC for the time on the clocks of a zone, in milliseconds. */
function offsetOf(at: number, timeZone: string): number {
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
  const made = known.formats.get(timeZone)
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
  remember(known.formats, timeZone, format)
  return format
}
