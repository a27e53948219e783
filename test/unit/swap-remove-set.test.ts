import { expect, test } from 'vitest'
import { SwapRemoveSet } from '../../server/lib/swap-remove-set.ts'

test('keeps who came and has not left, in whatever order they leave', () => {
  const things = new SwapRemoveSet<string>()
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => things.add(name))
  second?.()
  expect(things.all().toSorted()).toEqual(['a', 'c', 'd'])
  first?.()
  fourth?.()
  expect(things.all()).toEqual(['c'])
  third?.()
  expect(things.size).toBe(0)
})

test('says whether somebody was still in, and takes nobody else out for them', () => {
  const things = new SwapRemoveSet<string>()
  const leave = things.add('a')
  expect(leave()).toBe(true)
  things.add('b')
  expect(leave()).toBe(false)
  expect(things.all()).toEqual(['b'])
})

test('has the same thing as often as it came', () => {
  const things = new SwapRemoveSet<string>()
  const leave = things.add('a')
  things.add('a')
  leave()
  expect(things.all()).toEqual(['a'])
})
