import { expect, test } from 'vitest'
import { ServiceRate } from '../../../server/runtime/service-rate.ts'

const WAIT_MS = 500
/** Requests that are admitted at any rate. */
const LEAST = 64

/** A rate with a clock that only work moves on. */
function startRate() {
  const state = { ms: 0, isSaturated: true }
  const rate = new ServiceRate(
    () => state.ms,
    () => state.isSaturated,
  )
  return {
    state,
    capacity: (inFlight: number) => rate.capacity(inFlight, WAIT_MS),
    /** Answers so many requests a second, for so long, with so many others in flight. */
    work: (perSecond: number, inFlight: number, seconds = 1) => {
      for (let count = 0; count < perSecond * seconds; count += 1) {
        state.ms += 1_000 / perSecond
        rate.answered(inFlight)
      }
    },
    /** Only asks for room. */
    ask: (inFlight: number, seconds: number) => {
      for (let asked = 0; asked < seconds * 100; asked += 1) {
        state.ms += 10
        rate.capacity(inFlight, WAIT_MS)
      }
    },
  }
}

test('admits as many as are answered within the time that a caller may wait', () => {
  const { capacity, work } = startRate()
  expect(capacity(0)).toBe(Infinity)

  // A few callers who wait for each other say nothing of what the process can do.
  work(20, 3)
  expect(capacity(3)).toBe(Infinity)

  work(400, 300, 2)
  expect(capacity(300)).toBeCloseTo(200, -1)

  // Half as fast, as when another process takes the processor.
  work(200, 300, 2)
  expect(capacity(300)).toBeCloseTo(100, -1)

  work(10, 60, 2)
  expect(capacity(60)).toBe(LEAST)
})

test('a process that is warm admits more than in its first second', () => {
  const { capacity, work } = startRate()
  work(50, 300)
  expect(capacity(64)).toBe(LEAST)
  // The least that is admitted suffices to see that it has become faster.
  work(800, LEAST)
  expect(capacity(64)).toBeCloseTo(400, -1)
})

test('a sudden rush after a slow time is admitted', () => {
  const { state, capacity, work } = startRate()
  // While an import took the processor.
  work(20, 100, 2)
  expect(capacity(100)).toBe(LEAST)
  work(20, 3, 5)
  expect(capacity(3)).toBeGreaterThan(300)
  // And of a process that nobody called at all.
  work(20, 100, 2)
  work(20, 0, 0.05)
  state.ms += 10_000
  expect(capacity(0)).toBeGreaterThan(1_000)
})

test('a process that answered nobody, as without its database, admits a rush later', () => {
  const { state, capacity, work, ask } = startRate()
  work(400, 300)
  ask(300, 3)
  expect(capacity(300)).toBe(LEAST)
  state.isSaturated = false
  ask(0, 6)
  expect(capacity(0)).toBeGreaterThan(500)
})

test('many who wait for something else, such as slow readers, keep nobody out', () => {
  const { state, capacity, work, ask } = startRate()
  state.isSaturated = false
  work(4, 300, 10)
  expect(capacity(300)).toBe(Infinity)
  // A rate that was measured before does not keep them out either.
  state.isSaturated = true
  work(400, 300)
  state.isSaturated = false
  ask(300, 3)
  expect(capacity(300)).toBeGreaterThan(1_000)
})

test('an event loop that was blocked once does not count as the rate of what follows', () => {
  const { state, capacity, work } = startRate()
  work(400, 300, 2)
  state.ms += 2_000
  expect(capacity(300)).toBeCloseTo(200, -1)
  work(400, 300, 0.2)
  expect(capacity(300)).toBeCloseTo(200, -1)
})

test('bursts with idle times between them are not a rate', () => {
  const { state, capacity, work } = startRate()
  for (let burst = 0; burst < 20; burst += 1) {
    work(500, 100, 0.15)
    state.ms += 400
    work(500, 3, 0.01)
  }
  expect(capacity(3)).toBe(Infinity)
})

test('a slow route beside fast ones lowers the room by as much as it costs', () => {
  const { capacity, work } = startRate()
  work(800, 300, 2)
  const before = capacity(300)
  // Half of the time goes to a few slow answers.
  work(410, 300, 2)
  expect(capacity(300)).toBeCloseTo(before / 2, -1)
})
