const DAY_MS = 86_400_000
export const SPANS = [7, 30, 90] as const

/** Days as the API takes them, both included. */
export interface Days {
  from: string
  to: string
}

/** Returns the last days up to today, and as many before them. */
export function periodsOf(span: number): { now: Days; before: Days } {
  const today = Date.now()
  const day = (ago: number): string => new Date(today - ago * DAY_MS).toISOString().slice(0, 10)
  return {
    now: { from: day(span - 1), to: day(0) },
    before: { from: day(2 * span - 1), to: day(span) },
  }
}
