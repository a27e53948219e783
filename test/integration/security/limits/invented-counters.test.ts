import { expect, test, vi } from 'vitest'
import { RateLimitStore } from '../../../../server/http/rate-limit-store.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../server/lib/durations.ts'

const FULL = 200_000

/** Counts the entries that iterations over maps visit while `work` runs. */
async function countVisited(work: () => Promise<void>): Promise<number> {
  const original = Map.prototype[Symbol.iterator]
  let visited = 0
  const spy = vi.spyOn(Map.prototype, Symbol.iterator).mockImplementation(function counted(
    this: Map<unknown, unknown>,
  ) {
    const iterator = original.call(this)
    const next = iterator.next.bind(iterator)
    iterator.next = () => {
      visited += 1
      return next()
    }
    return iterator
  })
  await work().finally(() => spy.mockRestore())
  return visited
}

test('a counter costs the same work with 200,000 invented ones beside it', async () => {
  let now = 0
  const store = new RateLimitStore(() => now, undefined)
  await store.add('booking:somebody', HOUR_MS)
  for (let at = 0; at < FULL; at += 1) await store.add(`open:${at}`, MINUTE_MS)
  const addMore = async (prefix: string) => {
    for (let at = 0; at < 1_000; at += 1) await store.add(`${prefix}:${at}`, MINUTE_MS)
  }
  expect(await countVisited(() => addMore('live'))).toBeLessThanOrEqual(3_000)
  // Windows that have ended go a few at a time, never in one scan.
  now = MINUTE_MS
  expect(await countVisited(() => addMore('ended'))).toBeLessThanOrEqual(3_000)
  // A flood of short windows takes the place of none that is longer.
  expect(await store.read('booking:somebody')).toEqual({ current: 1, ttl: HOUR_MS - MINUTE_MS })
  expect(await store.read('ended:999')).toMatchObject({ current: 1 })
})
