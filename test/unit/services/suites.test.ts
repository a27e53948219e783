import { expect, test } from 'vitest'
import { chooseSuites } from '../../services/suites.ts'

test('runs everything when nothing is chosen', () => {
  expect(chooseSuites([])).toEqual({ suites: ['unit', 'integration', 'browser'], rest: [] })
})

test('runs the suites that are named and hands the rest to their runners', () => {
  expect(chooseSuites(['browser', 'unit', '-t', 'opens'])).toEqual({
    suites: ['unit', 'browser'],
    rest: ['-t', 'opens'],
  })
})

test('finds the suite of a file that is named', () => {
  const file = './test/integration/chat.test.ts'
  expect(chooseSuites([file])).toEqual({ suites: ['integration'], rest: [file] })
})
