import { describe, expect, test } from 'vitest'
import { FairScheduler } from '../../../server/delivery/worker/fair-scheduler.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `rule_${index}`)

describe('places', () => {
  test('go round: an endpoint that had its turn moves to the end of the line', () => {
    const lanes = new FairScheduler(1_000, 16)
    for (const name of names(6)) lanes.add(name, 0)
    const first = lanes.planClaims().map((want) => want.endpointId)
    const second = lanes.planClaims().map((want) => want.endpointId)
    const third = lanes.planClaims().map((want) => want.endpointId)
    expect(first).toEqual(['rule_0', 'rule_1'])
    expect(second).toEqual(['rule_2', 'rule_3'])
    expect(third).toEqual(['rule_4', 'rule_5'])
  })

  test('of one endpoint are few at first, and more while it answers', () => {
    const lanes = new FairScheduler(1_000, 256)
    lanes.add('rule', 0)
    expect(lanes.planClaims()).toEqual([{ endpointId: 'rule', tier: 0, count: 8 }])
    for (let count = 0; count < 100; count += 1) lanes.end(lanes.start('rule', 0), true)
    expect(lanes.planClaims()).toEqual([{ endpointId: 'rule', tier: 0, count: 64 }])
    for (let count = 0; count < 100; count += 1) lanes.end(lanes.start('rule', 0), false)
    expect(lanes.planClaims()).toEqual([{ endpointId: 'rule', tier: 0, count: 1 }])
  })

  test('are kept for first attempts, however many retries are due', () => {
    const lanes = new FairScheduler(100, 100)
    for (const name of names(100)) lanes.add(name, 1)
    const retries = lanes.planClaims()
    expect(retries.reduce((sum, want) => sum + want.count, 0)).toBe(75)
    for (const { endpointId, tier, count } of retries) {
      for (let begun = 0; begun < count; begun += 1) lanes.start(endpointId, tier)
    }
    expect(lanes.planClaims()).toEqual([])
    lanes.add('new', 0)
    lanes.end(lanes.start('rule_99', 1), true)
    expect(lanes.planClaims()).toContainEqual({ endpointId: 'new', tier: 0, count: 8 })
  })

  test('of those that do not answer are not those of the others', () => {
    const lanes = new FairScheduler(100, 100)
    for (const name of names(40)) {
      lanes.end(lanes.start(name, 0), false)
      lanes.add(name, 0)
    }
    const slow = lanes.planClaims()
    for (const { endpointId, tier, count } of slow) {
      for (let begun = 0; begun < count; begun += 1) lanes.start(endpointId, tier)
    }
    lanes.add('healthy', 0)
    expect(lanes.planClaims()).toContainEqual({ endpointId: 'healthy', tier: 0, count: 8 })
    expect(lanes.freeSlots('healthy')).toBe(8)
  })

  test('are claimed again for what came while they were claimed', () => {
    const lanes = new FairScheduler(100, 100)
    lanes.add('rule', 0)
    const [want] = lanes.planClaims()
    lanes.add('rule', 0)
    if (want) lanes.recordClaim(want, 0)
    const [again] = lanes.planClaims()
    expect(again).toEqual(want)
    if (again) lanes.recordClaim(again, 1)
    expect(lanes.planClaims()).toEqual([])
  })

  test('are claimed again only while something is due', () => {
    const lanes = new FairScheduler(100, 100)
    lanes.add('rule', 0)
    const [want] = lanes.planClaims()
    if (want) lanes.recordClaim(want, want.count - 1)
    expect(lanes.planClaims()).toEqual([])
    expect(lanes.isDue('rule')).toBe(false)
  })
})
