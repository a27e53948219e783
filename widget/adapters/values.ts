/** Reads a page's value of unknown type as the type that a caller wants. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined

const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && 'length' in value

/** An array, or the arguments of a function. */
export const listOf = (value: unknown): unknown[] => (isList(value) ? Array.from(value) : [])

/** Calls a page's function, if it is one; its errors are reported and not thrown. */
export function ring(given: unknown, ...rest: unknown[]): void {
  try {
    if (typeof given === 'function') given(...rest)
  } catch (error) {
    reportError(error)
  }
}
