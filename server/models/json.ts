import { ModelFailure } from './model.ts'

/** Upper bound of a plausible token count; sums of counts below it stay exact. */
const MAX_TOKENS = 1_000_000_000
/** Excludes control characters, which Postgres does not store. */
const MODEL_NAME = /^\P{C}{1,200}$/u

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; none for a value that is not a list. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** A token count; undefined for an implausible value. */
export function tokenCount(value: unknown): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0
  return isCount && value <= MAX_TOKENS ? value : undefined
}

/** The larger count: providers count up, and some end with zeros or omit counts. */
export function maxCount(known: number | undefined, value: unknown): number | undefined {
  const count = tokenCount(value)
  return count === undefined || (known !== undefined && known > count) ? known : count
}

/** A model's name in an answer; undefined for one that cannot be stored or shown. */
export function modelName(value: unknown): string | undefined {
  return typeof value === 'string' && MODEL_NAME.test(value) ? value : undefined
}

/** Parses a JSON object. Throws a transient `ModelFailure` for anything else. */
export function parseRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // The parser's own error quotes the text, so that it is replaced below.
  }
  throw new ModelFailure('failed', 'The model provider sent something unreadable.', {
    isTransient: true,
  })
}
