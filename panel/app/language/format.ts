import type { Language } from './language.ts'

/** Dates, numbers and plurals in the reader's language and time zone. */
export interface Format {
  number(value: number): string
  /** 0.953 as “95 %”. */
  percent(value: number): string
  /** 12345 bytes as “12 kB”. */
  bytes(value: number): string
  date(at: string | Date): string
  time(at: string | Date): string
  dateTime(at: string | Date): string
  /** “3 minutes ago”; a date after a week. */
  ago(at: string | Date): string
  /** “2 min”, “3 h”. */
  duration(milliseconds: number): string
  weekday(at: string | Date): string
  list(words: readonly string[]): string
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

const SIZES = [
  { unit: 'byte', length: 1 },
  { unit: 'kilobyte', length: 1_000 },
  { unit: 'megabyte', length: 1_000_000 },
  { unit: 'gigabyte', length: 1_000_000_000 },
] as const

export function createFormat(language: Language, timeZone: string | undefined): Format {
  const zone = timeZone === undefined ? {} : { timeZone }
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 3 })
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const date = new Intl.DateTimeFormat(language, { ...zone, dateStyle: 'medium' })
  const time = new Intl.DateTimeFormat(language, { ...zone, timeStyle: 'short' })
  const both = new Intl.DateTimeFormat(language, {
    ...zone,
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  const weekday = new Intl.DateTimeFormat(language, {
    ...zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const list = new Intl.ListFormat(language)
  const agos = new Map<string, string>()
  /** A list shows the same few distances again and again, and formatting is slow. */
  function distance(amount: number, unit: Intl.RelativeTimeFormatUnit): string {
    const key = `${amount} ${unit}`
    const known = agos.get(key) ?? relative.format(amount, unit)
    agos.set(key, known)
    return known
  }
  const durations = new Map<string, Intl.NumberFormat>()
  function durationOf(unit: string, maximumFractionDigits: number): Intl.NumberFormat {
    const key = `${unit} ${maximumFractionDigits}`
    const known =
      durations.get(key) ??
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits,
      })
    durations.set(key, known)
    return known
  }
  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value),
    bytes(value) {
      const size = SIZES.findLast(({ length }) => value >= length) ?? SIZES[0]
      return new Intl.NumberFormat(language, {
        style: 'unit',
        unit: size.unit,
        // Only the long form of bytes has a plural.
        unitDisplay: size.unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: value >= 10 * size.length ? 0 : 1,
      }).format(value / size.length)
    },
    date: (at) => date.format(new Date(at)),
    time: (at) => time.format(new Date(at)),
    dateTime: (at) => both.format(new Date(at)),
    weekday: (at) => weekday.format(new Date(at)),
    list: (words) => list.format(words),
    ago(at) {
      const past = new Date(at).getTime() - Date.now()
      if (Math.abs(past) > 7 * 86_400_000) return date.format(new Date(at))
      for (const [unit, length] of UNITS) {
        if (Math.abs(past) >= length) return distance(Math.trunc(past / length), unit)
      }
      return distance(0, 'second')
    },
    duration(milliseconds) {
      const [unit, length] =
        milliseconds < 1_000
          ? (['millisecond', 1] as const)
          : milliseconds < 60_000
            ? (['second', 1_000] as const)
            : milliseconds < 3_600_000
              ? (['minute', 60_000] as const)
              : (['hour', 3_600_000] as const)
      const digits = milliseconds >= 1_000 && milliseconds < 10_000 ? 1 : 0
      return durationOf(unit, digits).format(milliseconds / length)
    },
  }
}
