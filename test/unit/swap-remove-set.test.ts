import { expect, test } from 'vitest'
import { Roster } from '../../server/lib/swap-remove-set.ts'

test('keeps who came and has not left, in whatever order they leave', () => {
  const roster = new Roster<string>()
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => roster.add(name))
  second?.()
  expect(roster.all().toSorted()).toEqual(['a', 'c', 'd'])
  first?.()
  fourth?.()
  expect(roster.all()).toEqual(['c'])
  third?.()
  expect(roster.size).toBe(0)
})

test('says whether somebody was still in, and takes nobody else out for them', () => {
  const roster = new Roster<string>()
  const leave = roster.add('a')
  expect(leave()).toBe(true)
  roster.add('b')
  expect(leave()).toBe(false)
  expect(roster.all()).toEqual(['b'])
})

test('has the same thing as often as it came', () => {
  const roster = new Roster<string>()
  const leave = roster.add('a')
  roster.add('a')
  leave()
  expect(roster.all()).toEqual(['a'])
})
