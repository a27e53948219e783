/** What a page gave, which may be anything, as what is wanted of it. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined

const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && 'length' in value

/** An array, or the arguments of a function. */
export const listOf = (value: unknown): unknown[] => (isList(value) ? Array.from(value) : [])

/** Calls what a page gave as a function; what it throws is the page's own, and harms nobody else. */
export function ring(given: unknown, ...rest: unknown[]): void {
  try {
    if (typeof given === 'function') given(...rest)
  } catch (error) {
    reportError(error)
  }
}
