import { expect, test } from 'vitest'
import { chooseSuites } from '../../services/suites.ts'

test('runs everything when nothing is chosen', () => {
  expect(chooseSuites([])).toEqual({
    suites: ['unit', 'integration', 'browser'],
    isFull: false,
    rest: [],
  })
})

test('runs the suites that are named and hands the rest to their runners', () => {
  expect(chooseSuites(['browser', 'unit', '-t', 'opens'])).toEqual({
    suites: ['unit', 'browser'],
    isFull: false,
    rest: ['-t', 'opens'],
  })
})

test('finds the suite of a file that is named', () => {
  const file = './test/integration/chat.test.ts'
  expect(chooseSuites([file])).toEqual({ suites: ['integration'], isFull: false, rest: [file] })
})

test('runs everything on both databases when asked to, and keeps that from the runners', () => {
  expect(chooseSuites(['integration', '--full', '-t', 'opens'])).toEqual({
    suites: ['integration'],
    isFull: true,
    rest: ['-t', 'opens'],
  })
})
