import { expect, test } from 'vitest'
import { ServiceRate } from '../../../server/runtime/service-rate.ts'

const WAIT_MS = 500

/** Answers so many requests a second for a second, with so many others in flight. */
function work(rate: ServiceRate, clock: { ms: number }, perSecond: number, inFlight: number): void {
  for (let count = 0; count < perSecond; count += 1) {
    clock.ms += 1_000 / perSecond
    rate.answered(inFlight)
  }
}

test('admits as many as are answered within the time that a caller may wait', () => {
  const clock = { ms: 0 }
  const rate = new ServiceRate(() => clock.ms)
  expect(rate.capacity(0, WAIT_MS)).toBe(Infinity)

  // A few callers who wait for each other say nothing of what the process can do.
  work(rate, clock, 20, 3)
  expect(rate.capacity(3, WAIT_MS)).toBe(Infinity)

  work(rate, clock, 400, 300)
  work(rate, clock, 400, 300)
  expect(rate.capacity(300, WAIT_MS)).toBeCloseTo(200, -1)

  // Half as fast, as when another process takes the processor.
  work(rate, clock, 200, 300)
  work(rate, clock, 200, 300)
  expect(rate.capacity(300, WAIT_MS)).toBeCloseTo(100, -1)

  // The last rate holds while there is little to do, and a few are always admitted.
  work(rate, clock, 20, 3)
  expect(rate.capacity(3, WAIT_MS)).toBeCloseTo(100, -1)
  work(rate, clock, 10, 60)
  work(rate, clock, 10, 60)
  expect(rate.capacity(60, WAIT_MS)).toBe(64)
})
