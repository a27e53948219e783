import { ModelFailure } from './model.ts'

/** Whether a value of JSON is an object, whose fields can then be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The elements of a list that are objects; nothing when it is no list. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** A count of tokens, when it is one. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** What a provider sent. Throws `ModelFailure` when it is no JSON object. */
export function readRecord(text: string): Record<string, unknown> {
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
