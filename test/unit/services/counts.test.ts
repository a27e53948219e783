import { expect, test } from 'vitest'
import { addCounts, closingLine, countPlaywright, countVitest } from '../../services/counts.ts'

test('counts what Vitest ran, and a file that could not be loaded as one failure', () => {
  const assertionResults = ['passed', 'passed', 'failed', 'skipped', 'todo'].map((status) => ({
    fullName: `a ${status} test`,
    status,
  }))
  const report = {
    testResults: [
      { status: 'failed', assertionResults },
      { status: 'failed', assertionResults: [] },
    ],
  }
  expect(countVitest(report)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 2,
    skippedNames: ['a skipped test', 'a todo test'],
  })
})

test('counts what Playwright ran, in nested groups too, and a flaky test as failed', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] })
  const report = {
    errors: [],
    suites: [
      {
        title: 'widget.test.ts',
        specs: [spec('opens', 'expected'), spec('closes', 'flaky')],
        suites: [{ title: 'on a phone', specs: [spec('fills the screen', 'skipped')] }],
      },
    ],
  }
  expect(countPlaywright(report)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    skippedNames: ['widget.test.ts › on a phone › fills the screen'],
  })
})

test('ends a run with the sum of all runners', () => {
  const one = { passed: 3, failed: 0, skipped: 0, skippedNames: [] }
  expect(closingLine(addCounts([one, one]))).toBe('6 passed, 0 failed')
  const other = { passed: 1, failed: 2, skipped: 1, skippedNames: ['x'] }
  expect(closingLine(addCounts([one, other]))).toBe('4 passed, 2 failed, 1 skipped')
})
