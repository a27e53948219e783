import { vi } from 'vitest'

/** Long, because a busy machine is not a defect; `vitest.config.ts` has the same for `expect.poll`. */
const TIMEOUT_MS = 40_000

/**
 * Calls `check` until it does not throw, and returns what it returned. Throws its last error after
 * 40 s.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: TIMEOUT_MS, interval: 50 })
}
