import { describe, expect, test } from 'vitest'
import { LocalBuffer } from '../../../server/delivery/worker/local-buffer.ts'
import { FairScheduler } from '../../../server/delivery/worker/fair-scheduler.ts'

const NOW = 1_795_293_000_000

function handed(id: string, leaseUntil = NOW + 25_000) {
  return {
    id,
    workspace_id: 'ws',
    family: 'chat' as const,
    endpoint_id: 'rule',
    event: 'lead.created',
    body: '{}',
    tier: 0,
    attempt: 0,
    attempts: 0,
    session_id: null,
    next_at: NOW,
    held_at: null,
    lease_token: 'worker:1',
    lease_until: leaseUntil,
    created_at: NOW,
  }
}

const idsOf = (deliveries: readonly { id: string }[]) => deliveries.map(({ id }) => id)

describe('what waits in memory for a place', () => {
  test('goes as places come free, in its order', () => {
    const lanes = new FairScheduler(2, 2)
    const handedOver = new LocalBuffer(lanes)
    for (const id of ['a', 'b', 'c']) handedOver.add(handed(id))
    expect(idsOf(handedOver.takeReady(NOW + 23_000).ready)).toEqual(['a', 'b'])
    const flights = [lanes.start('rule', 0), lanes.start('rule', 0)]
    expect(handedOver.takeReady(NOW + 23_000)).toEqual({ ready: [], expired: [] })
    for (const flight of flights) lanes.end(flight, true)
    expect(idsOf(handedOver.takeReady(NOW + 23_000).ready)).toEqual(['c'])
    expect(handedOver.size).toBe(0)
  })

  test('is given back when it waits for too long', () => {
    const lanes = new FairScheduler(1, 1)
    lanes.start('rule', 0)
    const handedOver = new LocalBuffer(lanes)
    handedOver.add(handed('old', NOW + 22_000))
    handedOver.add(handed('young', NOW + 24_000))
    expect(idsOf(handedOver.takeReady(NOW + 23_000).expired)).toEqual(['old'])
    expect(handedOver.countOf('rule')).toBe(1)
  })

  test('is only what goes to those who answer as they should', () => {
    const lanes = new FairScheduler(100, 100)
    expect(lanes.isHealthy('rule')).toBe(true)
    lanes.end(lanes.start('rule', 0), false)
    expect(lanes.isHealthy('rule')).toBe(false)
    for (let count = 0; count < 10; count += 1) lanes.end(lanes.start('rule', 0), true)
    expect(lanes.isHealthy('rule')).toBe(true)
  })
})
