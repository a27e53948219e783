import { ModelFailure } from './model.ts'

/** No model reads or writes so many at once; sums of such counts stay exact. */
const MAX_TOKENS = 1_000_000_000
/** Without control characters, which Postgres does not keep. */
const MODEL_NAME = /^\P{C}{1,200}$/u

/** Whether a value of JSON is an object, whose fields can then be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The elements of a list that are objects; nothing when it is no list. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** A count of tokens, when it is one that can be. */
export function tokenCount(value: unknown): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0
  return isCount && value <= MAX_TOKENS ? value : undefined
}

/** The larger of two counts: providers count up, and some end with zeros or leave parts out. */
export function maxCount(known: number | undefined, value: unknown): number | undefined {
  const count = tokenCount(value)
  return count === undefined || (known !== undefined && known > count) ? known : count
}

/** A model's name as a provider gave it, when it can be kept and shown. */
export function modelName(value: unknown): string | undefined {
  return typeof value === 'string' && MODEL_NAME.test(value) ? value : undefined
}

/** What a provider sent. Throws `ModelFailure` when it is no JSON object. */
export function parseRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Said below; the parser's own words quote the text.
  }
  throw new ModelFailure('failed', 'The model provider sent something unreadable.', {
    isTransient: true,
  })
}
