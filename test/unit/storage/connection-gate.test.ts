import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionGate } from '../../../server/storage/postgres/connection-gate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a workspace waits for its own part, and the others pass it by', async () => {
  const gate = new ConnectionGate(() => ({ perOwner: 1, total: 2 }))
  const order: string[] = []
  const enter = async (name: string, owner: string) => {
    const leave = await gate.enter(owner)
    order.push(name)
    return leave
  }
  const first = await enter('first of a', 'a')
  const second = enter('second of a', 'a')
  expect([gate.waitingCount, gate.crowdedCount]).toEqual([1, 0])
  const ofB = await enter('b', 'b')
  const ofC = enter('c', 'c')
  // A larger pool would serve c, and not the second of a.
  expect([gate.waitingCount, gate.crowdedCount]).toEqual([2, 1])
  ofB()
  const leaveC = await ofC
  leaveC()
  first()
  const leaveSecond = await second
  leaveSecond()
  expect(order).toEqual(['first of a', 'b', 'c', 'second of a'])
  expect(gate.waitingCount).toBe(0)
})

test('a caller that waited in vain takes nothing that comes free later', async () => {
  const gate = new ConnectionGate(() => ({ perOwner: 1, total: 1 }))
  const leave = await gate.enter('a')
  const late = gate.enter('a').catch(String)
  await vi.runAllTimersAsync()
  expect(await late).toContain('timeout exceeded when trying to connect')
  leave()
  const next = await gate.enter('a')
  next()
  const unbounded = await Promise.all([gate.enter(undefined), gate.enter(undefined)])
  expect(unbounded).toHaveLength(2)
})
