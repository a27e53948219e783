import { expect, test } from 'vitest'
import { measureOverload } from '../../bench/overload.ts'

/** Of the turns that are taken, with five times as many offered as a process can answer. */
const MAX_P99_MS = 2_000
const MAX_HEALTH_MS = 250

test('five times the capacity: what is taken is answered in time, the rest is refused', async () => {
  const found = await measureOverload({})
  console.log('overload', found)
  expect(found.refused).toBeGreaterThan(0)
  expect(found.other).toBe(0)
  expect(found.p99).toBeLessThan(MAX_P99_MS)
  expect(found.health).toBeLessThan(MAX_HEALTH_MS)
  // What is refused is no work: half of the capacity at least stays for what is taken.
  expect(found.taken).toBeGreaterThan(found.capacity / 2)
})
