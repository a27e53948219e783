import { AppError } from './errors.ts'

const RETRY_AFTER_SECONDS = 5
/** As long as the work of a start may hold up the first measurement. */
const START_MS = 5_000

/**
 * What is done with a call when the process was too slow for others: it is refused with 503. Not
 * right after a start, where nothing was measured yet (`Infinity`) because starting took the time.
 * @param now the clock, in milliseconds
 */
export function rejectUnderPressure(
  now: () => number,
): (request: unknown, reply: unknown, kind: string, measured: number | undefined) => Promise<void> {
  const startedAt = now()
  return async (_request, _reply, _kind, measured) => {
    if (measured === Infinity && now() - startedAt < START_MS) return
    throw new AppError('unavailable', 'The service cannot answer right now. Try again shortly.', {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    })
  }
}
