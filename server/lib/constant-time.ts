import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Whether two texts or byte strings are equal, in a time that depends on their lengths alone. Equal
 * lengths are not required: digests are compared. An absent value equals nothing.
 */
export function constantTimeEqual(
  given: string | Uint8Array | undefined,
  expected: string | Uint8Array,
): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(expected))
}

function digest(value: string | Uint8Array): Buffer {
  return hash('sha256', value, 'buffer')
}
